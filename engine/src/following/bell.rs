//! Who waits for whom between the writer, the followers, and whoever wants to see what they made.

use crate::error::{EngineError, Result};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Rung by the writer at every commit.
#[derive(Debug, Default)]
pub(crate) struct Bell {
    state: Mutex<Rung>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Rung {
    /// Where the store is.
    stored: u64,
    /// Where all followers are; none before they first got up to the store.
    followed: Option<u64>,
    /// Where each of them is.
    each: [u64; 3],
    /// Why they are not further.
    problem: Option<String>,
    /// Somebody waits for them: no pause.
    is_urgent: bool,
    is_stopping: bool,
}

impl Bell {
    /// The store has got to a position. Only followers that had got up to it can be asleep: nobody else is woken.
    pub(crate) fn ring(&self, position: u64) {
        let mut rung = self.lock();
        let are_asleep = rung.followed.is_some_and(|at| at >= rung.stored);
        rung.stored = position;
        drop(rung);
        if are_asleep {
            self.changed.notify_all();
        }
    }

    /// All followers have got to a position.
    pub(crate) fn reached(&self, position: u64) {
        self.change(|rung| (rung.followed, rung.problem, rung.is_urgent) = (Some(position), None, false));
    }

    /// Each follower has got to a position: nobody waits for that.
    pub(crate) fn each_reached(&self, positions: [u64; 3]) {
        self.lock().each = positions;
    }

    /// Where the store is, and how far each follower is behind.
    pub(crate) fn lags(&self) -> [u64; 3] {
        let rung = self.lock();
        rung.each.map(|reached| rung.stored.saturating_sub(reached))
    }

    /// A follower could not go on.
    pub(crate) fn failed(&self, problem: String) {
        self.change(|rung| (rung.problem, rung.is_urgent) = (Some(problem), false));
    }

    /// The followers are to end.
    pub(crate) fn stop(&self) {
        self.change(|rung| rung.is_stopping = true);
    }

    /// Waits until the store is ahead of the followers; false if they are to end.
    pub(crate) fn wait_for_news(&self) -> bool {
        let has_none =
            |rung: &mut Rung| !rung.is_stopping && rung.followed.is_some_and(|at| at >= rung.stored);
        !self.wait_while(has_none).is_stopping
    }

    /// Lets some time pass, unless the followers are to end or somebody waits for them.
    pub(crate) fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut rung = self.lock();
        while !(rung.is_stopping || rung.is_urgent)
            && let Some(left) = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
        {
            rung = self.changed.wait_timeout(rung, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until all followers have got to a position, or tried once more and could not.
    pub(crate) fn wait_for(&self, position: u64) -> Result<()> {
        self.change(|rung| {
            if rung.followed.is_none_or(|at| at < position) {
                (rung.problem, rung.is_urgent) = (None, true);
            }
        });
        let is_behind = |rung: &Rung| rung.followed.is_none_or(|at| at < position);
        let rung =
            self.wait_while(|rung: &mut Rung| rung.problem.is_none() && !rung.is_stopping && is_behind(rung));
        match &rung.problem {
            Some(problem) => Err(EngineError::Behind(problem.clone())),
            None if is_behind(&rung) => Err(EngineError::Behind("they have ended".to_owned())),
            None => Ok(()),
        }
    }

    /// Waits until all followers are beyond a position, or for so long. Returns whether the store is elsewhere.
    pub(crate) fn wait_beyond(&self, position: u64, time: Duration) -> bool {
        let are_not = |rung: &mut Rung| rung.followed.is_none_or(|followed| followed <= position);
        let waited = self.changed.wait_timeout_while(self.lock(), time, are_not);
        waited.unwrap_or_else(PoisonError::into_inner).0.stored != position
    }

    /// Where the store is, where all followers are, and why they are not further.
    pub(crate) fn state(&self) -> (u64, Option<u64>, Option<String>) {
        let rung = self.lock();
        (rung.stored, rung.followed, rung.problem.clone())
    }

    fn change(&self, change: impl FnOnce(&mut Rung)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn wait_while(&self, condition: impl FnMut(&mut Rung) -> bool) -> MutexGuard<'_, Rung> {
        self.changed.wait_while(self.lock(), condition).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Rung> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
