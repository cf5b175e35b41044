//! What do the papers' indexes share? A SQLite database of trees; a [`Scheme`] says which trees, and which point of a
//! document each of them holds.

use crate::{DuplicateIndex, IndexError, IndexStatistics, KeyHolder, Rule, SharedKeys};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, ffi, params_from_iter};
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "trees.sqlite";
/// The version of the tables, in SQLite's `user_version`. Another one is rebuilt from the store.
const FORMAT_VERSION: u32 = 1;
/// The papers' page (lee-2010): 1,024 bytes.
const PAGE_BYTES: u32 = 1024;
/// Commits wait for the disk only once in so many documents; until then the durable position stays behind.
const DOCUMENTS_A_FLUSH: usize = 50_000;
/// Statements kept ready besides those of the trees.
const OTHER_STATEMENTS: usize = 8;

/// An index scheme, as SQL.
#[derive(Debug)]
pub(crate) struct Scheme {
    /// Its name, kept in the database.
    pub name: &'static str,
    /// Makes the tables.
    pub create: Vec<String>,
    /// A row of each for every document.
    pub trees: Vec<Tree>,
    /// Counts all rows.
    pub count: String,
    /// In how many trees a candidate must be found.
    pub needed: usize,
}

/// One tree, or one part of a tree that all share.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Which point of a document it holds.
    pub point: Point,
    /// Adds document `?1` at `?2` (and `?3`).
    pub insert: String,
    /// Removes document `?1` from `?2` (and `?3`).
    pub remove: String,
    /// Finds the numbers of the documents at a point, given by plain `?`.
    pub find: String,
}

/// A point made of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// The key at a position.
    Whole(usize),
    /// The upper half of the key at a position: the papers' features have 4 bytes.
    Upper(usize),
    /// The two halves of the key at a position.
    Halves(usize),
    /// The upper halves of the keys at two positions.
    Pair(usize, usize),
}

impl Point {
    /// The points of two-dimensional trees: every pair of keys if two are needed (lee-2008), else every key by halves.
    pub fn plane(rule: Rule) -> Vec<Point> {
        if rule.needed == 1 {
            return (0..rule.keys).map(Point::Halves).collect();
        }
        (0..rule.keys).flat_map(|i| (i + 1..rule.keys).map(move |j| Point::Pair(i, j))).collect()
    }

    /// Its coordinates, of a document that has enough keys.
    fn coordinates(self, keys: &[u64]) -> Option<Vec<i64>> {
        let upper = |i: usize| keys.get(i).map(|key| i64::from((key >> 32) as i32));
        let lower = |i: usize| keys.get(i).map(|&key| i64::from(key as i32));
        Some(match self {
            Point::Whole(i) => vec![*keys.get(i)? as i64],
            Point::Upper(i) => vec![upper(i)?],
            Point::Halves(i) => vec![upper(i)?, lower(i)?],
            Point::Pair(i, j) => vec![upper(i)?, upper(j)?],
        })
    }
}

/// An index of the papers.
#[derive(Debug)]
pub(crate) struct SqliteIndex {
    rule: Rule,
    folder: PathBuf,
    path: PathBuf,
    connection: Connection,
    scheme: Scheme,
    find: String,
    position: u64,
    durable_position: u64,
    documents_since_flush: usize,
    page_accesses: u64,
}

impl SqliteIndex {
    /// Opens the index of a folder, or makes an empty one.
    pub fn open(folder: &Path, rule: Rule, scheme: Scheme, cache_bytes: u64) -> Result<Self, IndexError> {
        fs::create_dir_all(folder).map_err(IndexError::io(folder))?;
        let path = folder.join(FILE);
        let is_fresh = !path.exists();
        if is_fresh && let Some(other) = fs::read_dir(folder).map_err(IndexError::io(folder))?.next() {
            let other = other.map_err(IndexError::io(folder))?.path();
            return Err(IndexError::damaged(&other, "this lies where an index should be"));
        }
        let connection = connect(&path, cache_bytes).map_err(sqlite(&path))?;
        if is_fresh {
            create(&connection, rule, &scheme).map_err(sqlite(&path))?;
        }
        let position = check(&connection, rule, &scheme).map_err(sqlite(&path))?;
        let position = position.map_err(|reason| IndexError::damaged(&path, reason))?;
        connection.set_prepared_statement_cache_capacity(2 * scheme.trees.len() + OTHER_STATEMENTS);
        let find = scheme.trees.iter().map(|tree| tree.find.as_str()).collect::<Vec<_>>().join(" UNION ALL ");
        let mut index = SqliteIndex {
            rule,
            folder: folder.to_owned(),
            path,
            connection,
            scheme,
            find,
            position,
            durable_position: position,
            documents_since_flush: 0,
            page_accesses: 0,
        };
        // What was in the log only because nothing has synced it yet is made to last before anybody relies on it.
        index.flush()?;
        Ok(index)
    }

