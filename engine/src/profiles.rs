//! A cache of the word profiles of documents that were stored lately: most candidates are ruled out by them before a row or a
//! text is read. A cache miss costs time only: no copy is ever ruled out.

use firstcopy_text::likeness::{TextSize, WordProfile, Words, may_be_copy};

/// Slots of the cache: some 35 MiB once all are used.
const SLOTS: usize = 1 << 17;

/// A direct-mapped cache by document number: a number has one slot, and the last one there stays.
#[derive(Debug)]
pub(crate) struct ProfileMemory {
    slots: Vec<Option<Box<Profiled>>>,
}

#[derive(Debug)]
struct Profiled {
    number: u32,
    size: TextSize,
    profile: WordProfile,
}

impl ProfileMemory {
    pub(crate) fn new() -> Self {
        ProfileMemory { slots: std::iter::repeat_with(|| None).take(SLOTS).collect() }
    }

    pub(crate) fn put(&mut self, number: u32, words: &Words) {
        let profiled = Profiled { number, size: TextSize::of(words), profile: WordProfile::of(words) };
        self.slots[number as usize % SLOTS] = Some(Box::new(profiled));
    }

    fn get(&self, number: u32) -> Option<&Profiled> {
        self.slots[number as usize % SLOTS].as_deref().filter(|profiled| profiled.number == number)
    }

    /// Whether one of two documents may be an edited copy or an excerpt of the other; true if a profile is missing.
    pub(crate) fn may_be_copies(&self, a: u32, b: u32, min_likeness: f64) -> bool {
        let (Some(a), Some(b)) = (self.get(a), self.get(b)) else { return true };
        let distance = WordProfile::distance(a.profile.as_bytes(), b.profile.as_bytes());
        may_be_copy(a.size, b.size, distance, min_likeness)
            || may_be_copy(b.size, a.size, distance, min_likeness)
    }

    /// Forgets some documents: after a rollback their numbers are given again, or their contents are what they were.
    pub(crate) fn forget(&mut self, numbers: &[u32]) {
        numbers.iter().for_each(|&number| self.slots[number as usize % SLOTS] = None);
    }
}
