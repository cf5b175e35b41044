//! Where in the sources does this run of fingerprints stand? The longest match from a place on, and who has it.

use crate::part::{Part, partition};
use crate::suffixes::{DEPTH, END};
use std::cmp::Ordering;
use std::ops::Range;

/// A document of one of the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentKey {
    /// Which part.
    pub part: usize,
    /// Which of its documents.
    pub document: u32,
}

/// A run of a page's digest that stands in a source as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub key: DocumentKey,
    /// Where it starts in the page's digest.
    pub start: usize,
    /// Where it ends there.
    pub end: usize,
    /// Where it starts among the symbols of the source's part.
    pub place: usize,
}

impl Run {
    pub fn len(&self) -> usize {
        self.end - self.start
    }
}

/// The suffixes of one part that share the longest beginning with what is sought.
pub(crate) struct Longest {
    pub length: usize,
    pub ranks: Range<usize>,
}

/// How far to look for a suffix that is allowed: documents repeat themselves, but rarely so often.
const NEIGHBOURS: usize = 64;

/// Finds the longest match of `sought` in a part, in any document that is allowed, among the suffixes that begin with the
/// first of it.
pub(crate) fn longest(
    part: &Part,
    ranks: Range<usize>,
    sought: &[u32],
    is_allowed: impl Fn(usize) -> bool,
) -> Option<Longest> {
    // Those that share as much as the order is deep count as equal.
    let sought = &sought[..sought.len().min(DEPTH)];
    let middle =
        partition(ranks.clone(), |rank| compare(part, part.suffix(rank), sought).0 == Ordering::Less);
    // The further a suffix is from where the sought one would be, the less they share.
    let allowed = |&rank: &usize| is_allowed(part.suffix(rank));
    let before = (ranks.start..middle).rev().take(NEIGHBOURS).find(allowed);
    let neighbours = [before, (middle..ranks.end).take(NEIGHBOURS).find(allowed)];
    let shared = |rank: usize| compare(part, part.suffix(rank), sought).1;
    let length = neighbours.into_iter().flatten().map(shared).max()?;
    Some(Longest { length, ranks: beginning_with(part, ranks, &sought[..length]) })
}

/// The ranks of the suffixes that begin with all of `sought`, among some that begin with its first.
fn beginning_with(part: &Part, ranks: Range<usize>, sought: &[u32]) -> Range<usize> {
    let start = partition(ranks.clone(), |rank| {
        let (order, shared) = compare(part, part.suffix(rank), sought);
        order == Ordering::Less && shared < sought.len()
    });
    start..partition(start..ranks.end, |rank| compare(part, part.suffix(rank), sought).1 == sought.len())
}

/// How a suffix compares to what is sought, and how much of it they share.
fn compare(part: &Part, place: usize, sought: &[u32]) -> (Ordering, usize) {
    for (shared, &wanted) in sought.iter().enumerate() {
        let symbol = part.symbol(place + shared);
        if symbol != wanted {
            return (symbol.cmp(&wanted), shared);
        }
    }
    (Ordering::Equal, sought.len())
}

/// How many symbols before a place are the same as the last of `before`.
pub(crate) fn shared_before(part: &Part, place: usize, before: &[u32]) -> usize {
    let pairs = before.iter().rev().zip((0..place).rev());
    pairs.take_while(|(wanted, place)| part.symbol(*place) == **wanted).count()
}

/// Where the document that the symbol at a place belongs to starts.
pub(crate) fn start_of_document(part: &Part, place: usize) -> usize {
    (0..place).rev().find(|&before| part.symbol(before) == END).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Digests;
    use crate::part::tests::{digest, ranks};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_long_as_any_substring(
            documents in prop::collection::vec(prop::collection::vec(1u32..5, 0..20), 0..6),
            sought in prop::collection::vec(1u32..5, 1..12),
            barred in 0u32..8,
        ) {
            let mut digests = Digests::default();
            documents.iter().for_each(|document| digests.push(&digest(document), 0));
            let part = digests.part_in_memory();
            let found = longest(&part, ranks(&part, sought[0]), &sought, |place| part.document(place) != barred);
            let mut all = Vec::new();
            for (number, document) in (0u32..).zip(&documents).filter(|(number, _)| *number != barred) {
                for start in 0..document.len() {
                    let shared = document[start..].iter().zip(&sought).take_while(|(a, b)| a == b).count();
                    all.push((shared, number, start));
                }
            }
            let best = all.iter().map(|(shared, ..)| *shared).max().unwrap_or(0);
            prop_assert_eq!(found.as_ref().map_or(0, |found| found.length), best);
            if let Some(found) = found {
                let mut holders: Vec<(u32, usize)> = found.ranks.map(|rank| part.suffix(rank)).map(|place| (part.document(place), place - start_of_document(&part, place))).filter(|(number, _)| *number != barred).collect();
                holders.sort_unstable();
                let expected: Vec<(u32, usize)> = all.iter().filter(|(shared, ..)| *shared == best).map(|(_, number, start)| (*number, *start)).collect();
                prop_assert_eq!(holders, expected);
            }
        }
    }
}
