//! Did a page come while we looked on, is it gone, did it move?

use super::calendar::{SECONDS_A_DAY, day_number};
use super::events::Events;

/// What became of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fate {
    /// First seen after the first sweep.
    pub is_new: bool,
    /// Since when it is gone.
    pub gone_at: Option<i64>,
    /// The page that it was before.
    pub moved_from: Option<String>,
    /// The page that it is now.
    pub moved_to: Option<String>,
}

impl Fate {
    /// As far as the page itself and the days of sweeps tell. It is gone if somebody says so, or if a sweep missed it and
    /// it was never seen again. What was seen between two sweeps may belong to either: they take longer than a day.
    pub fn of(events: &Events, sweeps: &[i64]) -> Self {
        let place = |at| sweeps.binary_search(&day_number(at));
        let is_new = events.first().is_some_and(|first| match place(first.at) {
            Ok(sweep) => sweep > 0,
            Err(next) => next > 1,
        });
        let missed = events.last().and_then(|last| match place(last.at) {
            Ok(sweep) => sweeps.get(sweep + 1),
            Err(next) => sweeps.get(next + 1),
        });
        let missed_at = missed.map(|sweep| sweep * SECONDS_A_DAY as i64);
        Fate { is_new, gone_at: events.gone.or(missed_at), ..Fate::default() }
    }

    /// New, and not because it moved.
    pub fn is_birth(&self) -> bool {
        self.is_new && self.moved_from.is_none()
    }

    /// Gone, and not because it moved.
    pub fn is_death(&self) -> bool {
        self.gone_at.is_some() && self.moved_to.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::events::tests::events;

    #[test]
    fn sweeps_tell_who_came_and_who_went() {
        for (days, is_new, gone_at) in [
            (&[0, 5, 9][..], false, None),
            (&[5, 9], true, None),
            (&[0], false, Some(5)),
            (&[0, 4], false, Some(9)),
            (&[0, 5], false, Some(9)),
            (&[0, 5, 8], false, None),
            (&[2, 9], false, None),
            (&[6, 9], true, None),
            (&[-3, 11], false, None),
        ] {
            let fate = Fate::of(&events(days), &[0, 5, 9]);
            assert_eq!((fate.is_new, fate.gone_at), (is_new, gone_at.map(|day| day * 86_400)), "{days:?}");
        }
        assert_eq!(Fate::of(&events(&[3]), &[]), Fate::default());
        let told = Events { gone: Some(7), ..events(&[0]) };
        assert_eq!(Fate::of(&told, &[]).gone_at, Some(7));
    }

    #[test]
    fn who_moved_was_not_born_and_did_not_die() {
        let fate = Fate { is_new: true, gone_at: Some(1), ..Fate::default() };
        assert!(fate.is_birth() && fate.is_death());
        let moved = Fate { moved_from: Some("a".to_owned()), moved_to: Some("c".to_owned()), ..fate };
        assert!(!moved.is_birth() && !moved.is_death());
    }
}
