//! `firstcopy webhooks` beside `firstcopy serve`: what is added counts at once, and no event of an acknowledged document is lost,
//! however often the service is killed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![cfg(unix)]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::Folder;
use support::served::Served;

const POST: &str = "누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고, 원본의 이름을 밝히며, 복사본은 검색에서 뺀다. \
                    그래서 읽는 사람은 같은 글을 두 번 보지 않는다. 쓴 사람은 자기 이름을 잃지 않는다.";

/// An endpoint that takes everything.
struct Receiver {
    url: String,
    got: Arc<Mutex<Vec<Value>>>,
}

impl Receiver {
    fn start() -> Self {
        Self::listening("http://127.0.0.1", talk)
    }

    /// One that has a certificate for localhost, and the certificate.
    fn with_certificate() -> (Self, String) {
        let certified = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = rustls::pki_types::PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config =
            rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.unwrap().with_no_client_auth();
        let config = config.with_single_cert(vec![certified.cert.der().clone()], key.into()).unwrap();
        let config = Arc::new(config);
        let receiver = Self::listening("https://localhost", move |stream, got| {
            let session = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            talk(rustls::StreamOwned::new(session, stream), got)
        });
        (receiver, certified.cert.pem())
    }

    fn listening(
        host: &str,
        talk: impl Fn(TcpStream, &Mutex<Vec<Value>>) -> std::io::Result<()> + Clone + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("{host}:{}/hook", listener.local_addr().unwrap().port());
        let got: Arc<Mutex<Vec<Value>>> = Arc::default();
        let kept = Arc::clone(&got);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (got, talk) = (Arc::clone(&kept), talk.clone());
                std::thread::spawn(move || talk(stream.unwrap(), &got));
            }
        });
        Receiver { url, got }
    }

    fn got(&self) -> Vec<Value> {
        self.got.lock().unwrap().clone()
    }
}

/// Answers until the sender is gone, or killed in the middle.
fn talk(stream: impl Read + Write, got: &Mutex<Vec<Value>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        while {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            !line.trim().is_empty()
        } {
            if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        got.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
        reader.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")?;
        reader.get_mut().flush()?;
    }
}

#[track_caller]
fn until(mut is_so: impl FnMut() -> bool, else_say: impl FnOnce() -> String) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", else_say());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_webhook_from_beginning_to_end() {
    let (folder, receiver) = (Folder::with::<&str>(&[]), Receiver::start());
    let run = |arguments: &str| folder.run(&format!("webhooks {arguments} --data data"), "");
    assert_eq!(run("list").code, Some(4), "there is no data directory");
    let served = Served::start(&folder);
    assert_eq!((run("list").code, run("list").stdout.as_str()), (Some(0), ""));
    assert_eq!(run("add ftp://a.example").code, Some(2));
    assert_eq!(run("add http://a.example --events everything").code, Some(2));
    let added = run(&format!("add {} --events duplicate.new,holder.new --name editors --json", receiver.url));
    assert!(added.json()[0]["secret"].as_str().unwrap().starts_with("whsec_"), "{added:?}");
    assert_eq!(run(&format!("add {} --name editors", receiver.url)).code, Some(3));
    let tested = run("test editors");
    assert!(tested.code == Some(0) && tested.stdout.starts_with("200 after"), "{tested:?}");
    assert_eq!(receiver.got()[0]["type"], "ping");

    let mut client = served.client();
    for id in ["a", "b"] {
        assert_eq!(client.send("POST", "/v1/documents", &json!({"id": id, "text": POST})).unwrap().0, 201);
    }
    until(|| receiver.got().len() >= 3, || format!("{:?}", receiver.got()));
    let kinds: Vec<Value> = receiver.got()[1..].iter().map(|event| event["type"].clone()).collect();
    assert_eq!(kinds, ["duplicate.new", "holder.new"]);
    until(|| run("deliveries").stdout.is_empty(), || run("deliveries").stdout);
    let listed = run("list --json").json();
    assert_eq!((&listed[0]["state"], listed[0]["secret"].as_str()), (&json!("active"), None), "{listed:?}");

    // Nobody is at home: what waits is listed with what was wrong, and gone with its webhook.
    assert_eq!(run("add http://127.0.0.1:9/ --name nobody").code, Some(0));
    assert_eq!(run("test nobody").code, Some(3));
    assert_eq!(client.send("POST", "/v1/documents", &json!({"id": "c", "text": POST})).unwrap().0, 201);
    until(|| run("deliveries nobody").stdout.contains("tried"), || run("deliveries nobody").stdout);
    assert_eq!(run("remove nobody").code, Some(0));
    assert_eq!((run("remove nobody").code, run("deliveries nobody").code), (Some(3), Some(3)));
    assert_eq!(run("remove editors").code, Some(0));
    served.end();
    assert_eq!(folder.run("verify --data data", "").code, Some(0));
}

