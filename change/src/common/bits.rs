//! Many differences: a whole row of the table of lengths as bits, 64 columns to a machine word (Hyyrö 2004). A bit is
//! clear where the length grows from one column to the next.
//!
//! A word that stands in few columns moves few clear bits, and only those are looked for; of a word that stands in many
//! the columns are kept as bits, too, and added in one go. Rows that fit in memory are all kept and walked back through;
//! a larger table is cut in two where the longest subsequence crosses its middle row (Hirschberg 1975). Who knows that so
//! many words are common knows how far from the diagonal none of them can be: what is beyond is left out (Ukkonen 1985).

use super::{Run, Runs};
use std::ops::Range;

/// Machine words of a table that is kept whole: 64 MB.
const KEPT: usize = 8 << 20;
/// A word that stands in more columns than there are machine words in a row, divided by this, is kept as bits.
const SPARSE: usize = 6;
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

    /// The runs of both; `least` words are known to be common, at least.
    pub fn runs(mut self, least: usize) -> Vec<Run> {
        self.solve(0..self.rows.len(), 0..self.columns.len(), least);
        self.runs.0
    }

    /// How many words are common in these pieces, each by itself.
    pub fn common_in(mut self, pieces: impl Iterator<Item = (Range<usize>, Range<usize>)>) -> usize {
        pieces.for_each(|(rows, columns)| self.solve(rows, columns, 0));
        self.runs.0.iter().map(|run| run.length).sum()
    }

    /// Appends the runs of a box, from the left to the right.
    fn solve(&mut self, rows: Range<usize>, columns: Range<usize>, least: usize) {
        let (a, b) = (&self.rows[rows.clone()], &self.columns[columns.clone()]);
        let before = super::shared_beginning(a, b);
        let behind = super::shared_end(&a[before..], &b[before..]);
        self.runs.push(rows.start, columns.start, before);
        let (inner_rows, inner_columns) =
            (rows.start + before..rows.end - behind, columns.start + before..columns.end - behind);
        if !inner_rows.is_empty() && !inner_columns.is_empty() {
            let least = least.saturating_sub(before + behind);
            let band = Band::of(inner_rows.len(), inner_columns.len(), least);
            if inner_rows.len() * band.most_words() <= self.kept {
                self.walk(inner_rows.clone(), inner_columns.clone(), band);
            } else {
                self.halve(inner_rows.clone(), inner_columns.clone(), band);
            }
        }
        self.runs.push(inner_rows.end, inner_columns.end, behind);
    }

    /// Keeps every row and walks back through them.
    fn walk(&mut self, rows: Range<usize>, columns: Range<usize>, band: Band) {
        let mut table = Table { words: Vec::with_capacity(rows.len() * band.most_words()), rows: Vec::new() };
        self.places.take(self.columns[columns.clone()].iter().copied());
        let mut bits = vec![u64::MAX; columns.len().div_ceil(BITS)];
        for (row, word) in self.rows[rows.clone()].iter().enumerate() {
            let words = band.words(row);
            self.places.advance(&mut bits, *word, words.clone());
            table.push(&bits, words);
        }
        self.places.give_back(self.columns[columns.clone()].iter().copied());
        let mut back = Vec::new();
        let (mut below, mut right) = (rows.len(), columns.len());
        while below > 0 && right > 0 {
            if !table.is_clear(below - 1, right - 1) {
                right = table.last_clear(below - 1, right - 1);
            } else if below > 1 && table.is_clear(below - 2, right - 1) {
                below -= 1;
            } else {
                (below, right) = (below - 1, right - 1);
                back.push((rows.start + below, columns.start + right));
            }
        }
        back.into_iter().rev().for_each(|(row, column)| self.runs.push(row, column, 1));
    }

    /// Cuts a box in two at its middle row.
    fn halve(&mut self, rows: Range<usize>, columns: Range<usize>, band: Band) {
        let middle = rows.start + rows.len() / 2;
        let (above, below) = (rows.start..middle, middle..rows.end);
        let (own_rows, own_columns) = (self.rows, &self.columns[columns.clone()]);
        // From the other end the same band leads through the box.
        let mut last = |columns: &mut dyn Iterator<Item = u32>, rows: &mut dyn Iterator<Item = u32>| {
            self.places.take(columns);
            let mut bits = vec![u64::MAX; own_columns.len().div_ceil(BITS)];
            rows.enumerate().for_each(|(row, word)| self.places.advance(&mut bits, word, band.words(row)));
            self.places.give_back(own_columns.iter().copied());
            bits
        };
        let forwards = last(&mut own_columns.iter().copied(), &mut own_rows[above.clone()].iter().copied());
        let backwards =
            last(&mut own_columns.iter().rev().copied(), &mut own_rows[below.clone()].iter().rev().copied());
        let cut = best_cut(&forwards, &backwards, columns.len());
        let (in_above, in_below) =
            (count_clear(&forwards, cut), count_clear(&backwards, columns.len() - cut));
        drop((forwards, backwards));
        self.solve(above, columns.start..columns.start + cut, in_above);
        self.solve(below, columns.start + cut..columns.end, in_below);
    }
}

/// The diagonals between which the longest common subsequence runs: a step aside is a difference, and so is the way back.
#[derive(Debug, Clone, Copy)]
struct Band {
    first: isize,
    last: isize,
    columns: usize,
}

