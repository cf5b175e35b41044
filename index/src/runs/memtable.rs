//! Memtable: what was inserted and removed since the last run was written. A hash table from places to lists of words,
//! each list in one piece of memory, so that reading a place that many documents share costs no cache miss a document.
//!
//! Operations that were not committed are logged, so that forgetting them takes them off the ends of their lists again.
//! Touches no files.

use super::entry::{Entry, PLACE_BITS, Place, Word};

/// No list.
const NONE: u32 = u32::MAX;
/// Slots of an empty table.
const FEWEST_SLOTS: usize = 64;

/// The words at one place: a range of [`Memtable::words`], oldest first. It has room for the next power of two; a list
/// that is full moves to the end of the words, and leaves a gap.
#[derive(Debug, Clone, Copy)]
struct WordList {
    place: Place,
    start: u32,
    length: u32,
}

impl WordList {
    fn is_full(&self) -> bool {
        self.length.is_power_of_two()
    }
}

/// Lists of words by place.
#[derive(Debug)]
pub(super) struct Memtable {
    /// Open addressing; a slot is the upper 32 bits of the place over the index of its list plus one, or zero. Homes are in
    /// the order of places, so that growing reads and writes from end to end.
    slots: Vec<u64>,
    lists: Vec<WordList>,
    /// Packed words of all lists, with gaps.
    words: Vec<u32>,
    /// The list of every operation that is not committed, in order.
    uncommitted: Vec<u32>,
    committed: usize,
}

impl Memtable {
    pub fn new() -> Self {
        Memtable {
            slots: vec![0; FEWEST_SLOTS],
            lists: Vec::new(),
            words: Vec::new(),
            uncommitted: Vec::new(),
            committed: 0,
        }
    }

    /// Operations in it.
    pub fn len(&self) -> usize {
        self.committed + self.uncommitted.len()
    }

    /// Operations that were committed.
    pub fn committed(&self) -> usize {
        self.committed
    }

    /// Remembers one more operation.
    pub fn push(&mut self, entry: Entry) {
        if 2 * (self.lists.len() + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(entry.place);
        let list = list_in(self.slots[slot]);
        self.uncommitted.push(list.min(self.lists.len() as u32));
        if list == NONE {
            self.slots[slot] = filled(entry.place, self.lists.len() as u32);
            let start = self.words.len() as u32;
            self.words.push(packed(entry.word()));
            self.lists.push(WordList { place: entry.place, start, length: 1 });
        } else {
            self.append(list as usize, packed(entry.word()));
        }
    }

    fn append(&mut self, list: usize, word: u32) {
        let WordList { start, length, .. } = self.lists[list];
        if self.lists[list].is_full() {
            let moved = self.words.len();
            self.words.extend_from_within(start as usize..(start + length) as usize);
            self.words.resize(moved + 2 * length as usize, 0);
            self.lists[list].start = moved as u32;
        }
        let list = &mut self.lists[list];
        self.words[(list.start + list.length) as usize] = word;
        list.length += 1;
    }

    /// Everything in it is now committed.
    pub fn commit(&mut self) {
        self.committed += self.uncommitted.len();
        self.uncommitted.clear();
    }

    /// Forgets what was not committed.
    pub fn rollback(&mut self) {
        while let Some(list) = self.uncommitted.pop() {
            self.take_last_word(list as usize);
        }
    }

    /// Takes the committed operations out; the others stay.
    pub fn take_committed(&mut self) -> Memtable {
        let mut rest = Memtable::new();
        // Backwards, because the last word of a list belongs to its last operation.
        let mut entries: Vec<Entry> = Vec::with_capacity(self.uncommitted.len());
        while let Some(list) = self.uncommitted.pop() {
            let list = list as usize;
            let WordList { place, start, length } = self.lists[list];
            entries.push(entry(place, self.words[(start + length - 1) as usize]));
            self.take_last_word(list);
        }
        entries.into_iter().rev().for_each(|entry| rest.push(entry));
        std::mem::replace(self, rest)
    }

    /// Counts the words at a place.
    pub fn count_at(&self, place: Place) -> usize {
        let list = self.lists.get(list_in(self.slots[self.slot(place)]) as usize);
        list.map_or(0, |list| list.length as usize)
    }

    /// Iterates over the words at a place, newest first.
    pub fn at(&self, place: Place) -> impl Iterator<Item = Word> + '_ {
        let list = self.lists.get(list_in(self.slots[self.slot(place)]) as usize);
        list.into_iter().flat_map(|list| self.newest_first(list))
    }