/// A certificate that nobody vouches for is refused, and its events wait; once the machine trusts it they arrive.
#[test]
fn an_https_endpoint_is_told_what_waited_until_its_certificate_was_trusted() {
    let (receiver, certificate) = Receiver::with_certificate();
    let folder = Folder::with(&[("trusted.pem", &certificate)]);
    let run = |arguments: &str| folder.run(&format!("webhooks {arguments} --data data"), "");
    let served = Served::start(&folder);
    assert_eq!(run(&format!("add {} --events duplicate.new --name editors", receiver.url)).code, Some(0));
    let mut client = served.client();
    for id in ["a", "b"] {
        assert_eq!(client.send("POST", "/v1/documents", &json!({"id": id, "text": POST})).unwrap().0, 201);
    }
    until(|| run("deliveries").stdout.contains("certificate"), || run("deliveries").stdout);
    served.end();
    assert!(receiver.got().is_empty());

    let trusted = folder.path().join("trusted.pem");
    let served = Served::start_with(&folder, &[("SSL_CERT_FILE", trusted.to_str().unwrap())]);
    until(|| !receiver.got().is_empty(), || run("deliveries").stdout);
    assert_eq!(receiver.got()[0]["type"], "duplicate.new");
    served.end();
}

/// Killed at any moment, under load, again and again: whatever was acknowledged is told, and what is told twice has the same id.
#[test]
fn no_event_of_an_acknowledged_document_is_lost() {
    let (folder, receiver) = (Folder::with::<&str>(&[]), Receiver::start());
    Served::start(&folder).end();
    let added = folder.run(&format!("webhooks add {} --events duplicate.new --data data", receiver.url), "");
    assert_eq!(added.code, Some(0), "{added:?}");
    let mut acknowledged = BTreeSet::new();
    for round in 0..12 {
        let served = Served::start(&folder);
        let mut client = served.client();
        let writer = std::thread::spawn(move || {
            let mut acknowledged = Vec::new();
            for number in 0.. {
                let id = format!("{round}-{number}");
                match client.send("POST", "/v1/documents", &json!({"id": id, "text": POST})) {
                    Ok((201, verdict)) if verdict["verdict"] == "duplicate" => acknowledged.push(id),
                    Ok((201, _)) => {}
                    Ok(other) => panic!("{other:?}"),
                    Err(_) => break,
                }
            }
            acknowledged
        });
        std::thread::sleep(Duration::from_millis(60 + 67 * round));
        served.kill();
        acknowledged.extend(writer.join().unwrap());
    }
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    let served = Served::start(&folder);
    let told = || -> BTreeMap<String, BTreeSet<String>> {
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for event in receiver.got() {
            let id = event["data"]["id"].as_str().unwrap().to_owned();
            told.entry(id).or_default().insert(event["id"].as_str().unwrap().to_owned());
        }
        told
    };
    let missing = || {
        let told = told();
        acknowledged.iter().filter(|id| !told.contains_key(*id)).count()
    };
    until(|| missing() == 0, || format!("{} of {} were not told", missing(), acknowledged.len()));
    for (id, events) in told() {
        assert_eq!(events.len(), 1, "{id}: {events:?}");
    }
    served.end();
}
