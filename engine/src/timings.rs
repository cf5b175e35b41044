//! Where the time of storing goes.

use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Seconds spent since the engine was opened, summed over threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Timings {
    /// Decoding pages and dropping their frames.
    pub extract: f64,
    /// Tokens, shingles, features, and what else is computed from the core text.
    pub features: f64,
    /// Packing contents.
    pub pack: f64,
    /// Looking candidates up in the duplicate index.
    pub lookup: f64,
    /// Comparing with candidates.
    pub compare: f64,
    /// Writing rows and index entries.
    pub write: f64,
    /// Committing and syncing.
    pub commit: f64,
    /// Letting the duplicate indexes follow a commit.
    pub index: f64,
    /// How many commits there were.
    pub commits: u64,
}

/// The clocks behind [`Timings`].
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    pub(crate) extract: Clock,
    pub(crate) features: Clock,
    pub(crate) pack: Clock,
    pub(crate) lookup: Clock,
    pub(crate) compare: Clock,
    pub(crate) write: Clock,
    pub(crate) commit: Clock,
    pub(crate) index: Clock,
}

/// Sums up how long something took.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    nanoseconds: AtomicU64,
    times: AtomicU64,
}

impl Clock {
    pub(crate) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Relaxed);
        self.times.fetch_add(1, Relaxed);
        result
    }

    fn seconds(&self) -> f64 {
        self.nanoseconds.load(Relaxed) as f64 / 1e9
    }
}

impl Clocks {
    pub(crate) fn read(&self) -> Timings {
        Timings {
            extract: self.extract.seconds(),
            features: self.features.seconds(),
            pack: self.pack.seconds(),
            lookup: self.lookup.seconds(),
            compare: self.compare.seconds(),
            write: self.write.seconds(),
            commit: self.commit.seconds(),
            index: self.index.seconds(),
            commits: self.commit.times.load(Relaxed),
        }
    }
}
