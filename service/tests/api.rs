//! The routes as programs meet them: what is stored is judged, found, compared, traced and deleted; what is wrong is said.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::Service;

const POST: &str = "누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고, 원본의 이름을 밝히며, 복사본은 검색에서 뺀다. \
                    그래서 읽는 사람은 같은 글을 두 번 보지 않는다. 쓴 사람은 자기 이름을 잃지 않는다.";

const ENGLISH: &str = "Our village bakery closes at the end of the month after forty years. The owner says flour, energy and rent \
    have doubled, and it is hard to find anyone who starts work at three in the morning. Neighbours collected signatures on the \
    market square, the mayor promised a meeting before the holidays, and a retired teacher offered to bake rye bread on Saturdays.";

fn post(id: &str, text: &str) -> Value {
    json!({"id": id, "url": format!("https://blog.example/{id}"), "text": text, "created_at": "2024-05-01"})
}

#[test]
fn a_post_and_its_copy() {
    let service = Service::start();
    let first = service.post("/v1/documents", &post("a", POST));
    assert_eq!((first.status, &first.json()["verdict"]), (201, &json!("original")), "{first:?}");
    assert_eq!(first.header("etag"), Some("\"v1\""));
    let again = service.post("/v1/documents", &post("a", POST));
    assert_eq!((again.status, &again.json()["unchanged"]), (200, &json!(true)));
    let copy = service.post("/v1/documents", &post("b", &POST.replace("누가", "누군가")));
    assert_eq!((copy.status, &copy.json()["original"]), (201, &json!("a")), "{copy:?}");

    assert_eq!((&copy.json()["relation"], &copy.json()["nearest"]["id"]), (&json!("edited"), &json!("a")));

    let check = service.post("/v1/check", &post("c", POST)).json();
    assert_eq!((&check["verdict"], &check["original"]), (&json!("duplicate"), &json!("a")));
    assert_eq!((&check["relation"], &check["likeness"]), (&json!("identical"), &json!(1.0)), "{check}");
    let shown = service.get("/v1/documents/a").json();
    assert_eq!((&shown["id"], &shown["copies"]), (&json!("a"), &json!(["b"])));
    assert_eq!(
        service.get("/v1/documents/a/copies").json(),
        json!({"copies": ["b"], "total": 1, "next": null})
    );
    assert_eq!(service.get("/v1/documents/a/versions").json()["versions"].as_array().unwrap().len(), 1);
    assert_eq!(service.get("/v1/documents/https:%2F%2Fblog.example%2Fa").json()["id"], "a");

    let found = service.get_until("/v1/search?q=%EC%9B%90%EB%B3%B8%EC%9D%98", |answer| answer["total"] == 1);
    assert_eq!((&found["hits"][0]["id"], &found["hits"][0]["copies"]), (&json!("a"), &json!(1)), "{found}");
    let similar = service.post("/v1/similar", &json!({"of": "b", "min_resemblance": 0.3})).json();
    assert_eq!(similar["similar"][0]["id"], "a", "{similar}");
    assert_eq!(similar["similar"][0]["relation"], "edited", "{similar}");
    let similar = service.post("/v1/similar", &json!({"document": {"text": POST}})).json();
    let hit = &similar["similar"][0];
    assert_eq!(
        (&hit["id"], &hit["likeness"], &hit["covered"]),
        (&json!("a"), &json!(1.0), &json!(1.0)),
        "{similar}"
    );
    assert_eq!(hit["relation"], "identical", "{similar}");
    let copied = service.post("/v1/copies", &json!({"text": POST})).json();
    assert_eq!(copied["passages"][0]["source"], "a", "{copied}");
    let holders = service.get("/v1/documents/a/holders").json();
    assert_eq!(holders["holders"][0]["id"], "b", "{holders}");
    assert_eq!(service.get("/v1/trace?url=https://blog.example/a").json()["path"][0]["id"], "a");
    assert_eq!(service.get("/v1/stats").json()["duplicates"], 1);

    let deleted = service.send("DELETE", "/v1/documents/a", &[], b"");
    assert_eq!((deleted.status, &deleted.json()["changed"][0]["id"]), (200, &json!("b")), "{deleted:?}");
    assert_eq!(service.get("/v1/documents/a").status, 404);
    assert_eq!(service.get("/v1/documents/b").json()["verdict"], "original");
}

