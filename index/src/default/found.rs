//! Which documents share enough keys, given everything that memory and runs say about the places of those keys?

use super::place::position_of;
use crate::KeyHolder;
use crate::rarest::rarity;
use crate::runs::{Place, Word};

/// What one source says about a document at one of the places asked for, as one number: that of the document, the
/// position, the age, and whether it is removed. Sorted, the newest word on each document at each position comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found(u64);

/// Bits of the position, and of the age.
const POSITION_BITS: u32 = 7;
const AGE_BITS: u32 = 24;

impl Found {
    /// The `age`-th thing found: sources are asked from the newest to the oldest, so the lower, the newer.
    pub fn new(place: Place, word: Word, age: usize) -> Self {
        // Sixteen million words about so few places are more than an index ever holds in several sources.
        let age = (age as u64).min((1 << AGE_BITS) - 1);
        let position = u64::from(position_of(place)) << (AGE_BITS + 1);
        Found(
            u64::from(word.number) << (POSITION_BITS + AGE_BITS + 1)
                | position
                | age << 1
                | u64::from(word.removed),
        )
    }

    fn number(self) -> u32 {
        (self.0 >> (POSITION_BITS + AGE_BITS + 1)) as u32
    }

    fn position(self) -> usize {
        (self.0 >> (AGE_BITS + 1)) as usize & ((1 << POSITION_BITS) - 1)
    }

    /// The document and the position.
    fn subject(self) -> u64 {
        self.0 >> (AGE_BITS + 1)
    }

    fn is_removed(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The documents that are really there at `needed` positions or more, ascending.
pub(super) fn candidates(found: &mut [Found], needed: usize) -> Vec<KeyHolder> {
    if found.len() < needed {
        return Vec::new();
    }
    found.sort_unstable();
    let rarities = Rarities::of(living(found));
    holders(found, needed, &rarities)
}

/// The documents at `needed` positions or more, given all that was found, in order.
fn holders(found: &[Found], needed: usize, rarities: &Rarities) -> Vec<KeyHolder> {
    found
        .chunk_by(|a, b| a.number() == b.number())
        .map(|document| rarities.holder(document))
        .filter(|holder| holder.keys as usize >= needed)
        .collect()
}

/// The newest word on each document at each position, where that is there, given words in order.
fn living(found: &[Found]) -> impl Iterator<Item = Found> + '_ {
    found.chunk_by(|a, b| a.subject() == b.subject()).map(|words| words[0]).filter(|word| !word.is_removed())
}

/// How rare the keys at all positions are: by how many documents are there.
struct Rarities([u32; 1 << POSITION_BITS]);

impl Rarities {
    fn of(living: impl Iterator<Item = Found>) -> Self {
        let mut counts = [0usize; 1 << POSITION_BITS];
        living.for_each(|found| counts[found.position()] += 1);
        Rarities(counts.map(rarity))
    }

    /// Sums up what was found of a document.
    fn holder(&self, document: &[Found]) -> KeyHolder {
        let mut holder = KeyHolder { number: document[0].number(), keys: 0, rarity: 0 };
        for word in living(document) {
            holder.keys += 1;
            holder.rarity += self.0[word.position()];
        }
        holder
    }
}

/// Counters of [`shared`]: a power of two, small enough for the fastest cache, and several times what a lookup finds.
const COUNTERS: usize = 1 << 14;

/// The documents that are really there, at two positions or more if there are any and `prefers_repeated`. In no particular
/// order: those at one position are found without sorting. `scratch` is kept for its memory.
pub(super) fn shared(
    found: &mut [Found],
    prefers_repeated: bool,
    scratch: &mut Vec<Found>,
) -> Vec<KeyHolder> {
    // Whether a document was removed shows only in order.
    if found.iter().any(|found| found.is_removed()) {
        let mut holders = candidates(found, 1);
        if prefers_repeated && holders.iter().any(|holder| holder.keys >= 2) {
            holders.retain(|holder| holder.keys >= 2);
        }
        return holders;
    }
    let mut counters = [0u8; COUNTERS];
    let counter = |found: &Found| found.number() as usize % COUNTERS;
    for found in found.iter() {
        let count = &mut counters[counter(found)];
        *count = count.saturating_add(1);
    }
    scratch.clear();
    scratch.extend(found.iter().filter(|found| counters[counter(found)] > 1));
    scratch.sort_unstable();
    let rarities = Rarities::of(found.iter().copied());
    let repeated = holders(scratch, 2, &rarities);
    if prefers_repeated && !repeated.is_empty() {
        return repeated;
    }
    // Two documents may have the same counter.
    let mut all = holders(scratch, 1, &rarities);
    let once = found.iter().filter(|found| counters[counter(found)] == 1);
    all.extend(once.map(|found| rarities.holder(std::slice::from_ref(found))));
    all
}

#[cfg(test)]
mod tests {
    use super::super::place::place_of;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shared_keys_are_counted_as_by_sorting(
            words in prop::collection::btree_set((0u32..9_000, 0usize..32), 0..200),
            removals in prop_oneof![Just(0usize), 0usize..3],
            prefers_repeated: bool,
        ) {
            let found = |(age, &(number, position)): (usize, &(u32, usize))| {
                Found::new(place_of(position, 0), Word { number, removed: age < removals }, age)
            };
            let mut found: Vec<Found> = words.iter().enumerate().map(found).collect();
            let repeated = candidates(&mut found.clone(), 2);
            let expected = match prefers_repeated && !repeated.is_empty() {
                true => repeated,
                false => candidates(&mut found.clone(), 1),
            };
            let mut holders = shared(&mut found, prefers_repeated, &mut Vec::new());
            holders.sort_unstable_by_key(|holder| holder.number);
            prop_assert_eq!(holders, expected);
        }
    }

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
            let mut found: Vec<Found> = found.collect();
            let found = candidates(&mut found, needed);
            let numbers: Vec<u32> = found.into_iter().map(|holder| holder.number).collect();
            assert_eq!(numbers, expected, "{words:?}");
        }
    }
}
