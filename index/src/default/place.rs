//! Where does a key at its position fall, so that equal keys at different positions part?

use crate::MAX_KEYS;
use crate::runs::{PLACE_BITS, Place, spread};

/// Bits of the position, in the lowest bits of a place: kept whole, so that the keys of one document never meet each
/// other. The 40 others are of the key: two different ones at one position meet once in 2^40.
const POSITION_BITS: u32 = 7;
/// Bits below a place in the number it is made of.
const UNUSED_BITS: u32 = u64::BITS - PLACE_BITS;

const _: () = assert!(MAX_KEYS <= 1 << POSITION_BITS, "every position fits");

/// Where a key at a position falls.
pub(super) fn place_of(position: usize, key: u64) -> Place {
    // Odd and irregular (2^64 divided by the golden ratio): equal keys at different positions part.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    const KEY_BITS: u64 = u64::MAX << (UNUSED_BITS + POSITION_BITS);
    let hash = spread(key ^ (position as u64 + 1).wrapping_mul(STEP));
    Place::in_upper_bits(hash & KEY_BITS | (position as u64) << UNUSED_BITS)
}

/// The position of the key that falls there.
pub(super) fn position_of(place: Place) -> u32 {
    place.bits() as u32 & ((1 << POSITION_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_place_knows_its_position(position in 0..MAX_KEYS, key: u64) {
            prop_assert_eq!(position_of(place_of(position, key)), position as u32);
        }

        #[test]
        fn places_of_different_positions_differ(a in 0..MAX_KEYS, b in 0..MAX_KEYS, x: u64, y: u64) {
            prop_assume!(a != b);
            prop_assert_ne!(place_of(a, x), place_of(b, y));
        }
    }

    /// Indexes on disk are made of them.
    #[test]
    fn places_stay_as_they_are() {
        assert_eq!(place_of(0, 0).bits(), 0x7110_541c_bd80);
        assert_eq!(place_of(83, 0xfeed_f00d_dead_beef).bits(), 0x1534_8d53_e1d3);
    }
}
