//! BW, byte-wise: has anything changed at all?

use super::Metric;
use crate::comparison::Comparison;

pub(super) const METRIC: Metric = Metric {
    name: "bw",
    title: "BW",
    counts: "1 if any byte of the core text differs, white space aside",
    good_for: "whether anything changed at all: a full stop is as much as a new page, whatever the kind",
    measure,
};

fn measure(comparison: &Comparison) -> f64 {
    f64::from(comparison.a.spaced() != comparison.b.spaced())
}
