//! The words of a text in pieces that are shown alike: kept, or of one fate; passages and moves know their other end.

use crate::common::Run;
use crate::comparison::{Comparison, Text};
use crate::operations::Kind;
use std::ops::Range;

/// Which of the two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

impl Side {
    /// The text on this side.
    pub fn text<'a>(self, comparison: &Comparison<'a>) -> Text<'a> {
        match self {
            Side::A => comparison.a,
            Side::B => comparison.b,
        }
    }
}

/// Words beside each other that have the same fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Which words of the text.
    pub words: Range<usize>,
    /// What became of them.
    pub kind: Kind,
    /// The number of the passage or of the move they are: the other text has it, too.
    pub pair: Option<usize>,
}

/// All words of one of the two texts, in pieces.
pub fn pieces(comparison: &Comparison, side: Side) -> Vec<Piece> {
    let (kinds, start): (_, fn(&Run) -> usize) = match side {
        Side::A => (comparison.kinds_a(), |run| run.a),
        Side::B => (comparison.kinds_b(), |run| run.b),
    };
    let mut pairs: Vec<Option<usize>> = vec![None; kinds.len()];
    let kept = comparison.passages().into_iter().filter(|(_, moved)| !moved).map(|(run, _)| run);
    for (number, run) in kept.enumerate() {
        pairs[start(run)..start(run) + run.length].fill(Some(number));
    }
    for (number, run) in comparison.moves().iter().enumerate() {
        pairs[start(run)..start(run) + run.length].fill(Some(number));
    }
    let mut pieces: Vec<Piece> = Vec::new();
    for (word, (&kind, &pair)) in kinds.iter().zip(&pairs).enumerate() {
        match pieces.last_mut() {
            Some(last) if last.kind == kind && last.pair == pair => last.words.end = word + 1,
            _ => pieces.push(Piece { words: word..word + 1, kind, pair }),
        }
    }
    pieces
}
