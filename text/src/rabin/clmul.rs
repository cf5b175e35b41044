//! The arithmetic by the CPU's carry-less multiplier, reduced after Barrett. Equal to the tables, faster.

use super::{Arithmetic, Polynomial};
use std::arch::x86_64::*;

/// The longest window that is computed place by place: beyond, rolling costs less.
const WIDEST_WINDOW: usize = 32;

/// What a reduction by one polynomial needs; made only where the CPU has the instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clmul {
    degree: u32,
    low: u64,
    barrett: u64,
    /// What [`Arithmetic::roll`] multiplies the outgoing value with.
    outgoing_factor: u64,
    /// Whether the CPU multiplies four pairs at once.
    wide: bool,
}

impl Clmul {
    /// The only way to make one, so that to hold one is the proof that `pclmulqdq` is there.
    pub(super) fn detect(polynomial: Polynomial) -> Option<Self> {
        std::arch::is_x86_feature_detected!("pclmulqdq").then(|| Clmul {
            degree: polynomial.degree(),
            low: polynomial.low(),
            barrett: polynomial.barrett(),
            outgoing_factor: 0,
            wide: is_x86_feature_detected!("vpclmulqdq") && is_x86_feature_detected!("avx512f"),
        })
    }

    pub(super) fn narrow(self) -> Self {
        Clmul { wide: false, ..self }
    }

    pub(super) fn fingerprint_each(
        self,
        width: usize,
        buffer: &[u8],
        start: usize,
        ends: impl Iterator<Item = u32>,
        sink: impl FnMut(u64),
    ) {
        #[target_feature(enable = "pclmulqdq")]
        fn with_feature<const WIDTH: usize>(
            clmul: Clmul,
            buffer: &[u8],
            start: usize,
            ends: impl Iterator<Item = u32>,
            sink: impl FnMut(u64),
        ) {
            super::fingerprint_each(clmul, WIDTH, buffer, start, ends, sink);
        }
        // SAFETY: a `Clmul` exists only where the CPU has pclmulqdq (see `detect`).
        unsafe {
            match width {
                8 => with_feature::<8>(self, buffer, start, ends, sink),
                7 => with_feature::<7>(self, buffer, start, ends, sink),
                6 => with_feature::<6>(self, buffer, start, ends, sink),
                5 => with_feature::<5>(self, buffer, start, ends, sink),
                4 => with_feature::<4>(self, buffer, start, ends, sink),
                3 => with_feature::<3>(self, buffer, start, ends, sink),
                2 => with_feature::<2>(self, buffer, start, ends, sink),
                _ => with_feature::<1>(self, buffer, start, ends, sink),
            }
        }
    }

    /// The windows eight at a time, each as a sum of products: no window waits for the one before it.
    /// Declines where rolling is better or the CPU has no wide multiplier.
    pub(super) fn fingerprint_windows_wide(
        self,
        powers: &[u64],
        leading: u64,
        values: &[u64],
        windows: &mut Vec<u64>,
    ) -> bool {
        let fits = powers.len() <= WIDEST_WINDOW && values.len() >= powers.len() + 7;
        if fits && self.wide {
            windows.resize(values.len() - powers.len() + 1, 0);
            // SAFETY: `wide` is set only where the CPU has vpclmulqdq and avx512f (see `detect`).
            unsafe { self.fill_wide(powers, leading, values, windows) };
        }
        fits && self.wide
    }

    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn fill_wide(self, powers: &[u64], leading: u64, values: &[u64], windows: &mut [u64]) {
        assert!(windows.len() >= 8 && values.len() == windows.len() + powers.len() - 1);
        let load = |at: usize| {
            debug_assert!(at + 8 <= values.len());
            // SAFETY: `at` is at most `windows.len() - 8 + powers.len() - 1`, so by the assertion 8 values follow.
            unsafe { _mm512_loadu_si512(values.as_ptr().add(at).cast()) }
        };
        let constant = |value: u64| _mm512_set1_epi64(value as i64);
        let (barrett, low, leading) = (constant(self.barrett), constant(self.low), constant(leading));
        let (last_place, places) = (powers.len() - 1, &powers[..powers.len() - 1]);
        let last_block = windows.len() - 8;
        for block in 0..windows.len().div_ceil(8) {
            // The last block overlaps the one before it rather than running over the end.
            let at = (8 * block).min(last_block);
            let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
            for (place, &power) in places.iter().enumerate() {
                let (values, power) = (load(at + place), constant(power));
                even = _mm512_xor_si512(even, _mm512_clmulepi64_epi128::<0x00>(values, power));
                odd = _mm512_xor_si512(odd, _mm512_clmulepi64_epi128::<0x01>(values, power));
            }
            // Barrett's reduction of the eight products, as in `reduce`; only the upper, then the lower halves count.
            let reduce = |product: __m512i| {
                let quotient = _mm512_xor_si512(product, _mm512_clmulepi64_epi128::<0x01>(product, barrett));
                _mm512_xor_si512(product, _mm512_clmulepi64_epi128::<0x01>(quotient, low))
            };
            let sums = _mm512_unpacklo_epi64(reduce(even), reduce(odd));
            let fingerprints = _mm512_xor_si512(_mm512_xor_si512(sums, load(at + last_place)), leading);
            // SAFETY: `at` is at most `windows.len() - 8`.
            unsafe { _mm512_storeu_si512(windows.as_mut_ptr().add(at).cast(), fingerprints) };
        }
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
