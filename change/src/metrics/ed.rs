//! ED, edit distance: which share of all words must be inserted or deleted?

use super::{Metric, share};
use crate::comparison::Comparison;

pub(super) const METRIC: Metric = Metric {
    name: "ed",
    title: "ED",
    counts: "insertions and deletions / all words of both",
    good_for: "words replaced; half as sensitive to words added or dropped, and takes words moved for words replaced",
    measure,
};

fn measure(comparison: &Comparison) -> f64 {
    let all = comparison.pair.a.len() + comparison.pair.b.len();
    share((all - 2 * comparison.common_words()) as f64, all as f64)
}