    /// Runs one statement of every tree for a document.
    fn change(&mut self, number: u32, keys: &[u64], statement: fn(&Tree) -> &str) -> Result<(), IndexError> {
        if !keys.is_empty() {
            self.begin()?;
            self.documents_since_flush += 1;
        }
        for tree in &self.scheme.trees {
            let Some(point) = tree.point.coordinates(keys) else { continue };
            let values = std::iter::once(i64::from(number)).chain(point);
            let change =
                || self.connection.prepare_cached(statement(tree))?.execute(params_from_iter(values));
            change().map_err(sqlite(&self.path))?;
        }
        Ok(())
    }

    fn begin(&self) -> Result<(), IndexError> {
        if self.connection.is_autocommit() { self.run("BEGIN") } else { Ok(()) }
    }

    fn run(&self, sql: &str) -> Result<(), IndexError> {
        self.connection.execute_batch(sql).map_err(sqlite(&self.path))
    }

    /// Finds the numbers in every tree at the points of these keys, tree by tree.
    fn find_by_tree(&self, keys: &[u64]) -> rusqlite::Result<Vec<Vec<u32>>> {
        let find = |tree: &Tree| {
            let Some(point) = tree.point.coordinates(keys) else { return Ok(Vec::new()) };
            let mut statement = self.connection.prepare_cached(&tree.find)?;
            statement.query_map(params_from_iter(point), |row| row.get(0))?.collect()
        };
        self.scheme.trees.iter().map(find).collect()
    }

    /// The numbers in all trees at the points of these keys, as often as they are there.
    fn find(&self, keys: &[u64]) -> rusqlite::Result<Vec<u32>> {
        let points: Option<Vec<_>> =
            self.scheme.trees.iter().map(|tree| tree.point.coordinates(keys)).collect();
        let Some(points) = points else { return Ok(Vec::new()) };
        let mut statement = self.connection.prepare_cached(&self.find)?;
        let rows = statement.query_map(params_from_iter(points.iter().flatten()), |row| row.get(0))?;
        rows.collect()
    }
}

