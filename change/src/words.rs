//! The words of two texts as numbers: the same word, the same number.

use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hasher};

/// Two sequences of words as numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pair {
    /// The first sequence.
    pub a: Vec<u32>,
    /// The second.
    pub b: Vec<u32>,
    /// How many different words there are; every number is below.
    pub words: usize,
}

impl Pair {
    /// Numbers words in the order they are met. Two versions of a page mostly go along with each other: where they do, a
    /// word of the second needs only to be compared with the one of the first, and not looked up.
    pub fn of(a: &[&str], b: &[&str]) -> Self {
        let mut numbers = Numbers::new(a, b);
        let numbers_a: Vec<u32> = (0..a.len()).map(|place| numbers.of(place)).collect();
        let mut along = 0;
        let mut numbers_b = Vec::with_capacity(b.len());
        for (place, word) in b.iter().enumerate() {
            if a.get(along) == Some(word) {
                numbers_b.push(numbers_a[along]);
                along += 1;
                continue;
            }
            let number = numbers.of(a.len() + place);
            let first = numbers.first[number as usize] as usize;
            if (along..along.saturating_add(AHEAD)).contains(&first) && first < a.len() {
                along = first + 1;
            }
            numbers_b.push(number);
        }
        Pair { words: numbers.first.len(), a: numbers_a, b: numbers_b }
    }

    /// The longest common subsequence of both.
    pub fn common(&self) -> Vec<crate::Run> {
        crate::longest_common(&self.a, &self.b, self.words)
    }

    /// How often each word stands in a sequence.
    pub(crate) fn counts(&self, sequence: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.words];
        sequence.iter().for_each(|&word| counts[word as usize] += 1);
        counts
    }
}

/// How far ahead the first text is joined again after a difference.
const AHEAD: usize = 256;

/// The numbers of words. A table with open places, which holds numbers and a part of the hashes, but no words: small enough to
/// stay in the nearest memory, where a map of words does not.
struct Numbers<'t> {
    a: &'t [&'t str],
    b: &'t [&'t str],
    /// As many places as a power of two; at most three in four are taken.
    slots: Vec<Slot>,
    /// Where each word stood first, counted through both sequences.
    first: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

const OPEN: Slot = Slot { hash: 0, number: u32::MAX };

impl<'t> Numbers<'t> {
    /// For a start, room for about half of the words of the first: a text has each of its words several times.
    fn new(a: &'t [&'t str], b: &'t [&'t str]) -> Self {
        let slots = vec![OPEN; (a.len() / 2).max(16).next_power_of_two()];
        Numbers { a, b, slots, first: Vec::with_capacity(a.len() / 4) }
    }

    fn word(&self, place: usize) -> &'t str {
        if place < self.a.len() { self.a[place] } else { self.b[place - self.a.len()] }
    }

    /// The number of the word at a place.
    fn of(&mut self, place: usize) -> u32 {
        let word = self.word(place);
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(word.as_bytes());
        let hash = hasher.finish() as u32;
        let mut at = hash as usize;
        loop {
            at &= self.slots.len() - 1;
            let slot = self.slots[at];
            if slot.number == OPEN.number {
                return self.insert(at, hash, place);
            }
            if slot.hash == hash && self.word(self.first[slot.number as usize] as usize) == word {
                return slot.number;
            }
            at += 1;
        }
    }

    fn insert(&mut self, at: usize, hash: u32, place: usize) -> u32 {
        let number = self.first.len() as u32;
        self.first.push(place as u32);
        self.slots[at] = Slot { hash, number };
        if 4 * self.first.len() > 3 * self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let larger = vec![OPEN; 2 * self.slots.len()];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.number == OPEN.number {
                continue;
            }
            let mut at = slot.hash as usize & (self.slots.len() - 1);
            while self.slots[at].number != OPEN.number {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// The twin: a map from words to numbers.
        #[test]
        fn the_same_word_the_same_number(
            a in prop::collection::vec("[가-각a-c]{0,2}", 0..200),
            b in prop::collection::vec("[가-각a-c]{0,2}", 0..200),
        ) {
            let (a, b): (Vec<&str>, Vec<&str>) =
                (a.iter().map(String::as_str).collect(), b.iter().map(String::as_str).collect());
            let mut numbers: HashMap<String, u32> = HashMap::new();
            let mut number = |word: &str| {
                let next = numbers.len() as u32;
                *numbers.entry(word.to_owned()).or_insert(next)
            };
            let (expected_a, expected_b): (Vec<u32>, Vec<u32>) =
                (a.iter().map(|word| number(word)).collect(), b.iter().map(|word| number(word)).collect());
            let pair = Pair::of(&a, &b);
            prop_assert_eq!((&pair.a, &pair.b, pair.words), (&expected_a, &expected_b, numbers.len()));
        }
    }
}
