//! The permutation that finishes a fingerprint, so that its every bit depends on every bit of the remainder.
//! Rabin fingerprints are linear: without it, documents with related texts would have related samples.

/// Permutes the 64-bit numbers (the finalizer of MurmurHash3; each step can be undone, so no two inputs collide).
#[inline(always)]
pub(crate) fn mix(mut value: u64) -> u64 {
    value ^= value >> 33;
    value = value.wrapping_mul(0xff51_afd7_ed55_8ccd);
    value ^= value >> 33;
    value = value.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}

#[cfg(test)]
mod tests {
    use super::mix;
    use proptest::prelude::*;

    /// Undoes [`mix`] step by step: the proof that it is a permutation.
    fn unmix(mut value: u64) -> u64 {
        value ^= value >> 33;
        value = value.wrapping_mul(inverse(0xc4ce_b9fe_1a85_ec53));
        value ^= value >> 33;
        value = value.wrapping_mul(inverse(0xff51_afd7_ed55_8ccd));
        value ^ value >> 33
    }

    /// The inverse of an odd number modulo 2^64, by Newton's iteration.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
    }

    proptest! {
        #[test]
        fn can_be_undone(value: u64) {
            prop_assert_eq!(unmix(mix(value)), value);
        }
    }
}
