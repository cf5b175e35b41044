//! Which documents share enough keys, given everything that memory and runs say about the places of those keys?

use super::place::position_of;
use crate::runs::{Place, Word};

/// What one source says about a document at one of the places asked for, as one number: that of the document, the
/// position, the age, and whether it is removed. Sorted, the newest word on each document at each position comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found(u128);

impl Found {
    /// The `age`-th thing found: sources are asked from the newest to the oldest, so the lower, the newer.
    pub fn new(place: Place, word: Word, age: usize) -> Self {
        let older = u128::from(position_of(place)) << 64 | (age as u128) << 1 | u128::from(word.removed);
        Found(u128::from(word.number) << 96 | older)
    }

    fn number(self) -> u32 {
        (self.0 >> 96) as u32
    }

    /// The document and the position.
    fn subject(self) -> u64 {
        (self.0 >> 64) as u64
    }

    fn is_removed(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The documents that are really there at `needed` positions or more, ascending.
pub(super) fn candidates(found: &mut [Found], needed: usize) -> Vec<u32> {
    if found.len() < needed {
        return Vec::new();
    }
    found.sort_unstable();
    found
        .chunk_by(|a, b| a.number() == b.number())
        .filter(|document| positions(document) >= needed)
        .map(|document| document[0].number())
        .collect()
}

/// At how many positions a document is, by the newest word on each.
fn positions(document: &[Found]) -> usize {
    document.chunk_by(|a, b| a.subject() == b.subject()).filter(|words| !words[0].is_removed()).count()
}

#[cfg(test)]
mod tests {
    use super::super::place::place_of;
    use super::*;

    #[test]
    fn the_newest_word_counts() {
        // (number, position, removed), newest first; how many are needed; who remains
        type Case<'a> = (&'a [(u32, usize, bool)], usize, &'a [u32]);
        let cases: [Case; 6] = [
            (&[], 1, &[]),
            (&[(7, 0, false)], 1, &[7]),
            (&[(7, 0, false)], 2, &[]),
            (&[(7, 0, false), (7, 1, false), (3, 1, false)], 2, &[7]),
            (&[(7, 0, true), (7, 0, false), (7, 1, false)], 2, &[]),
            (&[(7, 0, false), (7, 0, true), (7, 0, false)], 2, &[]),
        ];
        for (words, needed, expected) in cases {
            let found = words.iter().enumerate().map(|(age, &(number, position, removed))| {
                Found::new(place_of(position, 0), Word { number, removed }, age)
            });
            assert_eq!(candidates(&mut found.collect::<Vec<_>>(), needed), expected, "{words:?}");
        }
    }
}
