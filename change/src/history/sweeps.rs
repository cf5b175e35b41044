//! When was everything looked at? Only then does a page that was not seen tell something.

use super::calendar::day_number;
use super::events::Events;
use std::collections::HashMap;

/// A day counts as a sweep if at least this share of all pages was seen on it. Where versions are written down only when
/// pages change, days of many changes must not pass for sweeps: even a tenth of all pages may change at once.
const SWEPT_SHARE: f64 = 0.5;
/// … and at least so many pages.
const SWEPT_PAGES: usize = 2;

/// How sweeps are known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Sweeps {
    /// Days on which at least half of all pages were seen.
    #[default]
    Found,
    /// There were none: versions are there because pages changed.
    None,
    /// At these times, in Unix seconds.
    At(Vec<i64>),
}

impl Sweeps {
    /// The days of the sweeps, ascending. One alone tells nothing of who came and who went.
    pub(super) fn days<'a>(&self, pages: impl Iterator<Item = &'a Events>) -> Vec<i64> {
        let mut days = match self {
            Sweeps::Found => found(pages),
            Sweeps::None => Vec::new(),
            Sweeps::At(times) => times.iter().map(|&time| day_number(time)).collect(),
        };
        days.sort_unstable();
        days.dedup();
        if days.len() < 2 { Vec::new() } else { days }
    }
}

fn found<'a>(pages: impl Iterator<Item = &'a Events>) -> Vec<i64> {
    let (mut seen, mut all): (HashMap<i64, usize>, usize) = Default::default();
    for page in pages {
        all += 1;
        let mut days: Vec<i64> = page.visits.iter().map(|visit| day_number(visit.at)).collect();
        days.dedup();
        days.into_iter().for_each(|day| *seen.entry(day).or_default() += 1);
    }
    let is_sweep = |seen: usize| seen >= SWEPT_PAGES && seen as f64 >= SWEPT_SHARE * all as f64;
    seen.into_iter().filter(|(_, seen)| is_sweep(*seen)).map(|(day, _)| day).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::events::tests::events;

    #[test]
    fn days_on_which_half_of_the_pages_were_seen() {
        let pages = [events(&[0, 1, 5, 9]), events(&[0, 5, 5]), events(&[1, 9]), events(&[2])];
        assert_eq!(Sweeps::Found.days(pages.iter()), [0, 1, 5, 9]);
        assert_eq!(Sweeps::Found.days(pages[2..].iter()), [0; 0], "one page alone is no sweep");
        assert_eq!(Sweeps::None.days(pages.iter()), [0; 0]);
        assert_eq!(Sweeps::At(vec![5 * 86_400, 7, 9]).days(pages.iter()), [0, 5]);
        assert_eq!(Sweeps::At(vec![7, 9]).days(pages.iter()), [0; 0], "one sweep tells nothing");
    }
}
