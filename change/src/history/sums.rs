//! Measures added up.

use super::page::PageHistory;
use crate::metrics::{METRICS, Measures, Metric};

/// The sums of many measures, and how many there were.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    values: [f64; METRICS.len()],
    pub count: usize,
}

impl Sums {
    pub fn add(&mut self, measures: &Measures) {
        self.values.iter_mut().zip(measures.values()).for_each(|(sum, value)| *sum += value);
        self.count += 1;
    }

    /// The mean by every metric; 0 of none.
    pub fn mean(&self) -> Measures {
        let count = self.count.max(1) as f64;
        of_values(self.values.map(|sum| sum / count))
    }
}

impl<'a> FromIterator<&'a Measures> for Sums {
    fn from_iter<T: IntoIterator<Item = &'a Measures>>(all: T) -> Self {
        let mut sums = Sums::default();
        all.into_iter().for_each(|one| sums.add(one));
        sums
    }
}

/// The largest by every metric; 0 of none.
pub(super) fn largest<'a>(all: impl Iterator<Item = &'a Measures>) -> Measures {
    let larger = |largest: [f64; METRICS.len()], one: &Measures| {
        let mut values = one.values();
        values.iter_mut().zip(largest).for_each(|(value, largest)| *value = value.max(largest));
        values
    };
    of_values(all.fold([0.0; METRICS.len()], larger))
}

fn of_values([bw, cos, wd, ed, shingle, ied]: [f64; METRICS.len()]) -> Measures {
    Measures { bw, cos, wd, ed, shingle, ied }
}

impl Metric {
    /// What this metric said, among what all said.
    pub fn value(&self, measures: &Measures) -> f64 {
        let place = METRICS.iter().position(|metric| metric.name == self.name);
        place.map_or(0.0, |place| measures.values()[place])
    }

    /// How much a page changed in all.
    pub fn total(&self, history: &PageHistory) -> f64 {
        history.intervals.iter().map(|interval| self.value(&interval.metrics)).sum()
    }
}
