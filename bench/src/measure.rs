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

/// The value below which the given share of all lie; 0 without any.
pub fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let place = (values.len() as f64 * share) as usize;
    values.get(place.min(values.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// What the process had before does not count; where the system does not forget, it does.
pub fn forget_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Megabytes of this process as Linux counts them: `VmHWM`, say, the most it ever had. None on other systems.
pub fn memory_mb(field: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let mut values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!((percentile(&mut values, 0.5), percentile(&mut values, 0.99)), (51.0, 100.0));
        assert_eq!(percentile(&mut [], 0.5), 0.0);
    }
}