#[test]
fn two_texts_or_stored_documents_are_compared() {
    let service = Service::start();
    service.post("/v1/documents", &post("a", POST));
    let changed = POST.replace("두 번", "세 번");
    let answer = service.post("/v1/compare", &json!({"a": "a", "b": {"text": changed}})).json();
    assert_eq!(answer["operations"]["replace"], 1, "{answer}");
    assert_eq!((&answer["identical"], &answer["metrics"]["bw"]), (&json!(false), &json!(1.0)));
    assert_eq!(
        (&answer["relation"], answer.get("template")),
        (&json!("edited"), Some(&json!(false))),
        "{answer}"
    );
    let share = |name: &str| answer[name].as_f64().unwrap();
    for name in ["likeness", "covered_a", "covered_b"] {
        assert!(share(name) > 0.9 && share(name) < 1.0, "{name}: {answer}");
    }
    let summary = answer["summary"].as_str().unwrap();
    assert!(summary.ends_with("% of the words are the same: the same text with changes."), "{summary}");
    let unknown = service.post("/v1/compare", &json!({"a": "nobody", "b": "a"}));
    assert_eq!((unknown.status, &unknown.json()["field"]), (404, &json!("a")));
}

#[test]
fn comparison_names_the_relation_of_b_to_a() {
    let service = Service::start();
    let own = "Another story of its own fills the rest: trains were late again, snow covered the rails for three days, and the \
               station master read the newspaper aloud to everyone who waited. ".repeat(2);
    let long = format!("{ENGLISH} {own}");
    for (a, b, relation, sentence) in [
        (ENGLISH, ENGLISH, "identical", "100 % of the words are the same: the same bytes."),
        (ENGLISH, &*ENGLISH.to_uppercase(), "same_words", "100 % of the words are the same: at most markup"),
        (&long, ENGLISH, "excerpt", "100 % of the words of B are in A: B is an excerpt of A."),
        (ENGLISH, &long, "extended", "100 % of the words of A are in B, which adds text of its own."),
        (ENGLISH, &own, "none", "of the words are the same: different texts."),
    ] {
        let answer = service.post("/v1/compare", &json!({"a": {"text": a}, "b": {"text": b}})).json();
        assert_eq!(answer["relation"], relation, "{answer}");
        assert!(answer["summary"].as_str().unwrap().contains(sentence), "{sentence}: {}", answer["summary"]);
    }
    let page = |town: &str, [day, high, low, wind]: [u32; 4]| {
        format!(
            "Weather for {town} on the {day} of May: sunny with a high of {high} and a low of {low} degrees. Wind from the west \
             at {wind} kilometres an hour. The next report follows in the evening."
        )
    };
    let (a, b) = (page("Lyon", [3, 23, 11, 14]), page("Paris", [9, 17, 8, 30]));
    let answer = service.post("/v1/compare", &json!({"a": {"text": a}, "b": {"text": b}})).json();
    let summary = answer["summary"].as_str().unwrap();
    assert!(!summary.contains("different") && !summary.contains("the same text with changes"), "{answer}");
    assert!(answer["likeness"].as_f64().unwrap() < 0.8, "{answer}");
}

