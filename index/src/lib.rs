//! Which documents share keys with this one? Duplicate indexes behind one trait.
//!
//! A document is a number and its keys, in order; the [`Rule`] says how many keys it has and how many of them two
//! documents must share, at the same positions, to be candidates. What the keys mean, and whether a candidate really is
//! a copy, is not known here. Every index follows the outbox of the store: it knows the position it has got to, forgets
//! what was not committed, and can be deleted and rebuilt at any time.
//!
//! ```
//! use firstcopy_index::{IndexKind, Rule, open};
//!
//! let folder = tempfile::tempdir()?;
//! let mut index = open(IndexKind::Default, folder.path(), Rule { keys: 3, needed: 2 })?;
//! index.insert(7, &[10, 20, 30])?;
//! assert_eq!(index.candidates(&[10, 20, 99])?, [7]);
//! assert_eq!(index.candidates(&[20, 10, 30])?, []);
//! index.commit(1)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod b6d1;
#[cfg(test)]
mod conformance;
mod default;
mod error;
mod kind;
mod postings;
mod r15d2;
mod r1d3;
mod rarest;
mod runs;
mod sqlite;

pub use error::IndexError;
pub use kind::{IndexKind, open, open_with_cache};
pub use postings::{Counted, Postings, PostingsStatistics};

use std::path::Path;

/// The most keys a document can have: the papers' permutations, one by one.
pub const MAX_KEYS: usize = 84;

/// How many keys a document has, and how many two documents must share to be candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Keys of a document: at most [`MAX_KEYS`].
    pub keys: usize,
    /// Keys that candidates share at the same positions: 1, or 2 (lee-2008).
    pub needed: usize,
}

/// The documents that share keys with one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedKeys {
    /// In no particular order.
    pub holders: Vec<KeyHolder>,
    /// Keys that were not followed, because very many documents hold them: any document may share these, too.
    pub skipped: u32,
}

/// A document that shares keys with another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyHolder {
    /// The document.
    pub number: u32,
    /// Keys that it shares, of those that were followed.
    pub keys: u32,
    /// How rare these keys are, altogether: a key that one document in the index holds counts 65,536, one that two hold half
    /// of that.
    pub rarity: u32,
}

/// What an index weighs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexStatistics {
    /// Entries in it, counted where they lie: as many for every document as the index keeps for one.
    pub entries: u64,
    /// Entries it keeps for one document under its rule.
    pub entries_a_document: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Pages looked at by lookups since it was opened, where the index counts them.
    pub page_accesses: Option<u64>,
}

/// An index from keys to the numbers of documents.
///
/// A lookup sees what was inserted and removed before it, committed or not. Numbers are never used for other keys
/// unless they were removed with the keys they had.
pub trait DuplicateIndex: Send + std::fmt::Debug {
    /// Adds a document. A document without keys (an empty one) is in no index.
    fn insert(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError>;

    /// Removes a document that was inserted with these keys.
    fn remove(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError>;

    /// The documents that share at least as many keys as the rule needs, ascending.
    /// An index may shorten keys, so a few others can be among them; none is left out.
    fn candidates(&mut self, keys: &[u64]) -> Result<Vec<u32>, IndexError>;

    /// Finds the documents that share keys with one. If some share two keys and two are preferred, those that share one may be
    /// left out. Of keys that very many documents hold only the rarest are followed, so that a lookup stays bounded.
    fn shared(&mut self, keys: &[u64], preferred: usize) -> Result<SharedKeys, IndexError>;

    /// Makes what was inserted and removed permanent, together with the position in the store's outbox.
    /// After a crash the index stands at this or an earlier committed position.
    fn commit(&mut self, position: u64) -> Result<(), IndexError>;

    /// Forgets what was inserted and removed since the last commit.
    fn rollback(&mut self) -> Result<(), IndexError>;

    /// The position of the last commit.
    fn position(&self) -> u64;

    /// The position that a crash would leave: the outbox must be kept from there on.
    fn durable_position(&self) -> u64;

    /// Brings the durable position to the position.
    fn flush(&mut self) -> Result<(), IndexError>;

    /// What it weighs.
    fn statistics(&mut self) -> Result<IndexStatistics, IndexError>;
}

/// The sizes of the files of a folder. A file that goes or gets its name meanwhile counts for nothing.
fn folder_bytes(folder: &Path) -> Result<u64, IndexError> {
    let files = std::fs::read_dir(folder).map_err(IndexError::io(folder))?;
    Ok(files.flatten().filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum())
}

/// What is wrong with an index that follows other keys.
fn another_rule(keys: u32, needed: u32, rule: Rule) -> String {
    format!("made for {needed} of {keys} keys, not for {} of {}", rule.needed, rule.keys)
}
