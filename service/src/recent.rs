//! How often did something happen lately? A ring of counts, one for every second of the last minute.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Seconds that are looked back.
const SECONDS: usize = 60;

/// Counts of the last minute.
#[derive(Debug)]
pub(crate) struct Recent {
    begun: Instant,
    /// Of every second: which one it is (above), and how often in it (below).
    slots: [AtomicU64; SECONDS],
}

impl Recent {
    pub fn new(begun: Instant) -> Self {
        Recent { begun, slots: [const { AtomicU64::new(0) }; SECONDS] }
    }

    /// It happened at this moment.
    pub fn count(&self, now: Instant) {
        let second = self.second(now);
        // Two that begin the same second at once may lose one of them: a rate bears that.
        let slot = &self.slots[second as usize % SECONDS];
        match slot.load(Relaxed) >> 32 == second {
            true => drop(slot.fetch_add(1, Relaxed)),
            false => slot.store(second << 32 | 1, Relaxed),
        }
    }

    /// How often a second, over the last minute or since the beginning.
    pub fn a_second(&self, now: Instant) -> f64 {
        let second = self.second(now);
        let oldest = second.saturating_sub(SECONDS as u64 - 1);
        let slots = self.slots.iter().map(|slot| slot.load(Relaxed));
        let total: u64 = slots
            .filter(|slot| (oldest..=second).contains(&(slot >> 32)))
            .map(|slot| slot & 0xffff_ffff)
            .sum();
        total as f64 / now.duration_since(self.begun).as_secs_f64().clamp(1.0, SECONDS as f64)
    }

    /// The second of a moment, from 1 on: 0 is never.
    fn second(&self, now: Instant) -> u64 {
        now.duration_since(self.begun).as_secs() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_minute_is_remembered() {
        let begun = Instant::now();
        let recent = Recent::new(begun);
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        (0..30).for_each(|_| recent.count(at(0)));
        assert_eq!(recent.a_second(at(0)), 30.0);
        assert_eq!(recent.a_second(at(10)), 3.0);
        (0..30).for_each(|_| recent.count(at(59)));
        assert_eq!(recent.a_second(at(59)), 60.0 / 59.0);
        assert_eq!(recent.a_second(at(60)), 0.5);
        assert_eq!(recent.a_second(at(118)), 0.5);
        assert_eq!(recent.a_second(at(119)), 0.0);
        recent.count(at(120));
        assert_eq!(recent.a_second(at(120)), 1.0 / 60.0);
    }
}
