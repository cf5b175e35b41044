//! The database of webhooks as a file: how it is made, who may read it, and what its tables are. docs/formats.md has the columns.

use super::error::WebhookError;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file in the data directory.
const FILE: &str = "webhooks.sqlite";
/// The version of its format.
const FORMAT_VERSION: i64 = 1;
/// Tells it from any other database.
const APPLICATION: i64 = 0x6663_7768;
/// How long one who writes waits for another.
const PATIENCE: Duration = Duration::from_secs(10);

const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE webhooks (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    events TEXT NOT NULL,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    since INTEGER NOT NULL,
    disabled TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    resume_at INTEGER NOT NULL DEFAULT 0,
    error TEXT
);
CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook INTEGER NOT NULL REFERENCES webhooks (number) ON DELETE CASCADE,
    event TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    given_up INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL DEFAULT 0,
    error TEXT
);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook, given_up, number);
CREATE TABLE totals (outcome TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
";

/// Where the database of a data directory lies.
pub fn file(data: &Path) -> PathBuf {
    data.join(FILE)
}

/// Opens the database, or makes it: it holds secrets, so nobody but its owner may read it. SQLite gives the files beside it the
/// same mode.
pub fn open(path: &Path, create: bool) -> Result<Connection, WebhookError> {
    if create {
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        if let Err(error) = made
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(WebhookError::io(path, error));
        }
    }
    let wrong = |source| WebhookError::Database { path: path.to_owned(), source };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
    connection.busy_timeout(PATIENCE).map_err(wrong)?;
    if !is_ours(&connection).map_err(wrong)? {
        let reason = format!(
            "is no database of webhooks of version {FORMAT_VERSION}: was it made by another program?"
        );
        return Err(WebhookError::Format { path: path.to_owned(), reason });
    }
    prepare(&mut connection).map_err(wrong)?;
    Ok(connection)
}

/// Whether a database is one of webhooks, or empty.
fn is_ours(connection: &Connection) -> rusqlite::Result<bool> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    Ok(match (number("application_id")?, number("user_version")?) {
        (APPLICATION, FORMAT_VERSION) => true,
        (0, 0) => is_empty(connection)?,
        _ => false,
    })
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    for (name, value) in [("journal_mode", "wal"), ("synchronous", "full"), ("foreign_keys", "on")] {
        connection.pragma_update(None, name, value)?;
    }
    if !is_empty(connection)? {
        return Ok(());
    }
    // Of two who open it for the first time at once, the second finds it made.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if is_empty(&transaction)? {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORMAT_VERSION)?;
    }
    transaction.commit()
}
