//! Upper bounds of the likeness of two texts, from a few numbers and 256 bytes of each: most pairs that are no copies are
//! ruled out before their words are read.

use super::measure::{END_PART, LEVEL};
use super::relation::EXCERPT;
use super::weights::ORDINARY;
use super::words::Words;
use crate::vector::with_vectors;

/// How long a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextSize {
    /// Words.
    pub words: u64,
    /// The weight of all words.
    pub weight: u64,
}

impl TextSize {
    /// Measures a text.
    pub fn of(words: &Words) -> Self {
        TextSize { words: words.len() as u64, weight: words.total_weight() }
    }
}

/// The weight of the words of a text in each of 256 buckets, up to 255; a word falls into a bucket by its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordProfile([u8; WordProfile::BYTES]);

impl WordProfile {
    /// Bytes of a profile.
    pub const BYTES: usize = 256;

    /// Makes the profile of a text.
    pub fn of(words: &Words) -> Self {
        let mut weights = [0u32; Self::BYTES];
        for (code, weight) in words.weighed() {
            weights[bucket(code)] += weight;
        }
        WordProfile(weights.map(|weight| weight.min(255) as u8))
    }

    /// Returns the bytes of the profile.
    pub fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    /// Computes a lower bound of the weight of the words that only one of two texts has, from the bytes of their profiles.
    pub fn distance(a: &[u8; Self::BYTES], b: &[u8; Self::BYTES]) -> u64 {
        type Bytes = [u8; WordProfile::BYTES];
        u64::from(with_vectors!(sum_of_differences, (a: &Bytes, b: &Bytes) -> u32))
    }
}

#[inline(always)]
fn sum_of_differences(a: &[u8; WordProfile::BYTES], b: &[u8; WordProfile::BYTES]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

#[inline]
fn bucket(code: u32) -> usize {
    (code.wrapping_mul(0x9e37_79b1) >> 24) as usize
}

/// Whether a later text may be a copy of an earlier one (edited or an excerpt), given their sizes and a lower bound of the
/// weight of the words that only one of them has. Never false for a copy; true for other texts, too.
pub fn may_be_copy(earlier: TextSize, later: TextSize, distance: u64, min_likeness: f64) -> bool {
    let distance = distance.max(earlier.weight.abs_diff(later.weight));
    let by_weight = greatest_share(earlier.weight, later.weight, distance);
    // Levelled, a word weighs at most `LEVEL`, and no smaller part of its weight than an ordinary word does.
    let most_levelled = |size: TextSize| size.weight.min(size.words * u64::from(LEVEL));
    let levelled = greatest_share(
        most_levelled(earlier),
        most_levelled(later),
        (distance * u64::from(LEVEL)).div_ceil(u64::from(ORDINARY)),
    );
    // The sum of floating-point numbers may be rounded up where the likeness is computed.
    if (by_weight + levelled) / 2.0 >= min_likeness - 1e-9 {
        return true;
    }
    // No word weighs more than an ordinary one.
    let least_uncommon =
        (later.weight + distance).saturating_sub(earlier.weight).div_ceil(2 * u64::from(ORDINARY));
    let most_common = later.words.saturating_sub(least_uncommon);
    later.words < earlier.words && most_common as f64 / later.words as f64 >= EXCERPT
}

/// The greatest share of two texts that can be common, given their weights and the least weight of what only one of them has.
fn greatest_share(a: u64, b: u64, distance: u64) -> f64 {
    let whole = (a + b) as f64;
    let distance = (distance as f64).min(whole);
    // Of what only one text has, the four ends count half at best.
    let ends = (4.0 * a.min(b) as f64 / END_PART as f64).min(distance);
    (whole - distance) / (whole - ends / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::{Weights, compare};
    use proptest::prelude::*;

    fn words(words: &[&str]) -> Words {
        Words::of(&words.join(" "), &Weights::default())
    }

    fn is_ruled_out(a: &Words, b: &Words, min_likeness: f64) -> bool {
        let distance = WordProfile::distance(WordProfile::of(a).as_bytes(), WordProfile::of(b).as_bytes());
        !may_be_copy(TextSize::of(a), TextSize::of(b), distance, min_likeness)
    }

    fn text(length: usize) -> impl Strategy<Value = Vec<&'static str>> {
        const VOCABULARY: &[&str] = &[
            "the", "of", "red", "blue", "green", "fast", "slow", "한", "국", "의", "漢", "字", "の", "7",
            "88", "Anna",
        ];
        prop::collection::vec(prop::sample::select(VOCABULARY), 0..length)
    }

    proptest! {
        #[test]
        fn copies_are_never_ruled_out(
            a in text(150), cut in 0usize..150, moved in 0usize..150, other in text(20), min_likeness in 0.1f64..1.0,
        ) {
            let (cut, moved) = (cut.min(a.len()), moved.min(a.len()));
            let copy = [&a[moved..], &other, &a[..cut.min(moved)]].concat();
            let (a, b) = (words(&a), words(&copy));
            for (earlier, later) in [(&a, &b), (&b, &a)] {
                let is_copy = compare(earlier, later).relation(min_likeness).is_copy();
                prop_assert!(!(is_copy && is_ruled_out(earlier, later, min_likeness)));
            }
        }
    }

    #[test]
    fn other_texts_and_longer_texts_are_ruled_out() {
        let text = |start: u32, count: u32| -> Words {
            let each = |number: u32| {
                let letter = |shift: u32| char::from(b'a' + (number >> shift & 15) as u8);
                [letter(0), letter(4), letter(8), ' '].iter().collect::<String>()
            };
            Words::of(&(start..start + count).map(each).collect::<String>(), &Weights::default())
        };
        let (text, part, other) = (text(0, 300), text(100, 120), text(2000, 300));
        assert!(is_ruled_out(&text, &other, 0.8));
        assert!(!is_ruled_out(&text, &part, 0.8), "an excerpt");
        assert!(is_ruled_out(&part, &text, 0.8), "extended");
        assert!(is_ruled_out(&other, &part, 0.8));
    }
}
