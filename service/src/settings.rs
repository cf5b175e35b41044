//! What a service is told when it starts: where, how much, how long, how many. Flags come before the environment, the
//! environment before `[serve]` in `firstcopy.toml`, and that before the defaults. No verdict depends on any of it.

use crate::logs::{LogFormat, LogLevel};
use crate::origin::Origin;
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The file in the data directory that has the table.
const FILE: &str = "firstcopy.toml";
/// The port, when nobody names one.
const PORT: u16 = 7700;

/// Limits of a service. What is beyond is refused with a status that says so, and never queued without end.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a body as it comes, and of a document after decompression.
    pub body: usize,
    /// Bytes of the headers of a request.
    pub headers: usize,
    /// How long a client may take for the headers of a request, for the next one, and how far it may fall behind the
    /// slowest rate while it sends or reads.
    pub patience: Duration,
    /// Connections at once.
    pub connections: usize,
    /// Documents that are judged or stored at once.
    pub documents: usize,
    /// Questions that wait for their turn.
    pub questions: usize,
    /// Requests a second of one key, and how many at once; none is unlimited.
    pub rate: Option<f64>,
    /// How long what was begun may take when the service ends.
    pub drain: Duration,
    /// Other origins whose pages may use the API; none by default.
    pub origins: Vec<Origin>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body: 16 << 20,
            headers: 32 << 10,
            patience: Duration::from_secs(10),
            connections: 8192,
            documents: 512,
            questions: 128,
            rate: None,
            drain: Duration::from_secs(20),
            origins: Vec::new(),
        }
    }
}

/// All that a service is told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// What it logs.
    pub log_level: LogLevel,
    /// How it logs.
    pub log_format: LogFormat,
    /// How much it does.
    pub limits: Limits,
}

/// What somebody asks for: a user by flags and environment, a file by its table. What is left open, the next one is asked.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wishes {
    /// Where to listen.
    #[serde(deserialize_with = "written")]
    pub listen: Option<SocketAddr>,
    /// What to log.
    #[serde(deserialize_with = "written")]
    pub log_level: Option<LogLevel>,
    /// How to log.
    #[serde(deserialize_with = "written")]
    pub log_format: Option<LogFormat>,
    /// See [`Limits::body`].
    #[serde(deserialize_with = "written")]
    pub max_body: Option<Size>,
    /// See [`Limits::headers`].
    #[serde(deserialize_with = "written")]
    pub max_headers: Option<Size>,
    /// See [`Limits::patience`].
    #[serde(deserialize_with = "written")]
    pub patience: Option<Time>,
    /// See [`Limits::connections`].
    #[serde(deserialize_with = "written")]
    pub max_connections: Option<Count>,
    /// See [`Limits::documents`].
    #[serde(deserialize_with = "written")]
    pub max_documents: Option<Count>,
    /// See [`Limits::questions`].
    #[serde(deserialize_with = "written")]
    pub max_questions: Option<Count>,
    /// See [`Limits::rate`].
    #[serde(deserialize_with = "written")]
    pub rate: Option<Rate>,
    /// See [`Limits::drain`].
    #[serde(deserialize_with = "written")]
    pub drain: Option<Time>,
    /// See [`Limits::origins`].
    pub cors_origins: Option<Vec<Origin>>,
}

/// Why the table cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}, {place}: {reason}: correct it, or leave it out for the default", path.display())]
pub struct SettingsError {
    path: PathBuf,
    place: String,
    reason: String,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    serve: Wishes,
}

impl Wishes {
    /// What the settings file of a data directory asks for; nothing if there is none.
    pub fn of(data: &Path) -> Result<Self, SettingsError> {
        let path = data.join(FILE);
        match std::fs::read_to_string(&path) {
            Ok(text) => Wishes::from_toml(&text, &path),
            // Whether it must be there, and be readable, is for those to say who open the data directory.
            Err(_) => Ok(Wishes::default()),
        }
    }

    fn from_toml(text: &str, path: &Path) -> Result<Self, SettingsError> {
        let file: Result<File, _> = toml::from_str(text);
        file.map(|file| file.serve).map_err(|error| SettingsError {
            path: path.to_owned(),
            place: error.span().map_or_else(|| "[serve]".to_owned(), |span| place(text, span.start)),
            reason: error.message().to_owned(),
        })
    }

    /// These wishes, and where they leave something open, those of another.
    pub fn or(self, other: Wishes) -> Wishes {
        Wishes {
            listen: self.listen.or(other.listen),
            log_level: self.log_level.or(other.log_level),
            log_format: self.log_format.or(other.log_format),
            max_body: self.max_body.or(other.max_body),
            max_headers: self.max_headers.or(other.max_headers),
            patience: self.patience.or(other.patience),
            max_connections: self.max_connections.or(other.max_connections),
            max_documents: self.max_documents.or(other.max_documents),
            max_questions: self.max_questions.or(other.max_questions),
            rate: self.rate.or(other.rate),
            drain: self.drain.or(other.drain),
            cors_origins: self.cors_origins.or(other.cors_origins),
        }
    }

    /// These wishes, and the defaults.
    pub fn settings(self) -> Settings {
        let default = Limits::default();
        Settings {
            listen: self.listen.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, PORT).into()),
            log_level: self.log_level.unwrap_or_default(),
            log_format: self.log_format.unwrap_or_default(),
            limits: Limits {
                body: self.max_body.map_or(default.body, |size| size.0),
                headers: self.max_headers.map_or(default.headers, |size| size.0),
                patience: self.patience.map_or(default.patience, |time| time.0),
                connections: self.max_connections.map_or(default.connections, |count| count.0),
                documents: self.max_documents.map_or(default.documents, |count| count.0),
                questions: self.max_questions.map_or(default.questions, |count| count.0),
                rate: self.rate.map(|rate| rate.0).or(default.rate),
                drain: self.drain.map_or(default.drain, |time| time.0),
                origins: self.cors_origins.unwrap_or_default(),
            },
        }
    }
}

