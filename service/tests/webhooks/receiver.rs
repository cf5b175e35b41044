//! An endpoint that keeps what it got, and answers as it is told.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A request that a receiver got.
#[derive(Debug, Clone)]
pub struct Request {
    pub at: Instant,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.unwrap_or_else(|| panic!("{name}: {:?}", self.headers)).1.as_str()
    }

    /// Checks the signature as a receiver does, from nothing but the secret that was shown.
    #[track_caller]
    pub fn check(&self, secret: &str) {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &key);
        let signed =
            format!("{}.{}.{}", self.header("webhook-id"), self.header("webhook-timestamp"), self.body);
        let signature =
            STANDARD.decode(self.header("webhook-signature").strip_prefix("v1,").unwrap()).unwrap();
        ring::hmac::verify(&key, signed.as_bytes(), &signature).unwrap();
        assert_eq!(self.header("webhook-id"), self.json()["id"]);
        let sent: i64 = self.header("webhook-timestamp").parse().unwrap();
        let now =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64;
        assert!((now - sent).abs() < 60, "{sent}");
    }
}

/// Answers the n-th request with a status line and headers; none keeps it waiting for ever.
pub type Answer = dyn Fn(usize, &Request) -> Option<String> + Send + Sync;

/// An endpoint on a port of its own.
pub struct Receiver {
    pub address: SocketAddr,
    pub got: Arc<Mutex<Vec<Request>>>,
}

impl Receiver {
    pub fn start() -> Self {
        Self::answering(|_| Some("200 OK".to_owned()))
    }

    pub fn answering(answer: impl Fn(usize) -> Option<String> + Send + Sync + 'static) -> Self {
        Self::at("127.0.0.1:0".parse().unwrap(), move |number, _| answer(number))
    }

    pub fn at(
        address: SocketAddr,
        answer: impl Fn(usize, &Request) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let (address, got) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
        let (kept, answer): (_, Arc<Answer>) = (Arc::clone(&got), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (got, answer) = (Arc::clone(&kept), Arc::clone(&answer));
                std::thread::spawn(move || talk(stream.unwrap(), &got, &*answer));
            }
        });
        Receiver { address, got }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    pub fn got(&self) -> Vec<Request> {
        self.got.lock().unwrap().clone()
    }

    /// Waits until it has got so many requests.
    #[track_caller]
    pub fn wait(&self, count: usize) -> Vec<Request> {
        until(|| self.got().len() >= count, || format!("{count}: {:#?}", self.got()));
        self.got()
    }

    /// What it was told about, once all of these have come: type, and the document or what holds it.
    #[track_caller]
    pub fn wait_for(&self, count: usize) -> Vec<(String, String)> {
        self.wait(count).iter().map(|request| said(&request.json())).collect()
    }
}

/// What an event is, and what it is about.
pub fn said(event: &Value) -> (String, String) {
    let data = &event["data"];
    let about = data["id"].as_str().map(str::to_owned).unwrap_or_else(|| {
        format!(
            "{} {} {}",
            data["holder"].as_str().unwrap(),
            data["holds"].as_str().unwrap(),
            data["document"].as_str().unwrap()
        )
    });
    (event["type"].as_str().unwrap().to_owned(), about)
}

fn talk(stream: TcpStream, got: &Mutex<Vec<Request>>, answer: &Answer) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let mut headers = Vec::new();
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        loop {
            line.clear();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_owned(), value.to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let mut body = vec![0; length.map_or(0, |(_, value)| value.parse().unwrap())];
        reader.read_exact(&mut body).ok()?;
        let request = Request { at: Instant::now(), headers, body: String::from_utf8(body).unwrap() };
        let number = {
            let mut got = got.lock().unwrap();
            got.push(request.clone());
            got.len() - 1
        };
        match answer(number, &request) {
            Some(answer) => write!(stream, "HTTP/1.1 {answer}\r\nContent-Length: 2\r\n\r\nok").ok()?,
            None => std::thread::sleep(Duration::from_secs(3600)),
        }
    }
}

#[track_caller]
pub fn until(mut is_so: impl FnMut() -> bool, else_say: impl FnOnce() -> String) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{}", else_say());
        std::thread::sleep(Duration::from_millis(10));
    }
}
