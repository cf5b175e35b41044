//! The database: how it is opened, how a transaction begins and ends, what it counts.

use crate::error::StoreError;
use crate::schema::{ADDED, APPLICATION_ID, FORMAT_VERSION, OLDEST_READ, TABLES};
use rusqlite::{CachedStatement, Connection, OpenFlags, OptionalExtension, ToSql, types::FromSql};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Memory for pages of the database: what the names and the outbox of a few million documents keep busy.
const CACHE_KIB: i64 = 64 * 1024;
/// The same for those who only read: there are several of them, and most read every document once.
const READER_CACHE_KIB: i64 = 8 * 1024;
/// Pages of the write-ahead log before they are moved into the database: 16 MiB. The default of 4 MiB spends a fifth
/// more time moving the same pages again and again while many documents are added.
const CHECKPOINT_PAGES: i64 = 4096;
/// How long a reader waits for a writer that holds the database for a moment.
const PATIENCE: Duration = Duration::from_secs(10);

/// The database of a data directory.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

/// What the store holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents, originals and duplicates.
    pub documents: u64,
    /// Documents that are duplicates.
    pub duplicates: u64,
    /// Earlier versions of documents.
    pub versions: u64,
    /// Ids that were deleted and not used again.
    pub tombstones: u64,
    /// Documents that the latest sweep missed.
    pub gone: u64,
    /// Changes that some follower has not taken yet.
    pub outbox: u64,
    /// Bytes of the database.
    pub bytes: u64,
}

/// What goes on counting. A document, a version and a place take their number from the same counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    /// Greater than every number that was ever given.
    pub next_number: u32,
    /// The position of the last change that was ever announced.
    pub position: u64,
    /// When the latest document was received: the clock of the store does not run backwards.
    pub last_received: i64,
    /// The latest time that any document was ever judged by: what comes after it changes no other verdict.
    pub last_judged: i64,
}

impl Counters {
    /// Gives the next number; none when all 2^31 are given.
    pub fn give_number(&mut self) -> Option<u32> {
        let next = self.next_number;
        self.next_number = next.checked_add(1).filter(|&after| after <= 1 << 31)?;
        Some(next)
    }
}

impl Store {
    /// Makes the database, or opens the one that is there. `parameters` describe what its features depend on.
    pub fn create(path: &Path, parameters: &str) -> Result<Self, StoreError> {
        let mut store = Self::connect(path, OpenFlags::default())?;
        if store.pragma::<i64>("schema_version")? == 0 {
            store.make_tables(parameters)?;
        }
        store.checked()?.brought_up()
    }

