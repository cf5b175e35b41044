//! Rows that are kept one behind the other, and the way back through them.

use super::places::Places;
use super::row::{LOOK, State};
use super::{BITS, KEPT, WHOLE_IN_ROOM};
use std::cell::Cell;
use std::ops::Range;

/// Machine words of a table whose room a thread keeps for the next one: 256 KB. What is given back to the system comes again
/// page by page, which takes as long as comparing two pages of a thousand words.
const ROOM: usize = KEPT / WHOLE_IN_ROOM;

thread_local! {
    /// The room of the last table of this thread.
    static LEFT: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// Some rows, each as far as it lies in the window. Of what is outside nothing is asked for.
pub(super) struct Table {
    words: Vec<u64>,
    /// The row before the first.
    before: Block,
    /// All the others.
    blocks: Vec<Block>,
}

/// Rows of which the same machine words are kept, one behind the other.
struct Block {
    words: Range<usize>,
    /// Where the first of them begins.
    start: usize,
}

impl Table {
    /// The row before the first, and all of these.
    pub(super) fn made(first: usize, rows: &[u32], mut state: State, places: &Places) -> Self {
        let before =
            Block { words: state.window.first..state.window.reach.max(state.window.first), start: 0 };
        let mut table =
            Table { words: LEFT.take(), before, blocks: Vec::with_capacity(rows.len().div_ceil(LOOK)) };
        let mut end = table.before.words.len();
        table.make_room(end);
        table.words[..end].copy_from_slice(&state.bits[table.before.words.clone()]);
        for (row, rows) in (first..).step_by(LOOK).zip(rows.chunks(LOOK)) {
            state.window.look(row, &state.bits);
            let words = state.window.words();
            table.blocks.push(Block { words: words.clone(), start: end });
            table.make_room(end + rows.len() * words.len());
            for (number, word) in rows.iter().enumerate() {
                let (before, next) = table.words.split_at_mut(end);
                let next = &mut next[..words.len()];
                let row = match number {
                    0 => &mut state.bits[words.clone()],
                    _ => &mut before[end - words.len()..],
                };
                if places.of(*word).next_row(row, next, &words) {
                    state.set_next_clear(words.end);
                }
                end += words.len();
            }
            state.bits[words.clone()].copy_from_slice(&table.words[end - words.len()..end]);
        }
        table
    }

    /// Leaves its room to the next table.
    pub(super) fn leave(self) {
        if self.words.capacity() <= ROOM {
            LEFT.set(self.words);
        }
    }

    fn make_room(&mut self, words: usize) {
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }

    fn row(&self, row: usize) -> Row<'_> {
        let (block, within) = match row.checked_sub(1) {
            Some(row) => (&self.blocks[row / LOOK], row % LOOK),
            None => (&self.before, 0),
        };
        let length = block.words.len();
        let start = block.start + within * length;
        Row { first: block.words.start, words: &self.words[start..start + length] }
    }

    /// From behind a row and a column back to the row before the first; what is common on the way is appended.
    pub(super) fn walk_back(
        &self,
        (mut below, mut right): (usize, usize),
        first: usize,
        back: &mut Vec<(usize, usize)>,
    ) -> (usize, usize) {
        let mut row = self.row(below - first);
        while below > first && right > 0 {
            if !row.is_clear(right - 1) {
                right = row.last_clear(right - 1);
                continue;
            }
            below -= 1;
            row = self.row(below - first);
            if !row.is_clear(right - 1) {
                right -= 1;
                back.push((below, right));
            }
        }
        (first, right)
    }
}

/// What is kept of a row.
#[derive(Clone, Copy)]
struct Row<'t> {
    /// The first machine word that is.
    first: usize,
    words: &'t [u64],
}

impl Row<'_> {
    fn is_clear(self, column: usize) -> bool {
        let word = (column / BITS).checked_sub(self.first).and_then(|word| self.words.get(word));
        word.is_some_and(|bits| bits >> (column % BITS) & 1 == 0)
    }

    /// The end of the columns before `right` whose last bit is clear.
    fn last_clear(self, right: usize) -> usize {
        let end = (self.first + self.words.len()) * BITS;
        let Some(right) = right.min(end).checked_sub(self.first * BITS) else { return 0 };
        let (whole, bit) = (right / BITS, right % BITS);
        let part = self.words.get(whole).map_or(0, |bits| !bits & ((1u64 << bit) - 1));
        let clear = |(word, bits): (usize, u64)| {
            (bits != 0).then(|| (self.first + word) * BITS + BITS - bits.leading_zeros() as usize)
        };
        let before = self.words[..whole].iter().enumerate().rev().map(|(word, bits)| (word, !bits));
        std::iter::once((whole, part)).chain(before).find_map(clear).unwrap_or(0)
    }
}
