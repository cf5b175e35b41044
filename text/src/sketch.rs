//! Samples of a set of shingles that still tell resemblance and containment (broder-1997): MOD_m, V_i and MIN_s.

use crate::estimate::{Confidence, Estimate};
use crate::mix::mix;
use crate::rabin::Rabin;
use crate::shingles::{ShingleSet, count_common};

/// Broder's m: one shingle in 25 is kept.
pub const MODULUS: u64 = 25;

/// MOD_m: the shingles that are 0 modulo m. Grows with the document; tells resemblance and containment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModSketch {
    modulus: u64,
    values: Vec<u64>,
}

/// The i of V_i stops here: one shingle in eight, however long the document. So any two sketches compare at this level or
/// a lower one, and a short text inside a very long one still shows: of 100 contained shingles 12 samples are expected,
/// and none with probability (7/8)^100 < 10^-5.
pub const MAX_LEVEL: u32 = 3;

/// V_i: MOD_(2^i), with i chosen so that a document keeps 100 to 200 shingles or all it has; long ones keep one in
/// 2^[`MAX_LEVEL`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelSketch {
    level: u32,
    values: Vec<u64>,
}

/// MIN_s: the s smallest shingles. Of one size whatever the document; tells resemblance only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinSketch {
    size: usize,
    values: Vec<u64>,
}

fn sorted_sample(shingles: &ShingleSet, keep: impl Fn(u64) -> bool) -> Vec<u64> {
    let mut values: Vec<u64> = shingles.as_slice().iter().copied().filter(|&value| keep(value)).collect();
    values.sort_unstable();
    values
}

fn estimate_resemblance(a: &[u64], b: &[u64], complete: bool) -> Estimate {
    let common = count_common(a, b);
    Estimate::of_share(common, a.len() + b.len() - common, complete)
}

impl ModSketch {
    /// Keeps the shingles that are 0 modulo `modulus`.
    pub fn new(shingles: &ShingleSet, modulus: u64) -> Self {
        let divisible = Divisibility::by(modulus);
        ModSketch { modulus, values: sorted_sample(shingles, |value| divisible.divides(value)) }
    }

    /// The sampled shingles, ascending.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// Estimates |A ∩ B| / |A ∪ B|.
    pub fn resemblance(&self, other: &Self) -> Estimate {
        debug_assert_eq!(self.modulus, other.modulus, "sketches of two moduli do not compare");
        estimate_resemblance(&self.values, &other.values, self.modulus == 1)
    }

    /// Estimates |A ∩ B| / |A|, the containment of this document in the other.
    pub fn containment_in(&self, other: &Self) -> Estimate {
        debug_assert_eq!(self.modulus, other.modulus, "sketches of two moduli do not compare");
        Estimate::of_share(count_common(&self.values, &other.values), self.values.len(), self.modulus == 1)
    }

    /// Super-shingles: fingerprints of runs of `run` consecutive values of the sorted sketch.
    /// One in common means similar. A sketch shorter than a run has none: too short to be judged this way.
    pub fn super_shingles(&self, run: usize, rabin: &Rabin) -> Vec<u64> {
        let fingerprint = |run: &[u64]| {
            let bytes: Vec<u8> = run.iter().flat_map(|value| value.to_be_bytes()).collect();
            mix(rabin.fingerprint(&bytes))
        };
        self.values.windows(run.max(1)).map(fingerprint).collect()
    }
}

impl LevelSketch {
    /// Keeps V_i for the i that fits the size of the set.
    pub fn new(shingles: &ShingleSet) -> Self {
        let level = Self::level_for(shingles.len());
        LevelSketch { level, values: sorted_sample(shingles, |value| is_multiple_of_power(value, level)) }
    }

    /// The i of a document with between 100·2^i and 100·2^(i+1) shingles, at most [`MAX_LEVEL`]; 0 for one with fewer
    /// than 100.
    pub fn level_for(shingles: usize) -> u32 {
        (shingles / 100).max(1).ilog2().min(MAX_LEVEL)
    }