#[test]
fn check_of_a_quoting_text_names_its_source_and_passages() {
    let service = Service::start();
    let rest = "On Tuesday the oven was cold for the first time. Children stood before the window and asked where the pretzels were. \
                The butcher across the street put a basket of rolls on his counter, bought in the next town. By noon it was empty, \
                and he wrote on a piece of cardboard that there would be more tomorrow.";
    let whole = format!("{ENGLISH} {rest}");
    service.post("/v1/documents", &json!({"id": "bakery", "title": "The bakery closes", "text": whole}));
    let own: String = (0..12)
        .map(|day| format!("On day {day} of my own journey nothing of this happened, and what did is told nowhere else{day}. "))
        .collect();
    let quoting = json!({"id": "mine", "text": format!("{own}\n\n{rest}")});
    service.get_until("/v1/search?q=bakery", |answer| answer["total"] == 1);
    let verdict = service.post("/v1/check", &quoting).json();
    assert_eq!(
        (&verdict["verdict"], &verdict["relation"]),
        (&json!("original"), &json!("quotes")),
        "{verdict}"
    );
    assert_eq!(
        (&verdict["nearest"]["id"], &verdict["nearest"]["title"]),
        (&json!("bakery"), &json!("The bakery closes"))
    );
    let share = |name: &str| verdict[name].as_f64().unwrap();
    assert!(share("covered") > 0.1 && share("covered") < 0.5 && share("likeness") < 0.8, "{verdict}");
    assert!(share("copied_share") >= share("covered"), "{verdict}");
    assert_eq!(verdict["passages"][0]["source"], "bakery", "{verdict}");
    assert!(
        verdict["summary"].as_str().unwrap().contains("of this text is in The bakery closes"),
        "{verdict}"
    );
    let without = service.post("/v1/check?passages=false", &quoting).json();
    assert!(without.get("passages").is_none() && without["relation"] == "quotes", "{without}");

    // Stored, it is shown with what the check told.
    service.post("/v1/documents", &quoting);
    let shown = service.get("/v1/documents/mine").json();
    for field in ["relation", "likeness", "covered", "original_covered", "copied_share", "nearest"] {
        assert_eq!(shown[field], without[field], "{field}: {shown}");
    }
    assert_eq!(service.send("DELETE", "/v1/documents/mine", &[], b"").status, 200);

    // A duplicate names its original; its passages are looked for when they are asked for.
    let copy = json!({"id": "copy", "text": format!("{whole} Shared with friends.")});
    let verdict = service.post("/v1/check", &copy).json();
    assert_eq!(
        (&verdict["original"], &verdict["relation"]),
        (&json!("bakery"), &json!("edited")),
        "{verdict}"
    );
    assert!(verdict.get("passages").is_none(), "{verdict}");
    let verdict = service.post("/v1/check?passages=true", &copy).json();
    assert_eq!(verdict["passages"][0]["source"], "bakery", "{verdict}");
    let other = service
        .post("/v1/check", &json!({"text": "Something else altogether, with words of its own."}))
        .json();
    assert!(
        other["nearest"].is_null() && other["relation"] == "none" && other.get("passages").is_none(),
        "{other}"
    );
    assert_eq!(service.post("/v1/check?passages=perhaps", &copy).status, 400);
    assert_eq!(service.get("/v1/stats").json()["documents"], 1, "checking stores nothing");
}

#[test]
fn content_that_is_no_text_is_refused_with_422() {
    let service = Service::start();
    service.post("/v1/documents", &post("a", POST));
    let (pdf, binary) = ("%PDF-1.7 stream of what looks like text", "\u{1}\u{2}\u{3}\u{4}".repeat(50));
    for (path, body, field, named) in [
        ("/v1/documents", json!({"id": "x", "text": pdf}), None, "a PDF document"),
        ("/v1/documents", json!({"id": "x", "html": binary}), None, "binary data"),
        ("/v1/check", json!({"id": "x", "text": pdf}), None, "a PDF document"),
        ("/v1/check?passages=true", json!({"text": binary}), None, "binary data"),
        ("/v1/similar", json!({"document": {"text": pdf}}), Some("document"), "a PDF document"),
        ("/v1/compare", json!({"a": "a", "b": {"text": pdf}}), Some("b"), "a PDF document"),
        ("/v1/compare", json!({"a": {"id": "x", "text": binary}, "b": "a"}), Some("a"), "binary data"),
    ] {
        let answer = service.post(path, &body);
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (422, Some("application/problem+json")),
            "{path}: {answer:?}"
        );
        let problem = answer.json();
        assert_eq!(
            (&problem["status"], problem["field"].as_str()),
            (&json!(422), field),
            "{path}: {problem}"
        );
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(named) && detail.contains("send its text"), "{path}: {detail}");
    }
    let lines = [json!({"id": "p", "text": pdf}), post("b", "A text of its own that comes behind it.")];
    let answer =
        service.send("POST", "/v1/documents/_bulk", &[], format!("{}\n{}\n", lines[0], lines[1]).as_bytes());
    let lines = answer.lines();
    assert_eq!(
        (&lines[0]["status"], &lines[0]["problem"]["status"]),
        (&json!(422), &json!(422)),
        "{}",
        lines[0]
    );
    assert_eq!((&lines[1]["status"], &lines[1]["verdict"]["id"]), (&json!(201), &json!("b")), "{}", lines[1]);
    assert_eq!(service.get("/v1/stats").json()["documents"], 2);
}

