//! The longest runs of words that two texts have in common, wherever they stand: greedy string tiling.
//!
//! The heaviest common run is taken first, its words are used up, and so on, until no run weighs enough. Runs are found
//! from phrases that both texts have, in time linear in the texts; `naive.rs` compares every word with every other.

use super::phrases::{MOST_WORDS, phrase_at};
use super::words::Words;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Pairs of places at which a phrase may begin a run. Of a phrase with more, the first occurrence in one text is paired with
/// the first in the other, the second with the second, and the same from the end.
pub(super) const MOST_PAIRS: u32 = 64;

/// A run of equal words: from `a` in one text, from `b` in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Tile {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) length: u32,
}

impl Tile {
    pub(super) fn range_a(self) -> Range<usize> {
        self.a as usize..(self.a + self.length) as usize
    }

    pub(super) fn range_b(self) -> Range<usize> {
        self.b as usize..(self.b + self.length) as usize
    }
}

/// Which words of two texts are in tiles already.
#[derive(Debug, Clone, Default)]
pub(super) struct Used {
    pub(super) a: Vec<bool>,
    pub(super) b: Vec<bool>,
}

impl Used {
    pub(super) fn none(a: &Words, b: &Words) -> Self {
        Used { a: vec![false; a.len()], b: vec![false; b.len()] }
    }

    pub(super) fn mark(&mut self, tile: Tile) {
        self.a[tile.range_a()].fill(true);
        self.b[tile.range_b()].fill(true);
    }
}

/// Lays tiles of at least the weight `least` over the words that are not used yet, and marks them used.
pub(super) fn lay_tiles(a: &Words, b: &Words, least: u32, used: &mut Used) -> Vec<Tile> {
    let runs = common_runs(a, b, least, used);
    take_heaviest_first(a, runs, least, used)
}

/// Takes runs in the order of their weight, then of their places; what is left of one that overlaps a heavier one comes
/// again by its own weight.
pub(super) fn take_heaviest_first(a: &Words, runs: Vec<Tile>, least: u32, used: &mut Used) -> Vec<Tile> {
    let entry = |tile: Tile| (a.weigh(tile.range_a()), Reverse(tile.a), Reverse(tile.b), tile.length);
    let mut entries = Vec::with_capacity(runs.len());
    entries.extend(runs.into_iter().map(entry).filter(|entry| entry.0 >= least));
    let mut heap = BinaryHeap::from(entries);
    let mut tiles = Vec::new();
    while let Some((_, Reverse(start_a), Reverse(start_b), length)) = heap.pop() {
        let tile = Tile { a: start_a, b: start_b, length };
        let is_used = used.a[tile.range_a()].contains(&true) || used.b[tile.range_b()].contains(&true);
        if is_used {
            heap.extend(free_parts(tile, used).into_iter().map(entry).filter(|entry| entry.0 >= least));
        } else {
            used.mark(tile);
            tiles.push(tile);
        }
    }
    tiles.sort_unstable();
    tiles
}

/// The longest parts of a run whose words are not used in either text.
fn free_parts(tile: Tile, used: &Used) -> Vec<Tile> {
    let mut parts = Vec::new();
    let mut open = None;
    for offset in 0..tile.length {
        let is_free = !used.a[(tile.a + offset) as usize] && !used.b[(tile.b + offset) as usize];
        match (is_free, open) {
            (true, None) => open = Some(offset),
            (false, Some(start)) => {
                parts.push(Tile { a: tile.a + start, b: tile.b + start, length: offset - start });
                open = None;
            }
            _ => {}
        }
    }
    if let Some(start) = open {
        parts.push(Tile { a: tile.a + start, b: tile.b + start, length: tile.length - start });
    }
    parts
}

/// No place, no entry.
const NONE: u32 = u32::MAX;

/// The phrases of the first text, in a hash table with open addressing; places of one phrase are chained in order.
#[derive(Debug)]
struct PhraseTable {
    slots: Vec<u32>,
    entries: Vec<Entry>,
    /// For each place, the next one with the same phrase.
    next: Vec<u32>,
}

