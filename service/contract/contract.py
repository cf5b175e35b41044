"""What schemathesis does not know by itself: lines of JSON, and how a problem is told."""

import json

import schemathesis
from hypothesis import strategies

PROBLEM = "application/problem+json"
LINES = "application/x-ndjson"

# Of the sample collection, so that there is something to answer about: every second name, address or word is one of these.
IDS = ["slow-walk-32", "trip-news-904", "weekend-77", "harbor-12", "matome-3301", "notes-201", "daily-reads-55"]
URLS = ["https://slow-walk.example/32", "https://matome.example/3301", "https://notes.example/201"]
# Nobody listens there. The service would really call any other address that a webhook is given.
NOBODY = "http://127.0.0.1:9/"
CURSORS, TAGS = ["0", "1", "1000"], ["*", '"v1"', '"v2"']
WORDS = ["남한산성", "秋刀魚", "tangerines", '"the night bus" -sunday', "site:notes.example bread", "lang:ko 커피"]

texts = strategies.text(max_size=400)
records = strategies.fixed_dictionaries(
    {"text": texts},
    optional={
        "id": texts,
        "url": texts,
        "title": texts,
        "author": texts,
        "created_at": strategies.one_of(texts, strategies.integers(), strategies.floats(), strategies.datetimes().map(str)),
        "features": strategies.lists(strategies.one_of(texts, strategies.integers(), strategies.none())),
        "other": strategies.recursive(strategies.none() | texts, strategies.lists),
    },
)
lines = strategies.one_of(records.map(lambda record: json.dumps(record).encode()), strategies.binary(max_size=200), texts.map(str.encode))
schemathesis.openapi.media_type(LINES, strategies.lists(lines, max_size=20).map(b"\n".join))


def known(value, instead):
    """Every second text becomes one that is known, always the same one; whatever is no text stays."""
    if not isinstance(value, str) or sum(value.encode(errors="replace")) % 2:
        return value
    return instead[len(value) % len(instead)]


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    # Nothing known is deleted: others would ask for it in vain.
    if path_parameters and "id" in path_parameters and context.operation.method.upper() != "DELETE":
        path_parameters["id"] = known(path_parameters["id"], IDS)
    return path_parameters


@schemathesis.hook
def map_query(context, query):
    for name, instead in ("q", WORDS), ("url", URLS), ("cursor", CURSORS):
        if query and name in query:
            query[name] = known(query[name], instead)
    return query


@schemathesis.hook
def map_headers(context, headers):
    for name in headers or {}:
        if name.lower() in ("if-match", "if-none-match"):
            headers[name] = known(headers[name], TAGS)
    return headers


@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict):
        for name in "a", "b", "of":
            if name in body:
                body[name] = known(body[name], IDS)
    return body


@schemathesis.hook
def before_call(context, case, kwargs):
    """Whatever makes up the request: no webhook leads to another machine."""
    if case.path == "/v1/webhooks" and isinstance(case.body, dict) and ":" in str(case.body.get("url")):
        # As long as it was: too long stays too long.
        case.body["url"] = NOBODY.ljust(len(str(case.body["url"])), "x")


@schemathesis.serializer(LINES)
def as_it_is(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.deserializer(LINES)
def first_line(context, response):
    """All lines are JSON; the first stands for them before the schema."""
    answers = [json.loads(line) for line in response.content.splitlines()]
    return answers[0] if answers else {"line": 1, "status": 200}


@schemathesis.check
def bulk_answers_every_line(context, response, case):
    """As many answers as lines that are not blank, numbered by the lines; none is a failure of the service."""
    if not case.path.endswith("/_bulk") or response.status_code != 200:
        return
    sent = case.body if isinstance(case.body, bytes) else b""
    expected = [number for number, line in enumerate(sent.split(b"\n"), 1) if line.strip(b" \t\r\n\x0c")]
    answers = [json.loads(line) for line in response.content.splitlines()]
    numbers = [answer["line"] for answer in answers]
    assert numbers == expected, f"lines {expected} were sent, {numbers} answered"
    failed = [answer for answer in answers if answer["status"] >= 500]
    assert not failed, f"failures of the service: {failed}"


@schemathesis.check
def problems_are_told(context, response, case):
    """Whatever is refused is refused as problem+json, whose status is that of the answer."""
    if response.status_code < 400:
        return
    media = response.headers.get("content-type", [""])[0]
    assert media == PROBLEM, f"{response.status_code} as {media}"
    if case.method == "HEAD":
        return
    problem = json.loads(response.content)
    assert problem["status"] == response.status_code, problem
    assert problem["detail"].strip(), problem
