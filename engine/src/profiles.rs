//! A cache of the word profiles and pair sketches of documents: most candidates are ruled out by them before a text is read.

use firstcopy_text::likeness::{PairSketch, TextSize, WordProfile, Words, may_be_copy};

/// Slots of the cache: some 70 MiB once all are used.
const SLOTS: usize = 1 << 17;

/// A direct-mapped cache by document number: a number has one slot, and the last one there stays.
#[derive(Debug)]
pub(crate) struct ProfileMemory {
    /// The number in each slot; 0, which no document has, if it is empty.
    numbers: Vec<u32>,
    /// Words and weight of the text.
    sizes: Vec<[u64; 2]>,
    profiles: Vec<[u8; WordProfile::BYTES]>,
    pairs: Vec<PairSketch>,
}

impl ProfileMemory {
    pub(crate) fn new() -> Self {
        ProfileMemory {
            numbers: vec![0; SLOTS],
            sizes: vec![[0; 2]; SLOTS],
            profiles: vec![[0; WordProfile::BYTES]; SLOTS],
            pairs: vec![PairSketch::EMPTY; SLOTS],
        }
    }

    /// Remembers the words of a document. Ready-made features have none, and no profile: nothing rules them out.
    pub(crate) fn put(&mut self, number: u32, words: &Words) {
        if words.is_empty() {
            return self.forget(&[number]);
        }
        let slot = number as usize % SLOTS;
        let TextSize { words: count, weight } = TextSize::of(words);
        self.numbers[slot] = number;
        self.sizes[slot] = [count, weight];
        self.profiles[slot] = *WordProfile::of(words).as_bytes();
        self.pairs[slot] = PairSketch::of(words);
    }

    fn slot(&self, number: u32) -> Option<usize> {
        let slot = number as usize % SLOTS;
        (self.numbers[slot] == number).then_some(slot)
    }

    /// Whether one of two documents may be an edited copy or an excerpt of the other; nothing if a profile is missing.
    pub(crate) fn may_be_copies(&self, a: u32, b: u32, min_likeness: f64) -> Option<bool> {
        let (a, b) = (self.slot(a)?, self.slot(b)?);
        let distance = WordProfile::distance(&self.profiles[a], &self.profiles[b]);
        let [size_a, size_b] = [a, b].map(|slot| {
            let [words, weight] = self.sizes[slot];
            TextSize { words, weight }
        });
        let may_be_copy = |earlier, later| may_be_copy(earlier, later, distance, min_likeness);
        let fits = may_be_copy(size_a, size_b) || may_be_copy(size_b, size_a);
        Some(fits && self.pairs[a].may_be_copies(&self.pairs[b], min_likeness))
    }

    /// Forgets some documents: after a rollback their numbers are given again, or their contents are what they were.
    pub(crate) fn forget(&mut self, numbers: &[u32]) {
        numbers.iter().for_each(|&number| self.numbers[number as usize % SLOTS] = 0);
    }
}