#[test]
fn resemblance_decides_where_the_directory_says_so() {
    let service = Service::of_policy(firstcopy_engine::Policy::Resemblance);
    service.post("/v1/documents", &post("a", ENGLISH));
    // Every tenth word is another one: no run of ten words is the same.
    let words: Vec<&str> = ENGLISH.split(' ').collect();
    let copy: Vec<&str> =
        words.iter().enumerate().map(|(place, word)| if place % 9 == 4 { "other" } else { word }).collect();
    let verdict = service.post("/v1/check", &post("b", &copy.join(" "))).json();
    assert_eq!((&verdict["verdict"], &verdict["reason"]), (&json!("original"), &json!("none")), "{verdict}");
    let verdict = service.post("/v1/check", &post("b", &ENGLISH.replace("Saturdays", "Sundays"))).json();
    assert_eq!((&verdict["original"], &verdict["reason"]), (&json!("a"), &json!("resemblance")), "{verdict}");
    let by_likeness = Service::start();
    by_likeness.post("/v1/documents", &post("a", ENGLISH));
    let verdict = by_likeness.post("/v1/check", &post("b", &copy.join(" "))).json();
    assert_eq!((&verdict["original"], &verdict["reason"]), (&json!("a"), &json!("likeness")), "{verdict}");
}

#[test]
fn many_documents_a_line_each() {
    let service = Service::start();
    let mut body: String = (0..300)
        .map(|number| format!("{}\n", post(&format!("p{number}"), &format!("{POST} {number}"))))
        .collect();
    body += "\nnot json\n";
    body += &post("last", "something else altogether, with words of its own").to_string();
    let answer = service.send("POST", "/v1/documents/_bulk", &[], body.as_bytes());
    let lines = answer.lines();
    assert_eq!((answer.status, lines.len()), (200, 302), "{:?}", answer.headers);
    for (number, line) in lines[..300].iter().enumerate() {
        assert_eq!(
            (&line["status"], &line["verdict"]["id"]),
            (&json!(201), &json!(format!("p{number}"))),
            "{line}"
        );
    }
    assert_eq!((&lines[300]["line"], &lines[300]["status"]), (&json!(302), &json!(400)), "{}", lines[300]);
    assert_eq!(lines[301]["verdict"]["id"], "last");
    assert_eq!(service.get("/v1/stats").json()["documents"], 301);
}

#[test]
fn compressed_bodies_within_limits() {
    let service = Service::with(firstcopy_service::Limits { body: 100_000, ..Default::default() });
    let json = post("a", POST).to_string();
    let zstd = zstd::encode_all(json.as_bytes(), 3).unwrap();
    assert_eq!(service.send("POST", "/v1/documents", &[("Content-Encoding", "zstd")], &zstd).status, 201);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, json.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    assert_eq!(service.send("POST", "/v1/documents", &[("Content-Encoding", "gzip")], &gzip).status, 200);
    let bomb = zstd::encode_all(json!({"text": "a".repeat(50_000_000)}).to_string().as_bytes(), 3).unwrap();
    assert!(bomb.len() < 100_000);
    assert_eq!(service.send("POST", "/v1/documents", &[("Content-Encoding", "zstd")], &bomb).status, 413);
    assert_eq!(service.send("POST", "/v1/documents", &[("Content-Encoding", "br")], &zstd).status, 415);
    assert_eq!(service.send("POST", "/v1/documents", &[("Content-Encoding", "gzip")], &zstd).status, 400);
    assert_eq!(service.post("/v1/documents", &json!({"text": "b".repeat(100_001)})).status, 413);
}

