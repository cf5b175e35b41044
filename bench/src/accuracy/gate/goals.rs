//! The goals of the store-time check under the default policy, and the figures that were reached.

use super::by_change::Cell;
use super::by_frame::Framed;
use super::changes::Goal;
use super::handmade::{Reposted, Templated};
use super::labelled::Labelled;
use super::tally::{Share, Tally};
use firstcopy_engine::Policy;
use serde_json::{Value, json};

/// The line of one goal, and what was measured.
#[derive(Debug)]
pub struct GoalLine {
    /// The goal in plain words.
    pub name: String,
    /// The least share that reaches it; none if nothing at all may be found.
    pub least: Option<f64>,
    /// The share that was measured.
    pub share: Share,
}

impl GoalLine {
    fn at_least(name: &str, least: f64, share: Share) -> Self {
        GoalLine { name: name.to_owned(), least: Some(least), share }
    }

    /// Whether the goal is reached; nothing of nothing reaches every goal.
    pub fn is_reached(&self) -> bool {
        match (self.least, self.share.value()) {
            (Some(least), Some(value)) => value >= least,
            (None, _) => self.share.part == 0,
            (_, None) => true,
        }
    }

    pub(super) fn row(&self) -> Vec<Value> {
        let wanted = self.least.map_or("none".to_owned(), |least| format!("at least {least}"));
        let measured = match self.least {
            Some(_) => json!(self.share.value()),
            None => json!(self.share.part),
        };
        let said = if self.is_reached() { "reached" } else { "missed" };
        vec![json!(self.name), json!(wanted), measured, json!(self.share.whole), json!(said)]
    }
}

/// Everything that the goals are computed from.
pub(super) struct Measured<'a> {
    pub(super) cells: &'a [Cell],
    pub(super) framed: &'a [Framed],
    pub(super) labelled: &'a [Labelled],
    pub(super) templates: &'a [Templated],
    pub(super) reposts: &'a [Reposted],
}

impl Measured<'_> {
    /// Computes all lines under the default policy.
    pub(super) fn goals(&self) -> Vec<GoalLine> {
        let mut lines = Vec::new();
        let edits = [
            ("up to 5 % of the words replaced", Goal::SmallEdits),
            ("up to 20 % added at the ends", Goal::AddedAtEnds),
            ("last 12 % exchanged", Goal::EndExchanged),
            ("two quarters swapped", Goal::Swapped),
        ];
        for (name, goal) in edits {
            lines.push(GoalLine::at_least(
                &format!("{name}, from 50 words"),
                0.99,
                self.found(goal, 50..=1000),
            ));
            lines.push(GoalLine::at_least(&format!("{name}, 20 words"), 0.95, self.found(goal, 20..=20)));
        }
        let tenth = self.found(Goal::TenthReplaced, 50..=1000);
        lines.push(GoalLine::at_least("10 % of the words replaced, from 50 words", 0.97, tenth));
        let third = self.tally(Goal::ThirdExchanged, 20..=1000);
        lines.push(GoalLine::at_least("last third exchanged: source named", 0.98, third.sources_named()));
        let others = self.tally(Goal::OtherText, 20..=1000);
        let share = Share { part: others.false_duplicates(), whole: others.0.len() };
        lines.push(GoalLine { name: "other texts called duplicates".to_owned(), least: None, share });
        for framed in self.framed.iter().filter(|framed| framed.policy == Policy::default()) {
            let name = format!("posts in {} frames, {}", framed.frames, framed.language);
            lines.push(GoalLine::at_least(&name, 0.98, framed.tally.recall(0.0)));
        }
        for labelled in self.labelled.iter().filter(|labelled| labelled.policy == Policy::default()) {
            lines.extend(labelled.goals());
        }
        for templated in self.templates {
            lines.extend(templated.goals());
        }
        lines.extend(Reposted::goals(self.reposts));
        lines
    }

    fn found(&self, goal: Goal, lengths: std::ops::RangeInclusive<usize>) -> Share {
        self.tally(goal, lengths).recall(0.0)
    }

    fn tally(&self, goal: Goal, lengths: std::ops::RangeInclusive<usize>) -> Tally {
        let is_meant = |cell: &&Cell| {
            cell.policy == Policy::default()
                && lengths.contains(&cell.length)
                && cell.change.goal(cell.length) == goal
        };
        Tally(self.cells.iter().filter(is_meant).flat_map(|cell| cell.tally.0.clone()).collect())
    }
}
