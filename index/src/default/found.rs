//! Which documents share enough keys, given everything that memory and runs say about the places of those keys?

use super::entry::{Entry, Place};

/// What one source says about a document at one of the places asked for.
/// Sorted so that the newest word on each document at each position comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub number: u32,
    pub position: u32,
    /// Sources are asked from the newest to the oldest: the lower, the newer.
    age: u32,
    pub removed: bool,
}

impl Found {
    /// The `age`-th thing found.
    pub fn new(entry: &Entry, age: usize) -> Self {
        Found::at(entry.place, entry.number, entry.removed, age)
    }

    /// The same, of an entry still in pieces.
    pub fn at(place: Place, number: u32, removed: bool, age: usize) -> Self {
        Found { number, position: place.position(), age: age as u32, removed }
    }
}

/// The documents that are really there at `needed` positions or more, ascending.
pub(super) fn candidates(found: &mut [Found], needed: usize) -> Vec<u32> {
    if found.len() < needed {
        return Vec::new();
    }
    found.sort_unstable();
    found
        .chunk_by(|a, b| a.number == b.number)
        .filter(|document| positions(document) >= needed)
        .map(|document| document[0].number)
        .collect()
}

/// At how many positions a document is, by the newest word on each.
fn positions(document: &[Found]) -> usize {
    document.chunk_by(|a, b| a.position == b.position).filter(|words| !words[0].removed).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_word_counts() {
        // (number, position, removed), newest first; how many are needed; who remains
        type Case<'a> = (&'a [(u32, u32, bool)], usize, &'a [u32]);
        let cases: [Case; 6] = [
            (&[], 1, &[]),
            (&[(7, 0, false)], 1, &[7]),
            (&[(7, 0, false)], 2, &[]),
            (&[(7, 0, false), (7, 1, false), (3, 1, false)], 2, &[7]),
            (&[(7, 0, true), (7, 0, false), (7, 1, false)], 2, &[]),
            (&[(7, 0, false), (7, 0, true), (7, 0, false)], 2, &[]),
        ];
        for (words, needed, expected) in cases {
            let found = words.iter().enumerate().map(|(age, &(number, position, removed))| Found {
                number,
                position,
                age: age as u32,
                removed,
            });
            assert_eq!(candidates(&mut found.collect::<Vec<_>>(), needed), expected, "{words:?}");
        }
    }
}