/// The line of a text, as people find it.
fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default().trim();
    format!("line {number} ({line})")
}

/// A value of the file: a number or a text, read just as a flag is.
fn written<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Integer(i64),
        Number(f64),
        Text(String),
    }
    let text = match Written::deserialize(deserializer) {
        Ok(Written::Integer(number)) => number.to_string(),
        Ok(Written::Number(number)) => number.to_string(),
        Ok(Written::Text(text)) => text,
        Err(_) => return Err(serde::de::Error::custom("must be a number or a text in quotes")),
    };
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// A number of bytes: 65536, 64KiB, 16MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(usize);

/// Smaller ones would refuse what every client sends.
const SMALLEST: usize = 1 << 10;
/// Larger ones are meant for other programs.
const LARGEST: usize = 1 << 30;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, usize); 5] =
            [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("KB", 1000), ("MB", 1_000_000)];
        let (number, factor) = UNITS
            .iter()
            .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
            .unwrap_or((text, 1));
        let bytes = number.trim().parse::<usize>().ok().and_then(|number| number.checked_mul(factor));
        bytes
            .filter(|bytes| (SMALLEST..=LARGEST).contains(bytes))
            .map(Size)
            .ok_or_else(|| "must be a size from 1KiB to 1GiB, as in 65536, 64KiB or 16MiB".to_owned())
    }
}

/// How long: 10, 500ms, 20s, 2m.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(Duration);

/// Whoever waits longer has forgotten what for.
const LONGEST: u64 = 3_600_000;

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, u64); 3] = [("ms", 1), ("s", 1000), ("m", 60_000)];
        let (number, factor) = UNITS
            .iter()
            .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
            .unwrap_or((text, 1000));
        let time = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        time.filter(|time| (1..=LONGEST).contains(time))
            .map(|time| Time(Duration::from_millis(time)))
            .ok_or_else(|| "must be a time up to an hour, as in 10 (seconds), 500ms, 20s or 2m".to_owned())
    }
}

/// How many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count(usize);

/// More than any machine keeps open.
const MOST: usize = 1_000_000;

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = text.trim().parse::<usize>().ok().filter(|count| (1..=MOST).contains(count));
        count.map(Count).ok_or_else(|| format!("must be a number from 1 to {MOST}"))
    }
}

/// How often a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate(f64);

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rate = text.trim().parse::<f64>().ok().filter(|rate| (0.001..=1e6).contains(rate));
        rate.map(Rate).ok_or_else(|| "must be a number of requests a second, as in 50 or 0.5".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Wishes, String> {
        Wishes::from_toml(text, Path::new("blog/firstcopy.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_table_is_read_as_flags_are() {
        let wishes = read(
            "shingle_words = 10\n[serve]\nlisten = \"127.0.0.1:8000\"\nlog_level = \"debug\"\nlog_format = \"json\"\n\
             max_body = \"1MiB\"\nmax_headers = 8192\npatience = 5\nmax_connections = 100\nmax_documents = 8\n\
             max_questions = 9\nrate = 2.5\ndrain = \"500ms\"\ncors_origins = [\"https://a.example\"]\n",
        );
        let settings = wishes.unwrap().settings();
        assert_eq!(settings.listen, "127.0.0.1:8000".parse().unwrap());
        assert_eq!((settings.log_level, settings.log_format), (LogLevel::Debug, LogFormat::Json));
        let limits = settings.limits;
        assert_eq!((limits.body, limits.headers), (1 << 20, 8192));
        assert_eq!((limits.patience, limits.drain), (Duration::from_secs(5), Duration::from_millis(500)));
        assert_eq!((limits.connections, limits.documents, limits.questions), (100, 8, 9));
        assert_eq!((limits.rate, limits.origins.len()), (Some(2.5), 1));
    }

    #[test]
    fn who_is_asked_first_decides() {
        let flags = Wishes { patience: "3".parse().ok(), ..Wishes::default() };
        let file = read("[serve]\npatience = 5\ndrain = 6\n").unwrap();
        let limits = flags.or(file).settings().limits;
        assert_eq!((limits.patience, limits.drain), (Duration::from_secs(3), Duration::from_secs(6)));
        assert_eq!(limits.body, Limits::default().body);
        assert_eq!(read("min_resemblance = 0.8\n").unwrap(), Wishes::default());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, expected) in [
            ("patience = 0", "a time up to an hour"),
            ("patience = \"soon\"", "a time up to an hour"),
            ("patiance = 10", "patiance"),
            ("max_body = \"17 bananas\"", "a size from 1KiB"),
            ("max_connections = -1", "from 1 to 1000000"),
            ("max_connections = [1]", "a number or a text"),
            ("rate = 0", "requests a second"),
            ("rate = nan", "requests a second"),
            ("log_level = \"loud\"", "error, warn, info or debug"),
            ("listen = \"everywhere\"", "address"),
            ("cors_origins = [\"*\"]", "https://"),
        ] {
            let error = read(&format!("shingle_words = 10\n\n[serve]\n{line}\n")).unwrap_err();
            let named = format!("blog/firstcopy.toml, line 4 ({line})");
            assert!(error.starts_with(&named) && error.contains(expected), "{error}");
        }
    }
}