impl Band {
    /// Of a box in which so many words are common at least.
    fn of(rows: usize, columns: usize, least: usize) -> Self {
        let differences = (rows + columns - 2 * least) as isize;
        let aside = columns as isize - rows as isize;
        Band { first: (aside - differences) / 2, last: (aside + differences) / 2, columns }
    }

    /// The machine words of a row that lie in it.
    fn words(&self, row: usize) -> Range<usize> {
        let within = |column: isize| column.clamp(0, self.columns as isize) as usize;
        let first = within(row as isize + self.first) / BITS;
        let end = within(row as isize + self.last + 1).div_ceil(BITS);
        first..end.max(first)
    }

    /// No row has more of them.
    fn most_words(&self) -> usize {
        ((self.last - self.first) as usize / BITS + 2).min(self.columns.div_ceil(BITS))
    }
}

/// Rows that are kept, each as far as it lies in the band. Left of it nothing is asked for, right of it no bit is clear.
struct Table {
    words: Vec<u64>,
    /// Which machine words of a row are kept, and where they begin.
    rows: Vec<(Range<usize>, usize)>,
}

impl Table {
    fn push(&mut self, bits: &[u64], words: Range<usize>) {
        self.rows.push((words.clone(), self.words.len()));
        self.words.extend_from_slice(&bits[words]);
    }

    fn is_clear(&self, row: usize, column: usize) -> bool {
        let (words, start) = &self.rows[row];
        let word = column / BITS;
        words.contains(&word) && self.words[start + word - words.start] >> (column % BITS) & 1 == 0
    }

    /// The end of the columns before `right` whose last bit is clear.
    fn last_clear(&self, row: usize, right: usize) -> usize {
        let (words, start) = &self.rows[row];
        let kept = &self.words[*start..start + words.len()];
        let right = right.min(words.end * BITS);
        let Some(right) = right.checked_sub(words.start * BITS) else { return 0 };
        let (whole, bit) = (right / BITS, right % BITS);
        let part = kept.get(whole).map_or(0, |bits| !bits & ((1u64 << bit) - 1));
        let clear = |(word, bits): (usize, u64)| {
            (bits != 0).then(|| (words.start + word) * BITS + BITS - bits.leading_zeros() as usize)
        };
        let before = kept[..whole].iter().enumerate().rev().map(|(word, bits)| (word, !bits));
        std::iter::once((whole, part)).chain(before).find_map(clear).unwrap_or(0)
    }
}

/// How many of the first columns have their bit clear.
fn count_clear(bits: &[u64], columns: usize) -> usize {
    let whole: u32 = bits[..columns / BITS].iter().map(|bits| bits.count_zeros()).sum();
    let rest = columns % BITS;
    let part = if rest == 0 { 0 } else { (!bits[columns / BITS] & ((1u64 << rest) - 1)).count_ones() };
    (whole + part) as usize
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

    /// The next row of the table: the one of a word, as far as it lies in these machine words. They never go back.
    fn advance(&mut self, row: &mut [u64], word: u32, words: Range<usize>) {
        match self.dense_at[word as usize] {
            NONE => self.move_clear_bits(row, word, words),
            at => {
                let columns = &self.dense[at as usize * row.len()..][..row.len()];
                add(&mut row[words.clone()], &columns[words]);
            }
        }
    }

    /// Between two clear bits, the first column of the word becomes clear in place of the second.
    fn move_clear_bits(&mut self, row: &mut [u64], word: u32, words: Range<usize>) {
        let first = &mut self.first[word as usize];
        while *first != NONE && (*first as usize) < words.start * BITS {
            *first = self.next[*first as usize];
        }
        let (row, mut column) = (&mut row[..words.end], *first);
        // Columns before this one were taken care of.
        let mut done = 0;
        while column != NONE && (column as usize) < words.end * BITS {
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

/// The same for a word whose columns are bits. Eight machine words at a time, so that the carry stays where the processor has
/// it.
fn add(row: &mut [u64], columns: &[u64]) {
    const TOGETHER: usize = 8;
    let mut carry = false;
    let (rows, last_row) = row.as_chunks_mut::<TOGETHER>();
    let (columns, last_columns) = columns.as_chunks::<TOGETHER>();
    for (row, columns) in rows.iter_mut().zip(columns) {
        let sums: [u64; TOGETHER] = std::array::from_fn(|at| {
            let (sum, over) = row[at].carrying_add(row[at] & columns[at], carry);
            carry = over;
            sum
        });
        *row = std::array::from_fn(|at| sums[at] | (row[at] & !columns[at]));
    }
    for (bits, columns) in last_row.iter_mut().zip(last_columns) {
        let (sum, over) = bits.carrying_add(*bits & columns, carry);
        carry = over;
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
            let exact = super::super::tests::table(&a, &b);
            for least in [0, exact / 2, exact] {
                check(&a, &b, Boxes { kept, ..Boxes::new(&a, &b, 9) }.runs(least));
            }
        }

        #[test]
        fn rare_words_and_frequent_ones(
            a in prop::collection::vec(prop_oneof![0u32..3, 0u32..500], 0..700),
            b in prop::collection::vec(prop_oneof![0u32..3, 0u32..500], 0..700),
        ) {
            check(&a, &b, Boxes::new(&a, &b, 500).runs(0));
        }
    }
}
