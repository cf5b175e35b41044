//! Who wants to be told what, and where? Kept in the database of webhooks; the routes, the command line and the service all ask here.

use super::error::WebhookError;
use super::event::{Kind, time};
use super::news::FOLLOWER;
use super::schema;
use super::signature::Secret;
use axum::http::Uri;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use utoipa::ToSchema;

/// Webhooks of a data directory at most: each has a thread of its own.
const MOST: i64 = 32;
/// The most characters of a name and of a url.
const LONGEST_NAME: usize = 64;
const LONGEST_URL: usize = 2000;

/// A webhook as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// Where events are sent: an http or https address.
    #[schema(max_length = 2000)]
    pub url: String,
    /// What it is called; `default` if absent.
    #[serde(default = "default_name")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// What it wants to be told; everything if absent.
    #[serde(default = "every_kind")]
    #[schema(min_items = 1)]
    pub events: Vec<Kind>,
}

fn default_name() -> String {
    "default".to_owned()
}

fn every_kind() -> Vec<Kind> {
    Kind::ALL.to_vec()
}

/// A webhook as it is told of: without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Webhook {
    /// What it is called.
    pub name: String,
    /// Where events are sent.
    pub url: String,
    /// What it wants to be told.
    pub events: Vec<Kind>,
    /// When it was added, in RFC 3339.
    pub created_at: String,
    /// "active", "failing" or "disabled".
    pub state: &'static str,
    /// Failures since the last delivery.
    pub failures: u32,
    /// What the last of them was.
    pub last_error: Option<String>,
    /// Deliveries that wait.
    pub pending: u64,
    /// Deliveries that were given up.
    pub failed: u64,
}

/// A webhook as it is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subscriber {
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) url: String,
    pub(super) events: Vec<Kind>,
    pub(super) secret: Secret,
    /// It hears of what comes after this position.
    pub(super) since: u64,
}

/// The database of webhooks, open.
#[derive(Debug)]
pub struct Register {
    pub(super) connection: Connection,
    path: PathBuf,
}

impl Register {
    /// Opens that of a data directory; none if it never had a webhook.
    pub fn open(data: &Path) -> Result<Option<Self>, WebhookError> {
        let path = schema::file(data);
        match path.exists() {
            true => Ok(Some(Register { connection: schema::open(&path, false)?, path })),
            false => Ok(None),
        }
    }

    /// Opens that of a data directory, or makes it.
    pub fn create(data: &Path) -> Result<Self, WebhookError> {
        let path = schema::file(data);
        Ok(Register { connection: schema::open(&path, true)?, path })
    }

    /// Adds a webhook that hears of what comes after a position of the store. Returns it with its secret, which is shown this
    /// once.
    pub fn add(&mut self, new: &NewWebhook, position: u64) -> Result<(Webhook, String), WebhookError> {
        check(new)?;
        let secret = Secret::random().map_err(|error| WebhookError::io(&self.path, error))?;
        let events: Vec<&str> =
            Kind::ALL.into_iter().filter(|kind| new.events.contains(kind)).map(Kind::name).collect();
        self.change(|transaction| add(transaction, new, &events.join(","), &secret, position))??;
        Ok((self.named(&new.name)?, secret.shown()))
    }

    /// All webhooks, by name.
    pub fn all(&self) -> Result<Vec<Webhook>, WebhookError> {
        let query = "SELECT number, name, url, events, created_at, disabled, failures, error, \
                     (SELECT count(*) FROM deliveries WHERE webhook = webhooks.number AND given_up = 0), \
                     (SELECT count(*) FROM deliveries WHERE webhook = webhooks.number AND given_up = 1) \
                     FROM webhooks ORDER BY name";
        self.rows(query, &[], webhook)
    }

    /// The webhook with this name.
    pub fn named(&self, name: &str) -> Result<Webhook, WebhookError> {
        let found = self.all()?.into_iter().find(|webhook| webhook.name == name);
        found.ok_or_else(|| WebhookError::Unknown(name.to_owned()))
    }