impl DuplicateIndex for SqliteIndex {
    fn insert(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError> {
        self.change(number, keys, |tree| &tree.insert)
    }

    fn remove(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError> {
        self.change(number, keys, |tree| &tree.remove)
    }

    fn candidates(&mut self, keys: &[u64]) -> Result<Vec<u32>, IndexError> {
        pages_looked_at(&self.connection);
        let mut numbers = self.find(keys).map_err(sqlite(&self.path))?;
        self.page_accesses += pages_looked_at(&self.connection);
        numbers.sort_unstable();
        let often = numbers.chunk_by(|a, b| a == b).filter(|same| same.len() >= self.scheme.needed);
        Ok(often.map(|same| same[0]).collect())
    }

    fn shared(&mut self, keys: &[u64], preferred: usize) -> Result<SharedKeys, IndexError> {
        if self.rule.needed > 1 {
            // A tree may hold pairs of keys: who is in one has enough of them, and nobody asks for more.
            let all = |number| KeyHolder { number, keys: keys.len() as u32, rarity: 0 };
            let holders = self.candidates(keys)?.into_iter().map(all).collect();
            return Ok(SharedKeys { holders, skipped: 0 });
        }
        pages_looked_at(&self.connection);
        let by_tree = self.find_by_tree(keys).map_err(sqlite(&self.path))?;
        self.page_accesses += pages_looked_at(&self.connection);
        Ok(crate::rarest::count_shared(&by_tree, preferred))
    }

    fn commit(&mut self, position: u64) -> Result<(), IndexError> {
        self.begin()?;
        let update = "UPDATE meta SET value = ?1 WHERE name = 'position'";
        let update = || self.connection.prepare_cached(update)?.execute([position as i64]);
        update().map_err(sqlite(&self.path))?;
        self.run("COMMIT")?;
        self.position = position;
        if self.documents_since_flush >= DOCUMENTS_A_FLUSH { self.flush() } else { Ok(()) }
    }

    fn rollback(&mut self) -> Result<(), IndexError> {
        if self.connection.is_autocommit() { Ok(()) } else { self.run("ROLLBACK") }
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn durable_position(&self) -> u64 {
        self.durable_position
    }

    /// Without `synchronous=FULL` only a checkpoint waits for the disk. One cannot be made inside a transaction: then
    /// the durable position stays where it is.
    fn flush(&mut self) -> Result<(), IndexError> {
        if self.connection.is_autocommit() {
            self.run("PRAGMA wal_checkpoint(TRUNCATE)")?;
            self.durable_position = self.position;
            self.documents_since_flush = 0;
        }
        Ok(())
    }

    fn statistics(&mut self) -> Result<IndexStatistics, IndexError> {
        let entries: i64 = self
            .connection
            .query_row(&self.scheme.count, [], |row| row.get(0))
            .map_err(sqlite(&self.path))?;
        Ok(IndexStatistics {
            entries: entries as u64,
            entries_a_document: self.scheme.trees.len() as u64,
            bytes: crate::folder_bytes(&self.folder)?,
            page_accesses: Some(self.page_accesses),
        })
    }
}

/// The index has the database for itself, so that lookups take no locks.
fn connect(path: &Path, cache_bytes: u64) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.execute_batch(&format!(
        "PRAGMA page_size = {PAGE_BYTES};
         PRAGMA locking_mode = EXCLUSIVE;
         PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL;
         PRAGMA cache_size = -{};",
        cache_bytes / 1024,
    ))?;
    Ok(connection)
}

/// In one transaction: after a crash there is all of it or an empty file.
fn create(connection: &Connection, rule: Rule, scheme: &Scheme) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN;
         CREATE TABLE meta(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
         INSERT INTO meta VALUES ('scheme', '{}'), ('keys', {}), ('needed', {}), ('position', 0);
         {};
         PRAGMA user_version = {FORMAT_VERSION};
         COMMIT;",
        scheme.name,
        rule.keys,
        rule.needed,
        scheme.create.join(";"),
    ))
}

/// The position of the database, or why it is not this index.
fn check(connection: &Connection, rule: Rule, scheme: &Scheme) -> rusqlite::Result<Result<u64, String>> {
    let version: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version != FORMAT_VERSION {
        return Ok(Err(format!(
            "written in version {version} of the format; this is version {FORMAT_VERSION}"
        )));
    }
    let number = |name: &str| -> rusqlite::Result<i64> {
        connection.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0))
    };
    let name: Option<String> = connection
        .query_row("SELECT value FROM meta WHERE name = 'scheme'", [], |row| row.get(0))
        .optional()?;
    if name.as_deref() != Some(scheme.name) {
        return Ok(Err(format!("this is no {} index", scheme.name)));
    }
    let (keys, needed) = (number("keys")?, number("needed")?);
    if (keys, needed) != (rule.keys as i64, rule.needed as i64) {
        return Ok(Err(crate::another_rule(keys as u32, needed as u32, rule)));
    }
    Ok(Ok(number("position")? as u64))
}

/// What SQLite said: that the file is not what was written, or something else.
fn sqlite(path: &Path) -> impl Fn(rusqlite::Error) -> IndexError {
    |source| match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            IndexError::damaged(path, source.to_string())
        }
        _ => IndexError::Sqlite { path: path.to_owned(), source },
    }
}

/// Pages that this connection has looked at since the last call, found in its cache or not.
fn pages_looked_at(connection: &Connection) -> u64 {
    let take = |counter| {
        let (mut current, mut highest, start_again) = (0, 0, 1);
        // SAFETY: the handle is that of an open connection, borrowed for the whole call, and used by no other thread
        // meanwhile, since a `Connection` cannot be shared between threads; both results are valid places to write to.
        unsafe {
            ffi::sqlite3_db_status(connection.handle(), counter, &mut current, &mut highest, start_again)
        };
        current as u64
    };
    take(ffi::SQLITE_DBSTATUS_CACHE_HIT) + take(ffi::SQLITE_DBSTATUS_CACHE_MISS)
}
