//! How fast something is: CPU time of this process, the best of several rounds, so that a busy machine disturbs little.

use cpu_time::ProcessTime;
use std::time::Duration;

/// The least CPU time of one round of `work`, over rounds that together take at least `budget`.
pub fn best_round(budget: Duration, mut work: impl FnMut()) -> Duration {
    let start = ProcessTime::now();
    let mut best = Duration::MAX;
    let mut rounds = 0;
    while rounds < 3 || start.elapsed() < budget {
        let round = ProcessTime::now();
        work();
        best = best.min(round.elapsed());
        rounds += 1;
    }
    best
}

/// Millions of `units` a second.
pub fn millions_a_second(units: usize, time: Duration) -> f64 {
    units as f64 / time.as_secs_f64() / 1e6
}
