//! `firstcopy serve` and `firstcopy keys`: the service starts, answers, is closed to strangers, and ends in peace.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![cfg(unix)]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use support::Folder;

/// A service in a process of its own.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(folder: &Folder) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("firstcopy"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data", "data"])
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next())
            .unwrap_or_else(|| panic!("{line}"));
        Served { address: address.to_owned(), child }
    }

    /// The status and the body.
    fn send(&self, method: &str, path: &str, key: Option<&str>, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let key = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{key}Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), serde_json::from_str(body).unwrap_or_default())
    }

    /// Asks it to end, and waits.
    fn end(mut self) {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn it_serves_stores_and_ends_in_peace() {
    let folder = Folder::with::<&str>(&[]);
    let served = Served::start(&folder);
    let post = json!({"id": "a", "text": "누가 이 글을 먼저 썼는가? 저장하는 순간에 판단한다."});
    assert_eq!(served.send("POST", "/v1/documents", None, &post).0, 201);
    assert_eq!(served.send("GET", "/", None, &Value::Null).0, 200);
    // Another process may look on, and not write.
    assert_eq!(folder.run("stats --data data --json", "").json()[0]["documents"], 1);
    let refused = folder.run("add - --format jsonl --data data", "{\"text\": \"b\"}");
    assert_eq!(refused.code, Some(4), "{refused:?}");
    served.end();
    let shown = folder.run("show a --data data --json", "").json();
    assert_eq!(shown[0]["verdict"], "original");
    assert_eq!(folder.run("verify --data data", "").code, Some(0));
}

/// Every role may what those below it may, and no more.
#[test]
fn keys_open_what_their_role_allows() {
    let folder = Folder::with::<&str>(&[]);
    Served::start(&folder).end();
    let outside = folder.run("serve --listen 0.0.0.0:0 --data data", "");
    assert_eq!(outside.code, Some(2), "{outside:?}");
    let key = |role: &str| {
        let made = folder.run(&format!("keys add --role {role} --name {role} --data data --json"), "");
        made.json()[0]["key"].as_str().unwrap().to_owned()
    };
    let keys = [key("read"), key("write"), key("admin")];
    assert_eq!(folder.run("keys add --role read --name read --data data", "").code, Some(3));
    let served = Served::start(&folder);
    let post = json!({"id": "a", "text": "Who wrote this first? Judged as it is stored."});
    for (method, path, body, expected) in [
        ("GET", "/v1/search?q=who", Value::Null, [401, 200, 200, 200]),
        ("POST", "/v1/check", post.clone(), [401, 200, 200, 200]),
        ("GET", "/v1/stats", Value::Null, [401, 200, 200, 200]),
        ("GET", "/", Value::Null, [303, 200, 200, 200]),
        ("POST", "/v1/documents", post, [401, 403, 201, 200]),
        ("POST", "/sample", Value::Null, [303, 403, 303, 303]),
        ("DELETE", "/v1/documents/a", Value::Null, [401, 403, 200, 404]),
        ("GET", "/healthz", Value::Null, [200, 200, 200, 200]),
        ("GET", "/openapi.json", Value::Null, [200, 200, 200, 200]),
    ] {
        let callers = [None, Some(keys[0].as_str()), Some(&keys[1]), Some(&keys[2])];
        let found = callers.map(|key| served.send(method, path, key, &body).0);
        assert_eq!(found, expected, "{method} {path}");
    }
    assert_eq!(served.send("GET", "/v1/stats", Some("wrong"), &Value::Null).0, 401);
    // A key that is removed opens nothing from then on.
    assert_eq!(folder.run("keys remove read --data data", "").code, Some(0));
    assert_eq!(served.send("GET", "/v1/stats", Some(&keys[0]), &Value::Null).0, 401);
    let listed = folder.run("keys list --data data", "").stdout;
    assert!(listed.contains("write") && !listed.contains("fck_"), "{listed}");
    served.end();
}
