//! What can be said of all pages together.

use super::calendar::{Unit, days, time};
use super::collection::Chapter;
use super::moved::PageMove;
use super::page::{Interval, PageHistory};
use super::sums::Sums;
use crate::metrics::{METRICS, Measures};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The parts of a histogram: tenths.
pub(super) const TENTHS: usize = 10;

/// What can be said of a collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Overall {
    /// Pages with a text.
    pub pages: usize,
    /// Pages that never had one.
    pub pages_without_text: usize,
    /// Dated versions with a text.
    pub versions: usize,
    /// Versions that were empty or white space.
    pub empty_versions: usize,
    /// From one version of a page to its next.
    pub intervals: usize,
    /// Those in which anything but white space changed.
    pub changed_intervals: usize,
    /// The share of the intervals that they are.
    pub changed_share: f64,
    /// Pages that changed at least once.
    pub changed_pages: usize,
    /// The time of the first version of all, in RFC 3339.
    #[serde(serialize_with = "time")]
    pub first_seen: i64,
    /// The time of the last.
    #[serde(serialize_with = "time")]
    pub last_seen: i64,
    /// The mean change of an interval by each metric: the collection's change degree (kwon-2007 figure 5).
    pub change: Measures,
    /// The mean over the intervals that changed.
    pub change_when_changed: Measures,
    /// How many of the intervals that changed did so by how much, in tenths.
    pub distribution: Distribution,
    /// How long the periods are: day, month or year.
    pub period: &'static str,
    /// Change over time, by when intervals ended.
    pub over_time: Vec<Period>,
    /// Days on which everything was looked at; without two of them nobody can say who came and who went unseen.
    pub sweeps: usize,
    /// Pages that came, and not from elsewhere.
    pub births: usize,
    /// Pages that are gone, and not elsewhere.
    pub deaths: usize,
    /// How often pages were gone and came back.
    pub returns: usize,
    /// Pages that went on elsewhere on their host.
    pub moves_within_host: usize,
    /// Pages that went on at another host.
    pub moves_between_hosts: usize,
    /// From the first version of a page to its last.
    pub lifetime_days: Option<Quartiles>,
    /// The mean time from one version to the next.
    pub mean_days_between_versions: Option<f64>,
    /// The mean rate of change of a page (Cho and Garcia-Molina 2003).
    pub mean_changes_per_day: Option<f64>,
    /// The pages that moved, earliest first.
    pub moves: Vec<PageMove>,
    /// What three metrics say of every interval that changed (kwon-2007 figure 6).
    #[serde(skip)]
    pub degrees: Vec<Degree>,
}

/// By every metric, how many intervals changed by 0 to 0.1, 0.1 to 0.2, … 0.9 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Distribution(pub [[usize; TENTHS]; METRICS.len()]);

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(METRICS.len()))?;
        for (metric, counts) in METRICS.iter().zip(&self.0) {
            map.serialize_entry(metric.name, counts)?;
        }
        map.end()
    }
}

/// A day, month or year.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Period {
    /// Which: 2024-01-31, 2024-01 or 2024.
    pub period: String,
    /// Intervals that ended in it.
    pub intervals: usize,
    /// Those that changed.
    pub changed_intervals: usize,
    /// Their mean change by each metric, unchanged ones included.
    pub change: Measures,
}

/// A quarter of all values is below the first, half below the median, three quarters below the third.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quartiles {
    /// The first.
    pub q1: f64,
    /// The second.
    pub median: f64,
    /// The third.
    pub q3: f64,
}

/// One change, by the three metrics that figure 6 of kwon-2007 compares: small, because there is one for every change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Degree {
    /// Shingling.
    pub shingle: f32,
    /// Cosine distance.
    pub cos: f32,
    /// Improved edit distance.
    pub ied: f32,
}

/// Counts pages as they are told.
pub(super) struct Tally {
    unit: Unit,
    overall: Overall,
    all: Sums,
    changed: Sums,
    periods: BTreeMap<String, (Sums, usize)>,
    lifetimes: Vec<f64>,
    rates: (f64, usize),
    days: f64,
}

