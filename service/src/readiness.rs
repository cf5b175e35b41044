//! Do the indexes know what was stored? They follow within a second and never stand still while something is stored, so that
//! "all of it, now" would be said by chance. Ready means: all that was stored two seconds ago.

use firstcopy_engine::Progress;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How far behind in time still counts as caught up: followers gather changes for a moment and take about half a second for
/// them under load.
const BEHIND: Duration = Duration::from_secs(2);
/// How often it is noted where the store is.
const NOTE: Duration = Duration::from_millis(250);

/// Where the store was when.
#[derive(Debug, Default)]
pub(crate) struct Readiness(Mutex<VecDeque<(Instant, u64)>>);

impl Readiness {
    /// Notes where the store is, and says whether the indexes know what was stored two seconds ago.
    pub fn is_ready(&self, progress: &Progress, now: Instant) -> bool {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.back().is_none_or(|(last, _)| now.saturating_duration_since(*last) >= NOTE) {
            notes.push_back((now, progress.stored));
        }
        // The first that stays is the last that is old enough, or the first of all.
        while notes.get(1).is_some_and(|(noted, _)| now.saturating_duration_since(*noted) >= BEHIND) {
            notes.pop_front();
        }
        let wanted = notes.front().map_or(0, |(_, stored)| *stored);
        progress.followed.is_some_and(|followed| followed >= wanted)
    }

    /// How often somebody should look, for it to be known where the store was.
    pub const fn pause() -> Duration {
        NOTE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_load_is_ready_and_a_standstill_is_not() {
        let (readiness, start) = (Readiness::default(), Instant::now());
        let is_ready = |stored, followed, at: u64| {
            let progress = Progress { stored, followed, problem: None };
            readiness.is_ready(&progress, start + Duration::from_millis(at))
        };
        assert!(!is_ready(500, None, 0), "they have not got up to the store yet");
        assert!(!is_ready(500, Some(400), 100));
        assert!(is_ready(500, Some(500), 200));
        // A thousand changes a second, followed a second later: never in step, always ready.
        for at in (250..20_000).step_by(250) {
            assert!(is_ready(500 + at, Some((500 + at).saturating_sub(1000).max(500)), at), "{at}");
        }
        // They stop.
        assert!(is_ready(21_000, Some(19_500), 20_500));
        assert!(!is_ready(23_000, Some(19_500), 23_000));
        assert!(!is_ready(23_000, Some(19_500), 60_000));
        assert!(is_ready(23_000, Some(23_000), 60_250));
    }
}
