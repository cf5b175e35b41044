//! The arithmetic by the CPU's carry-less multiplier, reduced after Barrett. Equal to the tables, faster.

use super::{Arithmetic, Polynomial};
use std::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64};

/// What a reduction by one polynomial needs; made only where the CPU has the instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clmul {
    degree: u32,
    low: u64,
    barrett: u64,
    /// What [`Arithmetic::roll`] multiplies the outgoing value with.
    outgoing_factor: u64,
}

impl Clmul {
    /// The only way to make one, so that to hold one is the proof that `pclmulqdq` is there.
    pub(super) fn detect(polynomial: Polynomial) -> Option<Self> {
        std::arch::is_x86_feature_detected!("pclmulqdq").then(|| Clmul {
            degree: polynomial.degree(),
            low: polynomial.low(),
            barrett: polynomial.barrett(),
            outgoing_factor: 0,
        })
    }

    pub(super) fn fingerprint_each<'a>(
        self,
        width: usize,
        pieces: impl Iterator<Item = &'a [u8]>,
        sink: impl FnMut(u64),
    ) {
        #[target_feature(enable = "pclmulqdq")]
        fn with_feature<'a>(
            clmul: Clmul,
            width: usize,
            pieces: impl Iterator<Item = &'a [u8]>,
            sink: impl FnMut(u64),
        ) {
            match width {
                // A width known when compiling makes the byte loops into loads.
                8 => super::fingerprint_each(clmul, 8, pieces, sink),
                4 => super::fingerprint_each(clmul, 4, pieces, sink),
                _ => super::fingerprint_each(clmul, width, pieces, sink),
            }
        }
        // SAFETY: a `Clmul` exists only where the CPU has pclmulqdq (see `detect`).
        unsafe { with_feature(self, width, pieces, sink) }
    }

    pub(super) fn fingerprint_windows(
        self,
        outgoing_factor: u64,
        words: usize,
        values: &[u64],
        windows: &mut Vec<u64>,
    ) {
        #[target_feature(enable = "pclmulqdq")]
        fn with_feature(clmul: Clmul, words: usize, values: &[u64], windows: &mut Vec<u64>) {
            super::fingerprint_windows(clmul, clmul.outgoing_factor, words, values, windows);
        }
        // SAFETY: a `Clmul` exists only where the CPU has pclmulqdq (see `detect`).
        unsafe { with_feature(Clmul { outgoing_factor, ..self }, words, values, windows) }
    }

    /// The two halves of the carry-less product.
    #[inline(always)]
    fn product(a: u64, b: u64) -> (u64, u64) {
        // SAFETY: reached only through a `Clmul`, which exists only where the CPU has pclmulqdq; sse2 is in every x86_64.
        unsafe {
            let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
            let high = _mm_cvtsi128_si64(_mm_unpackhi_epi64(product, product));
            (high as u64, _mm_cvtsi128_si64(product) as u64)
        }
    }

    /// `high * x^degree + low` modulo the polynomial; `high` and `low` are below `x^degree`.
    #[inline(always)]
    fn reduce(self, high: u64, low: u64) -> u64 {
        let (top, bottom) = Self::product(high, self.barrett);
        if self.degree == 64 {
            let quotient = high ^ top;
            return low ^ Self::product(quotient, self.low).1;
        }
        let quotient = high ^ (top << (64 - self.degree) | bottom >> self.degree);
        (low ^ Self::product(quotient, self.low).1) & (u64::MAX >> (64 - self.degree))
    }
}

impl Arithmetic for Clmul {
    #[inline(always)]
    fn advance(self, value: u64) -> u64 {
        self.reduce(value, 0)
    }

    #[inline(always)]
    fn roll(self, value: u64, outgoing: u64) -> u64 {
        let (high, low) = Self::product(outgoing, self.outgoing_factor);
        self.reduce(value ^ high, low)
    }
}