    /// Removes a webhook and what it was still to be told. Returns whether there is any left that wants to be told something.
    pub fn remove(&mut self, name: &str) -> Result<bool, WebhookError> {
        let removed = self.change(|transaction| {
            let removed = transaction.execute("DELETE FROM webhooks WHERE name = ?1", [name])?;
            forget_position(transaction)?;
            Ok(removed)
        })?;
        match removed {
            0 => Err(WebhookError::Unknown(name.to_owned())),
            _ => Ok(!self.subscribers()?.is_empty()),
        }
    }

    /// Those who want to be told something.
    pub(super) fn subscribers(&self) -> Result<Vec<Subscriber>, WebhookError> {
        let query = format!("SELECT {SUBSCRIBER} FROM webhooks WHERE disabled IS NULL ORDER BY number");
        self.rows(&query, &[], subscriber)
    }

    /// The one with this name, even if it is disabled.
    pub(super) fn subscriber(&self, name: &str) -> Result<Subscriber, WebhookError> {
        let query = format!("SELECT {SUBSCRIBER} FROM webhooks WHERE name = ?1");
        let found = self.rows(&query, &[&name], subscriber)?.pop();
        found.ok_or_else(|| WebhookError::Unknown(name.to_owned()))
    }

    /// How far the outbox was followed; none if nobody has followed it.
    pub(super) fn position(&self) -> Result<Option<u64>, WebhookError> {
        let query = "SELECT value FROM meta WHERE key = 'position'";
        self.connection.query_row(query, [], |row| row.get(0)).optional().map_err(|error| self.wrong(error))
    }

    /// What keeps the events of this database apart from those of any other.
    pub(super) fn origin(&self) -> Result<Vec<u8>, WebhookError> {
        let query = "SELECT value FROM meta WHERE key = 'origin'";
        let origin = self.connection.query_row(query, [], |row| row.get(0)).optional();
        Ok(origin.map_err(|error| self.wrong(error))?.unwrap_or_default())
    }

    /// Another history of the store begins.
    pub(super) fn begin_anew(&mut self) -> Result<(), WebhookError> {
        self.change(|transaction| {
            transaction.execute("DELETE FROM meta WHERE key = 'position'", [])?;
            transaction.execute("UPDATE webhooks SET since = 0", [])?;
            transaction.execute("INSERT OR REPLACE INTO meta VALUES ('origin', randomblob(16))", []).map(drop)
        })
    }

    /// Forgets how far the outbox was followed, if nobody wants to be told of it.
    pub(super) fn forget_position(&mut self) -> Result<(), WebhookError> {
        self.change(forget_position)
    }

    /// Changes something, all of it or nothing.
    pub(super) fn change<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, WebhookError> {
        let path = &self.path;
        let wrong = |source| WebhookError::Database { path: path.clone(), source };
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        let done = work(&transaction).map_err(wrong)?;
        transaction.commit().map_err(wrong)?;
        Ok(done)
    }

