//! The tables, and the version of their format. Described column by column in docs/formats.md.

/// Which tables this firstcopy writes, and the newest it reads.
pub const FORMAT_VERSION: u32 = 5;

/// What SQLite calls the databases of this application: "fcpy".
pub(crate) const APPLICATION_ID: i32 = 0x6663_7079;

/// The oldest format that is read: what it lacks is added when it is opened to write.
pub(crate) const OLDEST_READ: u32 = 2;

/// What each format has more than the one before, from [`OLDEST_READ`] on.
pub(crate) const ADDED: [&[&str]; (FORMAT_VERSION - OLDEST_READ) as usize] =
    [&[SINCE_2], &[SINCE_3, COUNT_GROUPS], &[SINCE_4]];

const SINCE_2: &str = "
ALTER TABLE documents ADD COLUMN standing TEXT;
ALTER TABLE documents ADD COLUMN natural_judged_at INTEGER;

CREATE TABLE appeals (
    appeal INTEGER PRIMARY KEY,
    id TEXT NOT NULL, decision TEXT NOT NULL, by TEXT NOT NULL, reason TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX appeals_id ON appeals (id);

CREATE TABLE requests (key BLOB PRIMARY KEY, fingerprint BLOB NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
CREATE INDEX requests_at ON requests (at);
";

// Groups are counted where documents change, so nobody can forget to. REPLACE removes a row without saying so: the trigger
// before an insertion looks for it. One copy in 8, 64, … is drawn by its number: of a group of any size a sample is at hand,
// see `groups.rs`.
const SINCE_3: &str = "
CREATE TABLE groups (original INTEGER PRIMARY KEY, copies INTEGER NOT NULL) STRICT;

CREATE TRIGGER copy_replaced BEFORE INSERT ON documents BEGIN
    UPDATE groups SET copies = copies - 1
        WHERE original = (SELECT original FROM documents WHERE number = NEW.number);
END;
CREATE TRIGGER copy_added AFTER INSERT ON documents WHEN NEW.original IS NOT NULL BEGIN
    INSERT INTO groups VALUES (NEW.original, 1) ON CONFLICT DO UPDATE SET copies = copies + 1;
END;
CREATE TRIGGER copy_judged AFTER UPDATE OF original ON documents WHEN OLD.original IS NOT NEW.original BEGIN
    UPDATE groups SET copies = copies - 1 WHERE original = OLD.original;
    INSERT INTO groups SELECT NEW.original, 1 WHERE NEW.original IS NOT NULL
        ON CONFLICT DO UPDATE SET copies = copies + 1;
END;
CREATE TRIGGER copy_removed AFTER DELETE ON documents WHEN OLD.original IS NOT NULL BEGIN
    UPDATE groups SET copies = copies - 1 WHERE original = OLD.original;
END;
CREATE TRIGGER group_ended AFTER UPDATE ON groups WHEN NEW.copies = 0 BEGIN
    DELETE FROM groups WHERE original = NEW.original;
END;

CREATE INDEX documents_drawn_1 ON documents (original)
    WHERE original IS NOT NULL AND (number * 2654435769 & 4294967295) < 536870912;
CREATE INDEX documents_drawn_2 ON documents (original)
    WHERE original IS NOT NULL AND (number * 2654435769 & 4294967295) < 67108864;
CREATE INDEX documents_drawn_3 ON documents (original)
    WHERE original IS NOT NULL AND (number * 2654435769 & 4294967295) < 8388608;
CREATE INDEX documents_drawn_4 ON documents (original)
    WHERE original IS NOT NULL AND (number * 2654435769 & 4294967295) < 1048576;
";

// What a copy is to its original, told by the words that both have. Documents judged by another policy have the defaults.
const SINCE_4: &str = "
ALTER TABLE documents ADD COLUMN weight INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN kept_share REAL NOT NULL DEFAULT 1.0;
ALTER TABLE documents ADD COLUMN copy_relation TEXT;
ALTER TABLE documents ADD COLUMN likeness REAL NOT NULL DEFAULT 0.0;
ALTER TABLE documents ADD COLUMN covered REAL NOT NULL DEFAULT 0.0;
ALTER TABLE documents ADD COLUMN original_covered REAL NOT NULL DEFAULT 0.0;
";

/// Counts the copies of all groups anew.
pub(crate) const COUNT_GROUPS: &str = "
DELETE FROM groups;
INSERT INTO groups SELECT original, count(*) FROM documents WHERE original IS NOT NULL GROUP BY original;
";

/// The tables of the oldest format; what was [`ADDED`] comes after them. Rows lie in the order of arrival; what is found by name has an index of its own.
pub(crate) const TABLES: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    next_number INTEGER NOT NULL, position INTEGER NOT NULL,
    last_received INTEGER NOT NULL, last_judged INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    url TEXT, title TEXT, author TEXT, language TEXT, source_url TEXT, metadata TEXT,
    created_at INTEGER, received_at INTEGER NOT NULL,
    judged_at INTEGER NOT NULL, arrival INTEGER NOT NULL, backdated INTEGER NOT NULL,
    version INTEGER NOT NULL, content INTEGER NOT NULL,
    tokens INTEGER NOT NULL, shingles INTEGER NOT NULL,
    identical BLOB NOT NULL, lexical BLOB NOT NULL, features BLOB NOT NULL, keys BLOB NOT NULL,
    warnings TEXT,
    original INTEGER, shared_features INTEGER NOT NULL, resemblance REAL NOT NULL, containment REAL NOT NULL,
    reason TEXT NOT NULL, relation TEXT
) STRICT;
CREATE INDEX documents_url ON documents (url) WHERE url IS NOT NULL AND url <> id;
CREATE INDEX documents_original ON documents (original) WHERE original IS NOT NULL;

CREATE TABLE contents (
    content INTEGER PRIMARY KEY, document INTEGER NOT NULL, sketch_sizes BLOB NOT NULL,
    core BLOB NOT NULL, page BLOB
) STRICT;

CREATE TABLE versions (
    number INTEGER NOT NULL, version INTEGER NOT NULL, content INTEGER NOT NULL,
    received_at INTEGER NOT NULL, created_at INTEGER, title TEXT,
    PRIMARY KEY (number, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
    entry INTEGER PRIMARY KEY,
    id TEXT NOT NULL, at INTEGER NOT NULL, cause TEXT NOT NULL, cause_id TEXT, version INTEGER NOT NULL,
    verdict TEXT, original TEXT, reason TEXT, resemblance REAL
) STRICT;
CREATE INDEX history_id ON history (id);

CREATE TABLE tombstones (id TEXT PRIMARY KEY, url TEXT, deleted_at INTEGER NOT NULL, version INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;

CREATE TABLE sweeps (sweep INTEGER PRIMARY KEY, finished INTEGER NOT NULL) STRICT;
CREATE TABLE sightings (
    number INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, gone INTEGER
) STRICT;
CREATE INDEX sightings_gone ON sightings (gone) WHERE gone IS NOT NULL;
CREATE TABLE absences (number INTEGER NOT NULL, gone INTEGER NOT NULL, back INTEGER NOT NULL, PRIMARY KEY (number, gone))
    STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
    position INTEGER PRIMARY KEY,
    number INTEGER NOT NULL, id TEXT NOT NULL, content INTEGER NOT NULL, was INTEGER NOT NULL, now INTEGER NOT NULL,
    keys BLOB NOT NULL, sketch BLOB
) STRICT;
CREATE TABLE followers (name TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT, WITHOUT ROWID;
";
