//! The pages as people meet them: every one opens and shows what it should, in Korean, Japanese and English.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_text::{Content, Page};
use serde_json::{Value, json};
use std::time::Duration;
use support::{Response, Service};

/// A service with the sample collection, and search that knows it.
fn with_sample() -> Service {
    let service = Service::start();
    let loaded = service.send("POST", "/sample", &[], b"");
    assert_eq!(loaded.status, 303, "{loaded:?}");
    service.get_until("/v1/search?q=tangerines", |answer| answer["total"] == 2);
    service
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A post of the sample.
fn sample(line: usize) -> Value {
    serde_json::from_str(include_str!("../src/assets/sample.jsonl").lines().nth(line).unwrap()).unwrap()
}

/// A text of its own around two paragraphs of the night bus.
fn partial_copy() -> String {
    let own: Vec<String> =
        (0..12).map(|day| format!("On day {day} of my own journey nothing of this happened, and what happened stands nowhere else{day}.")).collect();
    let bus = sample(7);
    let taken = bus["text"].as_str().unwrap().split("\n\n").skip(1).collect::<Vec<_>>().join("\n\n");
    format!("{}\n\n{taken}\n\n{}", own[..6].join(" "), own[6..].join(" "))
}

/// Sends a form as browsers do when it has a file.
fn send_form(
    service: &Service,
    path: &str,
    fields: &[(&str, &str)],
    file: Option<(&str, &[u8])>,
) -> Response {
    let mut body = Vec::new();
    for (name, value) in fields {
        body.extend(
            format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes(),
        );
    }
    if let Some((name, content)) = file {
        let head =
            format!("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        body.extend(head.bytes().chain(content.iter().copied()).chain(*b"\r\n"));
    }
    body.extend(b"--b--\r\n");
    service.send("POST", path, &[("Content-Type", "multipart/form-data; boundary=b")], &body)
}

/// Opens a page and looks for what it must say.
#[track_caller]
fn check(service: &Service, path: &str, expected: &[&str]) -> String {
    let page = service.get(path);
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
    let policy = page.header("content-security-policy").unwrap_or_default();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
    let text = page.text();
    for expected in expected {
        assert!(text.contains(expected), "{path} lacks {expected}: {text}");
    }
    assert!(!text.contains(" style=") && !text.contains("<style") && !text.contains("<script>"), "{path}");
    assert_eq!(text.matches("<h1").count(), 1, "{path}");
    text
}

#[test]
fn an_empty_collection_says_what_to_do_next() {
    let service = Service::start();
    let empty =
        service.send("POST", "/check", &[], b"text=A+text+that+is+checked+before+anything+is+stored").text();
    assert!(empty.contains("<h1>The collection is empty</h1>"), "{empty}");
    assert!(empty.contains("there is nothing to compare this text with"), "{empty}");
    let front =
        check(&service, "/", &["Load the sample collection", "action=\"/add\"", "/v1/documents/_bulk"]);
    assert!(front.contains("<label for=\"text\">"), "{front}");
    check(&service, "/clusters", &["No document of the collection is a copy"]);
    check(&service, "/moved", &["No page is known to be gone"]);
    check(&service, "/search", &["What can be typed"]);
    check(&service, "/status", &["<dt>Documents</dt><dd>0</dd>"]);
    service.send("POST", "/sample", &[], b"");
    check(&service, "/", &["7 originals and 3 duplicates"]);
}

#[test]
fn every_page_in_three_languages() {
    let service = with_sample();
    let [mountain, autumn, bread] =
        ["%EB%82%A8%ED%95%9C%EC%82%B0%EC%84%B1", "%E7%A7%8B%E5%88%80%E9%AD%9A", "tangerines"];
    check(
        &service,
        &format!("/search?q={mountain}"),
        &["/document?id=slow-walk-32", "<mark>", "2 copies", "lang=\"ko\""],
    );
    check(
        &service,
        &format!("/search?q={autumn}"),
        &["/document?id=harbor-12", "<mark>", "1 copy", "lang=\"ja\""],
    );
    check(&service, &format!("/search?q={bread}"), &["/document?id=notes-201", "<mark>"]);
    check(
        &service,
        "/document?id=slow-walk-32",
        &[
            "This was here first",
            "2 other documents are copies of this text",
            "2 copies",
            "trip-news-904",
            "weekend-77",
            "<circle",
            "가을이 깊어서",
            "/holders?id=slow-walk-32",
            "1 version",
        ],
    );
    check(
        &service,
        "/document?id=matome-3301",
        &[
            "A copy with changes",
            "<p class=\"answer\">",
            "% of this text is in",
            "the same text with changes",
            "/document?id=harbor-12",
            "/compare?a=harbor-12&amp;b=matome-3301",
            "of 6",
            "lang=\"ja\"",
        ],
    );
    let posted = service.post("/v1/documents", &json!({"id": "partial", "text": partial_copy()}));
    assert_eq!(posted.json()["verdict"], "original", "{}", posted.text());
    service.get_until("/v1/search?q=nowhere", |answer| answer["total"] == 1);
    check(
        &service,
        "/document?id=partial",
        &[
            "It has passages of an earlier text",
            "% of this text is in",
            "The closest earlier document is <strong><a href=\"/document?id=notes-201\"",
            "a quotation",
            "Passages from elsewhere",
            "from <a href=\"/document?id=notes-201\"",
            "/compare?a=notes-201&amp;b=partial",
        ],
    );
    check(&service, "/document?id=https%3A%2F%2Fnotes.example%2F202", &["Bread on Sundays", "Core text"]);
    check(
        &service,
        "/compare?a=harbor-12&b=matome-3301",
        &[
            "% of the words are the same: the same text with changes.",
            "<dt>Likeness</dt>",
            "class=\"sides\"",
            "class=\"replace\"",
            ">IED</th>",
        ],
    );
    check(&service, "/compare", &["<label for=\"va\">"]);
    check(&service, "/clusters", &["2 clusters", "가을 남한산성 걷기", "<rect", "/cluster?id=slow-walk-32"]);
    check(
        &service,
        "/cluster?id=trip-news-904",
        &["Copies of", "slow-walk-32", "weekend.example", "<circle"],
    );
    check(
        &service,
        "/holders?id=harbor-12",
        &["matome-3301", "/holders.csv?id=harbor-12", "/v1/documents/harbor-12/holders"],
    );
    check(&service, "/moved?url=https%3A%2F%2Fharbor.example%2F12", &["No crawl ever looked for it"]);
    check(&service, "/add", &["type=\"file\"", "enctype=\"multipart/form-data\""]);
    check(
        &service,
        "/reference",
        &["POST /v1/documents", "GET /v1/search", "curl ", "id=\"schema-Verdict\"", "problem+json"],
    );
    // Who answers may have looked just before the last change.
    let is_in_step = || service.get("/status").text().contains("passages know all that is stored");
    assert!((0..100).any(|_| is_in_step() || (std::thread::sleep(Duration::from_millis(50)), false).1));
    check(
        &service,
        "/status",
        &[
            "<dt>Documents</dt><dd>11</dd>",
            "know all that is stored",
            "similarity",
            "passages",
            "<dt>Free</dt>",
            "a second",
        ],
    );
}

#[test]
fn the_menu_knows_where_one_is() {
    let service = Service::start();
    for path in
        ["/", "/search", "/clusters", "/compare", "/holders", "/moved", "/add", "/status", "/reference"]
    {
        let page = check(&service, path, &["class=\"skip\" href=\"#main\"", "<main id=\"main\""]);
        assert!(page.contains(&format!("<a href=\"{path}\" aria-current=\"page\">")), "{path}");
        assert_eq!(page.matches("aria-current").count(), 1, "{path}");
    }
}

#[test]
fn what_was_pasted_stands_beside_its_original() {
    let service = with_sample();
    let bus = sample(7);
    let text = bus["text"].as_str().unwrap();
    let changed = text.replace("eleven", "twelve");
    let pasted = service.send("POST", "/check", &[], format!("text={}", encoded(&changed)).as_bytes());
    let page = pasted.text();
    assert_eq!(pasted.status, 200, "{page}");
    for expected in [
        "<h1>A copy with changes</h1>",
        "% of this text is in",
        "the same text with changes",
        "/document?id=notes-201",
        "Resemblance",
        "class=\"sides\"",
        "class=\"replace\"",
        "id=\"p0a\"",
        "id=\"p0b\"",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    // A file in an encoding of its own, and markup.
    let page = format!("<html><body><p>{}</p></body></html>", text.replace("\n\n", "</p><p>"));
    let sent = send_form(&service, "/check", &[("text", "")], Some(("bus.html", page.as_bytes()))).text();
    assert!(
        sent.contains("<h1>A copy, word for word</h1>")
            && sent.contains("bus.html")
            && sent.contains("class=\"sides\""),
        "{sent}"
    );
    // An original but for a passage: never called new.
    let page =
        service.send("POST", "/check", &[], format!("text={}", encoded(&partial_copy())).as_bytes()).text();
    assert!(
        page.contains("<h1>It has passages of an earlier text</h1>")
            && page.contains("Copied passages")
            && page.contains("The closest earlier document is")
            && page.contains("<blockquote")
            && page.contains("class=\"sides\""),
        "{page}"
    );
    let lower = page.split("Side by side").next().unwrap().to_lowercase();
    assert!(!lower.contains("nobody") && !lower.contains("new text") && !lower.contains("no copy"), "{page}");
    let own = "text=Words+that+are+told+in+no+other+place+and+so+are+found+by+no+one";
    let page = service.send("POST", "/check", &[], own.as_bytes()).text();
    assert!(
        page.contains("<h1>No copy found</h1>") && page.contains("No copy of this text is in the collection"),
        "{page}"
    );
    let pdf = send_form(&service, "/check", &[("text", "")], Some(("paper.pdf", b"%PDF-1.7 stream")));
    assert_eq!(pdf.status, 422);
    assert!(pdf.text().contains("paper.pdf: could not be read: it is a PDF document"), "{}", pdf.text());
    assert_eq!(service.send("POST", "/check", &[], b"text=+").status, 400);
    assert_eq!(service.get("/v1/stats").json()["documents"], 10, "checking stores nothing");
}

#[test]
fn files_are_added() {
    let service = Service::start();
    let lines = "{\"id\": \"가\", \"text\": \"누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고 원본의 이름을 밝힌다.\"}\n\nnot json\n\
                 {\"text\": \"누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고 원본의 이름을 밝힌다.\"}\n";
    let added = send_form(&service, "/add", &[("text", "")], Some(("posts.jsonl", lines.as_bytes()))).text();
    for expected in ["1 original and 1 duplicate", "1 record could not be read", "line 3", "posts.jsonl:4"] {
        assert!(added.contains(expected), "{expected}: {added}");
    }
    let fields =
        [("text", "A post of its own, pasted."), ("url", "https://a.example/1"), ("title", "One <b>")];
    let added = send_form(&service, "/add", &fields, None).text();
    assert!(added.contains("/document?id=https%3A%2F%2Fa.example%2F1"), "{added}");
    assert!(added.contains("<p class=\"answer\">No copy of this text"), "{added}");
    check(&service, "/document?id=https%3A%2F%2Fa.example%2F1", &["One &lt;b&gt;"]);
    assert_eq!(send_form(&service, "/add", &[], None).status, 400);
}

#[test]
fn filters_are_fields() {
    let service = with_sample();
    let found = |query: &str| {
        let page = check(&service, &format!("/search?{query}"), &[]);
        let ids = [
            "slow-walk-32",
            "kitchen-5",
            "harbor-12",
            "bookshop-8",
            "notes-201",
            "daily-reads-55",
            "notes-202",
        ];
        ids.into_iter().filter(|id| page.contains(&format!("/document?id={id}\""))).collect::<Vec<_>>()
    };
    assert_eq!(found("q=&site=notes.example"), ["notes-201", "notes-202"]);
    assert_eq!(found("q=bakery&site=notes.example"), ["notes-202"]);
    assert_eq!(found("author=travel+notes&before=2026-07-05"), ["notes-201"]);
    assert_eq!(found("after=2026-09-01&before=2026-10-01"), ["harbor-12"]);
    assert_eq!(found("lang=ko"), ["slow-walk-32", "kitchen-5"]);
    assert!(
        check(&service, "/search?lang=ko", &["<details open>", "value=\"ko\""]).contains("role=\"search\"")
    );
    let wrong = service.get("/search?q=a&lang=x%22%3E");
    assert_eq!(wrong.status, 400);
    assert!(
        wrong.text().contains("role=\"alert\"") && wrong.text().contains("role=\"search\""),
        "{}",
        wrong.text()
    );
}

#[test]
fn versions_are_plotted_and_compared() {
    let service = Service::start();
    let text = |day: u32| {
        format!(
            "A diary of one page. {} Today is day {day}, and the rest stays as it was.",
            "It rains. ".repeat(3)
        )
    };
    for day in 1..=60 {
        let post = json!({"id": "diary", "title": format!("Day {day}"), "text": text(day)});
        assert_eq!(service.post("/v1/documents", &post).status, 201);
    }
    let page = check(
        &service,
        "/document?id=diary",
        &["60 versions", "The latest 50 are shown", "<polyline", "Change (IED)"],
    );
    assert_eq!(page.matches("with version").count(), 49, "{page}");
    check(
        &service,
        "/compare?a=diary&va=3&b=diary&vb=60",
        &["diary, version 3", "class=\"sides\"", ">60</mark>", ">3</mark>"],
    );
    assert_eq!(service.get("/compare?a=diary&va=99&b=diary").status, 404);
    assert_eq!(service.get("/compare?a=diary&va=x&b=diary").status, 400);
    // What was posted over is told.
    service.send("DELETE", "/v1/documents/diary", &[], b"");
    let gone = service.get("/document?id=diary");
    assert!(gone.status == 410 && gone.text().contains("was deleted"), "{} {}", gone.status, gone.text());
}

#[test]
fn pages_that_moved_are_found_and_exported() {
    let text = |word: &str| {
        format!("The {word} stood at the harbour and told everyone of the winter when the sea froze and boats were left for months. ").repeat(3)
    };
    let service = Service::filled(firstcopy_service::Limits::default(), |engine| {
        let sweep = |at: i64, pages: &[(&str, &str)]| {
            engine.begin_sweep(at).unwrap();
            for (url, word) in pages {
                let page = Page {
                    id: (*url).to_owned(),
                    url: Some((*url).to_owned()),
                    content: Content::text(text(word)),
                    ..Page::default()
                };
                engine.store(engine.analyze_swept(page, at)).unwrap();
            }
            engine.finish_sweep(at).unwrap();
        };
        sweep(
            1_700_000_000,
            &[("https://old.example/=1", "fisherman"), ("https://old.example/2", "teacher")],
        );
        sweep(1_700_600_000, &[("https://new.example/1", "fisherman"), ("https://old.example/2", "teacher")]);
        engine.catch_up().unwrap();
    });
    check(
        &service,
        "/moved",
        &[
            "Of 1 page that are gone, one lives elsewhere",
            "https://old.example/=1",
            "https://new.example/1",
            "/moved.csv",
        ],
    );
    check(
        &service,
        "/moved?url=https%3A%2F%2Fold.example%2F%3D1",
        &["It lives at <a href=\"https://new.example/1\"", "gone since"],
    );
    check(&service, "/moved?url=https%3A%2F%2Fold.example%2F2", &["It is still there"]);
    assert_eq!(service.get("/moved?url=https%3A%2F%2Fnobody.example%2F").status, 404);
    let map = service.get("/moved.csv");
    assert_eq!(map.header("content-type"), Some("text/csv; charset=utf-8"));
    let lines: Vec<String> = map.text().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "from,to,last_seen,first_seen,resemblance");
    assert!(
        lines.len() == 2 && lines[1].starts_with("https://old.example/=1,https://new.example/1,"),
        "{lines:?}"
    );
}

#[test]
fn mistakes_are_pages_too() {
    let service = Service::start();
    for (path, status) in [
        ("/document?id=nobody", 404),
        ("/document", 400),
        ("/cluster?id=nobody", 404),
        ("/cluster", 400),
        ("/holders?id=nobody", 404),
        ("/holders?id=nobody&min=x", 400),
        ("/compare?a=nobody&b=nobody", 404),
        ("/clusters?page=x", 400),
    ] {
        let page = service.get(path);
        assert_eq!(page.status, status, "{path}");
        assert!(page.header("content-type").unwrap().starts_with("text/html"), "{path}");
        assert!(page.text().contains("role=\"alert\""), "{path}");
    }
    assert_eq!(service.get("/assets/style.css").header("content-type"), Some("text/css; charset=utf-8"));
    assert_eq!(service.get("/assets/page.js").status, 200);
    assert_eq!(service.get("/assets/icon.svg").header("content-type"), Some("image/svg+xml"));
}
