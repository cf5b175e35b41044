//! Many differences: a whole row of the table of lengths as bits, 64 columns to a machine word (Hyyrö 2004). A bit is
//! clear where the length grows from one column to the next.
//!
//! A word that stands in few columns moves few clear bits, and only those are looked for; of a word that stands in many
//! the columns are kept as bits, too, and added in one go. Some rows are kept, and from the last of them back to the first
//! those in between are made again and walked through. Who knows that so many words are common knows where none of
//! them can be any more: what cannot lead to as many is left out.

use super::{Run, Runs};
use std::cell::Cell;
use std::ops::Range;

/// Machine words of a table that is kept whole: 16 MB.
const KEPT: usize = 2 << 20;
/// Machine words of a table whose room a thread keeps for the next one: 256 KB. What is given back to the system comes again
/// page by page, which takes as long as comparing two pages of a thousand words.
const ROOM: usize = KEPT / WHOLE_IN_ROOM;
const WHOLE_IN_ROOM: usize = 64;
/// A word that stands in more columns than there are machine words in a row, divided by this, is kept as bits.
const SPARSE: usize = 6;
/// Up to so many machine words in a row, all words are.
const NARROW: usize = 32;
const BITS: usize = 64;
/// Machine words that are added in one go: so many that the carry stays where the processor has it, and no more than its
/// registers hold.
const TOGETHER: usize = 4;
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

thread_local! {
    /// The room of the last table of this thread.
    static LEFT: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// A row of the table, and what of it matters.
#[derive(Clone)]
struct State {
    bits: Vec<u64>,
    window: Window,
}

impl State {
    fn new(rows: usize, columns: usize, least: usize) -> Self {
        let width = columns.div_ceil(BITS);
        let window = Window { rows, columns, least, first: 0, clear_before: 0, end: width, reach: 0, width };
        State { bits: vec![u64::MAX; with_margin(width)], window }
    }

    /// Goes on by some rows, at most as many as there are from one look to the next.
    fn advance(&mut self, row: usize, rows: &[u32], places: &Places) {
        self.window.look(row, &self.bits);
        let words = self.window.words();
        for word in rows {
            if places.of(*word).advance(&mut self.bits[words.clone()], &words) {
                self.set_next_clear(words.end);
            }
        }
    }

    /// Sets the first clear bit from a machine word on, if there is one.
    fn set_next_clear(&mut self, from: usize) {
        let behind = self.bits[..self.window.reach].get_mut(from..).unwrap_or_default();
        if let Some(word) = behind.iter_mut().find(|word| **word != u64::MAX) {
            *word |= *word + 1;
        }
    }

    /// How many words are common in all rows so far.
    fn length(&self) -> usize {
        let clear: u32 = self.bits[self.window.first..].iter().map(|bits| bits.count_zeros()).sum();
        self.window.clear_before + clear as usize
    }
}

/// A state without what does not matter any more.
struct Remembered {
    bits: Vec<u64>,
    window: Window,
}

impl Remembered {
    fn of(state: &State) -> Self {
        let Window { first, reach, .. } = state.window;
        Remembered { bits: state.bits[first..reach.max(first)].to_vec(), window: state.window }
    }

    /// The state again, now that it is known how many words are common, and that nothing from `right` on matters.
    fn state(self, length: usize, right: usize) -> State {
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
struct Window {
    rows: usize,
    columns: usize,
    least: usize,
    /// The first machine word in it, and how many bits before that are clear.
    first: usize,
    clear_before: usize,
    /// Behind the last machine word in it.
    end: usize,
    /// Behind the last machine word that ever was: no bit beyond is clear.
    reach: usize,
    /// Machine words of a row.
    width: usize,
}

/// Rows after which it is looked at anew.
const LOOK: usize = 64;

impl Window {
    /// Looks at the bits as they are after so many rows.
    fn look(&mut self, row: usize, bits: &[u64]) {
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
    fn words(&self) -> Range<usize> {
        self.first..self.end
    }
}

/// Some rows, each as far as it lies in the window. Of what is outside nothing is asked for.
struct Table {
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
    fn made(first: usize, rows: &[u32], mut state: State, places: &Places) -> Self {
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
    fn leave(self) {
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
    fn walk_back(
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

/// In which columns each word stands.
struct Places {
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
    fn new(words: usize) -> Self {
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
    fn take(&mut self, columns: &[u32]) {
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
    fn give_back(&mut self, columns: &[u32]) {
        for &word in columns {
            let word = word as usize;
            (self.starts[word], self.counts[word], self.dense_at[word]) = (NONE, 0, NONE);
        }
    }

    /// The columns of a word.
    fn of(&self, word: u32) -> Columns<'_> {
        let word = word as usize;
        match (self.dense_at[word], self.starts[word]) {
            (NONE, NONE) => Columns::Few(&[]),
            (NONE, start) => Columns::Few(&self.columns[start as usize..][..self.counts[word] as usize]),
            (at, _) => Columns::Many(&self.dense[at as usize * self.width..][..self.width]),
        }
    }
}

/// The columns of a word: as bits, or ascending.
enum Columns<'p> {
    Many(&'p [u64]),
    Few(&'p [u32]),
}

impl Columns<'_> {
    /// Makes the next row, that of the word, out of what a window has of the one before. Returns whether the next clear bit beyond
    /// the window is to be set.
    fn advance(&self, row: &mut [u64], window: &Range<usize>) -> bool {
        match self {
            Columns::Many(columns) => {
                let row = Cell::from_mut(row).as_slice_of_cells();
                add(row, &columns[window.clone()], row)
            }
            Columns::Few(columns) => move_clear_bits(row, columns, window),
        }
    }

    /// The same, and the one before stays.
    fn next_row(&self, row: &mut [u64], next: &mut [u64], window: &Range<usize>) -> bool {
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
fn with_margin(width: usize) -> usize {
    width + TOGETHER - 1
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
