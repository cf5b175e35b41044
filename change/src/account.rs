//! What is said of two texts: how they relate, how much changed by each metric, which words, and what stayed.

use crate::characters::Characters;
use crate::comparison::{Block, Comparison};
use crate::metrics::Measures;
use crate::operations::{Kind, Operations};
use serde::Serialize;
use std::ops::Range;

/// Words from which on a run that stands in both texts is a passage: fewer stand in any two texts.
const PASSAGE_WORDS: usize = 4;

/// A comparison in numbers and places.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Account {
    /// How much changed.
    pub metrics: Measures,
    /// How many words every operation took.
    pub operations: Operations,
    /// The kind of the change: `none`, the one kind there is, or `mixture`.
    pub kind: &'static str,
    /// What stands in both texts, in the order of the second.
    pub passages: Vec<Passage>,
    /// What became of words that did not stay where they were, in the order of the second text.
    pub changes: Vec<Change>,
}

/// A run of words that stands in both texts. Places are characters of the core texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CommonPassage))]
pub struct Passage {
    /// Where it starts in A.
    pub start_a: usize,
    /// Where it ends in A.
    pub end_a: usize,
    /// Where it starts in B.
    pub start_b: usize,
    /// Where it ends in B.
    pub end_b: usize,
    /// How many words it has.
    pub words: usize,
    /// Whether it stands elsewhere in B.
    pub moved: bool,
}

/// Words that have the same fate. Places are characters of the core texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Change {
    /// What became of them.
    pub kind: Kind,
    /// How many they are.
    pub words: usize,
    /// Where they start in A, if they stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_a: Option<usize>,
    /// Where they end in A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_a: Option<usize>,
    /// Where they start in B, if they stand there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_b: Option<usize>,
    /// Where they end in B.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_b: Option<usize>,
}

impl Account {
    /// Everything there is to say.
    pub fn of(comparison: &Comparison) -> Self {
        let (a, b) = (Characters::of(comparison.a.text), Characters::of(comparison.b.text));
        let in_a = |words: Range<usize>| a.range(comparison.a.place(words));
        let in_b = |words: Range<usize>| b.range(comparison.b.place(words));
        let passage = |(run, moved): (&crate::Run, bool)| {
            let (a, b) = (in_a(run.a..run.a + run.length), in_b(run.b..run.b + run.length));
            let words = run.length;
            Passage { start_a: a.start, end_a: a.end, start_b: b.start, end_b: b.end, words, moved }
        };
        let change = |Block { kind, a, b }: Block| {
            let words = a.as_ref().or(b.as_ref()).map_or(0, Range::len);
            let (a, b) = (a.map(in_a), b.map(in_b));
            Change {
                kind,
                words,
                start_a: a.as_ref().map(|a| a.start),
                end_a: a.map(|a| a.end),
                start_b: b.as_ref().map(|b| b.start),
                end_b: b.map(|b| b.end),
            }
        };
        let operations = comparison.operations();
        Account {
            metrics: comparison.measures(),
            operations,
            kind: operations.kind(),
            passages: comparison.passages().into_iter().map(passage).collect(),
            changes: comparison.blocks().into_iter().map(change).collect(),
        }
    }
}

impl Comparison<'_> {
    /// The runs that are long enough to be passages, and whether they moved, in the order of the second text.
    pub fn passages(&self) -> Vec<(&crate::Run, bool)> {
        let least = PASSAGE_WORDS.min(self.words_a()).min(self.words_b());
        let kept = self.common().iter().map(|run| (run, false));
        let all = kept.chain(self.moves().iter().map(|run| (run, true)));
        let mut passages: Vec<_> = all.filter(|(run, _)| run.length >= least).collect();
        passages.sort_unstable_by_key(|(run, _)| run.b);
        passages
    }
}
