//! The floor under copied passages: what is reported is copied, and what was copied is reported.

use firstcopy_bench::sampled_passages;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")
}

#[test]
fn passages_of_labelled_pages_are_found_and_nothing_else() {
    let Some(tallies) = sampled_passages(&data()) else {
        return println!("skipped: the labelled pages are not beside the project");
    };
    for (name, tally) in tallies.unwrap_or_else(|error| panic!("{error:#}")) {
        assert!(tally.copies > 20, "{name}: {tally:?}");
        assert!(tally.precision() >= 0.98, "{name}: {tally:?}");
        assert!(tally.recall() >= 0.9, "{name}: {tally:?}");
    }
}
