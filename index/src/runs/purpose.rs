//! What are runs used for? It is written in every file, so that no index reads the runs of another, and it decides what
//! of them is kept in memory.

use crate::Rule;

/// Who uses the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The duplicate index: every post that is stored waits for its lookups.
    Duplicates(Rule),
    /// Sketch postings: five to ten times as many entries, asked now and then.
    Postings,
}

impl Purpose {
    /// The two words in every file. No rule has zero keys.
    pub fn words(self) -> [u32; 2] {
        match self {
            Purpose::Duplicates(rule) => [rule.keys as u32, rule.needed as u32],
            Purpose::Postings => [0, 0],
        }
    }

    /// Whether a file with these words is for this purpose.
    pub fn check(self, words: [u32; 2]) -> Result<(), String> {
        match (self, words) {
            _ if words == self.words() => Ok(()),
            (Purpose::Duplicates(rule), [keys, needed]) if keys > 0 => {
                Err(crate::another_rule(keys, needed, rule))
            }
            _ => Err("made for another kind of index".to_owned()),
        }
    }

    /// Whether a copy of the directories and the pages of new runs are brought into memory at once: the fastest lookups,
    /// for one to two bytes an entry.
    pub fn is_kept_in_memory(self) -> bool {
        matches!(self, Purpose::Duplicates(_))
    }

    /// Entries that a bucket has at least, and up to twice as many. Two to four: few buckets have more than are compared
    /// at once, and the directory takes one to two bytes an entry. Sixteen to thirty-two: what is read from a disk is a
    /// page anyway, and the directory takes an eighth of that.
    pub fn entries_a_bucket(self) -> usize {
        match self {
            Purpose::Duplicates(_) => 2,
            Purpose::Postings => 16,
        }
    }
}
