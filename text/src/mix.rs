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

/// Permutes every number of a slice.
pub(crate) fn mix_all(values: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    {
        /// The same loop, which the compiler turns into vectors of eight.
        #[target_feature(enable = "avx512f,avx512dq")]
        fn mix_all_avx512(values: &mut [u64]) {
            values.iter_mut().for_each(|value| *value = mix(*value));
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            // SAFETY: both features were just detected.
            return unsafe { mix_all_avx512(values) };
        }
    }
    values.iter_mut().for_each(|value| *value = mix(*value));
}

#[cfg(test)]
mod tests {
    use super::{mix, mix_all};
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

        #[test]
        fn all_are_mixed_as_one_is(values in prop::collection::vec(any::<u64>(), 0..40)) {
            let expected: Vec<u64> = values.iter().map(|&value| mix(value)).collect();
            let mut mixed = values;
            mix_all(&mut mixed);
            prop_assert_eq!(mixed, expected);
        }
    }
}
