//! The floor under clusters: those of real collections beside a comparison of all pairs.

use firstcopy_bench::sampled_clusters;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data")
}

#[test]
fn clusters_are_those_of_a_comparison_of_all_pairs() {
    for language in ["en", "ja", "ko"] {
        let Some(clustered) = sampled_clusters(&data(), language) else {
            return println!("skipped: the real texts are not beside the project");
        };
        let clustered = clustered.unwrap_or_else(|error| panic!("{error:#}"));
        assert!(clustered.truly > 200 && clustered.f1() >= 0.995, "{language}: {clustered:?}");
    }
}
