//! An editor's word over HTTP, on the page and in later verdicts; conditions, and requests that are sent twice.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use support::{Response, Service};

const TEXT: &str = "남한산성에 올라가니 성벽을 따라 단풍이 붉게 물들어 있었다. 아침 안개가 걷히자 멀리 한강이 보였고, 우리는 \
                    한참을 말없이 서 있었다. 내려오는 길에 막걸리 한 잔과 두부김치를 먹었는데 그 맛을 잊을 수가 없다.";

fn add(service: &Service, id: &str, headers: &[(&str, &str)]) -> Response {
    let body = json!({"id": id, "text": TEXT}).to_string();
    service.send("POST", "/v1/documents", headers, body.as_bytes())
}

fn decide(service: &Service, id: &str, decision: &str) -> Response {
    let question = json!({"decision": decision, "reason": "초안을 보았다 <b>", "by": "편집자"});
    service.post(&format!("/v1/documents/{id}/appeals"), &question)
}

#[test]
fn an_editors_word_counts_for_later_checks() {
    let service = Service::start();
    add(&service, "a", &[]);
    assert_eq!(add(&service, "b", &[]).json()["original"], "a");
    let decided = decide(&service, "b", "first");
    assert_eq!((decided.status, &decided.json()["verdict"]), (200, &json!("original")), "{decided:?}");
    assert_eq!(decided.json()["changed"][0], json!({"id": "a", "verdict": "duplicate", "original": "b"}));
    assert_eq!(decided.json()["appeal"]["by"], "편집자");
    let later = service.post("/v1/check", &json!({"text": TEXT})).json();
    assert_eq!(later["original"], "b");
    let log: Value = service.get("/v1/documents/b/appeals").json();
    assert_eq!(log["appeals"][0]["decision"], "first");
    let page = service.get("/document?id=b").text();
    assert!(page.contains("An editor declared") && page.contains("초안을 보았다 &lt;b&gt;"), "{page}");
    assert_eq!(decide(&service, "b", "withdrawn").json()["original"], "a");
    assert_eq!(service.post("/v1/check", &json!({"text": TEXT})).json()["original"], "a");
}

#[test]
fn a_person_decides_on_the_page() {
    let service = Service::start();
    add(&service, "a", &[]);
    add(&service, "b", &[]);
    let page = service.get("/document?id=b").text();
    assert!(page.contains("action=\"/appeal\"") && page.contains("value=\"independent\""), "{page}");
    let form = |body: &str| {
        service.send(
            "POST",
            "/appeal",
            &[("Content-Type", "application/x-www-form-urlencoded")],
            body.as_bytes(),
        )
    };
    assert_eq!(form("id=b&decision=independent&reason=").status, 400);
    assert_eq!(form("id=b&decision=nonsense&reason=x").status, 400);
    assert_eq!(form("id=none&decision=first&reason=x").status, 404);
    let decided = form("id=b&decision=independent&reason=both+quote+a+law");
    assert_eq!((decided.status, decided.header("location")), (303, Some("/document?id=b")));
    assert_eq!(service.get("/v1/documents/b").json()["verdict"], "original");
    assert_eq!(service.get("/v1/documents/a").json()["verdict"], "original");
    let page = service.get("/document?id=b").text();
    assert!(page.contains("both quote a law") && page.contains("value=\"withdrawn\""), "{page}");
}

#[test]
fn what_is_wrong_with_an_appeal_is_said() {
    let service = Service::start();
    add(&service, "a", &[]);
    for (id, question, status, field) in [
        ("a", json!({"decision": "first", "reason": " "}), 400, Some("reason")),
        ("a", json!({"decision": "best", "reason": "x"}), 400, None),
        ("a", json!({"decision": "first"}), 400, None),
        ("none", json!({"decision": "first", "reason": "x"}), 404, Some("id")),
    ] {
        let answer = service.post(&format!("/v1/documents/{id}/appeals"), &question);
        assert_eq!(answer.status, status, "{question}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        assert_eq!(answer.json().get("field").and_then(Value::as_str), field, "{question}");
    }
}

#[test]
fn conditions_are_looked_at() {
    let service = Service::start();
    let stored = add(&service, "a", &[("If-None-Match", "*")]);
    assert_eq!((stored.status, stored.header("etag")), (201, Some("\"v1\"")));
    assert_eq!(add(&service, "a", &[("If-None-Match", "*")]).status, 412);
    assert_eq!(add(&service, "b", &[("If-Match", "*")]).status, 412);
    assert_eq!(add(&service, "b", &[("If-Match", "nonsense")]).status, 400);
    let shown = service.get("/v1/documents/a");
    let tag = shown.header("etag").unwrap().to_owned();
    let unchanged = || service.send("GET", "/v1/documents/a", &[("If-None-Match", &tag)], b"").status;
    assert_eq!(unchanged(), 304);
    add(&service, "copy", &[]);
    assert_eq!(unchanged(), 200, "its copies are shown, too");
    let edited = json!({"id": "a", "text": "something else"}).to_string();
    let edit = |tag: &str| service.send("POST", "/v1/documents", &[("If-Match", tag)], edited.as_bytes());
    assert_eq!(edit("\"v7\"").status, 412);
    assert_eq!(edit(&tag).status, 201);
    let delete = |tag: &str| service.send("DELETE", "/v1/documents/a", &[("If-Match", tag)], b"").status;
    assert_eq!([delete(&tag), delete("\"v2\""), delete("\"v2\"")], [412, 200, 404]);
}

#[test]
fn a_request_sent_twice_is_carried_out_once() {
    let service = Service::start();
    let send = |key: &str, text: &str| {
        let body = json!({"text": text}).to_string();
        service.send("POST", "/v1/documents", &[("Idempotency-Key", key)], body.as_bytes())
    };
    let first = send("k", TEXT);
    let again = send("k", TEXT);
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(first.json()["id"], again.json()["id"]);
    let other = send("k", "another text");
    assert_eq!((other.status, &other.json()["field"]), (422, &json!("Idempotency-Key")));
    assert_eq!(service.get("/v1/stats").json()["documents"], 1);
    let id = first.json()["id"].as_str().unwrap().to_owned();
    service.send("DELETE", &format!("/v1/documents/{id}"), &[], b"");
    assert_eq!(send("k", TEXT).status, 410);
    assert_eq!(send("l", TEXT).status, 201);
}