    /// Opens the database to write to it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::connect(path, OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE)?.checked()?.brought_up()
    }

    /// Opens the database to read from it, beside its writer.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Self::connect(path, flags)?.checked()?;
        if store.format()? < FORMAT_VERSION {
            // What is added is in nobody's way, not even in that of an older program that is writing.
            Self::open(path)?;
        }
        Ok(store)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let wrong = |source| StoreError::sqlite(path, source);
        let connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
        connection.busy_timeout(PATIENCE).map_err(wrong)?;
        connection.set_prepared_statement_cache_capacity(64);
        let is_reader = flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY);
        let cache = if is_reader { READER_CACHE_KIB } else { CACHE_KIB };
        connection.pragma_update(None, "cache_size", -cache).map_err(wrong)?;
        if !is_reader {
            for (name, value) in [("journal_mode", "wal"), ("synchronous", "full"), ("secure_delete", "on")] {
                connection.pragma_update(None, name, value).map_err(wrong)?;
            }
            connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(wrong)?;
        }
        Ok(Store { connection, path: path.to_owned() })
    }

    fn make_tables(&mut self, parameters: &str) -> Result<(), StoreError> {
        self.begin()?;
        self.batch(TABLES)?;
        self.add_since(OLDEST_READ)?;
        self.batch(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
        self.set_meta("parameters", &parameters)?;
        self.set_meta("generation", &1)?;
        self.set_counters(&Counters {
            next_number: 1,
            position: 0,
            last_received: i64::MIN,
            last_judged: i64::MIN,
        })?;
        self.commit()
    }

    /// Refuses what another program or a newer version made.
    fn checked(self) -> Result<Self, StoreError> {
        let (application, found) =
            (self.pragma::<i32>("application_id")?, self.pragma::<u32>("user_version")?);
        if application != APPLICATION_ID {
            return Err(StoreError::unusable(
                &self.path,
                "is not a database of firstcopy: it is left as it is",
            ));
        }
        match found {
            OLDEST_READ..=FORMAT_VERSION => Ok(self),
            0 => Err(StoreError::unusable(&self.path, "has no format version: bring it back from a backup")),
            _ if found < FORMAT_VERSION => Err(StoreError::Older { path: self.path.clone(), found }),
            _ => Err(StoreError::Newer { path: self.path.clone(), found }),
        }
    }

    /// Adds what this format has and the one that is there lacks, all of it or nothing.
    fn brought_up(mut self) -> Result<Self, StoreError> {
        if self.format()? == FORMAT_VERSION {
            return Ok(self);
        }
        self.begin()?;
        // Another process may have done it while this one waited.
        self.add_since(self.format()?)?;
        self.commit()?;
        Ok(self)
    }

    /// Adds what came after a format.
    fn add_since(&mut self, format: u32) -> Result<(), StoreError> {
        ADDED[(format - OLDEST_READ) as usize..].concat().iter().try_for_each(|added| self.batch(added))?;
        self.batch(&format!("PRAGMA user_version = {FORMAT_VERSION}"))
    }

    /// The format of the tables that are there.
    fn format(&self) -> Result<u32, StoreError> {
        self.pragma("user_version")
    }

    /// Begins a transaction: nothing is seen by others, and nothing is durable, until it is committed.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.change("BEGIN IMMEDIATE", &[])
    }

    /// Commits the transaction and syncs it to the disk.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.change("COMMIT", &[])
    }

    /// From now on a commit is not synced: it outlives the process, but not the machine, until [`Store::sync`].
    pub fn sync_later(&mut self) -> Result<(), StoreError> {
        self.connection.pragma_update(None, "synchronous", "normal").map_err(|error| self.wrong(error))
    }

    /// Syncs what was committed to the disk. What is not in the write-ahead log any more was synced when it left it.
    pub fn sync(&self) -> Result<(), StoreError> {
        let mut log = self.path.clone().into_os_string();
        log.push("-wal");
        let log = PathBuf::from(log);
        std::fs::File::open(&log)
            .and_then(|file| file.sync_data())
            .map_err(|source| StoreError::io(&log, source))
    }

    /// Forgets the transaction, if there is one.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
        if self.connection.is_autocommit() { Ok(()) } else { self.batch("ROLLBACK") }
    }

    /// Sees one state of the database in all reads until [`Store::rollback`].
    pub fn begin_reading(&mut self) -> Result<(), StoreError> {
        self.batch("BEGIN")
    }

    /// A value that belongs to the whole store.
    pub fn meta<T: FromSql>(&self, key: &str) -> Result<Option<T>, StoreError> {
        self.one("SELECT value FROM meta WHERE key = ?1", &[&key], |row| row.get(0))
    }

    /// Sets a value that belongs to the whole store.
    pub fn set_meta(&mut self, key: &str, value: &dyn ToSql) -> Result<(), StoreError> {
        self.change("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2", &[&key, value])
    }

    /// The numbers that go on counting from one transaction to the next.
    pub fn counters(&self) -> Result<Counters, StoreError> {
        let query = "SELECT next_number, position, last_received, last_judged FROM counters";
        let found = self.one(query, &[], |row| {
            Ok(Counters {
                next_number: row.get(0)?,
                position: row.get(1)?,
                last_received: row.get(2)?,
                last_judged: row.get(3)?,
            })
        })?;
        found.ok_or_else(|| {
            StoreError::unusable(&self.path, "has lost its counters: bring it back from a backup")
        })
    }

    /// Writes the counters down: the last thing before a commit.
    pub fn set_counters(&mut self, counters: &Counters) -> Result<(), StoreError> {
        let Counters { next_number, position, last_received, last_judged } = counters;
        self.change(
            "REPLACE INTO counters VALUES (1, ?1, ?2, ?3, ?4)",
            &[next_number, position, last_received, last_judged],
        )
    }

    /// Counts what there is.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        Ok(Counts {
            documents: self.count("SELECT count(*) FROM documents")?,
            duplicates: self.count("SELECT count(*) FROM documents WHERE original IS NOT NULL")?,
            versions: self.count("SELECT count(*) FROM versions")?,
            tombstones: self.count("SELECT count(*) FROM tombstones")?,
            gone: self.count("SELECT count(*) FROM sightings WHERE gone IS NOT NULL")?,
            outbox: self.count("SELECT count(*) FROM outbox")?,
            bytes: self.pragma::<u64>("page_count")? * self.pragma::<u64>("page_size")?,
        })
    }

    /// What SQLite finds wrong with the file; nothing if it is sound.
    pub fn damage(&self) -> Result<Vec<String>, StoreError> {
        let lines = self.all("PRAGMA integrity_check(20)", &[], |row| row.get::<_, String>(0))?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }

    /// Copies one state of the database to another file while others go on reading and writing.
    pub fn copy_to(&self, target: &Path) -> Result<(), StoreError> {
        let place = target.to_string_lossy();
        self.change("VACUUM INTO ?1", &[&place])?;
        std::fs::File::open(target)
            .and_then(|file| file.sync_all())
            .map_err(|source| StoreError::io(target, source))
    }

    /// Moves everything from the write-ahead log into the database, so that the file is complete alone.
    pub fn checkpoint(&self) -> Result<(), StoreError> {
        self.one("PRAGMA wal_checkpoint(TRUNCATE)", &[], |row| row.get::<_, i64>(0)).map(drop)
    }

    fn count(&self, query: &str) -> Result<u64, StoreError> {
        Ok(self.one(query, &[], |row| row.get(0))?.unwrap_or(0))
    }

    fn pragma<T: FromSql>(&self, name: &str) -> Result<T, StoreError> {
        self.connection.pragma_query_value(None, name, |row| row.get(0)).map_err(|error| self.wrong(error))
    }

    pub(crate) fn batch(&self, statements: &str) -> Result<(), StoreError> {
        self.connection.execute_batch(statements).map_err(|error| self.wrong(error))
    }

    pub(crate) fn change(&self, statement: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        self.prepared(statement)?.execute(values).map(drop).map_err(|error| self.wrong(error))
    }

    pub(crate) fn one<T>(
        &self,
        query: &str,
        values: &[&dyn ToSql],
        take: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.prepared(query)?.query_row(values, take).optional().map_err(|error| self.wrong(error))
    }

    pub(crate) fn all<T>(
        &self,
        query: &str,
        values: &[&dyn ToSql],
        take: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.prepared(query)?;
        let rows = statement.query_map(values, take).and_then(Iterator::collect);
        rows.map_err(|error| self.wrong(error))
    }

    fn prepared(&self, statement: &str) -> Result<CachedStatement<'_>, StoreError> {
        self.connection.prepare_cached(statement).map_err(|error| self.wrong(error))
    }

    pub(crate) fn wrong(&self, source: rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path, source)
    }
}
