//! Rabin fingerprints: a string of bits modulo a secret irreducible polynomial, one value for one string.
//!
//! The bits are those of the bytes, first byte first, highest bit first, after a leading 1 (so that leading zeros
//! and the length count). The same arithmetic stands here three times with equal results: by the carry-less
//! multiplier of the CPU ([`clmul`]), by tables ([`tables`]), and by long division in the tests.

#[cfg(target_arch = "x86_64")]
mod clmul;
mod polynomial;
mod tables;

pub use polynomial::Polynomial;

use crate::seed::Seed;
use tables::Tables;

/// Fingerprints of 8 to 64 bits (a multiple of 8) under one polynomial.
#[derive(Debug, Clone)]
pub struct Rabin {
    polynomial: Polynomial,
    /// `x^degree` modulo the polynomial, as a multiplication by table.
    advance: Tables,
    #[cfg(target_arch = "x86_64")]
    clmul: Option<clmul::Clmul>,
}

/// How many bytes stand before a piece in its buffer, so that its head can be loaded as whole words.
const BEFORE: usize = 16;

/// The arithmetic a fingerprint needs, whatever computes it.
trait Arithmetic: Copy {
    /// `value * x^degree` modulo the polynomial.
    fn advance(self, value: u64) -> u64;

    /// `value * x^degree + outgoing * factor` modulo the polynomial: one step of a rolling window,
    /// where `factor` is the constant the implementation was prepared with.
    fn roll(self, value: u64, outgoing: u64) -> u64;
}

/// The fingerprint of the piece of `buffer` from `start` to `end`; at least [`BEFORE`] bytes stand before it.
#[inline(always)]
fn fingerprint_in<A: Arithmetic>(
    arithmetic: A,
    width: usize,
    buffer: &[u8],
    start: usize,
    end: usize,
) -> u64 {
    let head = (end - start) % width;
    let mut at = start + head;
    let mut state = load_head(buffer, at, head);
    while at < end {
        at += width;
        state = arithmetic.advance(state) ^ load(buffer, at) & u64::MAX >> (64 - 8 * width);
    }
    state
}

/// The fewer than eight bytes that end at `end`, after a leading 1.
#[inline(always)]
fn load_head(buffer: &[u8], end: usize, bytes: usize) -> u64 {
    // It is loaded with whatever stands before it, which the leading 1 then replaces.
    load(buffer, end) & !(u64::MAX << (8 * bytes)) | 1 << (8 * bytes)
}

/// The eight bytes that end at `end`, as a number.
#[inline(always)]
fn load(buffer: &[u8], end: usize) -> u64 {
    buffer[..end].last_chunk().map_or(0, |&bytes| u64::from_be_bytes(bytes))
}

impl Rabin {
    /// Draws a polynomial of `degree` bits for `purpose` from the seed.
    ///
    /// # Panics
    /// If `degree` is not 8, 16, … 64: a programmer's mistake, not an input.
    pub fn new(degree: u32, seed: &Seed, purpose: &str) -> Self {
        assert!(degree.is_multiple_of(8), "fingerprints are whole bytes wide, not {degree} bits");
        let polynomial = Polynomial::draw(degree, &mut seed.stream(&format!("rabin {degree} {purpose}")));
        Rabin {
            polynomial,
            advance: Tables::multiply_by(polynomial, polynomial.power_of_x(u64::from(degree))),
            #[cfg(target_arch = "x86_64")]
            clmul: clmul::Clmul::detect(polynomial),
        }
    }

