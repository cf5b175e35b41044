//! Many differences: a whole row of the table of lengths as bits, 64 columns to a machine word (Hyyrö 2004). A bit is
//! clear where the length grows from one column to the next.
//!
//! A word that stands in few columns moves few clear bits, and only those are looked for; of a word that stands in many
//! the columns are kept as bits, too, and added in one go. Rows that fit in memory are all kept and walked back through;
//! a larger table is cut in two where the longest subsequence crosses its middle row (Hirschberg 1975).

use super::{Run, Runs};
use std::ops::Range;

/// Machine words of a table that is kept whole: 64 MB.
const KEPT: usize = 8 << 20;
/// A word that stands in more columns than there are machine words in a row, divided by this, is kept as bits.
const SPARSE: usize = 2;
const BITS: usize = 64;
const NONE: u32 = u32::MAX;

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

    pub fn runs(mut self) -> Vec<Run> {
        self.solve(0..self.rows.len(), 0..self.columns.len());
        self.runs.0
    }

    /// Appends the runs of a box, from the left to the right.
    fn solve(&mut self, rows: Range<usize>, columns: Range<usize>) {
        let (a, b) = (&self.rows[rows.clone()], &self.columns[columns.clone()]);
        let before = super::shared_beginning(a, b);
        let behind = super::shared_end(&a[before..], &b[before..]);
        self.runs.push(rows.start, columns.start, before);
        let (inner_rows, inner_columns) =
            (rows.start + before..rows.end - behind, columns.start + before..columns.end - behind);
        if !inner_rows.is_empty() && !inner_columns.is_empty() {
            if inner_rows.len() * inner_columns.len().div_ceil(BITS) <= self.kept {
                self.walk(inner_rows.clone(), inner_columns.clone());
            } else {
                self.halve(inner_rows.clone(), inner_columns.clone());
            }
        }
        self.runs.push(inner_rows.end, inner_columns.end, behind);
    }

    /// Keeps every row and walks back through them.
    fn walk(&mut self, rows: Range<usize>, columns: Range<usize>) {
        let width = columns.len().div_ceil(BITS);
        let mut table: Vec<u64> = Vec::with_capacity(rows.len() * width);
        self.places.take(self.columns[columns.clone()].iter().copied());
        let mut row = vec![u64::MAX; width];
        for word in &self.rows[rows.clone()] {
            self.places.advance(&mut row, *word);
            table.extend_from_slice(&row);
        }
        self.places.give_back(self.columns[columns.clone()].iter().copied());
        let is_clear =
            |row: usize, column: usize| table[row * width + column / BITS] >> (column % BITS) & 1 == 0;
        let mut back = Vec::new();
        let (mut below, mut right) = (rows.len(), columns.len());
        while below > 0 && right > 0 {
            if !is_clear(below - 1, right - 1) {
                right = last_clear(&table[(below - 1) * width..below * width], right - 1);
            } else if below > 1 && is_clear(below - 2, right - 1) {
                below -= 1;
            } else {
                (below, right) = (below - 1, right - 1);
                back.push((rows.start + below, columns.start + right));
            }
        }
        back.into_iter().rev().for_each(|(row, column)| self.runs.push(row, column, 1));
    }

    /// Cuts a box in two at its middle row.
    fn halve(&mut self, rows: Range<usize>, columns: Range<usize>) {
        let middle = rows.start + rows.len() / 2;
        let (above, below) = (rows.start..middle, middle..rows.end);
        let width = columns.len().div_ceil(BITS);
        let (own_rows, own_columns) = (self.rows, &self.columns[columns.clone()]);
        let mut last = |columns: &mut dyn Iterator<Item = u32>, rows: &mut dyn Iterator<Item = u32>| {
            self.places.take(columns);
            let mut row = vec![u64::MAX; width];
            rows.for_each(|word| self.places.advance(&mut row, word));
            self.places.give_back(own_columns.iter().copied());
            row
        };
        let forwards = last(&mut own_columns.iter().copied(), &mut own_rows[above.clone()].iter().copied());
        let backwards =
            last(&mut own_columns.iter().rev().copied(), &mut own_rows[below.clone()].iter().rev().copied());
        let cut = columns.start + best_cut(&forwards, &backwards, columns.len());
        drop((forwards, backwards));
        self.solve(above, columns.start..cut);
        self.solve(below, cut..columns.end);
    }
}

/// The end of the columns before `right` whose last bit is clear.
fn last_clear(row: &[u64], right: usize) -> usize {
    let (mut word, bit) = (right / BITS, right % BITS);
    let mut clear = !row[word] & ((1u64 << bit) - 1);
    while clear == 0 && word > 0 {
        word -= 1;
        clear = !row[word];
    }
    if clear == 0 { 0 } else { word * BITS + BITS - clear.leading_zeros() as usize }
}

