//! A sketch of which pairs of neighbouring words a text has: texts that share a few sentences are told from copies without
//! their words.

use super::relation::MIN_LIKENESS;
use super::words::Words;
use crate::vector::with_vectors;

/// Bits of a sketch.
const BITS: usize = 8 * PairSketch::BYTES;
/// Words that hold the bits.
const PARTS: usize = PairSketch::BYTES / 8;
/// The share of bits from which on a sketch is too full to say anything: some 6,000 different pairs.
const FULL: f64 = 0.95;
/// The least number of bits that say something. Shorter texts are compared as quickly.
const FEW: f64 = 64.0;
/// The share of the pairs of the shorter text below which two texts are no copies, at a likeness of [`MIN_LIKENESS`]. A copy with every fifth word replaced has
/// three pairs in five, and one with a word put in after every second one has half of them; estimates are off by a few
/// per cent. Two unrelated texts of 870 words share one in seven.
const LEAST_SHARE: f64 = 0.35;

/// A bitmap with one bit for each pair of neighbouring words, by their hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairSketch([u64; PARTS]);

impl PairSketch {
    /// Bytes of a sketch.
    pub const BYTES: usize = 256;
    /// The sketch of a text without pairs.
    pub const EMPTY: PairSketch = PairSketch([0; PARTS]);

    /// Makes the sketch of a text.
    pub fn of(words: &Words) -> Self {
        let mut sketch = Self::EMPTY;
        for pair in words.codes.windows(2) {
            let pair = u64::from(pair[0]) << 32 | u64::from(pair[1]);
            let bit = (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS.ilog2())) as usize;
            sketch.0[bit / 64] |= 1 << (bit % 64);
        }
        sketch
    }

    /// Whether two texts may have as many pairs in common as copies have: edited ones of this likeness, or an excerpt and the
    /// whole. True if the sketches cannot say.
    pub fn may_be_copies(&self, other: &PairSketch, min_likeness: f64) -> bool {
        let [a, b, either] = {
            let sketch = self;
            with_vectors!(count_bits, (sketch: &PairSketch, other: &PairSketch) -> [u32; 3]).map(f64::from)
        };
        if a.min(b) < FEW || either > FULL * BITS as f64 {
            return true;
        }
        // Pairs that fall into so many bits, some of them into the same (linear counting).
        let pairs = |bits: f64| -(1.0 - bits / BITS as f64).ln();
        let (of_a, of_b) = (pairs(a), pairs(b));
        // A replaced word takes two pairs with it.
        let least = LEAST_SHARE * (min_likeness / MIN_LIKENESS).powi(2).min(1.0);
        of_a + of_b - pairs(either) >= least * of_a.min(of_b)
    }
}

/// Counts the bits of two sketches, and of both together.
#[inline(always)]
fn count_bits(a: &PairSketch, b: &PairSketch) -> [u32; 3] {
    a.0.iter().zip(&b.0).fold([0; 3], |[of_a, of_b, of_either], (a, b)| {
        [of_a + a.count_ones(), of_b + b.count_ones(), of_either + (a | b).count_ones()]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::{Weights, compare};
    use proptest::prelude::*;

    fn text(numbers: &[u32]) -> String {
        let letters =
            |number: u32| [0, 4, 8, 12].map(|shift| char::from(b'a' + (number >> shift & 15) as u8));
        numbers.iter().map(|&number| letters(number).iter().collect::<String>() + " ").collect()
    }

    fn may_be_copies(a: &str, b: &str, min_likeness: f64) -> bool {
        let [a, b] = [a, b].map(|text| PairSketch::of(&Words::of(text, &Weights::default())));
        a.may_be_copies(&b, min_likeness)
    }

    proptest! {
        #[test]
        fn edited_copies_are_never_ruled_out(
            words in prop::collection::vec(0u32..60_000, 20..400),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0u32..60_000, 0u8..3), 0..120),
            min_likeness in 0.4f64..1.0,
        ) {
            let mut copy = words.clone();
            for (place, word, kind) in edits {
                let place = place.index(copy.len());
                match kind {
                    0 => copy[place] = word,
                    1 => copy.insert(place, word),
                    _ => drop(copy.remove(place)),
                }
                if copy.len() < 10 {
                    break;
                }
            }
            let (original, copy) = (text(&words), text(&copy));
            let likeness = compare(&Words::of(&original, &Weights::default()), &Words::of(&copy, &Weights::default()));
            prop_assert!(!likeness.relation(min_likeness).is_copy() || may_be_copies(&original, &copy, min_likeness));
        }
    }

    #[test]
    fn texts_that_share_a_part_are_ruled_out_and_excerpts_are_not() {
        let numbers = |start: u32, count: u32| (start..start + count).collect::<Vec<_>>();
        for length in [150, 400, 2_000] {
            let whole = text(&numbers(0, length));
            let other = text(&[numbers(0, length / 5), numbers(20_000, length)].concat());
            assert!(!may_be_copies(&whole, &other, MIN_LIKENESS), "{length}");
            assert!(may_be_copies(&whole, &text(&numbers(length / 4, length / 2)), MIN_LIKENESS), "{length}");
        }
        assert!(may_be_copies("", "a few words", MIN_LIKENESS));
    }
}