    /// The same fingerprints without the CPU's carry-less multiplier: what other CPUs compute.
    pub fn without_clmul(mut self) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            self.clmul = None;
        }
        self
    }

    /// The same fingerprints without the CPU's wide carry-less multiplier.
    pub fn without_wide_clmul(mut self) -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            self.clmul = self.clmul.map(clmul::Clmul::narrow);
        }
        self
    }

    /// The polynomial in use.
    pub fn polynomial(&self) -> Polynomial {
        self.polynomial
    }

    fn width(&self) -> usize {
        self.polynomial.degree() as usize / 8
    }

    /// The fingerprint of `bytes`.
    pub fn fingerprint(&self, bytes: &[u8]) -> u64 {
        let mut padded = Vec::with_capacity(BEFORE + bytes.len());
        padded.extend_from_slice(&[0; BEFORE]);
        padded.extend_from_slice(bytes);
        let mut fingerprints = Vec::with_capacity(1);
        self.fingerprint_each(&padded, BEFORE, &[padded.len() as u32], &mut fingerprints);
        fingerprints[0]
    }

    /// Appends the fingerprints of pieces that stand in `buffer` one after the other from `start` (at least 16) on,
    /// told by where they end.
    pub fn fingerprint_each(&self, buffer: &[u8], start: usize, ends: &[u32], fingerprints: &mut Vec<u64>) {
        assert!(start >= BEFORE, "{BEFORE} bytes before the first piece are needed, to load it with");
        #[cfg(target_arch = "x86_64")]
        if let Some(clmul) = self.clmul {
            return clmul.fingerprint_each(self.width(), buffer, start, ends, fingerprints);
        }
        fingerprint_each(&self.advance, self.width(), buffer, start, ends, fingerprints);
    }
}

/// The inner loop of [`Rabin::fingerprint_each`], compiled once for each arithmetic.
#[inline(always)]
fn fingerprint_each<A: Arithmetic>(
    arithmetic: A,
    width: usize,
    buffer: &[u8],
    mut start: usize,
    ends: &[u32],
    fingerprints: &mut Vec<u64>,
) {
    for &end in ends {
        let end = end as usize;
        fingerprints.push(fingerprint_in(arithmetic, width, buffer, start, end));
        start = end;
    }
}

/// A window of `words` 64-bit values that rolls over a sequence: the fingerprint of every run of that length.
#[derive(Debug, Clone)]
pub struct RollingRabin {
    rabin: Rabin,
    words: usize,
    /// What a value that leaves the window has been multiplied with: `x^(64 * words)`.
    outgoing: Tables,
    outgoing_factor: u64,
    /// What each place of the window is multiplied with: `x^(64 * (words - 1))` down to 1.
    powers: Vec<u64>,
}

impl RollingRabin {
    /// Prepares a window of `words` values over the 64-bit fingerprints of `rabin`.
    pub fn new(rabin: Rabin, words: usize) -> Self {
        assert_eq!(rabin.polynomial.degree(), 64, "a rolling window takes 64-bit values");
        let outgoing_factor = rabin.polynomial.power_of_x(64 * words as u64);
        let outgoing = Tables::multiply_by(rabin.polynomial, outgoing_factor);
        let powers = (0..words as u64).rev().map(|place| rabin.polynomial.power_of_x(64 * place)).collect();
        RollingRabin { rabin, words, outgoing, outgoing_factor, powers }
    }

