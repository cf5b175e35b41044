//! The floor under the store-time check: what it must find, and what it must never call a duplicate.

use firstcopy_bench::{Goals, RECALL, Share, sampled_goals};
use std::path::Path;

#[track_caller]
fn check(what: &str, share: Share) {
    let value = share.value().unwrap_or_default();
    assert!(value >= RECALL, "{what}: {} of {} is below {RECALL}", share.part, share.whole);
}

#[test]
fn the_goals_hold() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let Some(goals) = sampled_goals(&data) else {
        return println!("skipped: the labelled texts are not beside the project");
    };
    let goals: Goals = goals.unwrap_or_else(|error| panic!("{error:#}"));
    check("resemblance from 0.85", goals.sure);
    check("up to 10 % added at the ends", goals.at_ends);
    check("another frame", goals.framed);
    assert_eq!(goals.false_duplicates, 0, "of {}", goals.judged);
}