/// A phrase of the first text.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: u64,
    first: u32,
    last: u32,
    count_a: u32,
    count_b: u32,
    /// Of a frequent phrase: the places that the next occurrence is paired with, from the start and from the end.
    from_start: u32,
    from_end: u32,
    /// Occurrences in the second text before `from_end` counts.
    waits: u32,
}

impl PhraseTable {
    /// Fills the table with places and hashes of phrases, in order, of a text of this many words.
    fn of(phrases: &[(u32, u64)], words: usize) -> Self {
        let slots = vec![NONE; (phrases.len() * 2 + 2).next_power_of_two()];
        let mut table =
            PhraseTable { slots, entries: Vec::with_capacity(phrases.len()), next: vec![NONE; words] };
        phrases.iter().for_each(|&(place, hash)| table.insert(hash, place));
        table
    }

    fn slot(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at] != NONE && self.entries[self.slots[at] as usize].hash != hash {
            at = (at + 1) & mask;
        }
        at
    }

    fn insert(&mut self, hash: u64, place: u32) {
        let slot = self.slot(hash);
        match self.entries.get_mut(self.slots[slot] as usize) {
            Some(entry) => {
                self.next[entry.last as usize] = place;
                entry.last = place;
                entry.count_a += 1;
            }
            None => {
                self.slots[slot] = self.entries.len() as u32;
                let entry = Entry {
                    hash,
                    first: place,
                    last: place,
                    count_a: 1,
                    count_b: 0,
                    from_start: NONE,
                    from_end: NONE,
                    waits: 0,
                };
                self.entries.push(entry);
            }
        }
    }

    /// Finds a phrase of the second text and counts it. The phrase is looked for at `guess` first: copies have the phrases of
    /// the first text in the same order.
    fn count(&mut self, hash: u64, guess: u32) -> Option<u32> {
        if let Some(entry) = self.entries.get_mut(guess as usize).filter(|entry| entry.hash == hash) {
            entry.count_b += 1;
            return Some(guess);
        }
        let index = self.slots[self.slot(hash)];
        self.entries.get_mut(index as usize)?.count_b += 1;
        Some(index)
    }

    /// Hands over the places in the first text that the next occurrence in the second is paired with.
    fn for_each_pair(&mut self, index: u32, mut sink: impl FnMut(u32)) {
        let entry = self.entries[index as usize];
        if entry.count_a.saturating_mul(entry.count_b) > MOST_PAIRS {
            return self.pair_in_order(index, sink);
        }
        let mut place = entry.first;
        while place != NONE {
            sink(place);
            place = self.next[place as usize];
        }
    }

    /// Pairs the occurrences of a frequent phrase in their order, from the start and from the end.
    fn pair_in_order(&mut self, index: u32, mut sink: impl FnMut(u32)) {
        let entry = &mut self.entries[index as usize];
        if entry.from_end == NONE && entry.waits == 0 {
            entry.from_start = entry.first;
            entry.waits = entry.count_b.saturating_sub(entry.count_a) + 1;
            entry.from_end = entry.first;
            for _ in entry.count_b..entry.count_a {
                entry.from_end = self.next[entry.from_end as usize];
            }
        }
        let from_start = entry.from_start;
        if from_start != NONE {
            sink(from_start);
            entry.from_start = self.next[from_start as usize];
        }
        if entry.waits > 1 {
            entry.waits -= 1;
            return;
        }
        let from_end = entry.from_end;
        if from_end != NONE {
            entry.from_end = self.next[from_end as usize];
            if from_end != from_start {
                sink(from_end);
            }
        }
    }
}

/// The longest stretches without a used word, of two words at least, in order.
fn free_stretches(used: &[bool]) -> Vec<Range<usize>> {
    if used.len() > 1 && !used.contains(&true) {
        return std::iter::once(0..used.len()).collect();
    }
    let mut stretches = Vec::new();
    let mut start = 0;
    // In a near copy few words are free after the first round: `position` skips the others quickly.
    while let Some(skipped) = used[start..].iter().position(|is_used| !is_used) {
        start += skipped;
        let length = used[start..].iter().position(|&is_used| is_used).unwrap_or(used.len() - start);
        if length > 1 {
            stretches.push(start..start + length);
        }
        start += length;
    }
    stretches
}

