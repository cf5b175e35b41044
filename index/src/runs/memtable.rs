//! What happened since the last run was written? A hash table in memory from places to what was inserted and removed
//! there, newest first.
//!
//! Operations lie in one array in the order in which they came, so that forgetting the uncommitted ones is taking them
//! off its end. Touches no files.

use super::entry::{Entry, PLACE_BITS, Place, Word};

/// No further operation at this place.
const NONE: u32 = u32::MAX;
/// Slots of an empty table.
const FEWEST_SLOTS: usize = 64;

/// Chains that are followed in turn: as many as a document has keys, as a rule.
const CHAINS_AT_ONCE: usize = 32;

#[derive(Debug)]
struct Operation {
    entry: Entry,
    /// The operation before this one at the same place.
    earlier: u32,
}

/// Operations, and the newest one of every place.
#[derive(Debug)]
pub(super) struct Memtable {
    /// Open addressing; a slot is the upper 32 bits of the place over the index of its newest operation plus one, or
    /// zero. Homes are in the order of places, so that growing reads and writes from end to end.
    slots: Vec<u64>,
    used_slots: usize,
    operations: Vec<Operation>,
    committed: usize,
}

impl Memtable {
    pub fn new() -> Self {
        Memtable { slots: vec![0; FEWEST_SLOTS], used_slots: 0, operations: Vec::new(), committed: 0 }
    }

    /// Operations in it.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// Operations that were committed.
    pub fn committed(&self) -> usize {
        self.committed
    }

    /// Remembers one more operation.
    pub fn push(&mut self, entry: Entry) {
        if 2 * (self.used_slots + 1) > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(entry.place);
        let earlier = newest(self.slots[slot]);
        self.used_slots += usize::from(earlier == NONE);
        self.slots[slot] = filled(entry.place, self.operations.len() as u32);
        self.operations.push(Operation { entry, earlier });
    }

    /// Everything in it is now committed.
    pub fn commit(&mut self) {
        self.committed = self.operations.len();
    }

    /// Forgets what was not committed.
    pub fn rollback(&mut self) {
        while self.operations.len() > self.committed {
            self.pop();
        }
    }

    /// Takes the committed operations out; the others stay.
    pub fn take_committed(&mut self) -> Memtable {
        let mut rest = Memtable::new();
        self.operations[self.committed..].iter().for_each(|operation| rest.push(operation.entry));
        self.rollback();
        std::mem::replace(self, rest)
    }

    /// What it knows about a place, newest first.
    pub fn at(&self, place: Place) -> impl Iterator<Item = Word> + '_ {
        let newest = newest(self.slots[self.slot(place)]);
        let operations = std::iter::successors(self.operations.get(newest as usize), |operation| {
            self.operations.get(operation.earlier as usize)
        });
        operations.map(|operation| operation.entry.word())
    }

    /// Visits what it knows about the places, of each place newest first. Follows the chains of many places in turn, so that
    /// their cache misses overlap.
    pub fn tell(&self, places: &[Place], mut hear: impl FnMut(Place, Word)) {
        if self.operations.is_empty() {
            return;
        }
        for places in places.chunks(CHAINS_AT_ONCE) {
            let mut chains = [(Place::default(), NONE); CHAINS_AT_ONCE];
            let mut open = 0;
            for &place in places {
                chains[open] = (place, newest(self.slots[self.slot(place)]));
                open += usize::from(chains[open].1 != NONE);
            }
            while open > 0 {
                let mut chain = 0;
                while chain < open {
                    let (place, index) = chains[chain];
                    let Operation { entry, earlier } = &self.operations[index as usize];
                    hear(place, entry.word());
                    if *earlier == NONE {
                        open -= 1;
                        chains[chain] = chains[open];
                    } else {
                        chains[chain].1 = *earlier;
                        chain += 1;
                    }
                }
            }
        }
    }

    /// The last word on every document at every place, sorted.
    pub fn sorted(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.operations.iter().rev().map(|operation| operation.entry).collect();
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
        content >> 32 == mark(place) && self.operations[newest(content) as usize].entry.place == place
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

    fn pop(&mut self) {
        let Some(last) = self.operations.last() else { return };
        let (place, earlier) = (last.entry.place, last.earlier);
        let slot = self.slot(place);
        if earlier == NONE {
            self.clear(slot);
        } else {
            self.slots[slot] = filled(place, earlier);
        }
        self.operations.pop();
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
        self.used_slots -= 1;
    }
}

/// The index of the newest operation in a slot.
fn newest(content: u64) -> u32 {
    (content as u32).wrapping_sub(1)
}

fn filled(place: Place, operation: u32) -> u64 {
    mark(place) << 32 | u64::from(operation + 1)
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
    }
}
