//! Where the time of storing goes.

use crate::engine::Engine;
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

/// Kinds of times that are told apart.
const KINDS: usize = 16;
/// Nanoseconds of the shortest kind; each next one lasts twice as long.
const SHORTEST: u64 = 100_000;

/// How long something took each time: how often it took how long.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Latencies {
    /// Up to so many seconds, and more than the one before: so many times. The last is for all that took longer.
    pub counts: Vec<(f64, u64)>,
    /// Seconds in all.
    pub seconds: f64,
}

impl Engine {
    /// How long commits took since it was opened.
    pub fn commit_latencies(&self) -> Latencies {
        self.clocks.commit.latencies()
    }
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
    kinds: [AtomicU64; KINDS],
}

impl Clock {
    pub(crate) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let took = start.elapsed().as_nanos() as u64;
        self.nanoseconds.fetch_add(took, Relaxed);
        self.times.fetch_add(1, Relaxed);
        let kind = took.saturating_sub(1) / SHORTEST;
        let kind = (u64::BITS - kind.leading_zeros()) as usize;
        self.kinds[kind.min(KINDS - 1)].fetch_add(1, Relaxed);
        result
    }

    fn latencies(&self) -> Latencies {
        let longest = |kind: usize| match kind {
            kind if kind + 1 == KINDS => f64::INFINITY,
            kind => (SHORTEST << kind) as f64 / 1e9,
        };
        let counts = self.kinds.iter().enumerate();
        Latencies {
            counts: counts.map(|(kind, count)| (longest(kind), count.load(Relaxed))).collect(),
            seconds: self.seconds(),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_told_apart() {
        let clock = Clock::default();
        for milliseconds in [0, 0, 3, 30] {
            clock.time(|| std::thread::sleep(Duration::from_millis(milliseconds)));
        }
        let latencies = clock.latencies();
        let up_to = |seconds: f64| {
            latencies.counts.iter().filter(|(bound, _)| *bound <= seconds).map(|(_, n)| n).sum::<u64>()
        };
        assert_eq!((latencies.counts.len(), latencies.counts[KINDS - 1].0), (KINDS, f64::INFINITY));
        assert_eq!((up_to(0.0016), up_to(f64::INFINITY)), (2, 4), "{latencies:?}");
        assert!(up_to(0.0256) <= 3 && latencies.seconds > 0.033, "{latencies:?}");
    }
}
