//! What the tests of the engine share: folders in memory, texts in families, posts, and a naive judge.

#![allow(dead_code, unused_imports, reason = "every test file uses a part of it")]

mod model;
mod texts;

pub use model::{Expected, Judge, Live, Model, Post, changed, seconds};
pub use texts::{Random, near, pool, post, text, words};

use firstcopy_engine::{Engine, Nearest, OpenOptions, Policy, Verdict, Wanted};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// The seeds of test directories that a naive judge computes features with, too.
pub const SEEDS: [u8; 32] = *b"the seeds that all the tests use";

/// An empty folder, in memory where there is such a file system: every acknowledged write is synced.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory).unwrap() } else { TempDir::new().unwrap() }
}

/// How test directories are opened: without search and similarity, which tests of their own ask for.
pub fn options(policy: Policy) -> OpenOptions {
    let wanted = Wanted { policy: Some(policy), ..Wanted::default() };
    OpenOptions { wanted, seeds: Some(SEEDS), disk_reserve: 0, followers: false, ..OpenOptions::default() }
}

/// Opens a test directory.
pub fn open(path: &Path, policy: Policy) -> Engine {
    Engine::open(path, options(policy)).unwrap()
}

/// Copies the files of a data directory as a crash would leave them, without closing anything.
pub fn crash_image(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => crash_image(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// All verdicts of a data directory by id.
pub fn verdicts(engine: &Engine) -> BTreeMap<String, Verdict> {
    let all = engine.reader().verdicts().unwrap();
    all.into_iter().map(|verdict| (verdict.id.clone(), verdict)).collect()
}

/// All verdicts of a data directory without what depends on the second they were given in.
pub fn timeless(engine: &Engine) -> Vec<Verdict> {
    let without_time = |verdict: Verdict| Verdict {
        received_at: String::new(),
        // The sentence has the day.
        summary: match &verdict.nearest {
            Some(nearest) => verdict.summary.replace(&nearest.date[.."2026-11-19".len()], "a day"),
            None => verdict.summary,
        },
        nearest: verdict.nearest.map(|nearest| Nearest { date: String::new(), ..nearest }),
        ..verdict
    };
    engine.reader().verdicts().unwrap().into_iter().map(without_time).collect()
}

/// Fails unless `verify` finds nothing wrong.
#[track_caller]
pub fn assert_clean(engine: &Engine) {
    let found = engine.verify(|_| ()).unwrap();
    assert!(found.is_clean(), "{:#?}", found.problems);
}