/// A Bloom filter with one hash function of the pairs of neighbouring free words of a text.
struct PairFilter {
    bits: Vec<u64>,
}

impl PairFilter {
    fn of(words: &Words, free: &[Range<usize>]) -> Self {
        let count: usize = free.iter().map(Range::len).sum();
        let mut filter = PairFilter { bits: vec![0; (count / 8 + 1).next_power_of_two()] };
        for pair in free.iter().flat_map(|stretch| words.codes[stretch.clone()].windows(2)) {
            let bit = filter.bit(pair[0], pair[1]);
            filter.bits[bit / 64] |= 1 << (bit % 64);
        }
        filter
    }

    #[inline]
    fn bit(&self, first: u32, second: u32) -> usize {
        let pair = u64::from(first) << 32 | u64::from(second);
        (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.bits.len() * 64 - 1)
    }

    /// Whether the text may have these words next to each other.
    #[inline]
    fn may_have(&self, first: u32, second: u32) -> bool {
        let bit = self.bit(first, second);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// The phrases in free stretches whose first two words the other text may have: place and hash, in order. A phrase has at
/// least two words.
fn shared_phrases(words: &Words, least: u32, free: &[Range<usize>], other: &PairFilter) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for stretch in free {
        for (start, pair) in (stretch.start..).zip(words.codes[stretch.clone()].windows(2)) {
            if !other.may_have(pair[0], pair[1]) {
                continue;
            }
            match phrase_at(words, least, start) {
                Some((length, hash)) if start + length <= stretch.end => found.push((start as u32, hash)),
                // Later phrases do not end earlier.
                _ => break,
            }
        }
    }
    found
}

/// All phrases in free stretches: place and hash, in order. With a rolling hash: only equal to that of [`all_phrases`].
fn all_phrases(words: &Words, least: u32, free: &[Range<usize>]) -> Vec<(u32, u64)> {
    const MULTIPLIER: u64 = 0x9fb2_1c65_1e98_df25;
    let mut powers = [1u64; MOST_WORDS];
    for length in 1..MOST_WORDS {
        powers[length] = powers[length - 1].wrapping_mul(MULTIPLIER);
    }
    let scramble = |code: u32| (u64::from(code) + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let mut found = Vec::with_capacity(free.iter().map(Range::len).sum());
    for stretch in free {
        let (mut end, mut weight, mut hash) = (stretch.start, 0, 0u64);
        for start in stretch.clone() {
            while weight < least && end < stretch.end && end - start < MOST_WORDS {
                weight += words.weight(end);
                hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(scramble(words.codes[end]));
                end += 1;
            }
            if weight < least && end - start < MOST_WORDS {
                // The stretch ends before the phrase does.
                break;
            }
            found.push((start as u32, hash));
            weight -= words.weight(start);
            hash = hash.wrapping_sub(scramble(words.codes[start]).wrapping_mul(powers[end - start - 1]));
        }
    }
    found
}

/// Whether half of the first or of the last words of two texts are the same, place by place. Only speed depends on it.
fn begin_or_end_alike(a: &Words, b: &Words) -> bool {
    const WORDS: usize = 32;
    let count = |pairs: &mut dyn Iterator<Item = (&u32, &u32)>| pairs.filter(|(a, b)| a == b).count();
    let at_start = count(&mut a.codes.iter().zip(&b.codes).take(WORDS));
    at_start >= WORDS / 2
        || count(&mut a.codes.iter().rev().zip(b.codes.iter().rev()).take(WORDS)) >= WORDS / 2
}

/// All longest runs of equal unused words that begin with a phrase both texts have.
fn common_runs(a: &Words, b: &Words, least: u32, used: &Used) -> Vec<Tile> {
    let (free_a, free_b) = (free_stretches(&used.a), free_stretches(&used.b));
    let (of_a, of_b) = match begin_or_end_alike(a, b) {
        true => (all_phrases(a, least, &free_a), all_phrases(b, least, &free_b)),
        // Of other texts most phrases are in one of them only: those are not even hashed.
        false => {
            let of_a = shared_phrases(a, least, &free_a, &PairFilter::of(b, &free_b));
            if of_a.is_empty() {
                return Vec::new();
            }
            (of_a, shared_phrases(b, least, &free_b, &PairFilter::of(a, &free_a)))
        }
    };
    if of_a.is_empty() || of_b.is_empty() {
        return Vec::new();
    }
    let mut table = PhraseTable::of(&of_a, a.len());
    let mut shared: Vec<(u32, u32)> = Vec::with_capacity(of_b.len());
    let mut guess = 0;
    for &(place, hash) in &of_b {
        if let Some(entry) = table.count(hash, guess) {
            shared.push((place, entry));
            guess = entry + 1;
        }
    }
    let mut runs = Runs { a, b, used, ends: vec![0; a.len() + b.len() + 1], found: Vec::new() };
    for (place, entry) in shared {
        table.for_each_pair(entry, |start| runs.grow(start, place));
    }
    runs.found
}

/// The runs found so far.
struct Runs<'a> {
    a: &'a Words,
    b: &'a Words,
    used: &'a Used,
    /// For each diagonal, where in the second text its last run ends.
    ends: Vec<u32>,
    found: Vec<Tile>,
}

impl Runs<'_> {
    /// Grows a run from a pair of equal words in both directions. Pairs come in the order of the second text.
    fn grow(&mut self, a: u32, b: u32) {
        let diagonal = self.a.len() + b as usize - a as usize;
        if self.ends[diagonal] > b {
            return;
        }
        let (mut start_a, mut start_b) = (a as usize, b as usize);
        while start_a > 0 && start_b > 0 && self.is_equal(start_a - 1, start_b - 1) {
            (start_a, start_b) = (start_a - 1, start_b - 1);
        }
        let (mut end_a, mut end_b) = (a as usize, b as usize);
        while end_a < self.a.len() && end_b < self.b.len() && self.is_equal(end_a, end_b) {
            (end_a, end_b) = (end_a + 1, end_b + 1);
        }
        self.ends[diagonal] = end_b as u32;
        // Equal hashes of different phrases give an empty run.
        if end_a > start_a {
            let length = (end_a - start_a) as u32;
            self.found.push(Tile { a: start_a as u32, b: start_b as u32, length });
        }
    }

