//! In which columns does a word stand, and what does its row make of the one before?

use super::BITS;
use std::cell::Cell;
use std::ops::Range;

/// A word that stands in more columns than there are machine words in a row, divided by this, is kept as bits.
const SPARSE: usize = 6;
/// Up to so many machine words in a row, all words are.
const NARROW: usize = 32;
/// Machine words that are added in one go: so many that the carry stays where the processor has it, and no more than its
/// registers hold.
pub(super) const TOGETHER: usize = 4;
const NONE: u32 = u32::MAX;

/// In which columns each word stands.
pub(super) struct Places {
    /// Where the columns of a word begin, and how many they are.
    starts: Vec<u32>,
    counts: Vec<u32>,
    columns: Vec<u32>,
    /// Machine words of a row.
    width: usize,
    /// The columns of words that stand in many, as bits.
    dense: Vec<u64>,
    dense_at: Vec<u32>,
}

impl Places {
    pub(super) fn new(words: usize) -> Self {
        Places {
            starts: vec![NONE; words],
            counts: vec![0; words],
            columns: Vec::new(),
            width: 0,
            dense: Vec::new(),
            dense_at: vec![NONE; words],
        }
    }

    /// Learns the columns of a box.
    pub(super) fn take(&mut self, columns: &[u32]) {
        self.width = with_margin(columns.len().div_ceil(BITS));
        self.dense.clear();
        match self.width <= NARROW {
            true => self.take_as_bits(columns),
            false => self.take_by_frequency(columns),
        }
    }

    fn take_as_bits(&mut self, columns: &[u32]) {
        let mut next = 0;
        for &word in columns {
            let at = &mut self.dense_at[word as usize];
            let is_new = *at == NONE;
            *at = if is_new { next } else { *at };
            next += u32::from(is_new);
        }
        self.dense.resize(next as usize * self.width, 0);
        columns.iter().enumerate().for_each(|(column, &word)| self.set_bit(word, column));
    }

    fn set_bit(&mut self, word: u32, column: usize) {
        let start = self.dense_at[word as usize] as usize * self.width;
        self.dense[start + column / BITS] |= 1 << (column % BITS);
    }

    fn take_by_frequency(&mut self, columns: &[u32]) {
        self.columns.clear();
        self.columns.resize(columns.len(), 0);
        columns.iter().for_each(|&word| self.counts[word as usize] += 1);
        let mut next = 0;
        for (column, &word) in columns.iter().enumerate() {
            let word = word as usize;
            if self.starts[word] == NONE {
                self.starts[word] = next;
                next += self.counts[word];
                self.counts[word] = 0;
            }
            self.columns[(self.starts[word] + self.counts[word]) as usize] = column as u32;
            self.counts[word] += 1;
        }
        for (column, &word) in columns.iter().enumerate() {
            if SPARSE * self.counts[word as usize] as usize <= self.width {
                continue;
            }
            if self.dense_at[word as usize] == NONE {
                self.dense_at[word as usize] = (self.dense.len() / self.width) as u32;
                self.dense.resize(self.dense.len() + self.width, 0);
            }
            self.set_bit(word, column);
        }
    }

    /// Forgets them.
    pub(super) fn give_back(&mut self, columns: &[u32]) {
        for &word in columns {
            let word = word as usize;
            (self.starts[word], self.counts[word], self.dense_at[word]) = (NONE, 0, NONE);
        }
    }

    /// The columns of a word.
    pub(super) fn of(&self, word: u32) -> Columns<'_> {
        let word = word as usize;
        match (self.dense_at[word], self.starts[word]) {
            (NONE, NONE) => Columns::Few(&[]),
            (NONE, start) => Columns::Few(&self.columns[start as usize..][..self.counts[word] as usize]),
            (at, _) => Columns::Many(&self.dense[at as usize * self.width..][..self.width]),
        }
    }
}

/// The columns of a word: as bits, or ascending.
pub(super) enum Columns<'p> {
    Many(&'p [u64]),
    Few(&'p [u32]),
}

impl Columns<'_> {
    /// Makes the next row, that of the word, out of what a window has of the one before. Returns whether the next clear bit beyond
    /// the window is to be set.
    pub(super) fn advance(&self, row: &mut [u64], window: &Range<usize>) -> bool {
        match self {
            Columns::Many(columns) => {
                let row = Cell::from_mut(row).as_slice_of_cells();
                add(row, &columns[window.clone()], row)
            }
            Columns::Few(columns) => move_clear_bits(row, columns, window),
        }
    }

    /// The same, and the one before stays.
    pub(super) fn next_row(&self, row: &mut [u64], next: &mut [u64], window: &Range<usize>) -> bool {
        match self {
            Columns::Many(columns) => {
                let as_cells = |row| Cell::from_mut(row).as_slice_of_cells();
                add(as_cells(row), &columns[window.clone()], as_cells(next))
            }
            Columns::Few(columns) => {
                next.copy_from_slice(row);
                move_clear_bits(next, columns, window)
            }
        }
    }
}

/// Between two clear bits, the first column of a word becomes clear in place of the second. Returns whether the second is
/// beyond the window.
fn move_clear_bits(row: &mut [u64], columns: &[u32], window: &Range<usize>) -> bool {
    let from = window.start * BITS;
    let first = columns.partition_point(|&column| (column as usize) < from);
    // Columns before this one were taken care of.
    let mut done = 0;
    for place in columns[first..].iter().map(|&column| column as usize - from) {
        if place >= row.len() * BITS {
            break;
        }
        if place >= done && row[place / BITS] >> (place % BITS) & 1 == 1 {
            let clear = next_clear(row, place);
            row[place / BITS] &= !(1 << (place % BITS));
            match row.get_mut(clear / BITS) {
                Some(machine_word) => *machine_word |= 1 << (clear % BITS),
                None => return true,
            }
            done = clear + 1;
        }
    }
    false
}

/// The first clear bit behind a place; the end of the row if there is none.
fn next_clear(row: &[u64], place: usize) -> usize {
    let mut word = place / BITS;
    let mut clear = !row[word] & (u64::MAX << (place % BITS));
    while clear == 0 {
        word += 1;
        match row.get(word) {
            Some(bits) => clear = !bits,
            None => return row.len() * BITS,
        }
    }
    word * BITS + clear.trailing_zeros() as usize
}

/// The same for a word whose columns are bits; both rows may be one. Returns whether the carry goes on beyond.
fn add(row: &[Cell<u64>], columns: &[u64], next: &[Cell<u64>]) -> bool {
    let mut carry = false;
    let (rows, _) = row.as_chunks::<TOGETHER>();
    let (columns, _) = columns.as_chunks::<TOGETHER>();
    let (nexts, _) = next.as_chunks::<TOGETHER>();
    for ((row, columns), next) in rows.iter().zip(columns).zip(nexts) {
        let row: [u64; TOGETHER] = std::array::from_fn(|at| row[at].get());
        let hit: [u64; TOGETHER] = std::array::from_fn(|at| row[at] & columns[at]);
        let sums: [u64; TOGETHER] = std::array::from_fn(|at| {
            let (sum, over) = row[at].carrying_add(hit[at], carry);
            carry = over;
            sum
        });
        (0..TOGETHER).for_each(|at| next[at].set(sums[at] | (row[at] ^ hit[at])));
    }
    carry
}

/// Machine words of a row, and as many more as a window may reach beyond it. No column is there, and no bit is ever clear.
pub(super) fn with_margin(width: usize) -> usize {
    width + TOGETHER - 1
}
