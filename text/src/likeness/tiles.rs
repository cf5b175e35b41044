//! The longest runs of words that two texts have in common, wherever they stand: greedy string tiling.
//!
//! The heaviest common run is taken first, its words are used up, and so on, until no run weighs enough. Runs are found
//! from phrases that both texts have, in time linear in the texts; `naive.rs` compares every word with every other.

use super::phrases::phrase_at;
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
    let mut heap: BinaryHeap<_> = runs.into_iter().map(entry).filter(|entry| entry.0 >= least).collect();
    let mut tiles = Vec::new();
    while let Some((_, Reverse(start_a), Reverse(start_b), length)) = heap.pop() {
        let tile = Tile { a: start_a, b: start_b, length };
        let free = free_parts(tile, used);
        if free.as_slice() == [tile] {
            used.mark(tile);
            tiles.push(tile);
        } else {
            heap.extend(free.into_iter().map(entry).filter(|entry| entry.0 >= least));
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

    /// Finds a phrase of the second text and counts it.
    fn count(&mut self, hash: u64) -> Option<u32> {
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

/// A Bloom filter with one hash function of the pairs of neighbouring words of a text.
struct PairFilter {
    bits: Vec<u64>,
}

impl PairFilter {
    fn of(words: &Words) -> Self {
        let mut filter = PairFilter { bits: vec![0; (words.len() / 8 + 1).next_power_of_two()] };
        for pair in words.codes.windows(2) {
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

/// The phrases of which no word is used and whose first two words the other text may have: place and hash, in order. A
/// phrase has at least two words.
fn phrases_in(words: &Words, least: u32, used: &[bool], other: &PairFilter) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for (start, pair) in words.codes.windows(2).enumerate() {
        if other.may_have(pair[0], pair[1])
            && let Some((length, hash)) = phrase_at(words, least, start)
            && !used[start..start + length].contains(&true)
        {
            found.push((start as u32, hash));
        }
    }
    found
}

/// All longest runs of equal unused words that begin with a phrase both texts have.
fn common_runs(a: &Words, b: &Words, least: u32, used: &Used) -> Vec<Tile> {
    // Most phrases are in one text only: those are not even hashed.
    let of_a = phrases_in(a, least, &used.a, &PairFilter::of(b));
    if of_a.is_empty() {
        return Vec::new();
    }
    let of_b = phrases_in(b, least, &used.b, &PairFilter::of(a));
    if of_b.is_empty() {
        return Vec::new();
    }
    let mut table = PhraseTable::of(&of_a, a.len());
    let mut shared: Vec<(u32, u32)> = Vec::with_capacity(of_b.len());
    for &(place, hash) in &of_b {
        shared.extend(table.count(hash).map(|entry| (place, entry)));
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
