//! The pages as people meet them: every one opens, shows what it should, and shows the text of strangers as text.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::json;
use support::Service;

#[test]
fn an_empty_collection_says_what_to_do_next() {
    let service = Service::start();
    let front = service.get("/");
    assert_eq!(front.status, 200);
    assert!(front.text().contains("Load the sample collection"), "{}", front.text());
    let policy = front.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let loaded = service.send("POST", "/sample", &[], b"");
    assert_eq!(loaded.status, 303, "{loaded:?}");
    let front = service.get("/").text();
    assert!(front.contains("7 originals and 3 duplicates"), "{front}");
}

#[test]
fn a_copied_post_is_checked_found_and_compared() {
    let service = Service::start();
    service.send("POST", "/sample", &[], b"");
    let text = include_str!("../src/assets/sample.jsonl").lines().nth(7).unwrap();
    let text: serde_json::Value = serde_json::from_str(text).unwrap();
    let encoded: String = text["text"].as_str().unwrap().bytes().map(|byte| format!("%{byte:02X}")).collect();
    let checked = service.send("POST", "/check", &[], format!("text={encoded}").as_bytes());
    assert_eq!(checked.status, 200);
    assert!(checked.text().contains("This is a copy"), "{}", checked.text());
    assert!(checked.text().contains("/document?id=notes-201"), "{}", checked.text());
    for (query, id) in [
        ("%EB%82%A8%ED%95%9C%EC%82%B0%EC%84%B1", "slow-walk-32"),
        ("%E7%A7%8B%E5%88%80%E9%AD%9A", "harbor-12"),
        ("tangerines", "notes-201"),
    ] {
        let mut found = String::new();
        for _ in 0..100 {
            found = service.get(&format!("/search?q={query}")).text();
            if found.contains(id) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(
            found.contains(&format!("/document?id={id}")) && found.contains("<mark>"),
            "{query}: {found}"
        );
    }
    let document = service.get("/document?id=slow-walk-32").text();
    assert!(document.contains("trip-news-904") && document.contains("/compare?a="), "{document}");
    let compared = service.get("/compare?a=harbor-12&b=matome-3301").text();
    assert!(compared.contains("class=\"sides\"") && compared.contains("class=\"replace\""), "{compared}");
    service.get_until("/readyz", |answer| answer["status"] == "ok");
    let status = service.get("/status").text();
    assert!(
        status.contains("<dt>Documents</dt><dd>10</dd>") && status.contains("know all that is stored"),
        "{status}"
    );
}

/// Whatever a post says, a page shows it and does not do it.
#[test]
fn strangers_text_is_shown_as_text() {
    let service = Service::start();
    let payloads = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'><svg onload=alert(1)>",
        "</textarea><script>alert(1)</script>",
        "<iframe src=javascript:alert(1)>",
        "</title><script>alert(1)</script>",
        "<body onload=alert(1)>",
    ];
    for (number, payload) in payloads.iter().enumerate() {
        let text = format!("{payload} and words enough to be found by, number{number}");
        let post = json!({"id": format!("{payload}{number}"), "url": format!("javascript:{payload}"), "title": payload, "author": payload, "text": text});
        assert_eq!(service.post("/v1/documents", &post).status, 201);
    }
    service.get_until("/v1/search?q=enough", |answer| answer["total"] == payloads.len());
    let encode = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
    for (number, payload) in payloads.iter().enumerate() {
        let (id, plain) = (encode(&format!("{payload}{number}")), encode(payload));
        for path in [
            format!("/document?id={id}"),
            format!("/search?q=number{number}"),
            format!("/search?q={plain}"),
            format!("/compare?a={id}&b={id}"),
            format!("/document?id={plain}"),
            "/status".to_owned(),
            "/".to_owned(),
        ] {
            let page = service.get(&path).text().to_lowercase();
            for harmful in
                ["<script>", "<img", "<svg onload", "<iframe", "<body onload", "href=\"javascript:"]
            {
                assert!(!page.contains(harmful), "{path}: {harmful}: {page}");
            }
        }
        let checked = service.send("POST", "/check", &[], format!("text={plain}").as_bytes()).text();
        assert!(!checked.contains("<script>alert"), "{checked}");
    }
}

#[test]
fn mistakes_are_pages_too() {
    let service = Service::start();
    let unknown = service.get("/document?id=nobody");
    assert_eq!(unknown.status, 404);
    assert!(unknown.header("content-type").unwrap().starts_with("text/html"));
    assert_eq!(service.get("/assets/style.css").header("content-type"), Some("text/css; charset=utf-8"));
    assert_eq!(service.get("/assets/page.js").status, 200);
}
