//! The routes as programs meet them: what is stored is judged, found, compared, traced and deleted; what is wrong is said.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::Service;

const POST: &str = "누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고, 원본의 이름을 밝히며, 복사본은 검색에서 뺀다. \
                    그래서 읽는 사람은 같은 글을 두 번 보지 않는다. 쓴 사람은 자기 이름을 잃지 않는다.";

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

    let check = service.post("/v1/check", &post("c", POST)).json();
    assert_eq!((&check["verdict"], &check["original"]), (&json!("duplicate"), &json!("a")));
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
    let similar = service.post("/v1/similar", &json!({"document": {"text": POST}})).json();
    assert_eq!(similar["similar"][0]["id"], "a", "{similar}");
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
    let unknown = service.post("/v1/compare", &json!({"a": "nobody", "b": "a"}));
    assert_eq!((unknown.status, &unknown.json()["field"]), (404, &json!("a")));
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