#[test]
fn mistakes_are_problems_with_their_field() {
    let service = Service::start();
    service.post("/v1/documents", &post("a", POST));
    for (method, path, body, status, field) in [
        ("GET", "/v1/documents/nobody", "", 404, Some("id")),
        ("DELETE", "/v1/documents/nobody", "", 404, Some("id")),
        ("GET", "/v1/nowhere", "", 404, None),
        ("PUT", "/v1/documents", "", 405, None),
        ("POST", "/v1/documents", "not json", 400, None),
        ("POST", "/v1/documents", "{\"body\": 1}", 400, None),
        ("POST", "/v1/similar", "{}", 400, Some("of")),
        ("POST", "/v1/similar", "{\"of\": \"a\", \"limit\": 0}", 400, Some("limit")),
        ("POST", "/v1/similar", "{\"of\": \"nobody\"}", 404, Some("of")),
        ("POST", "/v1/compare", "{\"a\": \"a\", \"b\": \"a\", \"copy_cost\": 7}", 400, Some("copy_cost")),
        ("GET", "/v1/search", "", 400, None),
        ("GET", "/v1/search?q=a&limit=1000", "", 400, Some("limit")),
        ("GET", "/v1/search?q=before:never", "", 400, Some("q")),
        ("GET", "/v1/trace?url=https://nowhere.example", "", 404, Some("url")),
        ("GET", "/v1/documents/a/copies?cursor=x", "", 400, Some("cursor")),
    ] {
        let answer = service.send(method, path, &[], body.as_bytes());
        assert_eq!(answer.status, status, "{method} {path} {body}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{method} {path}");
        let problem = answer.json();
        assert_eq!(
            (&problem["status"], problem["field"].as_str()),
            (&json!(status), field),
            "{path}: {problem}"
        );
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()));
    }
}

#[test]
fn the_same_request_again_is_the_same_document() {
    let service = Service::start();
    let body = json!({"text": POST}).to_string();
    let send =
        |key: &str| service.send("POST", "/v1/documents", &[("Idempotency-Key", key)], body.as_bytes());
    let (first, again, other) = (send("one"), send("one"), send("two"));
    assert_eq!((first.status, again.status, other.status), (201, 200, 201));
    assert_eq!(first.json()["id"], again.json()["id"]);
    assert_eq!(other.json()["original"], first.json()["id"]);
}

#[test]
fn documents_have_tags() {
    let service = Service::start();
    service.post("/v1/documents", &post("a", POST));
    let shown = service.get("/v1/documents/a");
    let tag = shown.header("etag").unwrap().to_owned();
    assert_eq!(service.send("GET", "/v1/documents/a", &[("If-None-Match", &tag)], b"").status, 304);
    service.post("/v1/documents", &post("a", "another text that says something else, and more of it"));
    assert_eq!(service.send("GET", "/v1/documents/a", &[("If-None-Match", &tag)], b"").status, 200);
    assert_eq!(service.send("DELETE", "/v1/documents/a", &[("If-Match", &tag)], b"").status, 412);
    assert_eq!(service.send("DELETE", "/v1/documents/a", &[("If-Match", "\"v2\"")], b"").status, 200);
}