    pub(super) fn rows<T>(
        &self,
        query: &str,
        values: &[&dyn rusqlite::ToSql],
        take: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, WebhookError> {
        let read = || -> rusqlite::Result<Vec<T>> {
            self.connection.prepare_cached(query)?.query_map(values, take)?.collect()
        };
        read().map_err(|error| self.wrong(error))
    }

    pub(super) fn wrong(&self, source: rusqlite::Error) -> WebhookError {
        WebhookError::Database { path: self.path.clone(), source }
    }
}

/// Removes a webhook of a data directory. If it was the last, and no service runs that would do so, the store stops keeping
/// changes for webhooks.
pub fn remove(data: &Path, name: &str) -> Result<(), WebhookError> {
    let Some(mut register) = Register::open(data)? else {
        return Err(WebhookError::Unknown(name.to_owned()));
    };
    if !register.remove(name)? {
        firstcopy_engine::forget_follower(data, FOLLOWER)?;
    }
    Ok(())
}

fn add(
    transaction: &Transaction<'_>,
    new: &NewWebhook,
    events: &str,
    secret: &Secret,
    position: u64,
) -> rusqlite::Result<Result<(), WebhookError>> {
    let count = |query: &str, values: &[&dyn rusqlite::ToSql]| -> rusqlite::Result<i64> {
        transaction.query_row(query, values, |row| row.get(0))
    };
    if count("SELECT count(*) FROM webhooks WHERE name = ?1", &[&new.name])? > 0 {
        return Ok(Err(WebhookError::Conflict(format!("there is a webhook named {:?} already", new.name))));
    }
    if count("SELECT count(*) FROM webhooks", &[])? >= MOST {
        return Ok(Err(WebhookError::Conflict(format!("there are {MOST} webhooks already: remove one"))));
    }
    transaction.execute(
        "INSERT INTO webhooks (name, url, events, secret, created_at, since) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (&new.name, &new.url, events, secret.bytes(), now(), position),
    )?;
    // Where to begin, unless others are being told already; what keeps its events apart, unless that is known.
    transaction.execute("INSERT OR IGNORE INTO meta VALUES ('position', ?1)", [position])?;
    transaction.execute("INSERT OR IGNORE INTO meta VALUES ('origin', randomblob(16))", [])?;
    Ok(Ok(()))
}

fn forget_position(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let statement = "DELETE FROM meta WHERE key = 'position' AND NOT EXISTS \
                     (SELECT 1 FROM webhooks WHERE disabled IS NULL)";
    transaction.execute(statement, []).map(drop)
}

fn webhook(row: &Row<'_>) -> rusqlite::Result<Webhook> {
    let (disabled, failures): (Option<String>, u32) = (row.get(5)?, row.get(6)?);
    let error: Option<String> = row.get(7)?;
    Ok(Webhook {
        name: row.get(1)?,
        url: row.get(2)?,
        events: kinds(&row.get::<_, String>(3)?),
        created_at: time(row.get(4)?),
        state: match (&disabled, failures) {
            (Some(_), _) => "disabled",
            (None, 0) => "active",
            (None, _) => "failing",
        },
        failures,
        last_error: disabled.or(error),
        pending: row.get(8)?,
        failed: row.get(9)?,
    })
}

/// The columns of a subscriber.
const SUBSCRIBER: &str = "number, name, url, events, secret, since";

fn subscriber(row: &Row<'_>) -> rusqlite::Result<Subscriber> {
    Ok(Subscriber {
        number: row.get(0)?,
        name: row.get(1)?,
        url: row.get(2)?,
        events: kinds(&row.get::<_, String>(3)?),
        secret: Secret::of(row.get(4)?),
        since: row.get(5)?,
    })
}

fn kinds(names: &str) -> Vec<Kind> {
    names.split(',').filter_map(Kind::from_name).collect()
}

/// Now, as the database keeps times: in milliseconds.
pub(super) fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

fn check(new: &NewWebhook) -> Result<(), WebhookError> {
    let is_sound = |letter: char| !letter.is_control() && letter != '/';
    let length = new.name.chars().count();
    if !(1..=LONGEST_NAME).contains(&length) || !new.name.chars().all(is_sound) || new.name.trim() != new.name
    {
        let detail = format!("a name has 1 to {LONGEST_NAME} characters, and no slash");
        return Err(WebhookError::wrong("name", detail));
    }
    if new.events.is_empty() {
        let names = Kind::ALL.map(Kind::name).join(", ");
        return Err(WebhookError::wrong("events", format!("name at least one of {names}")));
    }
    check_url(&new.url).map_err(|detail| WebhookError::wrong("url", detail))
}

fn check_url(url: &str) -> Result<(), String> {
    if url.len() > LONGEST_URL {
        return Err(format!("a url has at most {LONGEST_URL} characters"));
    }
    if !url.is_ascii() {
        return Err("a url is written in ASCII: percent-encode what is not".to_owned());
    }
    let uri: Uri = url.parse().map_err(|error| format!("{url:?} is no url: {error}"))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(format!("{url:?} is no http or https address"));
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err("a url with a name and a password is not taken: requests are signed".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn new(name: &str, url: &str, events: &[Kind]) -> NewWebhook {
        NewWebhook { name: name.to_owned(), url: url.to_owned(), events: events.to_vec() }
    }

    #[test]
    fn who_hears_what() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Register::open(folder.path()).unwrap().is_none());
        let mut register = Register::create(folder.path()).unwrap();
        let (webhook, secret) =
            register.add(&new("주문", "https://a.example/hook?x=1", &[Kind::HolderNew]), 7).unwrap();
        assert_eq!((webhook.state, webhook.pending, webhook.events), ("active", 0, vec![Kind::HolderNew]));
        assert!(secret.starts_with("whsec_"));
        // Another process sees it at once, and how far to follow from.
        let other = Register::open(folder.path()).unwrap().unwrap();
        let heard = other.subscriber("주문").unwrap();
        assert_eq!((heard.secret.shown(), heard.since, other.position().unwrap()), (secret, 7, Some(7)));
        register.add(&new("second", "http://127.0.0.1:1", &Kind::ALL), 9).unwrap();
        assert_eq!((other.position().unwrap(), other.all().unwrap().len()), (Some(7), 2));
        assert!(register.remove("second").unwrap());
        assert!(!register.remove("주문").unwrap());
        assert_eq!((other.position().unwrap(), other.all().unwrap()), (None, vec![]));
        assert!(matches!(register.remove("second"), Err(WebhookError::Unknown(_))));
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let mode = entry.as_ref().unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{entry:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::create(folder.path()).unwrap();
        for (name, url, field) in [
            ("", "http://a.example", "name"),
            ("a/b", "http://a.example", "name"),
            ("a\n", "http://a.example", "name"),
            (&"x".repeat(65), "http://a.example", "name"),
            ("a", "ftp://a.example", "url"),
            ("a", "/relative", "url"),
            ("a", "a.example", "url"),
            ("a", "", "url"),
            ("a", "http://", "url"),
            ("a", "file:///etc/passwd", "url"),
            ("a", "http://me:secret@a.example", "url"),
            ("a", "http://a.example/한글", "url"),
            ("a", &format!("http://a.example/{}", "x".repeat(3000)), "url"),
        ] {
            match register.add(&new(name, url, &Kind::ALL), 0) {
                Err(WebhookError::Wrong { field: found, .. }) => assert_eq!(found, field, "{name:?} {url:?}"),
                other => panic!("{name:?} {url:?}: {other:?}"),
            }
        }
        assert!(register.add(&new("a", "http://a.example", &[]), 0).is_err());
        register.add(&new("a", "http://a.example", &Kind::ALL), 0).unwrap();
        assert!(matches!(
            register.add(&new("a", "http://b.example", &Kind::ALL), 0),
            Err(WebhookError::Conflict(_))
        ));
        for number in 1..MOST {
            register.add(&new(&number.to_string(), "http://a.example", &Kind::ALL), 0).unwrap();
        }
        let beyond = register.add(&new("beyond", "http://a.example", &Kind::ALL), 0);
        assert!(matches!(beyond, Err(WebhookError::Conflict(_))), "{beyond:?}");
    }

    #[test]
    fn a_file_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("webhooks.sqlite");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);").unwrap();
        drop(other);
        assert!(matches!(Register::open(folder.path()), Err(WebhookError::Format { .. })));
        std::fs::write(&path, b"no database at all, but long enough to be looked at as one").unwrap();
        assert!(matches!(Register::create(folder.path()), Err(WebhookError::Database { .. })));
    }
}
