//! What the store-time check must reach under the default policy, and what it reached.

use super::by_change::Cell;
use super::by_frame::Framed;
use super::labelled::Labelled;
use super::tally::{FALSE_BELOW, Judged, SURE, Share, Tally};
use firstcopy_engine::Policy;
use serde_json::{Value, json};

/// The share of copies that must be found.
pub const RECALL: f64 = 0.99;

/// What was measured under the default policy.
#[derive(Debug, Default)]
pub struct Goals {
    /// Copies that resemble their source at least so much that they must be found.
    pub sure: Share,
    /// Copies to which at most a tenth was added, at the ends.
    pub at_ends: Share,
    /// Posts in another frame.
    pub framed: Share,
    /// Duplicates that are none.
    pub false_duplicates: usize,
    /// Everything that was judged.
    pub judged: usize,
}

impl Goals {
    pub(super) fn of(cells: &[Cell], framed: &[Framed], labelled: &[Labelled]) -> Self {
        let default = Policy::default();
        let cells: Vec<&Cell> = cells.iter().filter(|cell| cell.policy == default).collect();
        let framed = framed.iter().filter(|framed| framed.policy == default);
        let framed = Tally(framed.flat_map(|framed| framed.tally.0.clone()).collect());
        let labelled = labelled.iter().filter(|labelled| labelled.policy == default);
        let labelled = labelled.flat_map(|labelled| labelled.judged.iter().map(|(judged, _)| *judged));
        let at_ends = cells.iter().filter(|cell| cell.change.is_at_ends());
        let at_ends = Tally(at_ends.flat_map(|cell| cell.tally.0.clone()).collect()).recall(0.0);
        let judged = cells.iter().flat_map(|cell| cell.tally.0.clone());
        let all: Vec<Judged> = judged.chain(framed.0.clone()).chain(labelled).collect();
        let all = Tally(all);
        Goals {
            sure: all.recall(SURE),
            at_ends,
            framed: framed.recall(0.0),
            false_duplicates: all.false_duplicates(),
            judged: all.0.len(),
        }
    }

    /// One row a goal: what, wanted, measured, of how many, reached.
    pub(super) fn rows(&self) -> Vec<Vec<Value>> {
        let found = |what: String, share: Share| {
            let value = share.value();
            let reached = value.is_none_or(|value| value >= RECALL);
            vec![
                json!(what),
                json!(format!("at least {RECALL}")),
                json!(value),
                json!(share.whole),
                said(reached),
            ]
        };
        vec![
            found(format!("recall of pairs with resemblance from {SURE}"), self.sure),
            found("recall with up to 10 % added at the ends".to_owned(), self.at_ends),
            found("recall of posts in another frame".to_owned(), self.framed),
            vec![
                json!(format!("duplicates with resemblance below {FALSE_BELOW}")),
                json!("0"),
                json!(self.false_duplicates),
                json!(self.judged),
                said(self.false_duplicates == 0),
            ],
        ]
    }
}

fn said(reached: bool) -> Value {
    json!(if reached { "reached" } else { "missed" })
}