impl Tally {
    pub fn new(
        chapters: &[Chapter],
        (pages_without_text, sweeps): (usize, usize),
        moves: Vec<PageMove>,
    ) -> Self {
        let firsts = chapters.iter().filter_map(|chapter| chapter.events.first());
        let lasts = chapters.iter().filter_map(|chapter| chapter.events.last());
        let first_seen = firsts.map(|visit| visit.at).min().unwrap_or_default();
        let last_seen = lasts.map(|visit| visit.at).max().unwrap_or_default();
        let moves_within_host = moves.iter().filter(|moved| moved.within_host).count();
        let unit = Unit::fitting(first_seen, last_seen);
        let overall = Overall {
            pages_without_text,
            first_seen,
            last_seen,
            period: unit.name(),
            sweeps,
            moves_within_host,
            moves_between_hosts: moves.len() - moves_within_host,
            moves,
            ..Overall::default()
        };
        Tally {
            unit,
            overall,
            all: Sums::default(),
            changed: Sums::default(),
            periods: BTreeMap::new(),
            lifetimes: Vec::new(),
            rates: (0.0, 0),
            days: 0.0,
        }
    }

    pub fn take(&mut self, page: &PageHistory) {
        let overall = &mut self.overall;
        overall.pages += 1;
        overall.versions += page.versions;
        overall.empty_versions += page.empty_versions;
        overall.changed_pages += usize::from(page.changes > 0);
        overall.births += usize::from(page.born);
        overall.deaths += usize::from(page.died);
        overall.returns += page.returns;
        self.lifetimes.push(page.lifetime_days);
        self.days += days(page.first_seen, page.last_seen);
        if let Some(rate) = page.changes_per_day {
            self.rates = (self.rates.0 + rate, self.rates.1 + 1);
        }
        page.intervals.iter().for_each(|interval| self.take_interval(interval));
    }

    fn take_interval(&mut self, interval: &Interval) {
        let metrics = &interval.metrics;
        self.all.add(metrics);
        let (sums, changed) = self.periods.entry(self.unit.period(interval.to)).or_default();
        sums.add(metrics);
        if !interval.is_change() {
            return;
        }
        *changed += 1;
        self.changed.add(metrics);
        for (counts, value) in self.overall.distribution.0.iter_mut().zip(metrics.values()) {
            counts[((value * TENTHS as f64) as usize).min(TENTHS - 1)] += 1;
        }
        self.overall.degrees.push(Degree {
            shingle: metrics.shingle as f32,
            cos: metrics.cos as f32,
            ied: metrics.ied as f32,
        });
    }

    pub fn finish(mut self) -> Overall {
        let (intervals, changed) = (self.all.count, self.changed.count);
        let mean = |sum: f64, count: usize| (count > 0).then(|| sum / count as f64);
        let period = |(period, (sums, changed_intervals)): (String, (Sums, usize))| Period {
            period,
            intervals: sums.count,
            changed_intervals,
            change: sums.mean(),
        };
        Overall {
            intervals,
            changed_intervals: changed,
            changed_share: changed as f64 / intervals.max(1) as f64,
            change: self.all.mean(),
            change_when_changed: self.changed.mean(),
            over_time: self.periods.into_iter().map(period).collect(),
            lifetime_days: quartiles(&mut self.lifetimes),
            mean_days_between_versions: mean(self.days, intervals),
            mean_changes_per_day: mean(self.rates.0, self.rates.1),
            ..self.overall
        }
    }
}

fn quartiles(values: &mut [f64]) -> Option<Quartiles> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |share: f64| {
        let place = share * last as f64;
        let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
        below + (above - below) * place.fract()
    };
    Some(Quartiles { q1: at(0.25), median: at(0.5), q3: at(0.75) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters() {
        assert_eq!(quartiles(&mut []), None);
        let at = |q1, median, q3| Some(Quartiles { q1, median, q3 });
        assert_eq!(quartiles(&mut [7.0]), at(7.0, 7.0, 7.0));
        assert_eq!(quartiles(&mut [4.0, 1.0, 2.0, 3.0, 5.0]), at(2.0, 3.0, 4.0));
        assert_eq!(quartiles(&mut [1.0, 2.0]), at(1.25, 1.5, 1.75));
    }
}