    #[inline]
    fn is_equal(&self, a: usize, b: usize) -> bool {
        self.a.codes[a] == self.b.codes[b] && !self.used.a[a] && !self.used.b[b]
    }
}

#[cfg(test)]
mod tests {
    use super::super::naive::lay_tiles_naively;
    use super::*;
    use crate::likeness::Weights;
    use proptest::prelude::*;

    const VOCABULARY: &[&str] =
        &["the", "of", "red", "blue", "green", "fast", "slow", "한", "국", "의", "漢", "字", "の", "7", "88"];

    proptest! {
        #[test]
        fn tiles_of_near_copies_equal_the_naive_twin(
            text in prop::collection::vec(prop::sample::select(VOCABULARY), 0..160),
            edits in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(VOCABULARY)), 0..12),
            cut in 0usize..40,
        ) {
            let mut copy = text.clone();
            for (place, word) in edits.iter().filter(|_| !text.is_empty()) {
                copy[place.index(text.len())] = word;
            }
            copy.truncate(text.len().saturating_sub(cut));
            let words = |words: &[&str]| Words::of(&words.join(" "), &Weights::default());
            let (a, b) = (words(&text), words(&copy));
            let (mut used, mut used_naively) = (Used::none(&a, &b), Used::none(&a, &b));
            for least in [40, 20] {
                let tiles = lay_tiles(&a, &b, least, &mut used);
                prop_assert_eq!(tiles, lay_tiles_naively(&a, &b, least, &mut used_naively));
                prop_assert_eq!((&used.a, &used.b), (&used_naively.a, &used_naively.b));
            }
        }
    }
}
