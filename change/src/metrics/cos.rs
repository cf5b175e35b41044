//! COS: one minus the cosine of the vectors of word frequencies, weighed by how rare the words are in a collection.

use super::Metric;
use crate::comparison::Comparison;

pub(super) const METRIC: Metric = Metric {
    name: "cos",
    title: "COS",
    counts: "1 - cosine of the TF·IDF vectors",
    good_for: "topics: insensitive to every kind of change, hardly sees words copied or shrunk, and never sees words moved",
    measure,
};

fn measure(comparison: &Comparison) -> f64 {
    let pair = &comparison.pair;
    if pair.a.is_empty() || pair.b.is_empty() {
        return f64::from(pair.a.len() != pair.b.len());
    }
    let weights = weights(comparison);
    let vector = |words: &[u32]| -> Vec<f64> {
        let counts = pair.counts(words);
        counts.into_iter().zip(&weights).map(|(count, weight)| f64::from(count) * weight).collect()
    };
    let (a, b) = (vector(&pair.a), vector(&pair.b));
    if a == b {
        return 0.0;
    }
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let cosine = product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
    (1.0 - cosine).clamp(0.0, 1.0)
}

/// The weight of every word.
fn weights(comparison: &Comparison) -> Vec<f64> {
    let pair = &comparison.pair;
    let mut weights = vec![1.0; pair.words];
    if let Some(idf) = &comparison.settings.idf {
        let sides = [(&pair.a, comparison.a.tokens), (&pair.b, comparison.b.tokens)];
        for (numbers, tokens) in sides {
            numbers
                .iter()
                .zip(tokens.words())
                .for_each(|(&number, word)| weights[number as usize] = idf.weight(word));
        }
    }
    weights
}
