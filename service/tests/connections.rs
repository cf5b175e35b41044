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
        ("half of the headers", "GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nX-Slow: "),
        (
            "half a body",
            "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"text\": ",
        ),
        ("silent after an answer", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
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

/// A service with room for one connection is a way to see when it is free again.
#[track_caller]
fn assert_free_again(service: &Service, what: &str) {
    let start = Instant::now();
    loop {
        let answer = service.get("/healthz");
        if answer.status == 200 {
            return;
        }
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{what}: {answer:?}");
        assert!(start.elapsed() < CLOSED_BY, "{what}: not free after {:?}", start.elapsed());
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Somebody who sends a byte now and then, and never all, is waited for no longer than somebody silent.
#[test]
fn dripping_bodies_are_not_waited_for() {
    let service = Service::with(Limits { connections: 1, ..Limits::default() });
    for path in ["/v1/documents", "/v1/documents/_bulk", "/check"] {
        let mut drip = service.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{{\"text\": \""
        );
        drip.write_all(head.as_bytes()).unwrap();
        let start = Instant::now();
        let dripping = std::thread::spawn(move || {
            while start.elapsed() < 2 * CLOSED_BY && drip.write_all(b"a").is_ok() {
                std::thread::sleep(Duration::from_millis(500));
            }
            start.elapsed()
        });
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(service.get("/healthz").status, 503, "there is room for one");
        assert_free_again(&service, path);
        assert!(dripping.join().unwrap() < CLOSED_BY, "{path}");
    }
}

/// Somebody who asks for much and does not read it is not waited for either; somebody who reads slowly gets all of it.
#[test]
fn answers_that_nobody_reads_are_given_up() {
    const ASKED: usize = 40;
    let limits = Limits { connections: 2, patience: Duration::from_secs(5), ..Limits::default() };
    let service = Service::with(limits);
    let text = (0..60_000).map(|number| format!("word{number} ")).collect::<String>();
    assert_eq!(service.post("/v1/documents", &json!({"id": "a", "text": text})).status, 201);
    let ask = || {
        let mut stream = service.connect();
        let request = "GET /v1/documents/a HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(ASKED);
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let deaf = ask();
    let mut slow = ask();
    let reading = std::thread::spawn(move || {
        // Slower than the patience in all, and never silent for so long.
        let (mut all, mut piece) = (0, vec![0; 1 << 20]);
        slow.set_read_timeout(Some(CLOSED_BY)).unwrap();
        while let Ok(read) = slow.read(&mut piece) {
            if read == 0 {
                break;
            }
            all += read;
            std::thread::sleep(Duration::from_millis(250));
        }
        all
    });
    // On a loaded machine it takes a while until both are accepted.
    let start = Instant::now();
    while service.get("/healthz").status != 503 {
        assert!(start.elapsed() < CLOSED_BY, "both places are taken");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_free_again(&service, "who does not read");
    drop(deaf);
    let read = reading.join().unwrap();
    assert!(read > ASKED * text.len(), "{read} of {}", ASKED * text.len());
}

/// A bulk request may take as long as it takes, as long as its client goes on.
#[test]
fn a_long_bulk_request_is_no_silence() {
    let service = Service::with(Limits { patience: Duration::from_secs(2), ..Limits::default() });
    let mut stream = service.connect();
    stream
        .write_all(b"POST /v1/documents/_bulk HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    for number in 0..12 {
        let line = format!(
            "{}\n",
            json!({"id": number.to_string(), "text": format!("{POST} {number} {}", "x".repeat(1500))})
        );
        stream.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(400));
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(answer.matches("\"status\":201").count(), 12, "{answer}");
}

/// Too many connections are told so, not left without a word.
#[test]
fn one_connection_too_many_is_told() {
    let service = Service::with(Limits { connections: 3, ..Limits::default() });
    let held: Vec<_> = (0..3).map(|_| service.connect()).collect();
    std::thread::sleep(Duration::from_millis(200));
    for _ in 0..20 {
        let refused = service.get("/v1/stats");
        assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")), "{refused:?}");
        assert_eq!(refused.json()["status"], 503);
    }
    drop(held);
    std::thread::sleep(Duration::from_millis(200));
    let told = service.get("/metrics").text();
    assert!(told.contains("firstcopy_shed_total{why=\"connections\"} 20"), "{told}");
}

/// Silent ones, and ones that stop in the middle of their headers or of a body: more than there are places for documents.
#[test]
fn a_thousand_silent_connections_stop_nobody() {
    let service = Service::with(Limits { patience: Duration::from_secs(60), ..Limits::default() });
    let begun = [
        "",
        "GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"text\": ",
        "POST /v1/documents/_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"text\": ",
        "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"text\": ",
    ];
    let silent: Vec<_> = (0..1000)
        .map(|number| {
            let mut stream = service.connect();
            stream.write_all(begun[number % begun.len()].as_bytes()).unwrap();
            stream
        })
        .collect();
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
    let head = format!(
        "POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{first}",
        body.len()
    );
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
