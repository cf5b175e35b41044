//! How often may somebody ask? A bucket each, filled at the rate that is allowed: keys have one second's worth of room in
//! theirs, addresses that log in a few attempts'.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Attempts to log in from one address: at once, and a minute.
const LOGINS: f64 = 10.0;
/// Buckets that are kept; full ones need not be.
const MOST: usize = 10_000;

/// The buckets of all who ask.
#[derive(Debug)]
pub(crate) struct Rates {
    /// Requests a second; none is unlimited.
    rate: Option<f64>,
    full: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    level: f64,
    filled: Instant,
}

impl Rates {
    /// So many requests a second for each.
    pub fn new(rate: Option<f64>) -> Self {
        Rates { rate, full: rate.unwrap_or(1.0).max(1.0), buckets: Mutex::default() }
    }

    /// As often as an address may try to log in.
    pub fn of_logins() -> Self {
        Rates { rate: Some(LOGINS / 60.0), full: LOGINS, buckets: Mutex::default() }
    }

    /// Whether somebody may ask once more at this moment; else how long to wait.
    pub fn take(&self, who: &str, now: Instant) -> Result<(), Duration> {
        let Some(rate) = self.rate else { return Ok(()) };
        let level_of = |bucket: Bucket| {
            let since = now.saturating_duration_since(bucket.filled).as_secs_f64();
            (bucket.level + rate * since).min(self.full)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(who) {
            buckets.retain(|_, bucket| level_of(*bucket) < self.full);
            if buckets.len() >= MOST {
                return Err(Duration::from_secs_f64(1.0 / rate));
            }
        }
        let level = buckets.get(who).map_or(self.full, |bucket| level_of(*bucket));
        let (level, may) = match level >= 1.0 {
            true => (level - 1.0, Ok(())),
            false => (level, Err(Duration::from_secs_f64((1.0 - level) / rate))),
        };
        buckets.insert(who.to_owned(), Bucket { level, filled: now });
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_a_key() {
        let (rates, start) = (Rates::new(Some(2.0)), Instant::now());
        let taken = |key: &str, at: u64| rates.take(key, start + Duration::from_millis(at)).is_ok();
        assert_eq!([taken("a", 0), taken("a", 0), taken("a", 0), taken("b", 0)], [true, true, false, true]);
        assert_eq!(
            [taken("a", 500), taken("a", 600), taken("a", 9000), taken("a", 9000), taken("a", 9000)],
            [true, false, true, true, false]
        );
        assert!((0..100).all(|_| Rates::new(None).take("a", start).is_ok()));
    }

    #[test]
    fn ten_attempts_a_minute() {
        let (rates, start) = (Rates::of_logins(), Instant::now());
        assert!((0..10).all(|_| rates.take("a", start).is_ok()));
        let wait = rates.take("a", start).unwrap_err();
        assert!((Duration::from_secs(5)..=Duration::from_secs(6)).contains(&wait), "{wait:?}");
        assert!(rates.take("a", start + wait).is_ok());
    }

    #[test]
    fn whoever_asks_no_more_is_forgotten() {
        let (rates, start) = (Rates::of_logins(), Instant::now());
        assert!((0..MOST).all(|number| rates.take(&number.to_string(), start).is_ok()));
        assert!(rates.take("one more", start).is_err());
        assert!(rates.take("one more", start + Duration::from_secs(60)).is_ok());
        assert_eq!(rates.buckets.lock().unwrap().len(), 1);
    }
}
