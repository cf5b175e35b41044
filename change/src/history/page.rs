//! The history of one page: every interval between two versions measured, and what that says of the page.

use super::calendar::{days, optional_time, rfc3339, time};
use super::error::HistoryError;
use super::events::{Events, Visit};
use super::fates::Fate;
use super::rate::{changes_a_day, revisit_days};
use super::spool::Spool;
use super::sums::{Sums, largest};
use crate::comparison::{Comparison, Settings, Text};
use crate::metrics::Measures;
use crate::operations::Operations;
use firstcopy_text::Tokens;
use serde::Serialize;

/// What is known of one page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageHistory {
    /// Its url, or whatever else names it.
    pub page: String,
    /// Dated versions with a text, unchanged ones too.
    pub versions: usize,
    /// Versions that were empty or white space: they count for nothing else.
    pub empty_versions: usize,
    /// How often a version differed from the one before by more than white space.
    pub changes: usize,
    /// The time of the first version, in RFC 3339.
    #[serde(serialize_with = "time")]
    pub first_seen: i64,
    /// The time of the last version.
    #[serde(serialize_with = "time")]
    pub last_seen: i64,
    /// From the first version to the last.
    pub lifetime_days: f64,
    /// None with one version.
    pub mean_days_between_versions: Option<f64>,
    /// None without changes.
    pub mean_days_between_changes: Option<f64>,
    /// The rate of change (Cho and Garcia-Molina 2003); none when no time passed.
    pub changes_per_day: Option<f64>,
    /// In how many days it has changed with a probability of one half; none without a rate.
    pub revisit_days: Option<f64>,
    /// How much it changed from version to version, on average, by each metric.
    pub mean_change: Measures,
    /// How much at most.
    pub max_change: Measures,
    /// How many words every operation took, in all.
    pub operations: Operations,
    /// Whether it came while sweeps looked on, and not from elsewhere.
    pub born: bool,
    /// Whether it is gone, and not elsewhere.
    pub died: bool,
    /// Since when it is gone.
    #[serde(serialize_with = "optional_time")]
    pub gone_at: Option<i64>,
    /// How often it was gone and came back.
    pub returns: usize,
    /// The page that it was before.
    pub moved_from: Option<String>,
    /// The page that it is now.
    pub moved_to: Option<String>,
    /// From version to version.
    pub intervals: Vec<Interval>,
}

/// From one version to the next.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Interval {
    /// The time of the earlier version.
    #[serde(serialize_with = "time")]
    pub from: i64,
    /// The time of the later one.
    #[serde(serialize_with = "time")]
    pub to: i64,
    /// Between them.
    pub days: f64,
    /// How much changed.
    pub metrics: Measures,
    /// How many words every operation took.
    pub operations: Operations,
}

/// What a line of comma-separated values holds of an interval.
pub const INTERVAL_COLUMNS: [&str; 16] = [
    "page", "from", "to", "days", "bw", "cos", "wd", "ed", "shingle", "ied", "add", "copy", "drop", "shrink",
    "replace", "move",
];

impl Interval {
    /// Whether anything but white space changed.
    pub fn is_change(&self) -> bool {
        self.metrics.bw > 0.0
    }

    /// The values of [`INTERVAL_COLUMNS`].
    pub fn columns(&self, page: &str) -> Vec<String> {
        let Operations { add, copy, drop, shrink, replace, moved } = self.operations;
        let measures = self.metrics.values().map(|value| value.to_string());
        let operations = [add, copy, drop, shrink, replace, moved].map(|words| words.to_string());
        [page.to_owned(), rfc3339(self.from), rfc3339(self.to), self.days.to_string()]
            .into_iter()
            .chain(measures)
            .chain(operations)
            .collect()
    }
}

impl PageHistory {
    /// Compares every version with the one before it.
    pub(super) fn of(
        (page, events, fate): (&str, &Events, &Fate),
        spool: &Spool,
        settings: &Settings,
    ) -> Result<Self, HistoryError> {
        let intervals = intervals(&events.visits, spool, settings)?;
        let first_seen = events.first().map_or(0, |visit| visit.at);
        let last_seen = events.last().map_or(0, |visit| visit.at);
        let lifetime_days = days(first_seen, last_seen);
        let changes = intervals.iter().filter(|interval| interval.is_change()).count();
        let shared = |parts: usize| (parts > 0).then(|| lifetime_days / parts as f64);
        let mean_days_between_versions = shared(intervals.len());
        let rate = mean_days_between_versions.and_then(|mean| changes_a_day(intervals.len(), changes, mean));
        Ok(PageHistory {
            page: page.to_owned(),
            versions: events.visits.len(),
            empty_versions: events.empty,
            changes,
            first_seen,
            last_seen,
            lifetime_days,
            mean_days_between_versions,
            mean_days_between_changes: shared(changes),
            changes_per_day: rate,
            revisit_days: rate.map(|rate| revisit_days(rate, lifetime_days)),
            mean_change: intervals.iter().map(|interval| &interval.metrics).collect::<Sums>().mean(),
            max_change: largest(intervals.iter().map(|interval| &interval.metrics)),
            operations: sum(intervals.iter().map(|interval| &interval.operations)),
            born: fate.is_birth(),
            died: fate.is_death(),
            gone_at: fate.gone_at,
            returns: events.returns,
            moved_from: fate.moved_from.clone(),
            moved_to: fate.moved_to.clone(),
            intervals,
        })
    }

    /// How much changed between the last two versions; none with one.
    pub fn last_change(&self) -> Option<&Interval> {
        self.intervals.last()
    }
}

fn intervals(visits: &[Visit], spool: &Spool, settings: &Settings) -> Result<Vec<Interval>, HistoryError> {
    let mut before = None;
    let mut intervals = Vec::with_capacity(visits.len().saturating_sub(1));
    for pair in visits.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let (mut metrics, mut operations) = Default::default();
        if a.fingerprint != b.fingerprint {
            let earlier = match before.take() {
                Some(read) => read,
                None => Read::of(a, spool)?,
            };
            let later = Read::of(b, spool)?;
            (metrics, operations) = earlier.compared(&later, settings);
            before = Some(later);
        }
        intervals.push(Interval { from: a.at, to: b.at, days: days(a.at, b.at), metrics, operations });
    }
    Ok(intervals)
}

/// A text and its words; the later one of a comparison is the earlier one of the next.
struct Read {
    text: String,
    tokens: Tokens,
}

impl Read {
    fn of(visit: &Visit, spool: &Spool) -> Result<Self, HistoryError> {
        let text = spool.text(visit.piece)?;
        let tokens = Tokens::of(&text);
        Ok(Read { text, tokens })
    }

    fn compared(&self, later: &Self, settings: &Settings) -> (Measures, Operations) {
        let comparison = Comparison::of(self.text(), later.text(), settings);
        (comparison.measures(), comparison.operations())
    }

    fn text(&self) -> Text<'_> {
        Text { text: &self.text, tokens: &self.tokens }
    }
}

fn sum<'a>(all: impl Iterator<Item = &'a Operations>) -> Operations {
    all.fold(Operations::default(), |sum, one| Operations {
        add: sum.add + one.add,
        copy: sum.copy + one.copy,
        drop: sum.drop + one.drop,
        shrink: sum.shrink + one.shrink,
        replace: sum.replace + one.replace,
        moved: sum.moved + one.moved,
    })
}