    /// The i of V_i.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// The sampled shingles, ascending.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// The same, and nothing else of it.
    pub fn into_values(self) -> Vec<u64> {
        self.values
    }

    /// How many values it has at each level, from its own up to [`MAX_LEVEL`]: what others must know of it to estimate
    /// from the number of values in common alone.
    pub fn sizes(&self) -> Vec<usize> {
        (self.level..=MAX_LEVEL).map(|level| self.raised(level).count()).collect()
    }

    /// What the sketches have in common at the larger level of the two.
    pub fn overlap(&self, other: &Self) -> SampledOverlap {
        let level = self.level.max(other.level);
        let (a, b): (Vec<u64>, Vec<u64>) = (self.raised(level).collect(), other.raised(level).collect());
        SampledOverlap::new(count_common(&a, &b), a.len(), b.len(), level)
    }

    /// Estimates |A ∩ B| / |A ∪ B|, at the larger level of the two.
    pub fn resemblance(&self, other: &Self) -> Estimate {
        self.overlap(other).resemblance(Confidence::Usual)
    }

    /// Estimates |A ∩ B| / |A|, the containment of this document in the other.
    pub fn containment_in(&self, other: &Self) -> Estimate {
        self.overlap(other).containment_a_in_b(Confidence::Usual)
    }

    fn raised(&self, level: u32) -> impl Iterator<Item = u64> + '_ {
        self.values.iter().copied().filter(move |&value| is_multiple_of_power(value, level))
    }
}

/// How much two sketches V_i have in common at one level: all that the estimates need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampledOverlap {
    common: usize,
    a: usize,
    b: usize,
    level: u32,
}

impl SampledOverlap {
    /// `common` values of `a` and of `b`, all at `level`: the larger one of the two documents' levels. Whoever looks up
    /// the values of a sketch among those of others counts just that.
    pub fn new(common: usize, a: usize, b: usize, level: u32) -> Self {
        // A count of shortened values may be too large, once in very long; no share is.
        SampledOverlap { common: common.min(a).min(b), a, b, level }
    }

    /// Estimates |A ∩ B| / |A ∪ B|.
    pub fn resemblance(self, confidence: Confidence) -> Estimate {
        self.share_of(self.a + self.b - self.common, confidence)
    }

    /// Estimates |A ∩ B| / |A|.
    pub fn containment_a_in_b(self, confidence: Confidence) -> Estimate {
        self.share_of(self.a, confidence)
    }

    /// Estimates |A ∩ B| / |B|.
    pub fn containment_b_in_a(self, confidence: Confidence) -> Estimate {
        self.share_of(self.b, confidence)
    }

    fn share_of(self, whole: usize, confidence: Confidence) -> Estimate {
        // Level 0 keeps every shingle.
        Estimate::with_confidence(confidence, self.common, whole, self.level == 0)
    }
}

fn is_multiple_of_power(value: u64, exponent: u32) -> bool {
    value.trailing_zeros() >= exponent
}

impl MinSketch {
    /// Keeps the `size` smallest shingles.
    pub fn new(shingles: &ShingleSet, size: usize) -> Self {
        let mut values = shingles.as_slice().to_vec();
        if size < values.len() {
            values.select_nth_unstable(size);
            values.truncate(size);
        }
        values.sort_unstable();
        MinSketch { size, values }
    }