/// After how many columns the lengths of both sides are largest together: the first such place.
fn best_cut(forwards: &[u64], backwards: &[u64], columns: usize) -> usize {
    let is_clear = |row: &[u64], column: usize| i64::from(row[column / BITS] >> (column % BITS) & 1 == 0);
    let all: i64 = (0..columns).map(|column| is_clear(backwards, column)).sum();
    let (mut length, mut best, mut cut) = (all, all, 0);
    for column in 0..columns {
        length += is_clear(forwards, column) - is_clear(backwards, columns - 1 - column);
        if length > best {
            (best, cut) = (length, column + 1);
        }
    }
    cut
}

/// In which columns each word stands.
struct Places {
    /// The first column of a word, then from each column the next one with the same word.
    first: Vec<u32>,
    next: Vec<u32>,
    counts: Vec<u32>,
    /// The columns of words that stand in many, as bits.
    dense: Vec<u64>,
    dense_at: Vec<u32>,
}

impl Places {
    fn new(words: usize) -> Self {
        Places {
            first: vec![NONE; words],
            next: Vec::new(),
            counts: vec![0; words],
            dense: Vec::new(),
            dense_at: vec![NONE; words],
        }
    }

    /// Learns the columns of a box.
    fn take(&mut self, columns: impl Iterator<Item = u32>) {
        let columns: Vec<u32> = columns.collect();
        let width = columns.len().div_ceil(BITS);
        self.next.clear();
        self.next.resize(columns.len(), NONE);
        self.dense.clear();
        for (column, &word) in columns.iter().enumerate().rev() {
            let word = word as usize;
            self.next[column] = std::mem::replace(&mut self.first[word], column as u32);
            self.counts[word] += 1;
        }
        for (column, &word) in columns.iter().enumerate() {
            let word = word as usize;
            if SPARSE * self.counts[word] as usize <= width {
                continue;
            }
            if self.dense_at[word] == NONE {
                self.dense_at[word] = (self.dense.len() / width) as u32;
                self.dense.resize(self.dense.len() + width, 0);
            }
            self.dense[self.dense_at[word] as usize * width + column / BITS] |= 1 << (column % BITS);
        }
    }

    /// Forgets them.
    fn give_back(&mut self, columns: impl Iterator<Item = u32>) {
        for word in columns {
            let word = word as usize;
            (self.first[word], self.counts[word], self.dense_at[word]) = (NONE, 0, NONE);
        }
    }

    /// The next row of the table: the one of a word.
    fn advance(&self, row: &mut [u64], word: u32) {
        match self.dense_at[word as usize] {
            NONE => self.move_clear_bits(row, word),
            at => add(row, &self.dense[at as usize * row.len()..][..row.len()]),
        }
    }

    /// Between two clear bits, the first column of the word becomes clear in place of the second.
    fn move_clear_bits(&self, row: &mut [u64], word: u32) {
        let mut column = self.first[word as usize];
        // Columns before this one were taken care of.
        let mut done = 0;
        while column != NONE {
            let place = column as usize;
            if place >= done && row[place / BITS] >> (place % BITS) & 1 == 1 {
                done = next_clear(row, place) + 1;
                row[place / BITS] &= !(1 << (place % BITS));
                if let Some(machine_word) = row.get_mut((done - 1) / BITS) {
                    *machine_word |= 1 << ((done - 1) % BITS);
                }
            }
            column = self.next[place];
        }
    }
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

/// The same for a word whose columns are bits.
fn add(row: &mut [u64], columns: &[u64]) {
    let mut carry = false;
    for (bits, columns) in row.iter_mut().zip(columns) {
        let (sum, over) = bits.overflowing_add(*bits & columns);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry));
        carry = over | over_again;
        *bits = sum | (*bits & !columns);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn kept_whole_or_cut_in_two(
            a in prop::collection::vec(0u32..9, 0..200),
            b in prop::collection::vec(0u32..9, 0..200),
            kept in 1usize..300,
        ) {
            check(&a, &b, Boxes { kept, ..Boxes::new(&a, &b, 9) }.runs());
        }

        #[test]
        fn rare_words_and_frequent_ones(
            a in prop::collection::vec(prop_oneof![0u32..3, 0u32..500], 0..700),
            b in prop::collection::vec(prop_oneof![0u32..3, 0u32..500], 0..700),
        ) {
            check(&a, &b, Boxes::new(&a, &b, 500).runs());
        }
    }
}
