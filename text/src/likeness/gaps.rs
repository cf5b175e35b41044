//! The stretches between tiles that stand in the same order in both texts: which of their words are still the same, and
//! which facts contradict each other.

use super::tiles::{Tile, Used};
use super::words::Words;
use std::ops::Range;

/// The largest stretch, in words of one text times words of the other, that is aligned word by word.
const MOST_CELLS: usize = 4096;
/// The most words on either side of a stretch whose facts are compared.
const MOST_FIELD_WORDS: usize = 8;

/// The common words and contradicting facts of all stretches.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Filled {
    /// Single words that are the same.
    pub(super) tiles: Vec<Tile>,
    /// Numbers in the place of other numbers.
    pub(super) numbers: u32,
    /// Names in the place of other names.
    pub(super) names: u32,
}

/// Goes through all stretches between neighbouring tiles, and before the first and after the last one.
pub(super) fn fill_gaps(a: &Words, b: &Words, tiles: &[Tile], used: &Used) -> Filled {
    let mut filled = Filled::default();
    for (gap_a, gap_b) in paired_gaps(a, b, tiles, used) {
        let is_inside = gap_a.start > 0 && gap_b.start > 0 && gap_a.end < a.len() && gap_b.end < b.len();
        fill(a, b, gap_a, gap_b, is_inside, &mut filled);
    }
    filled
}

/// The stretches that stand between the same neighbours in both texts. `tiles` are in the order of the first text.
fn paired_gaps(a: &Words, b: &Words, tiles: &[Tile], used: &Used) -> Vec<(Range<usize>, Range<usize>)> {
    let mut gaps = Vec::new();
    let mut end = (0, 0);
    let ends = tiles.iter().map(|tile| (tile.a as usize, tile.b as usize, tile.length as usize));
    for (start_a, start_b, length) in ends.chain([(a.len(), b.len(), 0)]) {
        let is_paired = start_b >= end.1 && !used.b[end.1..start_b].contains(&true);
        if is_paired && (start_a > end.0 || start_b > end.1) {
            gaps.push((end.0..start_a, end.1..start_b));
        }
        end = (start_a + length, start_b + length);
    }
    gaps
}

fn fill(
    a: &Words,
    b: &Words,
    gap_a: Range<usize>,
    gap_b: Range<usize>,
    is_inside: bool,
    filled: &mut Filled,
) {
    let mut common = Vec::new();
    if gap_a.len() * gap_b.len() <= MOST_CELLS {
        common = heaviest_common(a, b, gap_a.clone(), gap_b.clone());
        let shared: u32 = common.iter().map(|tile| a.weight(tile.a as usize)).sum();
        // A stretch is the same with changes if half of it is; less is chance.
        if 2 * shared < a.weigh(gap_a.clone()).max(b.weigh(gap_b.clone())) {
            common.clear();
        }
    }
    // What is added or exchanged at the ends contradicts nothing.
    if is_inside && gap_a.len() <= MOST_FIELD_WORDS && gap_b.len() <= MOST_FIELD_WORDS {
        compare_facts(a, b, gap_a, gap_b, &common, filled);
    }
    filled.tiles.append(&mut common);
}

/// Counts numbers and names that stand in the place of others.
fn compare_facts(
    a: &Words,
    b: &Words,
    gap_a: Range<usize>,
    gap_b: Range<usize>,
    common: &[Tile],
    filled: &mut Filled,
) {
    let of_a = facts(a, gap_a, |index| common.iter().any(|tile| tile.a as usize == index));
    let of_b = facts(b, gap_b, |index| common.iter().any(|tile| tile.b as usize == index));
    filled.numbers += of_a.numbers.min(of_b.numbers);
    filled.names += of_a.names.min(of_b.names);
}

/// Numbers and names on one side of a stretch that the other does not have.
struct Facts {
    numbers: u32,
    names: u32,
}

fn facts(words: &Words, gap: Range<usize>, is_common: impl Fn(usize) -> bool) -> Facts {
    let mut facts = Facts { numbers: 0, names: 0 };
    for index in gap.filter(|&index| !is_common(index)) {
        facts.numbers += u32::from(words.is_number(index));
        facts.names += u32::from(words.is_name(index));
    }
    facts
}

/// The heaviest common subsequence of two stretches, by the table of all prefixes.
fn heaviest_common(a: &Words, b: &Words, gap_a: Range<usize>, gap_b: Range<usize>) -> Vec<Tile> {
    let (rows, columns) = (gap_a.len(), gap_b.len());
    let (codes_a, codes_b) = (&a.codes[gap_a.clone()], &b.codes[gap_b.clone()]);
    let width = columns + 1;
    let mut table = vec![0u32; (rows + 1) * width];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let skipped = table[(row + 1) * width + column].max(table[row * width + column + 1]);
            table[row * width + column] = if codes_a[row] == codes_b[column] {
                let taken = table[(row + 1) * width + column + 1] + a.weight(gap_a.start + row);
                taken.max(skipped)
            } else {
                skipped
            };
        }
    }
    let (mut row, mut column, mut common) = (0, 0, Vec::new());
    while row < rows && column < columns {
        let here = table[row * width + column];
        if here == table[(row + 1) * width + column] {
            row += 1;
        } else if here == table[row * width + column + 1] {
            column += 1;
        } else {
            let (place_a, place_b) = (gap_a.start + row, gap_b.start + column);
            common.push(Tile { a: place_a as u32, b: place_b as u32, length: 1 });
            (row, column) = (row + 1, column + 1);
        }
    }
    common
}