    /// The sampled shingles, ascending.
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// Estimates |A ∩ B| / |A ∪ B| from the s smallest of the union.
    pub fn resemblance(&self, other: &Self) -> Estimate {
        debug_assert_eq!(self.size, other.size, "sketches of two sizes do not compare");
        let (a, b) = (&self.values, &other.values);
        let (mut i, mut j, mut union, mut common) = (0, 0, 0, 0);
        while union < self.size && (i < a.len() || j < b.len()) {
            let (left, right) = (a.get(i), b.get(j));
            union += 1;
            common += usize::from(left == right);
            i += usize::from(right.is_none() || left.is_some() && left <= right);
            j += usize::from(left.is_none() || right.is_some() && right <= left);
        }
        // Both sets are known whole only if both are smaller than a sketch, and all of them was seen.
        let complete = a.len() < self.size && b.len() < self.size && i == a.len() && j == b.len();
        Estimate::of_share(common, union, complete)
    }
}

/// Tells multiples of a constant by one multiplication: `m = odd * 2^shift` divides `x` exactly if `x` times the
/// inverse of `odd`, rotated right by `shift`, is at most `MAX / m` (Granlund and Montgomery).
struct Divisibility {
    inverse: u64,
    shift: u32,
    limit: u64,
}

impl Divisibility {
    fn by(modulus: u64) -> Self {
        let modulus = modulus.max(1);
        let shift = modulus.trailing_zeros();
        let odd = modulus >> shift;
        // Newton's iteration doubles the right bits: 3, 6, 12, 24, 48, 96.
        let inverse =
            (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))));
        Divisibility { inverse, shift, limit: u64::MAX / modulus }
    }

    fn divides(&self, value: u64) -> bool {
        value.wrapping_mul(self.inverse).rotate_right(self.shift) <= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(values: &BTreeSet<u64>) -> ShingleSet {
        ShingleSet::from_fingerprints(values.iter().copied().collect())
    }

    fn share(part: usize, whole: usize) -> f64 {
        if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
    }

    fn sets() -> impl Strategy<Value = (BTreeSet<u64>, BTreeSet<u64>)> {
        let small = || prop::collection::btree_set(0u64..1500, 0..1200);
        let large = || prop::collection::btree_set(any::<u64>(), 0..1200);
        prop_oneof![(small(), small()), (large(), large())]
    }

    proptest! {
        #[test]
        fn mod_samples_and_estimates_as_defined((a, b) in sets(), modulus in 1u64..40) {
            let sampled = |set: &BTreeSet<u64>| -> BTreeSet<u64> { set.iter().copied().filter(|value| value % modulus == 0).collect() };
            let (va, vb) = (sampled(&a), sampled(&b));
            let (sa, sb) = (ModSketch::new(&set(&a), modulus), ModSketch::new(&set(&b), modulus));
            prop_assert!(va.iter().eq(sa.values()));
            let common = va.intersection(&vb).count();
            prop_assert_eq!(sa.resemblance(&sb).value, share(common, va.union(&vb).count()));
            prop_assert_eq!(sa.containment_in(&sb).value, share(common, va.len()));
        }

        #[test]
        fn levels_sample_and_estimate_as_defined((a, b) in sets()) {
            let (sa, sb) = (LevelSketch::new(&set(&a)), LevelSketch::new(&set(&b)));
            let power = 1u64 << sa.level().max(sb.level());
            let sampled = |set: &BTreeSet<u64>, power: u64| -> BTreeSet<u64> { set.iter().copied().filter(|value| value % power == 0).collect() };
            prop_assert!(sampled(&a, 1 << sa.level()).iter().eq(sa.values()));
            let (va, vb) = (sampled(&a, power), sampled(&b, power));
            let common = va.intersection(&vb).count();
            prop_assert_eq!(sa.resemblance(&sb).value, share(common, va.union(&vb).count()));
            prop_assert_eq!(sa.containment_in(&sb).value, share(common, va.len()));
            prop_assert_eq!(sb.containment_in(&sa), sa.overlap(&sb).containment_b_in_a(Confidence::Usual));
            let sizes: Vec<usize> = (sa.level()..=MAX_LEVEL).map(|level| sampled(&a, 1 << level).len()).collect();
            prop_assert_eq!(sa.sizes(), sizes);
        }

        /// What the sizes and a count tell is what the values tell.
        #[test]
        fn counting_is_comparing((a, b) in sets()) {
            let (sa, sb) = (LevelSketch::new(&set(&a)), LevelSketch::new(&set(&b)));
            let level = sa.level().max(sb.level());
            let size = |sketch: &LevelSketch| sketch.sizes()[(level - sketch.level()) as usize];
            let held = sa.values().iter().filter(|value| sb.values().contains(value)).count();
            prop_assert_eq!(SampledOverlap::new(held, size(&sa), size(&sb), level), sa.overlap(&sb));
        }

        #[test]
        fn caution_widens(common in 0usize..300, a in 0usize..300, b in 0usize..300, level in 0u32..=MAX_LEVEL) {
            let overlap = SampledOverlap::new(common, a, b, level);
            for estimate in [SampledOverlap::resemblance, SampledOverlap::containment_a_in_b, SampledOverlap::containment_b_in_a] {
                let (usual, cautious) = (estimate(overlap, Confidence::Usual), estimate(overlap, Confidence::Cautious));
                prop_assert_eq!(cautious.value, usual.value);
                prop_assert!(0.0 <= cautious.low && cautious.low <= usual.low && usual.high <= cautious.high && cautious.high <= 1.0);
                prop_assert!(level > 0 || cautious.is_exact());
            }
        }

        #[test]
        fn min_samples_and_estimates_as_defined((a, b) in sets(), size in 1usize..300) {
            let smallest = |set: &BTreeSet<u64>| -> BTreeSet<u64> { set.iter().copied().take(size).collect() };
            let (fa, fb) = (smallest(&a), smallest(&b));
            let (sa, sb) = (MinSketch::new(&set(&a), size), MinSketch::new(&set(&b), size));
            prop_assert!(fa.iter().eq(sa.values()));
            let union = smallest(&fa.union(&fb).copied().collect());
            let common = union.iter().filter(|value| fa.contains(value) && fb.contains(value)).count();
            prop_assert_eq!(sa.resemblance(&sb).value, share(common, union.len()));
            if sa.resemblance(&sb).is_exact() {
                prop_assert_eq!(sa.resemblance(&sb).value, share(a.intersection(&b).count(), a.union(&b).count()));
            }
        }

        #[test]
        fn divisibility_is_divisibility(value: u64, modulus in 1u64..1_000_000) {
            let divisible = Divisibility::by(modulus);
            prop_assert_eq!(divisible.divides(value), value % modulus == 0);
            prop_assert!(divisible.divides(value / modulus * modulus));
        }

        #[test]
        fn super_shingles_agree_where_runs_do(a in prop::collection::btree_set(0u64..30, 0..30), b in prop::collection::btree_set(0u64..30, 0..30), run in 1usize..6) {
            let rabin = Rabin::new(64, &Seed::PUBLIC, "super-shingles");
            let (a, b) = (ModSketch::new(&set(&a), 1), ModSketch::new(&set(&b), 1));
            let runs = |sketch: &ModSketch| -> BTreeSet<Vec<u64>> { sketch.values().windows(run).map(<[u64]>::to_vec).collect() };
            let fingerprints = |sketch: &ModSketch| -> BTreeSet<u64> { sketch.super_shingles(run, &rabin).into_iter().collect() };
            let common = fingerprints(&a).intersection(&fingerprints(&b)).count();
            prop_assert_eq!(common, runs(&a).intersection(&runs(&b)).count());
        }
    }

    #[test]
    fn levels_follow_the_paper_up_to_the_last() {
        for (shingles, level) in [
            (0, 0),
            (99, 0),
            (100, 0),
            (199, 0),
            (200, 1),
            (399, 1),
            (400, 2),
            (800, 3),
            (100 << 20, MAX_LEVEL),
        ] {
            assert_eq!(LevelSketch::level_for(shingles), level, "{shingles}");
        }
    }
}
