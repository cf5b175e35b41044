//! Classes of text weights, one byte each: which of very many documents that share a few keys with a text may be copies, by
//! weight alone. Reading a byte of each is much cheaper than reading the documents.

use super::phrases::{KEYS, THREE_KEYS, TWO_KEYS, least_keys};

/// The class of the weight of a text: a seventh of an octave. Classes end where more shared keys are needed. By default the
/// class of no weight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct WeightClass(u8);

/// Classes in which a weight doubles.
const PER_OCTAVE: u32 = 7;
/// Number of classes that weights can have.
const CLASSES: usize = (PER_OCTAVE * u32::BITS + 4) as usize;

const _: () = assert!(CLASSES <= 1 << u8::BITS, "a class fits a byte");

impl WeightClass {
    /// Returns the class of a weight.
    pub fn of(weight: u32) -> Self {
        let passed = [TWO_KEYS, THREE_KEYS].iter().filter(|&&edge| u64::from(weight) >= edge).count();
        WeightClass((step(weight) + passed as u32 + u32::from(weight > 0) + 1) as u8)
    }

    /// Whether this is the class of a weight.
    pub fn is_known(self) -> bool {
        self.0 > 0
    }
}

/// The number of the seventh of an octave that a weight is in; 0 for no weight.
fn step(weight: u32) -> u32 {
    let weight = u64::from(weight.max(1));
    let octave = weight.ilog2();
    // Parts of an octave in equal steps: they need not be equal ratios.
    let part = ((weight - (1 << octave)) * u64::from(PER_OCTAVE)) >> octave;
    octave * PER_OCTAVE + part as u32
}

/// The least and the greatest weight of every class, by the number of the class.
fn ranges() -> Vec<Option<(u64, u64)>> {
    let mut edges: Vec<u64> = vec![0, 1, TWO_KEYS, THREE_KEYS];
    for octave in 0..u64::from(u32::BITS) {
        let part = |part: u64| (1u64 << octave) + ((1u64 << octave) * part).div_ceil(u64::from(PER_OCTAVE));
        edges.extend((0..u64::from(PER_OCTAVE)).map(part).filter(|&edge| edge > 1));
    }
    edges.sort_unstable();
    edges.dedup();
    let ends = edges.iter().skip(1).map(|end| end - 1).chain([u64::from(u32::MAX)]);
    let mut ranges = vec![None; 1 << u8::BITS];
    for (&start, end) in edges.iter().zip(ends) {
        ranges[usize::from(WeightClass::of(start as u32).0)] = Some((start, end));
    }
    ranges
}

/// The fewest keys that texts of two classes share if they are copies, for every pair of classes.
#[derive(Debug, Clone)]
pub struct WeightRule {
    /// A row for each class of one text, with a number for each class of the other.
    least_keys: Vec<[u8; ROW]>,
}

const ROW: usize = 1 << u8::BITS;

impl WeightRule {
    /// Computes the rule for a likeness.
    pub fn new(min_likeness: f64) -> Self {
        let ranges = ranges();
        let least = |one: Option<(u64, u64)>, other: Option<(u64, u64)>| {
            let (Some((one_least, one_greatest)), Some((least, greatest))) = (one, other) else {
                return KEYS as u8 + 1;
            };
            // Edited copies are likeliest where the weights are closest, excerpts where they differ most. In between the
            // number of needed keys is the same.
            let closest = one_least.clamp(least, greatest);
            let closest = (closest.clamp(one_least, one_greatest), closest);
            let pairs = [(one_least, greatest), (one_greatest, least), (one_greatest, greatest), closest];
            let least_keys = |(a, b)| least_keys(a, b, min_likeness) as u8;
            pairs.map(least_keys).into_iter().min().unwrap_or_default()
        };
        let mut least_keys = vec![[KEYS as u8 + 1; ROW]; ROW];
        for one in 0..ROW {
            // Copies share keys both ways.
            for other in 0..=one {
                let keys = least(ranges[one], ranges[other]);
                (least_keys[one][other], least_keys[other][one]) = (keys, keys);
            }
        }
        WeightRule { least_keys }
    }

    /// The same number for all classes.
    pub fn uniform(keys: usize) -> Self {
        WeightRule { least_keys: vec![[keys.min(KEYS + 1) as u8; ROW]; ROW] }
    }

    /// Returns the fewest keys that a text of one class shares with its copies in another class. Never too many.
    pub fn least_keys(&self, one: WeightClass, other: WeightClass) -> usize {
        usize::from(self.least_keys[usize::from(one.0)][usize::from(other.0)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::may_be_copies;
    use proptest::prelude::*;

    #[test]
    fn classes_ascend_without_gaps_in_their_ranges() {
        let ranges: Vec<(u64, u64)> = ranges().into_iter().flatten().collect();
        assert_eq!((ranges[0].0, ranges[ranges.len() - 1].1), (0, u64::from(u32::MAX)));
        assert!(ranges.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0), "{ranges:?}");
        for (least, greatest) in ranges {
            let [first, last] = [least, greatest].map(|weight| WeightClass::of(weight as u32));
            assert_eq!(first, last, "{least} to {greatest}");
        }
        assert!(WeightClass::of(0).is_known() && !WeightClass::default().is_known());
    }

    fn weight() -> impl Strategy<Value = u32> {
        (0u32..32, any::<u32>()).prop_map(|(shift, weight)| weight >> shift)
    }

    proptest! {
        #[test]
        fn pairs_that_may_be_copies_are_never_ruled_out(
            a in weight(), factor in 0.02f64..50.0, shared in 0usize..=32, min_likeness in 0.1f64..1.0,
        ) {
            let b = (f64::from(a) * factor) as u32;
            let least = WeightRule::new(min_likeness).least_keys(WeightClass::of(a), WeightClass::of(b));
            if may_be_copies(u64::from(a), u64::from(b), shared, min_likeness) {
                prop_assert!(shared >= least, "{a} {b}: {shared} of {least}");
            }
        }
    }

    #[test]
    fn texts_of_other_weights_need_more_keys() {
        let rule = WeightRule::new(0.8);
        let least = |a: u32, b: u32| rule.least_keys(WeightClass::of(a), WeightClass::of(b));
        assert_eq!([least(10_000, 10_000), least(11_000, 10_000), least(300, 300)], [4, 4, 2]);
        assert!(least(10_000, 22_000) > 4 && least(22_000, 10_000) > 4);
        assert!(least(10_000, 1_000_000) == 2 && least(10_000, 40_000) <= 3);
        assert!(least(0, 0) == 2 && least(0, 1_000) > KEYS);
    }
}