#[test]
fn the_description_names_every_route() {
    let service = Service::start();
    let description = service.get("/openapi.json").json();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"), "{}", description["openapi"]);
    for path in [
        "/v1/documents",
        "/v1/documents/_bulk",
        "/v1/documents/{id}",
        "/v1/documents/{id}/copies",
        "/v1/documents/{id}/versions",
        "/v1/check",
        "/v1/search",
        "/v1/similar",
        "/v1/compare",
        "/v1/copies",
        "/v1/trace",
        "/healthz",
        "/readyz",
    ] {
        assert!(description["paths"][path].is_object(), "{path}");
    }
    let schemas = &description["components"]["schemas"];
    for (schema, fields) in [
        (
            "Verdict",
            &[
                "summary",
                "relation",
                "likeness",
                "covered",
                "original_covered",
                "nearest",
                "read_share",
                "copied_share",
            ][..],
        ),
        ("Nearest", &["id", "url", "title", "date", "likeness"][..]),
        ("SimilarDocument", &["relation", "likeness", "covered", "overlap"][..]),
        ("WordComparison", &["summary", "relation", "likeness", "covered_a", "covered_b", "template"][..]),
    ] {
        for field in fields {
            assert!(
                schemas[schema]["properties"][field].is_object(),
                "{schema}.{field}: {}",
                schemas[schema]
            );
        }
    }
    let relations = schemas["CopyRelation"].to_string();
    for name in ["identical", "same_words", "edited", "excerpt", "extended", "quotes", "none"] {
        assert!(relations.contains(&format!("\"{name}\"")), "{name}: {relations}");
    }
    for path in ["/v1/documents", "/v1/check", "/v1/similar", "/v1/compare"] {
        assert!(description["paths"][path]["post"]["responses"]["422"].is_object(), "{path}");
    }
    assert_eq!(service.get("/healthz").json()["status"], "ok");
    service.get_until("/readyz", |answer| answer["status"] == "ok");
}

#[test]
fn prometheus_is_told() {
    let service = Service::start();
    service.post("/v1/documents", &post("a", POST));
    service.post("/v1/documents", &post("b", POST));
    service.get("/v1/nowhere");
    let told = service.get("/metrics");
    let text = told.text();
    assert!(told.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    for line in [
        "firstcopy_documents 2",
        "firstcopy_duplicates 1",
        "firstcopy_stored_total{verdict=\"duplicate\",reason=\"identical\"} 1",
        "firstcopy_requests_total{route=\"/v1/documents\",status=\"201\"} 2",
        "firstcopy_requests_total{route=\"none\",status=\"404\"} 1",
        "firstcopy_request_seconds_count{route=\"/v1/documents\"} 2",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
}

/// Whoever asks too often waits.
#[test]
fn keys_have_a_rate() {
    let service = Service::with(firstcopy_service::Limits { rate: Some(3.0), ..Default::default() });
    let statuses: Vec<u16> = (0..10).map(|_| service.get("/v1/stats").status).collect();
    assert_eq!(statuses[..3], [200; 3]);
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn lists_come_page_by_page() {
    let service = Service::start();
    for id in 0..6 {
        let text = "같은 글을 여러 번 올린 사람이 있어서 하나만 원본이고 나머지는 모두 사본이다. 그것을 목록으로 본다.";
        service.post("/v1/documents", &json!({"id": format!("post {id}"), "text": text}));
    }
    let whole: Vec<String> = (1..6).map(|id| format!("post {id}")).collect();
    let mut found = Vec::new();
    let mut path = "/v1/documents/post%200/copies?limit=2".to_owned();
    loop {
        let page = service.get(&path).json();
        assert_eq!(page["total"], 5);
        assert!(page["copies"].as_array().unwrap().len() <= 2);
        found.extend(page["copies"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/v1/documents/post%200/copies?limit=2&cursor={next}");
    }
    assert_eq!(found, whole);
    let holders = service.get_until("/v1/documents/post%200/holders?limit=3", |page| !page["next"].is_null());
    assert_eq!(holders["holders"].as_array().unwrap().len(), 3);
    let rest = service.get("/v1/documents/post%200/holders?limit=3&cursor=3").json();
    assert_eq!((rest["holders"].as_array().unwrap().len(), &rest["next"]), (2, &Value::Null));
    let versions = service.get("/v1/documents/post%200/versions?limit=1").json();
    assert_eq!((versions["versions"].as_array().unwrap().len(), &versions["next"]), (1, &Value::Null));
    for wrong in ["limit=0", "limit=1001", "cursor=x", "page=2"] {
        assert_eq!(service.get(&format!("/v1/documents/post%200/copies?{wrong}")).status, 400, "{wrong}");
    }
}
