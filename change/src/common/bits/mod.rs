//! Many differences: a whole row of the table of lengths as bits, 64 columns to a machine word (Hyyrö 2004). A bit is
//! clear where the length grows from one column to the next.
//!
//! A word that stands in few columns moves few clear bits, and only those are looked for; of a word that stands in many
//! the columns are kept as bits, too, and added in one go. Some rows are kept, and from the last of them back to the first
//! those in between are made again and walked through. Who knows that so many words are common knows where none of
//! them can be any more: what cannot lead to as many is left out.

mod places;
mod row;
mod table;

use super::{Run, Runs};
use places::Places;
use row::{LOOK, Remembered, State};
use std::ops::Range;
use table::Table;

/// Machine words of a table that is kept whole: 16 MB.
const KEPT: usize = 2 << 20;
/// How many times the room that a thread keeps is in that.
const WHOLE_IN_ROOM: usize = 64;
const BITS: usize = 64;

/// Two sequences, and room to work in.
pub(super) struct Boxes<'a> {
    rows: &'a [u32],
    columns: &'a [u32],
    places: Places,
    runs: Runs,
    /// Machine words of a table that is kept whole.
    kept: usize,
}

impl<'a> Boxes<'a> {
    pub fn new(a: &'a [u32], b: &'a [u32], words: usize) -> Self {
        Boxes { rows: a, columns: b, places: Places::new(words), runs: Runs::default(), kept: KEPT }
    }

    /// The runs of both: those that are known, if no others are longer.
    pub fn runs(mut self, known: Vec<Run>) -> Vec<Run> {
        let least = known.iter().map(|run| run.length).sum();
        let found = self.solve(0..self.rows.len(), 0..self.columns.len(), least);
        found.map_or(known, |()| self.runs.0)
    }

    /// The runs of these pieces, each by itself.
    pub fn runs_in(mut self, pieces: impl Iterator<Item = (Range<usize>, Range<usize>)>) -> Vec<Run> {
        for (rows, columns) in pieces {
            self.solve(rows, columns.clone(), 0);
            self.places.give_back(&self.columns[columns]);
        }
        self.runs.0
    }

    /// Appends the runs of a box, from the left to the right. None if there are no longer ones than are known.
    fn solve(&mut self, rows: Range<usize>, columns: Range<usize>, least: usize) -> Option<()> {
        let (a, b) = (&self.rows[rows.clone()], &self.columns[columns.clone()]);
        let before = super::shared_beginning(a, b);
        let behind = super::shared_end(&a[before..], &b[before..]);
        let (rows, columns) =
            (rows.start + before..rows.end - behind, columns.start + before..columns.end - behind);
        self.runs.push(rows.start - before, columns.start - before, before);
        if !rows.is_empty() && !columns.is_empty() {
            let (a, b) = (&self.rows[rows.clone()], &self.columns[columns.clone()]);
            self.places.take(b);
            let matches = matches(a, b.len(), &self.places, least.saturating_sub(before + behind), self.kept);
            matches?.iter().rev().for_each(|(row, column)| {
                self.runs.push(rows.start + row, columns.start + column, 1);
            });
        }
        self.runs.push(rows.end, columns.end, behind);
        Some(())
    }
}

/// Which rows and columns are common, the last first. None if those that are known turn out to be as many as there can be.
fn matches(
    rows: &[u32],
    columns: usize,
    places: &Places,
    least: usize,
    kept: usize,
) -> Option<Vec<(usize, usize)>> {
    let words = rows.len() * columns.div_ceil(BITS);
    let is_kept_whole = words <= kept;
    // Without a table it is known sooner whether there are more common words than are known.
    let is_tried = least > 0 && words > kept / WHOLE_IN_ROOM;
    let mut state = State::new(rows.len(), columns, if is_tried { least + 1 } else { least });
    let apart = if is_kept_whole { rows.len() } else { rows.len().isqrt() }.max(1).next_multiple_of(LOOK);
    let mut remembered = vec![Remembered::of(&state)];
    let mut length = least;
    if is_tried || !is_kept_whole {
        for (number, block) in rows.chunks(LOOK).enumerate() {
            let row = number * LOOK;
            if row > 0 && row.is_multiple_of(apart) {
                remembered.push(Remembered::of(&state));
            }
            state.advance(row, block, places);
        }
        length = state.length();
        if is_tried && length <= least {
            return None;
        }
    }
    let mut back = Vec::with_capacity(length);
    let (mut below, mut right) = (rows.len(), columns);
    for (number, remembered) in remembered.into_iter().enumerate().rev() {
        let first = number * apart;
        let table = Table::made(first, &rows[first..below], remembered.state(length, right), places);
        (below, right) = table.walk_back((below, right), first, &mut back);
        table.leave();
    }
    Some(back)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;
    use proptest::prelude::*;

    /// The same, and one word less.
    fn without_last(mut runs: Vec<Run>) -> Vec<Run> {
        if let Some(last) = runs.last_mut() {
            last.length -= 1;
        }
        runs.retain(|run| run.length > 0);
        runs
    }

    proptest! {
        #[test]
        fn kept_whole_or_made_again(
            a in prop::collection::vec(0u32..9, 0..300),
            b in prop::collection::vec(0u32..9, 0..300),
            kept in prop_oneof![Just(0usize), Just(4 * WHOLE_IN_ROOM), Just(KEPT)],
        ) {
            let found = Boxes { kept, ..Boxes::new(&a, &b, 9) }.runs(Vec::new());
            check(&a, &b, found.clone());
            for known in [found[..found.len() / 2].to_vec(), found] {
                check(&a, &b, Boxes { kept, ..Boxes::new(&a, &b, 9) }.runs(known));
            }
        }

        #[test]
        fn rare_words_and_frequent_ones(
            a in prop::collection::vec(prop_oneof![0u32..3, 0u32..500], 0..700),
            b in prop::collection::vec(prop_oneof![0u32..3, 0u32..500], 0..700),
            kept in prop_oneof![Just(0usize), Just(4 * WHOLE_IN_ROOM), Just(KEPT)],
        ) {
            let found = Boxes { kept, ..Boxes::new(&a, &b, 500) }.runs(Vec::new());
            check(&a, &b, found.clone());
            check(&a, &b, Boxes { kept, ..Boxes::new(&a, &b, 500) }.runs(without_last(found)));
        }

        /// Near the diagonal, where little of a row is left.
        #[test]
        fn edited_here_and_there(
            words in prop::collection::vec(0u32..200, 300..900),
            edits in prop::collection::vec((0usize..900, 0u32..200), 0..120),
        ) {
            let mut edited = words.clone();
            for (place, word) in edits {
                let place = place % edited.len();
                match word % 3 {
                    0 => edited.insert(place, word),
                    1 => drop(edited.remove(place)),
                    _ => edited[place] = word,
                }
            }
            let boxes = |kept| Boxes { kept, ..Boxes::new(&words, &edited, 200) };
            let found = boxes(KEPT).runs(Vec::new());
            check(&words, &edited, found.clone());
            let nearly = without_last(found.clone());
            for known in [without_last(nearly.clone()), nearly, found] {
                for kept in [0, KEPT / (2 * WHOLE_IN_ROOM), KEPT] {
                    check(&words, &edited, boxes(kept).runs(known.clone()));
                }
            }
        }
    }
}
