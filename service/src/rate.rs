//! How often may one key ask? A bucket a key, filled at the rate that is allowed, and no fuller than one second's worth.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The buckets of all keys.
#[derive(Debug)]
pub(crate) struct Rates {
    /// Requests a second; none is unlimited.
    rate: Option<f64>,
    buckets: Mutex<HashMap<String, (f64, Instant)>>,
}

impl Rates {
    pub fn new(rate: Option<f64>) -> Self {
        Rates { rate, buckets: Mutex::default() }
    }

    /// Whether a key may ask once more at this moment.
    pub fn take(&self, key: &str, now: Instant) -> bool {
        let Some(rate) = self.rate else { return true };
        let full = rate.max(1.0);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let (level, filled) = buckets.entry(key.to_owned()).or_insert((full, now));
        *level = (*level + rate * now.duration_since(*filled).as_secs_f64()).min(full);
        *filled = now;
        let may = *level >= 1.0;
        if may {
            *level -= 1.0;
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_a_key() {
        let (rates, start) = (Rates::new(Some(2.0)), Instant::now());
        let taken = |key: &str, at: u64| rates.take(key, start + Duration::from_millis(at));
        assert_eq!([taken("a", 0), taken("a", 0), taken("a", 0), taken("b", 0)], [true, true, false, true]);
        assert_eq!(
            [taken("a", 500), taken("a", 600), taken("a", 9000), taken("a", 9000), taken("a", 9000)],
            [true, false, true, true, false]
        );
        assert!((0..100).all(|_| Rates::new(None).take("a", start)));
    }
}
