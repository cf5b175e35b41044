//! How often does a page change that is only seen now and then, and when should it be looked at again?

use std::f64::consts::LN_2;

/// Changes a day, from how many of the intervals between visits had a change in them.
///
/// A page may have changed more than once between two visits, so the share alone is too low: this is the estimator of Cho
/// and Garcia-Molina (Estimating frequency of change, 2003, section 5.2) for a Poisson process seen at visits, with its
/// halves that keep it finite when every visit found a change. None when no time passed.
pub(super) fn changes_a_day(intervals: usize, changed: usize, mean_days: f64) -> Option<f64> {
    if intervals == 0 || mean_days <= 0.0 {
        return None;
    }
    let (n, x) = (intervals as f64, changed as f64);
    Some((((n + 0.5) / (n - x + 0.5)).ln() / mean_days).max(0.0))
}

/// An hour: no crawler should ask a page more often by a rule as rough as this one.
const SOONEST: f64 = 1.0 / 24.0;
/// A year: no page should be forgotten for longer.
const LATEST: f64 = 365.0;

/// In how many days it has changed with a probability of one half. Never longer than the page has been watched: nothing is
/// known of longer times.
pub(super) fn revisit_days(rate: f64, watched_days: f64) -> f64 {
    let half = if rate > 0.0 { LN_2 / rate } else { f64::INFINITY };
    half.min(watched_days).clamp(SOONEST, LATEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_as_published() {
        let rate = |n, x, days| changes_a_day(n, x, days).map(|rate| (rate * 1e4).round() / 1e4);
        assert_eq!(rate(10, 0, 1.0), Some(0.0));
        assert_eq!(rate(10, 6, 1.0), Some(0.8473));
        assert_eq!(rate(10, 10, 1.0), Some(3.0445));
        assert_eq!(rate(10, 10, 7.0), Some(0.4349));
        assert_eq!((rate(0, 0, 1.0), rate(3, 3, 0.0)), (None, None));
    }

    #[test]
    fn revisits_are_bounded() {
        for (rate, watched, expected) in [
            (LN_2, 100.0, 1.0),
            (LN_2 / 10.0, 100.0, 10.0),
            (LN_2 / 10.0, 3.0, 3.0),
            (0.0, 30.0, 30.0),
            (0.0, 5000.0, 365.0),
            (1000.0, 10.0, SOONEST),
            (1000.0, 0.0, SOONEST),
        ] {
            assert_eq!(revisit_days(rate, watched), expected, "{rate} {watched}");
        }
    }
}
