//! IED, improved edit distance: what do the six kinds of operations cost, by the words of the longer text?

use super::{Metric, share};
use crate::comparison::Comparison;

pub(super) const METRIC: Metric = Metric {
    name: "ied",
    title: "IED",
    counts: "the cost of words added, copied, dropped, shrunk, replaced and moved / words of the longer text",
    good_for: "every kind of change, on pages of any size; what copies and moves weigh is yours to say",
    measure,
};

/// Where many words are copied over others, the steps of kwon-2007 count more operations than the page has words: that is
/// as much as there can be.
fn measure(comparison: &Comparison) -> f64 {
    let cost = comparison.operations().cost(comparison.settings.costs);
    share(cost, comparison.pair.a.len().max(comparison.pair.b.len()) as f64).min(1.0)
}
