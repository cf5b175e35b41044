//! From tokens to shingles: the set of all runs of w tokens, as mixed fingerprints, and the exact measures on such sets.

use crate::distinct::Repeats;
use crate::mix::{mix, mix_all};
use crate::page::Feature;
use crate::rabin::{Rabin, RollingRabin};
use crate::tokens::{PADDING, Tokens};

/// Fingerprints shingles of a fixed number of tokens.
#[derive(Debug, Clone)]
pub struct Shingler {
    rabin: Rabin,
    window: RollingRabin,
}

/// A set of shingles (or of ready-made features): distinct mixed fingerprints, in no promised order.
#[derive(Debug, Clone, Default)]
pub struct ShingleSet(Vec<u64>);

/// Room to make sets of shingles in, one after the other.
#[derive(Debug, Default)]
pub(crate) struct SetRoom {
    token_fingerprints: Vec<u64>,
    repeats: Repeats,
}

impl Shingler {
    /// Shingles of `words` tokens, fingerprinted by the 64-bit `rabin`.
    pub fn new(rabin: Rabin, words: usize) -> Self {
        Shingler { window: RollingRabin::new(rabin.clone(), words.max(1)), rabin }
    }

    /// How many tokens a shingle has.
    pub fn words(&self) -> usize {
        self.window.words()
    }

    /// Fills `fingerprints` with the fingerprint of every token, in order.
    pub fn fill_tokens(&self, tokens: &Tokens, fingerprints: &mut Vec<u64>) {
        fingerprints.clear();
        fingerprints.reserve(tokens.len());
        let (buffer, ends) = (tokens.padded_canonical(), tokens.canonical_ends());
        self.rabin.fingerprint_each(buffer, PADDING, ends, fingerprints);
    }

    /// Fills `shingles` with the mixed fingerprint of every run of [`Self::words`] tokens, in order, repeated ones
    /// included; of all tokens together if they are fewer.
    pub fn fill_shingles(&self, token_fingerprints: &[u64], shingles: &mut Vec<u64>) {
        self.window.fingerprint_windows(token_fingerprints, shingles);
        mix_all(shingles);
    }

    /// The set of shingles.
    pub fn set(&self, tokens: &Tokens) -> ShingleSet {
        let mut set = ShingleSet::default();
        self.fill_set(tokens, &mut set, &mut SetRoom::default());
        set
    }

    /// Fills `set` with the shingles.
    pub(crate) fn fill_set(&self, tokens: &Tokens, ShingleSet(set): &mut ShingleSet, room: &mut SetRoom) {
        self.fill_tokens(tokens, &mut room.token_fingerprints);
        self.fill_shingles(&room.token_fingerprints, set);
        room.repeats.remove(set);
    }

    /// The set of ready-made features, each taking the place of a shingle.
    pub fn set_of_features(&self, features: &[Feature]) -> ShingleSet {
        let fingerprint = |feature: &Feature| match feature {
            // A number and its decimal form are the same feature, whichever way a record wrote it.
            Feature::Number(number) => mix(self.rabin.fingerprint(number.to_string().as_bytes())),
            Feature::Name(name) => mix(self.rabin.fingerprint(name.as_bytes())),
        };
        ShingleSet::from_fingerprints(features.iter().map(fingerprint).collect())
    }
}

impl ShingleSet {
    /// The set of these mixed fingerprints.
    pub fn from_fingerprints(mut fingerprints: Vec<u64>) -> Self {
        Repeats::default().remove(&mut fingerprints);
        ShingleSet(fingerprints)
    }

    /// How many different shingles there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fingerprints.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// The fingerprints in ascending order.
    pub fn sorted(&self) -> Vec<u64> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted
    }
}

/// How much two sets have in common, counted exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// |A|
    pub a: usize,
    /// |B|
    pub b: usize,
    /// |A ∩ B|
    pub common: usize,
}

impl Overlap {
    /// Counts the common shingles of two sets.
    pub fn of(a: &ShingleSet, b: &ShingleSet) -> Self {
        Overlap::of_sorted(&a.sorted(), &b.sorted())
    }

    /// Counts the common elements of two sets that are already sorted.
    pub fn of_sorted(a: &[u64], b: &[u64]) -> Self {
        Overlap { a: a.len(), b: b.len(), common: count_common(a, b) }
    }

    /// Resemblance, |A ∩ B| / |A ∪ B|; 0 if both are empty: an empty document is a copy of nothing.
    pub fn resemblance(self) -> f64 {
        ratio(self.common, self.a + self.b - self.common)
    }

    /// Containment of A in B, |A ∩ B| / |A|.
    pub fn containment_a_in_b(self) -> f64 {
        ratio(self.common, self.a)
    }

    /// Containment of B in A, |A ∩ B| / |B|.
    pub fn containment_b_in_a(self) -> f64 {
        ratio(self.common, self.b)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// How many values two ascending sequences share.
pub(crate) fn count_common(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        common += usize::from(a[i] == b[j]);
        // Both may advance: no branch to mispredict.
        let (left, right) = (a[i], b[j]);
        i += usize::from(left <= right);
        j += usize::from(right <= left);
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn shingler(words: usize) -> Shingler {
        Shingler::new(Rabin::new(64, &Seed::PUBLIC, "shingles"), words)
    }

    /// The definition: the set of runs of words.
    fn naive<'a>(words: &[&'a str], w: usize) -> BTreeSet<Vec<&'a str>> {
        match words.len() {
            0 => BTreeSet::new(),
            n if n < w => [words.to_vec()].into(),
            _ => words.windows(w).map(<[&str]>::to_vec).collect(),
        }
    }

    proptest! {
        #[test]
        fn sets_measure_as_sets_of_runs_do(
            a in prop::collection::vec(prop::sample::select(vec!["a", "b", "한국", "東", "longer-than-eight"]), 0..60),
            b in prop::collection::vec(prop::sample::select(vec!["a", "b", "한국", "東", "longer-than-eight"]), 0..60),
            w in 1usize..12,
        ) {
            let set = |words: &[&str]| shingler(w).set(&Tokens::of_words(&words.join(" ")));
            let overlap = Overlap::of(&set(&a), &set(&b));
            let (a, b) = (naive(&a, w), naive(&b, w));
            let common = a.intersection(&b).count();
            prop_assert_eq!(overlap, Overlap { a: a.len(), b: b.len(), common });
        }
    }

    #[test]
    fn short_and_empty_documents() {
        let set = |text: &str| shingler(10).set(&Tokens::of(text));
        assert_eq!(set("").len(), 0);
        assert_eq!(set("three little words").len(), 1);
        assert_eq!(Overlap::of(&set("Three little words!"), &set("three, little, words")).resemblance(), 1.0);
        assert_eq!(Overlap::of(&set("three little words"), &set("three little")).resemblance(), 0.0);
        assert_eq!(Overlap::of(&set(""), &set("")).resemblance(), 0.0);
    }

    #[test]
    fn ready_made_features_are_a_set() {
        let set = |features: &[Feature]| shingler(10).set_of_features(features);
        let name = |name: &str| Feature::Name(name.to_owned());
        let a = set(&[name("red"), name("7"), name("red")]);
        let b = set(&[Feature::Number(7), name("blue")]);
        assert_eq!(Overlap::of(&a, &b), Overlap { a: 2, b: 2, common: 1 });
    }
}
