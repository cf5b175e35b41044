//! How slow may a client be? It falls behind while it is waited for, and catches up with every byte; who is too far behind
//! has had his time. So neither silence nor a byte now and then holds anything for long, and slow lines still get through.

use std::time::{Duration, Instant};

/// Bytes a second that the slowest line manages.
const SLOWEST: u32 = 1024;

/// How far one side of a client is behind.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    behind: Duration,
    waiting: Option<Instant>,
}

impl Pace {
    /// It is waited for from now on, if it was not already.
    pub fn wait(&mut self, now: Instant) {
        self.waiting.get_or_insert(now);
    }

    /// So many bytes have come through.
    pub fn moved(&mut self, bytes: usize, now: Instant) {
        self.behind = self.behind(now).saturating_sub(Duration::from_secs(bytes as u64) / SLOWEST);
        self.waiting = None;
    }

    /// How far it is behind.
    pub fn behind(&self, now: Instant) -> Duration {
        self.behind + self.waiting.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Whether it is waited for.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far a client is behind that is waited for so long before each of so many pieces.
    fn behind(pieces: u64, bytes: usize, milliseconds: u64) -> Duration {
        let (mut pace, mut now) = (Pace::default(), Instant::now());
        for _ in 0..pieces {
            pace.wait(now);
            now += Duration::from_millis(milliseconds);
            pace.moved(bytes, now);
        }
        pace.behind(now)
    }

    #[test]
    fn drips_fall_behind_and_slow_lines_do_not() {
        assert!(behind(100, 1, 1000) > Duration::from_secs(99));
        assert!(behind(100, 100, 1000) > Duration::from_secs(80));
        assert_eq!(behind(100, 1024, 1000), Duration::ZERO);
        assert_eq!(behind(100, 64 << 10, 9000), Duration::ZERO);
    }

    #[test]
    fn what_came_fast_earns_no_time_to_be_silent() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        pace.moved(100 << 20, now);
        pace.wait(now);
        assert!(pace.is_waiting());
        assert_eq!(pace.behind(now + Duration::from_secs(11)), Duration::from_secs(11));
    }
}
