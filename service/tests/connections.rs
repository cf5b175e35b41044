//! Clients that are slow, silent, many, or all of one mind.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_service::Limits;
use serde_json::json;
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use support::Service;

const POST: &str = "누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고, 원본의 이름을 밝히며, 복사본은 검색에서 뺀다. 그래서 읽는 사람은 같은 글을 두 번 보지 않는다.";

/// Longer than the service is patient, and shorter than anybody should have to wait.
const CLOSED_BY: Duration = Duration::from_secs(15);

/// Waits until the service closes a connection.
#[track_caller]
fn assert_closed(mut stream: std::net::TcpStream, what: &str) {
    let start = Instant::now();
    stream.set_read_timeout(Some(CLOSED_BY)).unwrap();
    let mut answer = Vec::new();
    let ended = stream.read_to_end(&mut answer);
    let was_reset = ended.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset);
    assert!(ended.is_ok() || was_reset, "{what}: still open after {:?}: {ended:?}", start.elapsed());
}

#[test]
fn slow_and_silent_connections_are_closed() {
    let service = Service::start();
    let mut connections = Vec::new();
    for (what, bytes) in [
        ("silent", ""),
        ("half a request line", "GET /v1/sta"),
        ("half of the headers", "GET /v1/stats HTTP/1.1\r\nHost: a\r\nX-Slow: "),
        ("half a body", "POST /v1/documents HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{\"text\": "),
        ("silent after an answer", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"),
    ] {
        let mut stream = service.connect();
        stream.write_all(bytes.as_bytes()).unwrap();
        connections.push((what, stream));
    }
    // One that drips: every byte comes, but no request is ever whole.
    let mut drip = service.connect();
    let dripping = std::thread::spawn(move || {
        let start = Instant::now();
        let head = b"GET /v1/stats HTTP/1.1\r\nX: ".iter().chain(std::iter::repeat(&b'a'));
        for byte in head {
            if drip.write_all(&[*byte]).is_err() || start.elapsed() > CLOSED_BY {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        start.elapsed()
    });
    let threads: Vec<_> = connections
        .into_iter()
        .map(|(what, stream)| std::thread::spawn(move || assert_closed(stream, what)))
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(dripping.join().unwrap() < CLOSED_BY);
}

#[test]
fn a_thousand_silent_connections_stop_nobody() {
    let service = Service::with(Limits { patience: Duration::from_secs(60), ..Limits::default() });
    let silent: Vec<_> = (0..1000).map(|_| service.connect()).collect();
    for number in 0..20 {
        let post = json!({"id": number.to_string(), "text": format!("{POST} {number}")});
        assert_eq!(service.post("/v1/documents", &post).status, 201);
    }
    assert_eq!(service.get("/v1/stats").json()["documents"], 20);
    drop(silent);
}

#[test]
fn sixty_four_clients_with_the_same_text() {
    let service = Service::start();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..64)
            .map(|number| {
                let service = &service;
                scope.spawn(move || {
                    service.post("/v1/documents", &json!({"id": format!("c{number}"), "text": POST}))
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| answer.status == 201), "{answers:?}");
    let originals: Vec<_> = answers
        .iter()
        .map(|answer| answer.json())
        .filter(|verdict| verdict["verdict"] == "original")
        .collect();
    assert_eq!(originals.len(), 1);
    let original = &originals[0]["id"];
    let agree = |verdict: &serde_json::Value| verdict["id"] == *original || verdict["original"] == *original;
    assert!(answers.iter().all(|answer| agree(&answer.json())), "{answers:?}");
    assert_eq!(service.get("/v1/stats").json()["originals"], 1);
}

/// More than can be done is turned away, and what is taken is done.
#[test]
fn too_much_at_once_is_turned_away() {
    let service = Service::with(Limits { documents: 2, ..Limits::default() });
    let answers: Vec<_> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..40)
            .map(|number| {
                let service = &service;
                let text = format!("{number} {}", POST.repeat(200));
                scope.spawn(move || {
                    service.post("/v1/documents", &json!({"id": number.to_string(), "text": text}))
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let (taken, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert!(!taken.is_empty() && refused.iter().all(|answer| answer.status == 503), "{:?}", refused.first());
    assert!(refused.iter().all(|answer| answer.header("retry-after") == Some("1")));
    assert_eq!(service.get("/v1/stats").json()["documents"], taken.len());
}

/// What was begun is finished when the service ends.
#[test]
fn it_ends_in_peace() {
    let mut service = Service::start();
    let mut stream = service.connect();
    let body = json!({"id": "late", "text": POST}).to_string();
    let (first, rest) = (body[..15].to_owned(), body[15..].to_owned());
    let head =
        format!("POST /v1/documents HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{first}", body.len());
    stream.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let address = service.address;
    let finishing = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        stream.write_all(rest.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    service.stop();
    assert!(finishing.join().unwrap().starts_with("HTTP/1.1 201"));
    assert!(std::net::TcpStream::connect(address).is_err());
}
