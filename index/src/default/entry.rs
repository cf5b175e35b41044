//! What is one entry? A place (where a key at its position falls) and the number of a document that has it there.

use crate::MAX_KEYS;

/// Bits of the mixed key that are kept: two different keys at one position meet once in 2^40.
const HASH_BITS: u32 = 40;
/// Bits of the position: kept whole, so that the keys of one document never meet each other.
const POSITION_BITS: u32 = 7;
/// Bits of a place.
pub(super) const PLACE_BITS: u32 = HASH_BITS + POSITION_BITS;
/// Upper bits of a place that a packed entry leaves to where it lies in its run.
pub(super) const PREFIX_BITS: u32 = 16;
const LOW_BITS: u32 = PLACE_BITS - PREFIX_BITS;

const _: () = assert!(MAX_KEYS <= 1 << POSITION_BITS, "every position fits");
const _: () = assert!(
    LOW_BITS + 32 + 1 == 64,
    "the low bits of a place, a number and the mark of a removal fill a packed entry"
);

/// A key at its position, mixed so that places are spread evenly, whatever the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(pub u64);

impl Place {
    /// Where a key at a position falls.
    pub fn of(position: usize, key: u64) -> Self {
        // Odd and irregular (2^64 divided by the golden ratio): equal keys at different positions part.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let hash = finish(key ^ (position as u64 + 1).wrapping_mul(STEP));
        Place((hash >> (64 - HASH_BITS)) << POSITION_BITS | position as u64)
    }

    /// Which of 2^bits equal stretches it lies in.
    pub fn bucket(self, bits: u32) -> usize {
        (self.0 >> (PLACE_BITS - bits)) as usize
    }

    /// The position of the key.
    pub fn position(self) -> u32 {
        self.0 as u32 & ((1 << POSITION_BITS) - 1)
    }

    /// What a packed entry keeps of it.
    pub fn low(self) -> u64 {
        self.0 & ((1 << LOW_BITS) - 1)
    }
}

/// The finisher of SplitMix64: every bit of the input changes half the bits of the output.
fn finish(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A document at a place, or the news that it is no longer there. Sorted by place, then number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub place: Place,
    pub number: u32,
    pub removed: bool,
}

impl Entry {
    /// Whether both speak of the same document at the same place.
    pub fn same(&self, other: &Entry) -> bool {
        (self.place, self.number) == (other.place, other.number)
    }

    /// Eight bytes: all but the prefix of the place. Within a prefix they sort as entries do.
    pub fn pack(self) -> u64 {
        self.place.low() << 33 | u64::from(self.number) << 1 | u64::from(self.removed)
    }

    /// The entry that was packed, given the prefix of its place.
    pub fn unpack(prefix: u64, packed: u64) -> Self {
        let place = Place(prefix << LOW_BITS | low_of(packed));
        Entry { place, number: number_of(packed), removed: is_removed(packed) }
    }
}

/// The low bits of the place of a packed entry.
pub(super) fn low_of(packed: u64) -> u64 {
    packed >> 33
}

/// The number in a packed entry.
pub(super) fn number_of(packed: u64) -> u32 {
    (packed >> 1) as u32
}

/// Whether a packed entry says that the document is no longer there.
pub(super) fn is_removed(packed: u64) -> bool {
    packed & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packing_loses_only_the_prefix(position in 0..MAX_KEYS, key: u64, number: u32, removed: bool) {
            let entry = Entry { place: Place::of(position, key), number, removed };
            let prefix = entry.place.bucket(PREFIX_BITS) as u64;
            prop_assert_eq!(Entry::unpack(prefix, entry.pack()), entry);
        }

        #[test]
        fn places_of_different_positions_differ(a in 0..MAX_KEYS, b in 0..MAX_KEYS, x: u64, y: u64) {
            prop_assume!(a != b);
            prop_assert_ne!(Place::of(a, x), Place::of(b, y));
        }
    }
}
