//! WD, word distance: which share of the words, wherever they stand, is not common?

use super::{Metric, share};
use crate::comparison::Comparison;

pub(super) const METRIC: Metric = Metric {
    name: "wd",
    title: "WD",
    counts: "1 - 2 · common words, as bags, / all words of both",
    good_for: "words replaced; half as sensitive to words added or dropped, and never sees words moved",
    measure,
};

fn measure(comparison: &Comparison) -> f64 {
    let pair = &comparison.pair;
    let common: u32 = pair.counts(&pair.a).into_iter().zip(pair.counts(&pair.b)).map(|(a, b)| a.min(b)).sum();
    let all = pair.a.len() + pair.b.len();
    share((all - 2 * common as usize) as f64, all as f64)
}
