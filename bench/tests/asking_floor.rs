//! The floor under what is asked of a collection: `similar` beside a comparison of all pairs, `trace` beside what happened,
//! `search` beside the text that a phrase was taken from.

use firstcopy_bench::{sampled_agreement, sampled_recall, sampled_traces};
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")
}

const SKIPPED: &str = "skipped: the real texts are not beside the project";

#[test]
fn similar_finds_what_a_comparison_of_all_pairs_finds() {
    let Some(agreement) = sampled_agreement(&data()) else { return println!("{SKIPPED}") };
    let agreement = agreement.unwrap_or_else(|error| panic!("{error:#}"));
    for (truly, found) in [agreement.resembling, agreement.contained] {
        assert!(truly > 50 && found as f64 >= 0.99 * truly as f64, "{agreement:?}");
    }
    assert_eq!(agreement.wrong, 0, "{agreement:?}");
}

#[test]
fn phrases_find_the_text_they_were_taken_from() {
    for language in ["en", "ja", "ko"] {
        let Some(recall) = sampled_recall(&data(), language) else { return println!("{SKIPPED}") };
        let recall = recall.unwrap_or_else(|error| panic!("{error:#}"));
        assert!(recall >= 0.98, "{language}: {recall}");
    }
}

#[test]
fn moves_are_traced() {
    let Some(traced) = sampled_traces(&data()) else { return println!("{SKIPPED}") };
    let traced = traced.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(traced.moved > 50, "{traced:?}");
    assert!(traced.precision() >= 0.99 && traced.recall() >= 0.95, "{traced:?}");
}
