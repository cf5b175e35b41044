//! Sixty-four bytes at a glance: which are parts of ASCII words, and where does something else need a closer look?

/// How many bytes a block has.
pub(super) const BLOCK: usize = 64;

/// One bit a byte, the first byte lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// ASCII letters and digits.
    pub words: u64,
    /// What this glance cannot settle: bytes beyond ASCII, joiners, and punctuation that may join what it stands between.
    pub attention: u64,
}

/// ASCII punctuation that joins letters or digits on both sides of it.
const MIDDLES: [u8; 5] = *b".,':;";
/// ASCII punctuation that joins whatever it touches.
const JOINER: u8 = b'_';

impl Block {
    /// Looks at a block that starts at a word boundary.
    #[inline(always)]
    pub(super) fn read(eyes: impl Eyes, bytes: &[u8; BLOCK]) -> Self {
        let Masks { words, middles, others } = eyes.masks(bytes);
        // What is beyond ASCII or out of sight may be a letter, and so may be joined.
        let joining = middles & words << 1 & ((words | others) >> 1 | 1 << 63);
        Block { words, attention: others | joining }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Masks {
    words: u64,
    middles: u64,
    others: u64,
}

/// What classifies 64 bytes at once on some kind of CPU; all kinds see the same.
pub(super) trait Eyes: Copy {
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks;
}

/// What every CPU of the architecture can do.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl Eyes for Plain {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        // SAFETY: sse2 is part of x86_64.
        unsafe { masks_sse2(bytes) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        masks_by_byte(bytes)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn masks_sse2(bytes: &[u8; BLOCK]) -> Masks {
    use std::arch::x86_64::*;
    let mut masks = Masks { words: 0, middles: 0, others: 0 };
    for part in 0..4 {
        // SAFETY: 16 bytes from `16 * part` on are within the 64 for every part below 4.
        let vector = unsafe { _mm_loadu_si128(bytes.as_ptr().add(16 * part).cast()) };
        let within = |vector: __m128i, first: u8, span: i8| {
            let offset = _mm_sub_epi8(vector, _mm_set1_epi8(first as i8));
            _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(span)), offset)
        };
        let is = |byte: u8| _mm_cmpeq_epi8(vector, _mm_set1_epi8(byte as i8));
        let bits = |vector: __m128i| u64::from(_mm_movemask_epi8(vector) as u16) << (16 * part);
        let letters = within(_mm_or_si128(vector, _mm_set1_epi8(0x20)), b'a', 25);
        let digits = within(vector, b'0', 9);
        let middles =
            MIDDLES.map(is).into_iter().fold(_mm_setzero_si128(), |all, one| _mm_or_si128(all, one));
        masks.words |= bits(_mm_or_si128(letters, digits));
        masks.middles |= bits(middles);
        // The highest bit of a byte is what the mask of the vector itself holds: beyond ASCII.
        masks.others |= bits(_mm_or_si128(vector, is(JOINER)));
    }
    masks
}

/// The CPU compares 64 bytes in one instruction; made only where it does.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The only way to make one, so that to hold one is the proof that the features are there.
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        found.then_some(Avx512(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Eyes for Avx512 {
    #[inline(always)]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        // SAFETY: an `Avx512` exists only where the CPU has avx512bw (see `detect`).
        unsafe { masks_avx512(bytes) }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512bw")]
fn masks_avx512(bytes: &[u8; BLOCK]) -> Masks {
    use std::arch::x86_64::*;
    // SAFETY: the array holds the 64 bytes that are loaded.
    let vector = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let all = |byte: u8| _mm512_set1_epi8(byte as i8);
    let within = |vector: __m512i, first: u8, span: u8| {
        _mm512_cmple_epu8_mask(_mm512_sub_epi8(vector, all(first)), all(span))
    };
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(vector, all(byte));
    Masks {
        words: within(_mm512_or_si512(vector, all(0x20)), b'a', 25) | within(vector, b'0', 9),
        middles: MIDDLES.map(is).into_iter().fold(0, |all, one| all | one),
        others: _mm512_movepi8_mask(vector) | is(JOINER),
    }
}

/// The twin, for other CPUs.
#[cfg_attr(
    target_arch = "x86_64",
    allow(dead_code, reason = "the twin that the vector kernel is tested against")
)]
fn masks_by_byte(bytes: &[u8; BLOCK]) -> Masks {
    let bits = |is: fn(u8) -> bool| {
        bytes.iter().enumerate().fold(0, |mask, (at, &byte)| mask | u64::from(is(byte)) << at)
    };
    Masks {
        words: bits(|byte| byte.is_ascii_alphanumeric()),
        middles: bits(|byte| MIDDLES.contains(&byte)),
        others: bits(|byte| !byte.is_ascii() || byte == JOINER),
    }
}

#[cfg(test)]
mod tests {
    use super::super::classes::{Class, table};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_constants_say_what_the_table_says() {
        for byte in 0..0x80u8 {
            let expected = match table()[usize::from(byte)] {
                Class::Letter | Class::FoldedLetter | Class::Digit => byte.is_ascii_alphanumeric(),
                Class::MidLetter | Class::MidNumber | Class::MidBoth => MIDDLES.contains(&byte),
                Class::Joiner => byte == JOINER,
                // A colon joins letters in no version of Unicode after 15; a closer look does no harm.
                _ => {
                    !byte.is_ascii_alphanumeric()
                        && byte != JOINER
                        && (!MIDDLES.contains(&byte) || byte == b':')
                }
            };
            assert!(expected, "{:?}", char::from(byte));
        }
    }

    proptest! {
        #[test]
        fn the_vector_kernels_equal_their_twin(bytes in prop::collection::vec(any::<u8>(), BLOCK)) {
            let bytes: &[u8; BLOCK] = bytes.as_slice().try_into().unwrap();
            prop_assert_eq!(Plain.masks(bytes), masks_by_byte(bytes));
            #[cfg(target_arch = "x86_64")]
            if let Some(eyes) = Avx512::detect() {
                prop_assert_eq!(eyes.masks(bytes), masks_by_byte(bytes));
            }
        }
    }
}
