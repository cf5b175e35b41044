//! A service on a port of its own, and a client that speaks HTTP byte by byte, so that it can be as rude as a test needs.

use firstcopy_engine::{Engine, OpenOptions, Policy, Wanted};
use firstcopy_service::{App, Limits, serve};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// A running service; it ends with the test.
pub struct Service {
    pub address: SocketAddr,
    pub data: tempfile::TempDir,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Service {
    pub fn start() -> Self {
        Self::with(Limits::default())
    }

    pub fn with(limits: Limits) -> Self {
        Self::filled(limits, |_| ())
    }

    /// Over an empty collection with a policy of its own.
    pub fn of_policy(policy: Policy) -> Self {
        let wanted = Wanted { policy: Some(policy), ..Wanted::default() };
        Self::opened(Limits::default(), OpenOptions { wanted, ..OpenOptions::default() }, |_| ())
    }

    /// Over a collection that something was done with before.
    pub fn filled(limits: Limits, fill: impl FnOnce(&Engine)) -> Self {
        Self::opened(limits, OpenOptions::default(), fill)
    }

    fn opened(limits: Limits, options: OpenOptions, fill: impl FnOnce(&Engine)) -> Self {
        let data = tempfile::tempdir().unwrap();
        let engine = Arc::new(Engine::open(&data.path().join("data"), options).unwrap());
        fill(&engine);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let app = Arc::new(App::new(engine, limits).unwrap());
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let stopped = async { drop(stopped.await) };
                serve(listener, app, stopped).await.unwrap();
            });
        });
        Service { address, data, stop: Some(stop), thread: Some(thread) }
    }

    /// The folder of the collection.
    pub fn collection(&self) -> std::path::PathBuf {
        self.data.path().join("data")
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request with these headers on a connection of its own.
    #[track_caller]
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        let mut stream = self.connect();
        // A service that has heard enough may close before it has read all.
        let _ = stream.write_all(format!("{head}\r\n").as_bytes()).and_then(|()| stream.write_all(body));
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Response::parse(&answer)
    }

    #[track_caller]
    pub fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], b"")
    }

    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> Response {
        self.send("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// Asks until the answer is the one that is waited for: search follows within a second.
    #[track_caller]
    pub fn get_until(&self, path: &str, is_there: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..200 {
            let answer = self.get(path);
            if answer.status == 200 && is_there(&answer.json()) {
                return answer.json();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{path}: {:?}", self.get(path))
    }

    /// Ends it and waits.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        }
    }
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    #[track_caller]
    fn parse(answer: &[u8]) -> Self {
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {:?}", String::from_utf8_lossy(answer)));
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        let headers: Vec<(String, String)> = head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let is_chunked =
            headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
        let body = if is_chunked { unchunked(&answer[end + 4..]) } else { answer[end + 4..].to_vec() };
        Response { status, headers, body }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Every line as JSON.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|bytes| bytes == b"\r\n") {
        let length = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16).unwrap_or(0);
        if length == 0 {
            break;
        }
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 4 + length..];
    }
    body
}
