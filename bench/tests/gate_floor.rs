//! The floor under the store-time check: what it must find, and what it must never call a duplicate.

use firstcopy_bench::{Goals, RECALL, Share, sampled_goals};
use std::path::Path;

/// Posts that real frames of other sites leave recognisable: what the extractor's own test of frames asks for.
const FRAMED: f64 = 0.95;

#[track_caller]
fn check(what: &str, share: Share, least: f64) {
    let value = share.value().unwrap_or_default();
    assert!(value >= least, "{what}: {} of {} is below {least}", share.part, share.whole);
}

#[test]
fn the_goals_hold() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let Some(goals) = sampled_goals(&data) else {
        return println!("skipped: the labelled texts are not beside the project");
    };
    let goals: Goals = goals.unwrap_or_else(|error| panic!("{error:#}"));
    check("resemblance from 0.85", goals.sure, RECALL);
    check("up to 10 % added at the ends", goals.at_ends, RECALL);
    check("another frame", goals.framed, FRAMED);
    assert_eq!(goals.false_duplicates, 0, "of {}", goals.judged);
}
