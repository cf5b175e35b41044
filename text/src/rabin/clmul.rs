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
        ends: &[u32],
        fingerprints: &mut Vec<u64>,
    ) {
        #[target_feature(enable = "pclmulqdq")]
        fn with_feature<const WIDTH: usize>(
            clmul: Clmul,
            buffer: &[u8],
            start: usize,
            ends: &[u32],
            fingerprints: &mut Vec<u64>,
        ) {
            super::fingerprint_each(clmul, WIDTH, buffer, start, ends, fingerprints);
        }
        // SAFETY: a `Clmul` exists only where the CPU has pclmulqdq, and `wide` is set only where it has vpclmulqdq and
        // avx512f (see `detect`).
        unsafe {
            match width {
                8 if self.wide => self.fingerprint_each_wide(buffer, start, ends, fingerprints),
                8 => with_feature::<8>(self, buffer, start, ends, fingerprints),
                7 => with_feature::<7>(self, buffer, start, ends, fingerprints),
                6 => with_feature::<6>(self, buffer, start, ends, fingerprints),
                5 => with_feature::<5>(self, buffer, start, ends, fingerprints),
                4 => with_feature::<4>(self, buffer, start, ends, fingerprints),
                3 => with_feature::<3>(self, buffer, start, ends, fingerprints),
                2 => with_feature::<2>(self, buffer, start, ends, fingerprints),
                _ => with_feature::<1>(self, buffer, start, ends, fingerprints),
            }
        }
    }

    /// Pieces of up to 15 bytes (most words) as two numbers each, high and low, and the high ones advanced eight at a
    /// time: no branch on a length that no CPU could predict, and no wait for one piece before the next.
    #[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
    fn fingerprint_each_wide(
        self,
        buffer: &[u8],
        mut start: usize,
        ends: &[u32],
        fingerprints: &mut Vec<u64>,
    ) {
        // Many at a time, so that the first have reached the cache when the last is written: a vector cannot be loaded
        // from what single stores have not yet finished writing.
        const BATCH: usize = 64;
        let mut ends = ends.iter().copied();
        let (mut high, mut low) = ([0; BATCH], [0; BATCH]);
        loop {
            let mut count = 0usize;
            // The slots come first: a full batch must not take an end and drop it.
            for ((high, low), end) in high.iter_mut().zip(&mut low).zip(ends.by_ref()) {
                (*high, *low) = self.halves(buffer, start, end as usize);
                start = end as usize;
                count += 1;
            }
            for (high, low) in high.as_chunks().0.iter().zip(low.as_chunks_mut().0).take(count.div_ceil(8)) {
                *low = self.advance_eight(high, low);
            }
            fingerprints.extend_from_slice(&low[..count]);
            if count < BATCH {
                return;
            }
        }
    }

    /// Two numbers whose fingerprint, `advance(high) ^ low`, is that of a piece.
    #[inline(always)]
    fn halves(self, buffer: &[u8], start: usize, end: usize) -> (u64, u64) {
        let length = end - start;
        if length >= 16 {
            return (0, super::fingerprint_in(self, 8, buffer, start, end));
        }
        // By masks and not by `if`: a branch would be taken at random.
        let is_long = u64::MAX * u64::from(length >= 8);
        let leading = 1u64 << (8 * (length % 8));
        let head = leading - 1;
        let high = (super::load(buffer, end - 8) & head | leading) & is_long;
        let low = super::load(buffer, end) & (head | is_long) | leading & !is_long;
        (high, low)
    }

    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn advance_eight(self, high: &[u64; 8], low: &[u64; 8]) -> [u64; 8] {
        // SAFETY: both arrays hold the 64 bytes that are loaded.
        let (high, low) =
            unsafe { (_mm512_loadu_si512(high.as_ptr().cast()), _mm512_loadu_si512(low.as_ptr().cast())) };
        // `high` stands at x^64: as the upper halves of products whose lower halves are zero.
        let zero = _mm512_setzero_si512();
        let even = self.reduce_four(_mm512_unpacklo_epi64(zero, high));
        let odd = self.reduce_four(_mm512_unpackhi_epi64(zero, high));
        let fingerprints = _mm512_xor_si512(_mm512_unpacklo_epi64(even, odd), low);
        let mut result = [0; 8];
        // SAFETY: the array has room for the 64 bytes that are stored.
        unsafe { _mm512_storeu_si512(result.as_mut_ptr().cast(), fingerprints) };
        result
    }

    /// Barrett's reduction of four 128-bit products, as in [`Self::reduce`]; the results are the lower halves.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn reduce_four(self, product: __m512i) -> __m512i {
        let (barrett, low) = (_mm512_set1_epi64(self.barrett as i64), _mm512_set1_epi64(self.low as i64));
        let quotient = _mm512_xor_si512(product, _mm512_clmulepi64_epi128::<0x01>(product, barrett));
        _mm512_xor_si512(product, _mm512_clmulepi64_epi128::<0x01>(quotient, low))
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
        let leading = constant(leading);
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
            let sums = _mm512_unpacklo_epi64(self.reduce_four(even), self.reduce_four(odd));
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
