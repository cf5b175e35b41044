//! How a service runs: answers are compressed, overload and lag are told, what was begun is finished when it ends.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_engine::{Engine, OpenOptions, Reader};
use firstcopy_service::{Keys, Limits, Role, copy_own_files};
use serde_json::json;
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use support::{Response, Service};

const POST: &str =
    "누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고, 원본의 이름을 밝히며, 복사본은 검색에서 뺀다.";

fn unpacked(answer: &Response) -> Vec<u8> {
    match answer.header("content-encoding") {
        Some("gzip") => {
            let mut decoder = flate2::write::GzDecoder::new(Vec::new());
            decoder.write_all(&answer.body).unwrap();
            decoder.finish().unwrap()
        }
        Some("zstd") => zstd::decode_all(&answer.body[..]).unwrap(),
        _ => answer.body.clone(),
    }
}

#[test]
fn answers_are_compressed_as_clients_like() {
    let service = Service::start();
    service.post("/v1/documents", &json!({"id": "long", "text": POST.repeat(100)}));
    service.post("/v1/documents", &json!({"id": "short", "text": POST}));
    let plain = service.get("/v1/documents/long");
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("Accept-Encoding")));
    for (accepted, expected) in [
        ("gzip, deflate, br", Some("gzip")),
        ("gzip, zstd", Some("zstd")),
        ("gzip;q=1, zstd;q=0.5", Some("gzip")),
        ("gzip;q=0, identity", None),
        ("br", None),
    ] {
        let answer = service.send("GET", "/v1/documents/long", &[("Accept-Encoding", accepted)], b"");
        assert_eq!(answer.header("content-encoding"), expected, "{accepted}");
        assert_eq!(unpacked(&answer), plain.body, "{accepted}");
        assert!(expected.is_none() || answer.body.len() < plain.body.len() / 2, "{accepted}");
    }
    let both = [("Accept-Encoding", "gzip, zstd")];
    for path in ["/v1/documents/nobody", "/healthz"] {
        assert_eq!(service.send("GET", path, &both, b"").header("content-encoding"), None, "{path}");
    }
    for path in ["/", "/assets/style.css", "/openapi.json", "/metrics"] {
        assert_eq!(service.send("GET", path, &both, b"").header("content-encoding"), Some("zstd"), "{path}");
    }
    let head = service.send("HEAD", "/v1/documents/long", &both, b"");
    assert_eq!((head.status, head.body.len(), head.header("content-encoding")), (200, 0, None));
    // The lines of a bulk request come one by one, as they are.
    let lines: String =
        (0..100).map(|number| format!("{}\n", json!({"id": number.to_string(), "text": POST}))).collect();
    let bulk = service.send("POST", "/v1/documents/_bulk", &both, lines.as_bytes());
    assert_eq!((bulk.header("content-encoding"), bulk.lines().len()), (None, 100));
}

#[test]
fn tags_hold_for_compressed_answers() {
    let service = Service::start();
    service.post("/v1/documents", &json!({"id": "a", "text": POST.repeat(100)}));
    let look = |headers: &[(&str, &str)]| service.send("GET", "/v1/documents/a", headers, b"");
    let plain = look(&[]).header("etag").unwrap().to_owned();
    let packed = look(&[("Accept-Encoding", "gzip")]).header("etag").unwrap().to_owned();
    assert_eq!(packed, format!("{}-gzip\"", plain.trim_end_matches('"')));
    for (tag, accepted) in [(&plain, "identity"), (&packed, "gzip"), (&packed, "zstd"), (&plain, "gzip")] {
        let again = look(&[("Accept-Encoding", accepted), ("If-None-Match", tag)]);
        assert_eq!((again.status, again.header("etag")), (304, Some(tag.as_str())), "{tag} {accepted}");
    }
    service
        .post("/v1/documents", &json!({"id": "a", "text": "another text altogether, with words of its own"}));
    assert_eq!(look(&[("Accept-Encoding", "gzip"), ("If-None-Match", &packed)]).status, 200);
    let delete = |tag: &str| service.send("DELETE", "/v1/documents/a", &[("If-Match", tag)], b"").status;
    assert_eq!(delete(&packed), 412);
    let current = look(&[]).header("etag").unwrap().replace("\"", "");
    assert_eq!(delete(&format!("\"{current}-zstd\"")), 200);
}

#[test]
fn every_answer_has_a_name() {
    let service = Service::start();
    let names: Vec<String> = ["/", "/v1/stats", "/v1/nowhere", "/healthz"]
        .iter()
        .map(|path| service.get(path).header("x-request-id").unwrap().to_owned())
        .collect();
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
}

