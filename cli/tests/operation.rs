//! `firstcopy serve` as those meet it who look after it: settings and who decides them, logs, two ways to end, a backup beside
//! it, a probe.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![cfg(unix)]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use support::Folder;

/// A service in a process of its own, and what it logs.
struct Served {
    child: Child,
    address: String,
    first: String,
    log: Receiver<String>,
}

impl Served {
    fn start(folder: &Folder, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("firstcopy"))
            .args(["serve", "--data", "data"])
            .args(arguments)
            .envs(environment.iter().copied())
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (lines, log) = channel();
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| lines.send(line))
        });
        let first = log.recv_timeout(Duration::from_secs(60)).unwrap();
        let address = first.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("{first}")).to_owned();
        Served { child, address, first, log }
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &Value) -> (u16, String) {
        send(&self.address, method, path, headers, body)
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits until it ends: its exit code, and what else it logged.
    #[track_caller]
    fn ended(mut self, within: Duration) -> (Option<i32>, Vec<String>) {
        let until = Instant::now() + within;
        loop {
            match self.child.try_wait().unwrap() {
                Some(status) => return (status.code(), self.log.iter().collect()),
                None if Instant::now() > until => {
                    self.child.kill().unwrap();
                    panic!("still running");
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// The status, and the whole answer.
fn send(address: &str, method: &str, path: &str, headers: &str, body: &Value) -> (u16, String) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}");
    stream.write_all(format!("{head}Content-Length: {length}\r\n\r\n{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    (answer[9..12].parse().unwrap(), answer)
}

const SOON: Duration = Duration::from_secs(20);
const ANY_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

#[test]
fn logs_are_lines_for_people_or_objects_for_programs() {
    let folder = Folder::with::<&str>(&[]);
    let served = Served::start(
        &folder,
        &[&ANY_PORT[..], &["--log-level", "debug", "--log-format", "json"]].concat(),
        &[],
    );
    let first: Value = serde_json::from_str(&served.first).unwrap();
    assert_eq!((&first["level"], &first["data"]), (&json!("INFO"), &json!("data")), "{first}");
    let post = json!({"id": "secret-free", "text": "A text that no log ever quotes."});
    let (status, answer) =
        served.send("POST", "/v1/documents?token=hidden", "Authorization: Bearer fck_a\r\n", &post);
    assert_eq!(status, 401, "{answer}");
    let (_, answer) = served.send("POST", "/v1/documents", "", &post);
    let id = answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap().to_owned();
    served.signal("-TERM");
    let (code, lines) = served.ended(SOON);
    assert_eq!(code, Some(0), "{lines:?}");
    let objects: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let request = objects.iter().find(|line| line["id"] == id).unwrap();
    assert_eq!(
        (&request["level"], &request["method"], &request["path"], &request["status"]),
        (&json!("DEBUG"), &json!("POST"), &json!("/v1/documents"), &json!(201)),
        "{request}"
    );
    assert!(request["milliseconds"].as_f64().unwrap() > 0.0 && request["timestamp"].is_string(), "{request}");
    assert!(objects.iter().any(|line| line["status"] == 401), "{lines:?}");
    for secret in ["fck_", "hidden", "no log ever"] {
        assert!(!lines.iter().any(|line| line.contains(secret)), "{secret}: {lines:?}");
    }

    // What is asked for at the default level leaves no line; start and end do.
    let served = Served::start(&folder, &ANY_PORT, &[]);
    assert!(served.first.contains(" INFO ") && served.first.contains("Ctrl-C"), "{}", served.first);
    assert_eq!(served.send("GET", "/v1/stats", "", &Value::Null).0, 200);
    assert_eq!(served.send("GET", "/nowhere%1b[31m", "", &Value::Null).0, 404);
    served.signal("-TERM");
    let (_, lines) = served.ended(SOON);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].contains("asked to end") && lines[1].contains("closed"), "{lines:?}");
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    let folder = Folder::with::<&str>(&[]);
    folder.run("add - --format jsonl --data data", "");
    let file = folder.path().join("data/firstcopy.toml");
    let own = std::fs::read_to_string(&file).unwrap();
    let table =
        "\n[serve]\nlisten = \"127.0.0.1:0\"\nlog_format = \"json\"\nmax_body = \"2KiB\"\npatience = 3\n";
    std::fs::write(&file, format!("{own}{table}")).unwrap();
    let long = json!({"id": "a", "text": "long ".repeat(600)});
    let sizes = |arguments: &[&str], environment: &[(&str, &str)]| {
        let served = Served::start(&folder, arguments, environment);
        let status = served.send("POST", "/v1/check", "", &long).0;
        let is_json = served.first.starts_with('{');
        served.signal("-TERM");
        assert_eq!(served.ended(SOON).0, Some(0));
        (status, is_json)
    };
    assert_eq!(sizes(&[], &[]), (413, true), "the file");
    let environment = [("FIRSTCOPY_MAX_BODY", "64KiB"), ("FIRSTCOPY_LOG_FORMAT", "text")];
    assert_eq!(sizes(&[], &environment), (200, false), "the environment");
    assert_eq!(sizes(&["--max-body", "1KiB"], &environment), (413, false), "a flag");
    // The table is nobody else's business: it needs no reindex, and a reindex leaves it alone.
    assert_eq!(folder.run("verify --data data", "").code, Some(0));
    assert_eq!(folder.run("reindex --data data --shingle-words 6", "").code, Some(0));
    let after = std::fs::read_to_string(&file).unwrap();
    assert!(after.contains("shingle_words = 6") && after.ends_with(table), "{after}");

    for (line, expected) in [
        ("patience = 0", "a time up to an hour"),
        ("patiense = 1", "unknown field `patiense`"),
        ("max_connections = \"many\"", "a number from 1 to"),
    ] {
        std::fs::write(&file, format!("{own}\n[serve]\n{line}\n")).unwrap();
        let refused = folder.run("serve --listen 127.0.0.1:0 --data data", "");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        for part in ["firstcopy.toml, line ", line, expected, "leave it out"] {
            assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
        }
    }
    std::fs::write(&file, own).unwrap();
    for arguments in
        ["--rate none", "--patience 2h", "--log-level loud", "--cors-origin *", "--max-documents 0"]
    {
        let refused = folder.run(&format!("serve --listen 127.0.0.1:0 --data data {arguments}"), "");
        assert_eq!(refused.code, Some(2), "{arguments}: {refused:?}");
    }
}

#[test]
fn a_second_request_to_end_ends_it_at_once() {
    let folder = Folder::with::<&str>(&[]);
    let mut served =
        Served::start(&folder, &[&ANY_PORT[..], &["--patience", "60", "--drain", "60"]].concat(), &[]);
    let post = json!({"id": "a", "text": "stored before it ends, and there afterwards"});
    assert_eq!(served.send("POST", "/v1/documents", "", &post).0, 201);
    let mut begun = TcpStream::connect(&served.address).unwrap();
    begun
        .write_all(b"POST /v1/documents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
        .unwrap();
    std::thread::sleep(Duration::from_millis(200));
    served.signal("-INT");
    std::thread::sleep(Duration::from_millis(700));
    assert!(served.child.try_wait().unwrap().is_none(), "what was begun is waited for");
    served.signal("-INT");
    let (code, lines) = served.ended(Duration::from_secs(3));
    assert_eq!(code, Some(130), "{lines:?}");
    assert_eq!(folder.run("verify --data data", "").code, Some(0));
    assert_eq!(folder.run("stats --data data --json", "").json()[0]["documents"], 1);
}

#[test]
fn a_backup_beside_a_service_that_is_written_to() {
    let folder = Folder::with::<&str>(&[]);
    let served = Served::start(&folder, &ANY_PORT, &[]);
    assert_eq!(served.send("POST", "/sample", "", &Value::Null).0, 303);
    let made = folder.run("keys add --role write --name writer --data data", "");
    let bearer = format!("Authorization: Bearer {}\r\n", made.stdout.trim());
    let address = served.address.clone();
    let posts = || {
        for number in 0..100 {
            let post = json!({"id": number.to_string(), "text": format!("post {number} of those that come meanwhile")});
            assert_eq!(send(&address, "POST", "/v1/documents", &bearer, &post).0, 201);
        }
    };
    std::thread::scope(|scope| {
        let writing = scope.spawn(posts);
        let backup = folder.run("backup copy --data data", "");
        assert_eq!(backup.code, Some(0), "{backup:?}");
        assert_eq!(folder.run("backup copy --data data", "").code, Some(2), "it is there already");
        writing.join().unwrap();
    });
    served.signal("-TERM");
    assert_eq!(served.ended(SOON).0, Some(0));
    let verified = folder.run("verify --data copy", "");
    assert_eq!(verified.code, Some(0), "{verified:?}");
    let documents = folder.run("stats --data copy --json", "").json()[0]["documents"].as_u64().unwrap();
    assert!((10..=110).contains(&documents), "{documents}");
    assert!(folder.run("keys list --data copy", "").stdout.contains("writer"));
}

#[test]
fn a_probe_says_whether_it_is_alive() {
    let folder = Folder::with::<&str>(&[]);
    let served = Served::start(&folder, &ANY_PORT, &[]);
    let probe = format!("serve --probe --listen {}", served.address);
    assert_eq!(folder.run(&probe, "").code, Some(0));
    served.signal("-TERM");
    assert_eq!(served.ended(SOON).0, Some(0));
    let gone = folder.run(&probe, "");
    assert_eq!(gone.code, Some(3), "{gone:?}");
}
