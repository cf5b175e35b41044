//! Near copies judged by hand or by rule: how well resemblance tells them, and how well sketches estimate it.

use crate::CommonArguments;
use crate::data::read_lines;
use crate::report::Report;
use anyhow::Result;
use firstcopy_text::{
    Analyzer, Content, Document, Estimate, LevelSketch, MODULUS, MinSketch, ModSketch, Overlap, Page,
    Parameters, Seed,
};
use serde::Deserialize;
use serde_json::json;

/// The sets, and from which label on a pair counts as a near copy.
const SETS: [(&str, i64); 3] = [("en_trec", 2), ("ko_precedent", 1), ("ja_aozora", 1)];

/// Resemblances at which a pair is called a copy.
const THRESHOLDS: [f64; 5] = [0.2, 0.35, 0.5, 0.65, 0.8];

#[derive(Deserialize)]
struct Labelled {
    a: String,
    b: String,
    /// Unsure pairs have none.
    label: Option<i64>,
}

struct Judged {
    a: Document,
    b: Document,
    is_copy: bool,
    resemblance: f64,
}

pub fn run(arguments: &CommonArguments) -> Result<()> {
    let mut by_threshold = Report::new(
        "accuracy-resemblance",
        &["set", "called a copy", "F1", "precision", "recall", "pairs", "copies"],
    );
    let mut estimates = Report::new(
        "accuracy-estimates",
        &["set", "sketch", "mean error", "mean absolute error", "95 % interval right", "pairs"],
    );
    for (set, least_label) in SETS {
        let pairs = judge(arguments, set, least_label)?;
        for threshold in THRESHOLDS {
            let called = format!("resemblance from {threshold}");
            by_threshold
                .row(precision_and_recall(set, &called, &pairs, |pair| pair.resemblance >= threshold));
        }
        by_threshold.row(precision_and_recall(set, "2 of 6 features", &pairs, |pair| {
            pair.a.features.shared(&pair.b.features) >= 2
        }));
        for (sketch, estimate) in SKETCHES {
            estimates.row(estimate_error(set, sketch, &pairs, estimate));
        }
    }
    by_threshold.finish(arguments, "F1")?;
    estimates.finish(arguments, "mean absolute error")
}

type Sketch = (&'static str, fn(&Judged) -> Estimate);

const SKETCHES: [Sketch; 3] = [
    ("MOD_25", |pair| {
        ModSketch::new(&pair.a.shingles, MODULUS).resemblance(&ModSketch::new(&pair.b.shingles, MODULUS))
    }),
    ("V_i", |pair| LevelSketch::new(&pair.a.shingles).resemblance(&LevelSketch::new(&pair.b.shingles))),
    ("MIN_200", |pair| {
        MinSketch::new(&pair.a.shingles, 200).resemblance(&MinSketch::new(&pair.b.shingles, 200))
    }),
];

fn judge(arguments: &CommonArguments, set: &str, least_label: i64) -> Result<Vec<Judged>> {
    // Shorter shingles than Broder's: the copies of these sets are edited, word by word.
    let analyzer = Analyzer::new(Parameters { shingle_words: 5, ..Parameters::default() }, &Seed::PUBLIC);
    let document = |text: String| analyzer.document(Page { content: Content::text(text), ..Page::default() });
    let pairs: Vec<Labelled> = read_lines(&arguments.data.join(format!("2_neardup/{set}.jsonl.gz")))?;
    let judged = pairs.into_iter().filter_map(|Labelled { a, b, label }| {
        let (a, b, is_copy) = (document(a), document(b), label? >= least_label);
        let resemblance = Overlap::of(&a.shingles, &b.shingles).resemblance();
        Some(Judged { a, b, is_copy, resemblance })
    });
    Ok(judged.collect())
}

fn precision_and_recall(
    set: &str,
    called: &str,
    pairs: &[Judged],
    call: impl Fn(&Judged) -> bool,
) -> Vec<serde_json::Value> {
    let count = |is: &dyn Fn(&Judged) -> bool| pairs.iter().filter(|pair| is(pair)).count();
    let (copies, found) = (count(&|pair| pair.is_copy), count(&|pair| call(pair)));
    let right = count(&|pair| pair.is_copy && call(pair));
    let share = |whole: usize| if whole == 0 { 0.0 } else { right as f64 / whole as f64 };
    let (precision, recall) = (share(found), share(copies));
    let f1 = if right == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
    vec![
        json!(set),
        json!(called),
        json!(f1),
        json!(precision),
        json!(recall),
        json!(pairs.len()),
        json!(copies),
    ]
}

fn estimate_error(
    set: &str,
    sketch: &str,
    pairs: &[Judged],
    estimate: fn(&Judged) -> Estimate,
) -> Vec<serde_json::Value> {
    let estimates: Vec<(Estimate, f64)> =
        pairs.iter().map(|pair| (estimate(pair), pair.resemblance)).collect();
    let mean = |value: fn(&(Estimate, f64)) -> f64| {
        estimates.iter().map(value).sum::<f64>() / estimates.len().max(1) as f64
    };
    vec![
        json!(set),
        json!(sketch),
        json!(mean(|(estimate, truth)| estimate.value - truth)),
        json!(mean(|(estimate, truth)| (estimate.value - truth).abs())),
        json!(mean(|(estimate, truth)| f64::from(u8::from(
            estimate.low <= *truth && *truth <= estimate.high
        )))),
        json!(estimates.len()),
    ]
}