/// The value of a line of /metrics.
#[track_caller]
fn measure(text: &str, name: &str) -> f64 {
    let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')));
    let line = line.unwrap_or_else(|| panic!("{name}: {text}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn whoever_looks_after_it_is_told() {
    let service = Service::with(Limits { rate: Some(200.0), ..Limits::default() });
    for number in 0..5 {
        service.post("/v1/documents", &json!({"id": number.to_string(), "text": format!("{POST} {number}")}));
    }
    service.post("/v1/check", &json!({"text": POST}));
    service.get_until("/readyz", |answer| answer["status"] == "ok");
    let text = service.get("/metrics").text();
    for (name, least, most) in [
        ("firstcopy_documents", 5.0, 5.0),
        ("firstcopy_check_seconds_count", 1.0, 1.0),
        ("firstcopy_commit_seconds_count", 1.0, 1000.0),
        ("firstcopy_commit_seconds_bucket{le=\"+Inf\"}", 1.0, 1000.0),
        ("firstcopy_commit_seconds_sum", 1e-6, 100.0),
        ("firstcopy_index_lag{index=\"search\"}", 0.0, 5.0),
        ("firstcopy_index_lag{index=\"similarity\"}", 0.0, 5.0),
        ("firstcopy_index_lag{index=\"passages\"}", 0.0, 5.0),
        ("firstcopy_lag", 0.0, 5.0),
        ("firstcopy_ready", 1.0, 1.0),
        ("firstcopy_disk_free_bytes", 1.0, 1e18),
        ("firstcopy_store_bytes", 4096.0, 1e9),
        ("firstcopy_stored_total{verdict=\"original\",reason=\"none\"}", 1.0, 5.0),
    ] {
        let found = measure(&text, name);
        assert!((least..=most).contains(&found), "{name} {found}");
    }
    // Too often: turned away, counted, and still told.
    let statuses: Vec<u16> = (0..400).map(|_| service.get("/v1/stats").status).collect();
    let shed = statuses.iter().filter(|status| **status == 429).count();
    if shed > 0 {
        std::thread::sleep(Duration::from_millis(100));
        let text = service.get("/metrics").text();
        assert!(measure(&text, "firstcopy_shed_total{why=\"rate\"}") >= shed as f64);
    }
}

/// Steady load is no reason not to be ready, and whoever stores is never told otherwise.
#[test]
fn it_stays_ready_while_documents_come() {
    let service = Service::start();
    service.get_until("/readyz", |answer| answer["status"] == "ok");
    let until = Instant::now() + Duration::from_secs(5);
    std::thread::scope(|scope| {
        for writer in 0..2 {
            let service = &service;
            scope.spawn(move || {
                for number in 0.. {
                    if Instant::now() > until {
                        break;
                    }
                    let post = json!({"id": format!("{writer}-{number}"), "text": format!("{POST} {writer} {number}")});
                    assert_eq!(service.post("/v1/documents", &post).status, 201);
                }
            });
        }
        let mut answers = Vec::new();
        while Instant::now() < until {
            answers.push(service.get("/readyz").status);
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(answers.len() > 20 && answers.iter().all(|status| *status == 200), "{answers:?}");
    });
}

/// What was begun when it is asked to end is answered, and stored.
#[test]
fn many_that_were_begun_are_finished() {
    const CLIENTS: usize = 24;
    let mut service = Service::start();
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let body = json!({"id": format!("late-{number}"), "text": format!("{POST} {number}")}).to_string();
        let (path, length) = match number % 2 {
            0 => ("/v1/documents", body.len()),
            _ => ("/v1/documents/_bulk", body.len()),
        };
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
        let mut stream = service.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body.as_bytes()[..10]).unwrap();
        clients.push((stream, body));
    }
    std::thread::sleep(Duration::from_millis(300));
    let finishing = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        let mut answers = Vec::new();
        for (mut stream, body) in clients {
            stream.write_all(&body.as_bytes()[10..]).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answers.push(answer);
        }
        answers
    });
    let start = Instant::now();
    service.stop();
    let took = start.elapsed();
    let answers = finishing.join().unwrap();
    for answer in &answers {
        assert!(answer.starts_with("HTTP/1.1 20") && answer.contains("\"verdict\""), "{answer}");
    }
    assert!(took < Duration::from_secs(15), "{took:?}");
    let engine = Engine::open(&service.collection(), OpenOptions::default()).unwrap();
    assert_eq!(engine.statistics().unwrap().documents, CLIENTS as u64);
}

/// Somebody who never finishes does not keep it from ending.
#[test]
fn it_ends_though_somebody_never_does() {
    let limits =
        Limits { patience: Duration::from_secs(60), drain: Duration::from_secs(1), ..Limits::default() };
    let mut service = Service::with(limits);
    let mut stream = service.connect();
    stream
        .write_all(b"POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        .unwrap();
    let _silent = service.connect();
    std::thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    service.stop();
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// A copy that is made while others write is a state that was there, with all that belongs to it.
#[test]
fn a_backup_of_a_service_that_is_written_to() {
    let service = Service::start();
    let keys = Keys::open(&service.collection()).unwrap();
    let key = keys.add("writer", Role::Write).unwrap();
    let (bearer, copies) = (format!("Bearer {key}"), service.data.path().join("copies"));
    let send = |number: usize| {
        let post = json!({"id": number.to_string(), "text": format!("{POST} {number}")}).to_string();
        service.send("POST", "/v1/documents", &[("Authorization", &bearer)], post.as_bytes()).status
    };
    let mut held = Vec::new();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| (0..200).map(send).collect::<Vec<_>>());
        for number in 0..3 {
            std::thread::sleep(Duration::from_millis(100));
            let copy = copies.join(number.to_string());
            std::fs::create_dir_all(&copies).unwrap();
            let data = service.collection();
            Reader::open(&data).unwrap().backup_with(&copy, |copy| copy_own_files(&data, copy)).unwrap();
            held.push(copy);
        }
        assert_eq!(writer.join().unwrap(), [201; 200]);
    });
    let mut documents = Vec::new();
    for copy in held {
        assert_eq!(Keys::open(&copy).unwrap().find(&key).map(|key| key.role), Some(Role::Write));
        let engine = Engine::open(&copy, OpenOptions { create: false, ..OpenOptions::default() }).unwrap();
        engine.catch_up().unwrap();
        documents.push(engine.statistics().unwrap().documents);
    }
    assert!(documents.is_sorted() && documents[0] > 0, "{documents:?}");
}
