//! The six features of the store-time check (lee-2008): minima in groups, each group fingerprinted again.

use crate::minima::{Permutations, Simd};
use crate::mix::mix;
use crate::rabin::Rabin;
use crate::seed::Seed;
use crate::shingles::ShingleSet;

/// How many groups of how many minima make the features, and how many must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureRule {
    /// k: features a document has.
    pub groups: usize,
    /// s: minima that make one feature.
    pub group_size: usize,
    /// z: features that two documents must share to be duplicates.
    pub needed: usize,
}

impl Default for FeatureRule {
    /// The papers' values: 84 permutations in 6 groups of 14, 2 of which must agree.
    fn default() -> Self {
        FeatureRule { groups: 6, group_size: 14, needed: 2 }
    }
}

impl FeatureRule {
    /// The largest groups of `minima` values, one of which agreeing is enough, that miss at most 2 in 1,000 pairs
    /// whose resemblance is exactly `r`: what finds candidates where the papers' rule would miss too many.
    pub fn nominating(r: f64, minima: usize) -> Self {
        const MISSED: f64 = 0.002;
        let rule = |group_size| FeatureRule { groups: minima / group_size, group_size, needed: 1 };
        let finds = |rule: &FeatureRule| 1.0 - rule.detection_probability(r) <= MISSED;
        (1..=minima).rev().map(rule).find(finds).unwrap_or(rule(1))
    }

    /// Minima it takes: as many permutations.
    pub fn minima(self) -> usize {
        self.groups * self.group_size
    }

    /// The probability that two documents of resemblance `r` share enough features.
    pub fn detection_probability(self, r: f64) -> f64 {
        let p = r.powi(self.group_size as i32);
        let exactly = |i: usize| {
            let ways = (0..i).fold(1.0, |ways, j| ways * (self.groups - j) as f64 / (j + 1) as f64);
            ways * p.powi(i as i32) * (1.0 - p).powi((self.groups - i) as i32)
        };
        (self.needed..=self.groups).map(exactly).sum()
    }
}

/// Computes features, under one seed; several rules may group the same minima.
#[derive(Debug, Clone)]
pub struct FeatureMaker {
    rule: FeatureRule,
    permutations: Permutations,
    rabin: Rabin,
}

/// The features of a document, in order; none for an empty one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features(pub Vec<u64>);

impl FeatureMaker {
    /// Draws the permutations and the polynomial from the seed.
    pub fn new(rule: FeatureRule, seed: &Seed) -> Self {
        FeatureMaker {
            rule,
            permutations: Permutations::new(rule.minima(), seed),
            rabin: Rabin::new(64, seed, "features"),
        }
    }

    /// The same features by another kernel.
    pub fn with_simd(mut self, simd: Simd) -> Self {
        self.permutations = self.permutations.with_simd(simd);
        self
    }

    /// The features of a set of shingles.
    pub fn features(&self, shingles: &ShingleSet) -> Features {
        self.grouped(&self.minima(shingles), self.rule)
    }

    /// The minimum of every permutation over a set of shingles; none for an empty one.
    pub(crate) fn minima(&self, shingles: &ShingleSet) -> Vec<u32> {
        if shingles.is_empty() { Vec::new() } else { self.permutations.minima(shingles.as_slice()) }
    }

    /// The features that a rule makes of minima: as many whole groups as it asks for.
    pub(crate) fn grouped(&self, minima: &[u32], rule: FeatureRule) -> Features {
        let groups = minima.chunks_exact(rule.group_size).take(rule.groups);
        Features(groups.map(|group| self.fingerprint(group)).collect())
    }

    fn fingerprint(&self, group: &[u32]) -> u64 {
        let bytes: Vec<u8> = group.iter().flat_map(|minimum| minimum.to_be_bytes()).collect();
        mix(self.rabin.fingerprint(&bytes))
    }
}

impl Features {
    /// How many features agree at the same positions.
    pub fn shared(&self, other: &Features) -> usize {
        self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_the_papers_values() {
        for (r, expected) in [(0.77, 0.009), (0.90, 0.415), (0.95, 0.879), (0.975, 0.989), (0.98, 0.996)] {
            let probability = FeatureRule::default().detection_probability(r);
            assert!((probability - expected).abs() < 0.0006, "{r}: {probability}");
        }
    }

    #[test]
    fn nominating_groups_shrink_with_the_threshold() {
        for (r, group_size) in [(0.95, 10), (0.9, 7), (0.8, 5), (0.7, 3), (0.5, 2), (0.05, 1)] {
            let rule = FeatureRule::nominating(r, 84);
            assert_eq!((rule.group_size, rule.groups, rule.needed), (group_size, 84 / group_size, 1), "{r}");
        }
        assert!(FeatureRule::nominating(0.8, 84).detection_probability(0.85) > 0.9999);
    }

    #[test]
    fn an_empty_document_shares_nothing() {
        let maker = FeatureMaker::new(FeatureRule::default(), &Seed::PUBLIC);
        let empty = maker.features(&ShingleSet::default());
        assert_eq!(empty.shared(&empty), 0);
        let one = maker.features(&ShingleSet::from_fingerprints(vec![5]));
        assert_eq!((one.0.len(), one.shared(&one), one.shared(&empty)), (6, 6, 0));
    }
}
