//! kSH, shingling: which share of all runs of k words is not common? The text is wrapped, so that every word starts one.

use super::{Metric, share};
use crate::comparison::Comparison;
use foldhash::fast::FixedState;
use std::collections::HashSet;

pub(super) const METRIC: Metric = Metric {
    name: "shingle",
    title: "10SH",
    counts: "1 - common / all runs of k words (k = 10 unless said otherwise)",
    good_for: "words added or dropped in one place of a long page; too sensitive to scattered changes, to words replaced or \
               moved, and to any change of a short page",
    measure,
};

fn measure(comparison: &Comparison) -> f64 {
    let (a, b) = (wrapped(&comparison.pair.a, comparison), wrapped(&comparison.pair.b, comparison));
    let words = comparison.settings.shingle_words.max(1);
    let shingles = |wrapped| -> HashSet<&[u32], FixedState> { <[u32]>::windows(wrapped, words).collect() };
    let (a, b) = (shingles(&a), shingles(&b));
    let common = a.intersection(&b).count();
    let all = a.len() + b.len() - common;
    share((all - common) as f64, all as f64)
}

/// The words, and again from the first on, so that the last one starts a shingle, too.
fn wrapped(words: &[u32], comparison: &Comparison) -> Vec<u32> {
    if words.is_empty() {
        return Vec::new();
    }
    let more = comparison.settings.shingle_words.max(1) - 1;
    words.iter().chain(words.iter().cycle().take(more)).copied().collect()
}
