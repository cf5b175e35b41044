//! What is one entry? A place (where a key or a value falls) and the number of a document that has it there.

/// Bits of a place.
pub(crate) const PLACE_BITS: u32 = 47;
/// Upper bits of a place that a packed entry leaves to where it lies in its run.
pub(super) const PREFIX_BITS: u32 = 16;
const LOW_BITS: u32 = PLACE_BITS - PREFIX_BITS;

const _: () = assert!(
    LOW_BITS + 32 + 1 == 64,
    "the low bits of a place, a number and the mark of a removal fill a packed entry"
);

/// Where something falls. Whoever makes places spreads them evenly.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(u64);

impl Place {
    /// The place in the upper bits of a number.
    pub fn in_upper_bits(bits: u64) -> Self {
        Place(bits >> (u64::BITS - PLACE_BITS))
    }

    /// The bits of the place, the lowest ones of the number.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Which of 2^bits equal stretches it lies in.
    pub fn bucket(self, bits: u32) -> usize {
        (self.0 >> (PLACE_BITS - bits)) as usize
    }

    /// What a packed entry keeps of it.
    pub fn low(self) -> u64 {
        self.0 & ((1 << LOW_BITS) - 1)
    }
}

/// Spreads numbers evenly (the finisher of SplitMix64): every bit of the input changes half the bits of the output.
pub(crate) fn spread(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// What is said about a document at some place: that it is there, or no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    pub number: u32,
    pub removed: bool,
}

/// A document at a place, or the news that it is no longer there. Sorted by place, then number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub place: Place,
    pub number: u32,
    pub removed: bool,
}

impl Entry {
    /// Whether both speak of the same document at the same place.
    pub fn same(&self, other: &Entry) -> bool {
        (self.place, self.number) == (other.place, other.number)
    }

    /// What it says, wherever that is.
    pub fn word(self) -> Word {
        Word { number: self.number, removed: self.removed }
    }

    /// Eight bytes: all but the prefix of the place. Within a prefix they sort as entries do.
    pub fn pack(self) -> u64 {
        self.place.low() << 33 | u64::from(self.number) << 1 | u64::from(self.removed)
    }

    /// The entry that was packed, given the prefix of its place.
    pub fn unpack(prefix: u64, packed: u64) -> Self {
        let place = Place(prefix << LOW_BITS | low_of(packed));
        let Word { number, removed } = word_of(packed);
        Entry { place, number, removed }
    }
}

/// The low bits of the place of a packed entry.
pub(super) fn low_of(packed: u64) -> u64 {
    packed >> 33
}

/// What a packed entry says.
pub(super) fn word_of(packed: u64) -> Word {
    Word { number: (packed >> 1) as u32, removed: packed & 1 == 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packing_loses_only_the_prefix(bits: u64, number: u32, removed: bool) {
            let entry = Entry { place: Place::in_upper_bits(bits), number, removed };
            let prefix = entry.place.bucket(PREFIX_BITS) as u64;
            prop_assert_eq!(Entry::unpack(prefix, entry.pack()), entry);
        }
    }
}
