//! Which indexes are there? One line each.

use crate::default::{DefaultIndex, LIMITS};
use crate::sqlite::{Scheme, SqliteIndex};
use crate::{DuplicateIndex, IndexError, MAX_KEYS, Rule, b6d1, r1d3, r15d2};
use std::io;
use std::path::Path;

/// The indexes, by the names users choose them by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IndexKind {
    /// Sorted runs, memory-mapped, under a small table in memory.
    #[default]
    Default,
    /// A B-tree for every key (lee-2010).
    B6d1,
    /// A two-dimensional R*-tree for every pair of keys (lee-2008, lee-2010).
    R15d2,
    /// One three-dimensional R*-tree (lee-2010).
    R1d3,
}

impl IndexKind {
    /// All of them.
    pub const ALL: [IndexKind; 4] = [IndexKind::Default, IndexKind::B6d1, IndexKind::R15d2, IndexKind::R1d3];

    /// The name on the command line and in `firstcopy.toml`.
    pub fn name(self) -> &'static str {
        match self {
            IndexKind::Default => "default",
            IndexKind::B6d1 => "b6d1",
            IndexKind::R15d2 => "r15d2",
            IndexKind::R1d3 => "r1d3",
        }
    }
}

/// Opens the index in a folder, or makes an empty one there. What cannot be read is an error: whoever owns the store
/// decides to delete the folder and rebuild. A folder is open in one index of one process at a time.
pub fn open(kind: IndexKind, folder: &Path, rule: Rule) -> Result<Box<dyn DuplicateIndex>, IndexError> {
    open_with_cache(kind, folder, rule, CACHE_BYTES)
}

/// The same with another cache for the papers' indexes; the default index leaves caching to the system.
pub fn open_with_cache(
    kind: IndexKind,
    folder: &Path,
    rule: Rule,
    cache_bytes: u64,
) -> Result<Box<dyn DuplicateIndex>, IndexError> {
    let trees = |scheme: Scheme| SqliteIndex::open(folder, rule, scheme, cache_bytes).map(Box::new);
    check(kind, rule).map_err(IndexError::io(folder))?;
    Ok(match kind {
        IndexKind::Default => Box::new(DefaultIndex::open(folder, rule, LIMITS)?),
        IndexKind::B6d1 => trees(b6d1::scheme(rule))?,
        IndexKind::R15d2 => trees(r15d2::scheme(rule))?,
        IndexKind::R1d3 => trees(r1d3::scheme(rule))?,
    })
}

/// SQLite's own cache: about what the memtable of the default index takes.
const CACHE_BYTES: u64 = 64 << 20;

/// More keys make more pairs than SQLite joins in one query: 500.
const MOST_PAIRED_KEYS: usize = 32;

/// Whether an index can follow a rule.
fn check(kind: IndexKind, rule: Rule) -> io::Result<()> {
    let refuse = |reason: String| Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    if !(1..=2).contains(&rule.needed) || !(rule.needed..=MAX_KEYS).contains(&rule.keys) {
        return refuse(format!("an index takes up to {MAX_KEYS} keys, of which 1 or 2 are needed"));
    }
    let is_paired = rule.needed == 2 && matches!(kind, IndexKind::R15d2 | IndexKind::R1d3);
    if is_paired && rule.keys > MOST_PAIRED_KEYS {
        return refuse(format!("{} makes pairs of up to {MOST_PAIRED_KEYS} keys", kind.name()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_rules_are_refused() {
        let cases =
            [(0, 1, false), (85, 1, false), (84, 1, true), (6, 0, false), (6, 3, false), (1, 2, false)];
        for (keys, needed, is_possible) in cases {
            for kind in IndexKind::ALL {
                assert_eq!(
                    check(kind, Rule { keys, needed }).is_ok(),
                    is_possible,
                    "{kind:?} {keys} {needed}"
                );
            }
        }
        assert!(check(IndexKind::R1d3, Rule { keys: 33, needed: 2 }).is_err());
    }
}
