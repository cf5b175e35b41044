//! One row of the table of lengths, from the first to the last: its bits, and which of them still matter.

use super::BITS;
use super::places::{Places, TOGETHER, with_margin};
use std::ops::Range;

/// A row of the table, and what of it matters.
#[derive(Clone)]
pub(super) struct State {
    pub(super) bits: Vec<u64>,
    pub(super) window: Window,
}

impl State {
    pub(super) fn new(rows: usize, columns: usize, least: usize) -> Self {
        let width = columns.div_ceil(BITS);
        let window = Window { rows, columns, least, first: 0, clear_before: 0, end: width, reach: 0, width };
        State { bits: vec![u64::MAX; with_margin(width)], window }
    }

    /// Goes on by some rows, at most as many as there are from one look to the next.
    pub(super) fn advance(&mut self, row: usize, rows: &[u32], places: &Places) {
        self.window.look(row, &self.bits);
        let words = self.window.words();
        for word in rows {
            if places.of(*word).advance(&mut self.bits[words.clone()], &words) {
                self.set_next_clear(words.end);
            }
        }
    }

    /// Sets the first clear bit from a machine word on, if there is one.
    pub(super) fn set_next_clear(&mut self, from: usize) {
        let behind = self.bits[..self.window.reach].get_mut(from..).unwrap_or_default();
        if let Some(word) = behind.iter_mut().find(|word| **word != u64::MAX) {
            *word |= *word + 1;
        }
    }

    /// How many words are common in all rows so far.
    pub(super) fn length(&self) -> usize {
        let clear: u32 = self.bits[self.window.first..].iter().map(|bits| bits.count_zeros()).sum();
        self.window.clear_before + clear as usize
    }
}

/// A state without what does not matter any more.
pub(super) struct Remembered {
    bits: Vec<u64>,
    window: Window,
}

impl Remembered {
    pub(super) fn of(state: &State) -> Self {
        let Window { first, reach, .. } = state.window;
        Remembered { bits: state.bits[first..reach.max(first)].to_vec(), window: state.window }
    }

    /// The state again, now that it is known how many words are common, and that nothing from `right` on matters.
    pub(super) fn state(self, length: usize, right: usize) -> State {
        let width = right.div_ceil(BITS).max(self.window.first);
        let mut bits = vec![u64::MAX; with_margin(width)];
        let known = self.bits.len().min(width - self.window.first);
        bits[self.window.first..][..known].copy_from_slice(&self.bits[..known]);
        let Window { end, reach, .. } = self.window;
        let window =
            Window { least: length, end: end.min(width), reach: reach.min(width), width, ..self.window };
        State { bits, window }
    }
}

/// The columns of a row through which a subsequence that is long enough can run: what is common so far, and all that may
/// still come, must be as many words as are known to be common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    rows: usize,
    columns: usize,
    least: usize,
    /// The first machine word in it, and how many bits before that are clear.
    pub(super) first: usize,
    clear_before: usize,
    /// Behind the last machine word in it.
    end: usize,
    /// Behind the last machine word that ever was: no bit beyond is clear.
    pub(super) reach: usize,
    /// Machine words of a row.
    width: usize,
}

/// Rows after which it is looked at anew.
pub(super) const LOOK: usize = 64;

impl Window {
    /// Looks at the bits as they are after so many rows.
    pub(super) fn look(&mut self, row: usize, bits: &[u64]) {
        // In what is left of the rows no more words can be common than there are rows.
        let wanted = self.least.saturating_sub(self.rows - row);
        while let Some(word) = bits.get(self.first)
            && self.clear_before + (word.count_zeros() as usize) < wanted
        {
            self.clear_before += word.count_zeros() as usize;
            self.first += 1;
        }
        // Nor more than there are columns. From one row to the next one column more may come in.
        let (mut end, mut clear) = (self.first, self.clear_before);
        while let Some(word) = bits.get(end)
            && clear + self.columns.saturating_sub(end * BITS) >= self.least
        {
            clear += word.count_zeros() as usize;
            end += 1;
        }
        end = (end + LOOK.div_ceil(BITS)).min(self.width);
        self.end = self.first + end.saturating_sub(self.first).next_multiple_of(TOGETHER);
        self.reach = self.reach.max(self.end);
    }

    /// The machine words in it: as many as are added in one go, or several times that.
    pub(super) fn words(&self) -> Range<usize> {
        self.first..self.end
    }
}