    /// Finds the lists of some places, all before the words of any are read, so that their cache misses overlap.
    pub fn lists_at(&self, places: &[Place]) -> FoundLists<'_> {
        let list_at =
            |&place: &Place| self.lists.get(list_in(self.slots[self.slot(place)]) as usize).copied();
        FoundLists { memtable: self, lists: places.iter().filter_map(list_at).collect() }
    }

    fn newest_first(&self, list: &WordList) -> impl Iterator<Item = Word> + use<'_> {
        let words = &self.words[list.start as usize..(list.start + list.length) as usize];
        words.iter().rev().map(|&word| unpacked(word))
    }

    /// The last word on every document at every place, sorted.
    pub fn sorted(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::with_capacity(self.len());
        for list in &self.lists {
            entries.extend(self.newest_first(list).map(|word| entry(list.place, packed(word))));
        }
        // Stable, so that of several operations the newest stays in front and survives.
        entries.sort_by_key(|entry| (entry.place, entry.number));
        entries.dedup_by(|later, first| later.same(first));
        entries
    }

    /// The slot of a place, or the empty one where it would go.
    fn slot(&self, place: Place) -> usize {
        let mut slot = self.home(mark(place) << 32);
        while self.slots[slot] != 0 && !self.holds(slot, place) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn holds(&self, slot: usize, place: Place) -> bool {
        let content = self.slots[slot];
        content >> 32 == mark(place) && self.lists[list_in(content) as usize].place == place
    }

    /// Where a slot with this content, or one like it, is looked for first: the upper bits of the place.
    fn home(&self, content: u64) -> usize {
        (content >> (u64::BITS - self.slots.len().ilog2())) as usize
    }

    fn grow(&mut self) {
        let larger = vec![0; 2 * self.slots.len()];
        for content in std::mem::replace(&mut self.slots, larger).into_iter().filter(|content| *content != 0)
        {
            let mut slot = self.home(content);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = content;
        }
    }

    /// Takes back the last operation, which was on this list. Lists are made in order, so an empty one is the last.
    fn take_last_word(&mut self, list: usize) {
        self.lists[list].length -= 1;
        let WordList { place, length, .. } = self.lists[list];
        if length == 0 {
            let slot = self.slot(place);
            self.clear(slot);
            self.lists.pop();
        }
    }

    /// Empties a slot and moves those after it back over the gap, so that every place is still found from its home.
    fn clear(&mut self, mut gap: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = gap;
        loop {
            slot = (slot + 1) & mask;
            if self.slots[slot] == 0 {
                break;
            }
            let home = self.home(self.slots[slot]);
            if slot.wrapping_sub(home) & mask >= slot.wrapping_sub(gap) & mask {
                self.slots[gap] = self.slots[slot];
                gap = slot;
            }
        }
        self.slots[gap] = 0;
    }
}

/// The lists of some places.
#[derive(Debug)]
pub(super) struct FoundLists<'a> {
    memtable: &'a Memtable,
    lists: Vec<WordList>,
}

impl FoundLists<'_> {
    /// Counts the words in the lists.
    pub fn count(&self) -> usize {
        self.lists.iter().map(|list| list.length as usize).sum()
    }

    /// Visits the words in the lists, of each place newest first.
    pub fn tell(&self, mut hear: impl FnMut(Place, Word)) {
        for list in &self.lists {
            self.memtable.newest_first(list).for_each(|word| hear(list.place, word));
        }
    }
}

/// The index of the list in a slot.
fn list_in(content: u64) -> u32 {
    (content as u32).wrapping_sub(1)
}

fn filled(place: Place, list: u32) -> u64 {
    mark(place) << 32 | u64::from(list + 1)
}

/// A word in four bytes: the number has 31 bits.
fn packed(word: Word) -> u32 {
    word.number << 1 | u32::from(word.removed)
}

fn unpacked(word: u32) -> Word {
    Word { number: word >> 1, removed: word & 1 == 1 }
}

fn entry(place: Place, word: u32) -> Entry {
    let Word { number, removed } = unpacked(word);
    Entry { place, number, removed }
}

/// The upper 32 bits of a place: its home, and enough to tell most strangers.
fn mark(place: Place) -> u64 {
    place.bits() >> (PLACE_BITS - 32)
}

#[cfg(test)]
mod tests {
    use super::super::entry::spread;
    use super::*;
    use proptest::prelude::*;

    fn place(key: u64) -> Place {
        Place::in_upper_bits(spread(key))
    }

    fn entry(key: u64, number: u32, removed: bool) -> Entry {
        Entry { place: place(key), number, removed }
    }

    proptest! {
        /// Against a list that is searched from its end.
        #[test]
        fn finds_what_a_list_finds(
            committed in prop::collection::vec((0u64..40, 0u32..5, any::<bool>()), 0..200),
            forgotten in prop::collection::vec((0u64..80, 0u32..5, any::<bool>()), 0..200),
        ) {
            let mut table = Memtable::new();
            committed.iter().for_each(|&(key, number, removed)| table.push(entry(key, number, removed)));
            table.commit();
            forgotten.iter().for_each(|&(key, number, removed)| table.push(entry(key, number, removed)));
            table.rollback();
            for key in 0..80 {
                let listed = committed.iter().rev().filter(|operation| operation.0 == key);
                let listed: Vec<_> = listed.map(|&(_, number, removed)| (number, removed)).collect();
                let found: Vec<_> = table.at(place(key)).map(|word| (word.number, word.removed)).collect();
                prop_assert_eq!(found, listed);
            }
        }

        #[test]
        fn uncommitted_operations_stay_when_the_committed_are_taken(
            committed in prop::collection::vec((0u64..40, 0u32..5, any::<bool>()), 0..100),
            others in prop::collection::vec((0u64..80, 0u32..5, any::<bool>()), 0..100),
        ) {
            let of = |operations: &[(u64, u32, bool)]| {
                let mut table = Memtable::new();
                operations.iter().for_each(|&(key, number, removed)| table.push(entry(key, number, removed)));
                table
            };
            let mut table = of(&committed);
            table.commit();
            others.iter().for_each(|&(key, number, removed)| table.push(entry(key, number, removed)));
            prop_assert_eq!((table.len(), table.committed()), (committed.len() + others.len(), committed.len()));
            let taken = table.take_committed();
            prop_assert_eq!((taken.len(), table.len(), table.committed()), (committed.len(), others.len(), 0));
            for (table, operations) in [(&taken, &committed), (&table, &others)] {
                let expected = of(operations);
                let words = |table: &Memtable, key| table.at(place(key)).collect::<Vec<_>>();
                prop_assert!((0..80).all(|key| words(table, key) == words(&expected, key)));
                prop_assert_eq!(table.sorted(), expected.sorted());
            }
        }
    }
}