    /// How many values the window spans.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Fills `windows` with the fingerprint of every run of [`Self::words`] values; of the whole sequence if it is
    /// shorter; with nothing if it is empty.
    pub fn fingerprint_windows(&self, values: &[u64], windows: &mut Vec<u64>) {
        // What is there already is overwritten where windows are computed many at a time.
        #[cfg(target_arch = "x86_64")]
        if let Some(clmul) = self.rabin.clmul
            && clmul.fingerprint_windows_wide(&self.powers, self.outgoing_factor, values, windows)
        {
            return;
        }
        windows.clear();
        if values.is_empty() {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(clmul) = self.rabin.clmul {
            return clmul.fingerprint_windows(self.outgoing_factor, self.words, values, windows);
        }
        let tables = tables::Rolling { advance: &self.rabin.advance, outgoing: &self.outgoing };
        fingerprint_windows(tables, self.outgoing_factor, self.words, values, windows);
    }
}

/// The inner loop of [`RollingRabin::fingerprint_windows`], compiled once for each arithmetic.
///
/// The leading 1 stands before the window, at `x^(64 * words)`, and is added to each result: it does not roll.
#[inline(always)]
fn fingerprint_windows<A: Arithmetic>(
    arithmetic: A,
    leading: u64,
    words: usize,
    values: &[u64],
    windows: &mut Vec<u64>,
) {
    if values.len() < words {
        windows.push(values.iter().fold(1, |state, &value| arithmetic.advance(state) ^ value));
        return;
    }
    let mut state = values[..words].iter().fold(0, |state, &value| arithmetic.advance(state) ^ value);
    windows.reserve(values.len() - words + 1);
    windows.push(state ^ leading);
    windows.extend(values.iter().zip(&values[words..]).map(|(&outgoing, &incoming)| {
        state = arithmetic.roll(state, outgoing) ^ incoming;
        state ^ leading
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: the bits of the message after a leading 1, divided bit by bit.
    fn long_division(polynomial: Polynomial, bytes: &[u8]) -> u64 {
        let bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
        let full = 1u128 << polynomial.degree() | u128::from(polynomial.low());
        std::iter::once(1).chain(bits).fold(0u128, |remainder, bit| {
            let shifted = remainder << 1 | u128::from(bit);
            if shifted >> polynomial.degree() & 1 == 1 { shifted ^ full } else { shifted }
        }) as u64
    }

    fn bytes_of(values: &[u64]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_be_bytes()).collect()
    }

    proptest! {
        #[test]
        fn fingerprints_are_remainders(bytes in prop::collection::vec(any::<u8>(), 0..200), secret in any::<[u8; 32]>()) {
            for degree in [8, 32, 40, 56, 64] {
                let rabin = Rabin::new(degree, &Seed::new(secret), "test");
                let expected = long_division(rabin.polynomial(), &bytes);
                prop_assert_eq!(rabin.fingerprint(&bytes), expected);
                prop_assert_eq!(rabin.without_clmul().fingerprint(&bytes), expected);
            }
        }

        #[test]
        fn pieces_are_fingerprinted_as_if_alone(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..40)) {
            let (mut buffer, mut ends) = (vec![0; BEFORE], Vec::new());
            for piece in &pieces {
                buffer.extend_from_slice(piece);
                ends.push(buffer.len() as u32);
            }
            for degree in [32, 64] {
                let rabin = Rabin::new(degree, &Seed::PUBLIC, "test");
                let expected: Vec<u64> = pieces.iter().map(|piece| long_division(rabin.polynomial(), piece)).collect();
                for rabin in [rabin.clone(), rabin.clone().without_wide_clmul(), rabin.without_clmul()] {
                    let mut fingerprints = Vec::new();
                    rabin.fingerprint_each(&buffer, BEFORE, &ends, &mut fingerprints);
                    prop_assert_eq!(&fingerprints, &expected);
                }
            }
        }

        #[test]
        fn windows_are_remainders_of_their_own_bytes(values in prop::collection::vec(any::<u64>(), 0..60), words in 1usize..40) {
            let rabin = Rabin::new(64, &Seed::PUBLIC, "test");
            let expected: Vec<u64> = match values.len() {
                0 => vec![],
                n if n < words => vec![long_division(rabin.polynomial(), &bytes_of(&values))],
                _ => values.windows(words).map(|run| long_division(rabin.polynomial(), &bytes_of(run))).collect(),
            };
            for rabin in [rabin.clone(), rabin.clone().without_wide_clmul(), rabin.without_clmul()] {
                let mut windows = Vec::new();
                RollingRabin::new(rabin, words).fingerprint_windows(&values, &mut windows);
                prop_assert_eq!(&windows, &expected);
            }
        }
    }

    #[test]
    fn length_and_leading_zeros_count() {
        let rabin = Rabin::new(64, &Seed::PUBLIC, "test");
        let strings: [&[u8]; 4] = [b"", b"\0", b"\0\0", b"\0a"];
        for (i, a) in strings.iter().enumerate() {
            for b in &strings[..i] {
                assert_ne!(rabin.fingerprint(a), rabin.fingerprint(b));
            }
        }
    }
}
