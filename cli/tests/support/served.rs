//! A service in a process of its own, that can be killed, and clients that keep their connections.

use super::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Only a service that hangs takes this long for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// `firstcopy serve` over the folder `data`, on a free port. It is killed when it is dropped.
pub struct Served {
    child: Child,
    address: String,
}

impl Served {
    #[track_caller]
    pub fn start(folder: &Folder) -> Self {
        Self::start_with(folder, &[])
    }

    /// The same with some more in its environment.
    #[track_caller]
    pub fn start_with(folder: &Folder, environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("firstcopy"))
            .args(["serve", "--listen", "127.0.0.1:0", "--data", "data"])
            .envs(environment.iter().copied())
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        // What it says later is read, too: otherwise it would wait for somebody who does.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Served { child, address }
    }

    #[track_caller]
    pub fn client(&self) -> Client {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream: BufReader::new(stream) }
    }

    /// Ends it at once, as kill -9 does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, and waits.
    #[track_caller]
    pub fn end(mut self) {
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It has ended already, unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client on one connection.
pub struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    /// Status and body; an error if the service is gone.
    pub fn send(&mut self, method: &str, path: &str, body: &Value) -> std::io::Result<(u16, Value)> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
        self.stream.get_mut().write_all((head + &body).as_bytes())?;
        let status = self.line()?.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            let line = self.line()?.to_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok((status.unwrap(), serde_json::from_slice(&body).unwrap_or_default()))
    }

    /// A line without its end. A service that is killed may leave half of one.
    fn line(&mut self) -> std::io::Result<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let whole = line.strip_suffix("\r\n").map(ToOwned::to_owned);
        whole.ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
    }
}
