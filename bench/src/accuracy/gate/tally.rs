//! Counting how right the verdicts were.

use serde_json::{Value, json};

/// From this true resemblance on, the default policy must find a copy …
pub const SURE: f64 = 0.85;
/// … which it is asked to from this one on …
pub const ASKED: f64 = 0.8;
/// … and below this one it must call nothing a duplicate.
pub const FALSE_BELOW: f64 = 0.75;

/// A document that was made from another, and what the check said.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// Its true resemblance with what it was made from.
    pub resemblance: f64,
    /// If it was called a duplicate: its true resemblance with the original that was named.
    pub found: Option<f64>,
    /// Whether the document that it was made from was named, as the original or as the closest one.
    pub names_source: bool,
}

impl Judged {
    /// A duplicate that is none.
    pub fn is_false(&self) -> bool {
        self.found.is_some_and(|resemblance| resemblance < FALSE_BELOW)
    }
}

/// Many of them.
#[derive(Debug, Clone, Default)]
pub struct Tally(pub Vec<Judged>);

/// How many of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// So many …
    pub part: usize,
    /// … of so many.
    pub whole: usize,
}

impl Share {
    /// Nothing of nothing has no value.
    pub fn value(self) -> Option<f64> {
        (self.whole > 0).then(|| self.part as f64 / self.whole as f64)
    }
}

impl Tally {
    /// The columns that [`Tally::cells`] fills.
    pub const COLUMNS: [&'static str; 9] = [
        "recall",
        "source named",
        "recall from 0.80",
        "recall from 0.85",
        "pairs from 0.85",
        "false duplicates",
        "precision",
        "mean resemblance",
        "pairs",
    ];

    pub fn cells(&self) -> Vec<Value> {
        vec![
            json!(self.recall(0.0).value()),
            json!(self.sources_named().value()),
            json!(self.recall(ASKED).value()),
            json!(self.recall(SURE).value()),
            json!(self.recall(SURE).whole),
            json!(self.false_duplicates()),
            json!(self.precision().value()),
            json!(self.mean_resemblance()),
            json!(self.0.len()),
        ]
    }

    /// The share found of those that resemble what they were made from at least so much.
    pub fn recall(&self, least: f64) -> Share {
        let copies = || self.0.iter().filter(|judged| judged.resemblance >= least);
        Share { part: copies().filter(|judged| judged.found.is_some()).count(), whole: copies().count() }
    }

    /// The share whose source was named.
    pub fn sources_named(&self) -> Share {
        Share { part: self.0.iter().filter(|judged| judged.names_source).count(), whole: self.0.len() }
    }

    pub fn false_duplicates(&self) -> usize {
        self.0.iter().filter(|judged| judged.is_false()).count()
    }

    fn precision(&self) -> Share {
        let found = self.recall(0.0).part;
        Share { part: found - self.false_duplicates(), whole: found }
    }

    fn mean_resemblance(&self) -> Option<f64> {
        let sum: f64 = self.0.iter().map(|judged| judged.resemblance).sum();
        (!self.0.is_empty()).then(|| sum / self.0.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_found_whichever_original_is_named() {
        let judged = |resemblance, found| Judged { resemblance, found, names_source: false };
        let tally = Tally(vec![
            judged(0.9, Some(0.9)),
            judged(0.9, None),
            judged(0.81, Some(0.95)),
            judged(0.2, Some(0.7)),
        ]);
        assert_eq!(tally.recall(SURE), Share { part: 1, whole: 2 });
        assert_eq!(tally.recall(ASKED), Share { part: 2, whole: 3 });
        assert_eq!((tally.false_duplicates(), tally.precision()), (1, Share { part: 2, whole: 3 }));
        assert_eq!(Share::default().value(), None);
    }
}
