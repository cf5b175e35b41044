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
    /// `x^64` and `x^96` modulo the polynomial, for those of 32 bits.
    fold: [u64; 2],
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
            fold: [polynomial.power_of_x(64), polynomial.power_of_x(96)],
            wide: is_x86_feature_detected!("vpclmulqdq")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw"),
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
        // SAFETY: a `Clmul` exists only where the CPU has pclmulqdq, and `wide` is set only where it has vpclmulqdq,
        // avx512f and avx512bw (see `detect`).
        unsafe {
            match width {
                8 if self.wide => self.fingerprint_each_wide(buffer, start, ends, fingerprints),
                8 => with_feature::<8>(self, buffer, start, ends, fingerprints),
                7 => with_feature::<7>(self, buffer, start, ends, fingerprints),
                6 => with_feature::<6>(self, buffer, start, ends, fingerprints),
                5 => with_feature::<5>(self, buffer, start, ends, fingerprints),
                4 => self.fingerprint_each_32(buffer, start, ends, fingerprints),
                3 => with_feature::<3>(self, buffer, start, ends, fingerprints),
                2 => with_feature::<2>(self, buffer, start, ends, fingerprints),
                _ => with_feature::<1>(self, buffer, start, ends, fingerprints),
            }
        }
    }

    /// Eight bytes a step, and only the last step is reduced to 32 bits.
    #[target_feature(enable = "pclmulqdq")]
    fn fingerprint_each_32(self, buffer: &[u8], mut start: usize, ends: &[u32], fingerprints: &mut Vec<u64>) {
        for &end in ends {
            let end = end as usize;
            let head = (end - start) % 8;
            let mut at = start + head;
            let mut state = super::load_head(buffer, at, head);
            while at < end {
                at += 8;
                let (high, low) = (state >> 32, state & u64::from(u32::MAX));
                let folded = Self::product(high, self.fold[1]).1 ^ Self::product(low, self.fold[0]).1;
                state = folded ^ super::load(buffer, at);
            }
            fingerprints.push(self.reduce(state >> 32, state & u64::from(u32::MAX)));
            start = end;
        }
    }

    /// Eight pieces at a time: no branch on a length that no CPU could predict, and no wait for one piece before the next.
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq,pclmulqdq")]
    fn fingerprint_each_wide(
        self,
        buffer: &[u8],
        mut start: usize,
        ends: &[u32],
        fingerprints: &mut Vec<u64>,
    ) {
        let (blocks, rest) = ends.as_chunks();
        for ends in blocks {
            fingerprints.extend_from_slice(&self.fingerprint_eight(buffer, start, ends));
            start = ends[7] as usize;
        }
        super::fingerprint_each(self, 8, buffer, start, rest, fingerprints);
    }

    /// Pieces of up to 15 bytes (most words) are two numbers each, high and low, of which the high one is advanced;
    /// longer ones are fingerprinted one by one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,vpclmulqdq,pclmulqdq")]
    fn fingerprint_eight(self, buffer: &[u8], start: usize, ends: &[u32; 8]) -> [u64; 8] {
        let constant = |value: usize| _mm512_set1_epi64(value as i64);
        // SAFETY: the array holds the 32 bytes that are loaded.
        let ends_at = _mm512_cvtepu32_epi64(unsafe { _mm256_loadu_si256(ends.as_ptr().cast()) });
        // Each piece starts where the one before ends.
        let starts_at = _mm512_alignr_epi64::<7>(ends_at, constant(start));
        let is_ordered = _mm512_cmple_epu64_mask(starts_at, ends_at);
        let is_inside = _mm512_cmple_epu64_mask(ends_at, constant(buffer.len()));
        let has_room = _mm512_cmpge_epu64_mask(ends_at, constant(super::BEFORE));
        assert_eq!(is_ordered & is_inside & has_room, 0xff, "pieces follow each other inside their buffer");
        // SAFETY: by the assertion, all eight ends are at least 16 and none is beyond the buffer.
        let (low, high) = unsafe { (load_eight::<8>(buffer, ends_at), load_eight::<16>(buffer, ends_at)) };
        let lengths = _mm512_sub_epi64(ends_at, starts_at);
        let (one, seven) = (constant(1), constant(7));
        let leading = _mm512_sllv_epi64(one, _mm512_slli_epi64::<3>(_mm512_and_si512(lengths, seven)));
        let head = _mm512_sub_epi64(leading, one);
        let is_long = _mm512_cmpgt_epu64_mask(lengths, seven);
        let headed = |word: __m512i| _mm512_or_si512(_mm512_and_si512(word, head), leading);
        let (low, high) =
            (_mm512_mask_mov_epi64(headed(low), is_long, low), _mm512_maskz_mov_epi64(is_long, headed(high)));
        let mut fingerprints = self.advance_eight(high, low);
        let is_longer = _mm512_cmpgt_epu64_mask(lengths, constant(15));
        if is_longer != 0 {
            for piece in (0..8).filter(|piece| is_longer >> piece & 1 == 1) {
                let start = if piece == 0 { start } else { ends[piece - 1] as usize };
                fingerprints[piece] = super::fingerprint_in(self, 8, buffer, start, ends[piece] as usize);
            }
        }
        fingerprints
    }

    /// Eight times `high * x^64 + low` modulo the polynomial.
    #[inline]
    #[target_feature(enable = "avx512f,vpclmulqdq")]
    fn advance_eight(self, high: __m512i, low: __m512i) -> [u64; 8] {
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

/// Of each of eight places, the eight bytes that start `BACK` bytes before it, as a number.
///
/// # Safety
/// Every place must be at least `BACK` and not beyond the buffer; `BACK` must be at least 8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn load_eight<const BACK: usize>(buffer: &[u8], places: __m512i) -> __m512i {
    // The first byte is the highest.
    let reversed = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0809_0a0b_0c0d_0e0f, 0x0001_0203_0405_0607));
    let from = _mm512_sub_epi64(places, _mm512_set1_epi64(BACK as i64));
    // SAFETY: the caller's promise puts all eight bytes of each load inside the buffer.
    let words = unsafe { _mm512_i64gather_epi64::<1>(from, buffer.as_ptr().cast()) };
    _mm512_shuffle_epi8(words, reversed)
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
