//! The stretches between tiles that stand in the same order in both texts: which of their words are still the same, and
//! which facts contradict each other.

use super::tiles::{Tile, Used};
use super::words::Words;
use std::ops::Range;

/// The largest stretch, in words of one text times words of the other, that is aligned word by word.
const MOST_CELLS: usize = 4096;
/// The greatest weight of a stretch, on either side, whose facts are compared: eight ordinary words.
const FIELD: u32 = 128;
/// The least weight of what only one text has in a stretch, on both sides together, to be a passage: five ordinary words in
/// the place of five others.
const PASSAGE: u32 = 160;

/// The common words and contradicting facts of all stretches.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Filled {
    /// Single words that are the same.
    pub(super) tiles: Vec<Tile>,
    /// Numbers in the place of other numbers.
    pub(super) numbers: u32,
    /// Names in the place of other names.
    pub(super) names: u32,
    /// The weight of the words in passages that only one text has.
    pub(super) passages: u64,
}

/// Words of both texts that stand between the same runs: their places, in order.
struct Gap {
    a: Vec<usize>,
    b: Vec<usize>,
    /// Whether words stand before and after it in both texts.
    is_inside: bool,
}

impl Gap {
    /// The words of two stretches that are not used yet; marks them used.
    fn take(stretch_a: Range<usize>, stretch_b: Range<usize>, used: &mut Used) -> Self {
        let is_inside = stretch_a.start > 0
            && stretch_b.start > 0
            && stretch_a.end < used.a.len()
            && stretch_b.end < used.b.len();
        let free = |stretch: &Range<usize>, used: &[bool]| {
            let mut places = Vec::with_capacity(stretch.len());
            places.extend(stretch.clone().filter(|&place| !used[place]));
            places
        };
        let gap = Gap { a: free(&stretch_a, &used.a), b: free(&stretch_b, &used.b), is_inside };
        used.a[stretch_a].fill(true);
        used.b[stretch_b].fill(true);
        gap
    }

    fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty()
    }
}

/// Goes through all stretches between neighbouring tiles, and before the first and after the last one. `tiles` are in the
/// order of the first text, `in_order` are those that are in the order of both.
pub(super) fn fill_gaps(a: &Words, b: &Words, tiles: &[Tile], in_order: &[Tile], used: Used) -> Filled {
    let mut filled = Filled::default();
    for gap in paired_gaps(tiles, in_order, used) {
        fill(a, b, &gap, &mut filled);
    }
    filled
}

/// The stretches that stand between the same neighbours in both texts; then what is left between tiles that would be
/// neighbours but for moved ones.
fn paired_gaps(tiles: &[Tile], in_order: &[Tile], mut used: Used) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for (stretch_a, stretch_b) in between(tiles, &used) {
        let is_paired = stretch_b.start <= stretch_b.end && !used.b[stretch_b.clone()].contains(&true);
        if is_paired {
            gaps.push(Gap::take(stretch_a, stretch_b, &mut used));
        }
    }
    for (stretch_a, stretch_b) in between(in_order, &used) {
        gaps.push(Gap::take(stretch_a, stretch_b, &mut used));
    }
    gaps.retain(|gap| !gap.is_empty());
    gaps
}

/// The stretches before, between and behind tiles.
fn between(tiles: &[Tile], used: &Used) -> Vec<(Range<usize>, Range<usize>)> {
    let starts = tiles.iter().map(|tile| (tile.range_a().start, tile.range_b().start));
    let ends = tiles.iter().map(|tile| (tile.range_a().end, tile.range_b().end));
    let stretch = |(end, start): ((usize, usize), (usize, usize))| (end.0..start.0, end.1..start.1);
    [(0, 0)].into_iter().chain(ends).zip(starts.chain([(used.a.len(), used.b.len())])).map(stretch).collect()
}

fn fill(a: &Words, b: &Words, gap: &Gap, filled: &mut Filled) {
    let (mut common, mut shared) = (Vec::new(), 0);
    let (of_a, of_b) = (weigh(a, &gap.a), weigh(b, &gap.b));
    if gap.a.len() * gap.b.len() <= MOST_CELLS {
        // A stretch is the same with changes if half of it is; less is chance.
        let half = of_a.max(of_b).div_ceil(2);
        if may_share(half, a, b, gap) {
            common = heaviest_common(a, b, gap);
            shared = common.iter().map(|tile: &Tile| a.weight(tile.a as usize)).sum();
        }
        if shared < half {
            (shared, common) = (0, Vec::new());
        }
    }
    let missing = of_a + of_b - 2 * shared;
    if missing >= PASSAGE {
        filled.passages += u64::from(missing);
    }
    // What is added or exchanged at the ends contradicts nothing.
    if gap.is_inside && of_a.max(of_b) <= FIELD {
        compare_facts(a, b, gap, &common, filled);
    }
    filled.tiles.append(&mut common);
}

/// Whether a gap may have words of this weight in common, in whatever order: much quicker than aligning them.
fn may_share(least: u32, a: &Words, b: &Words, gap: &Gap) -> bool {
    let codes_b: Vec<u32> = gap.b.iter().map(|&place| b.codes[place]).collect();
    let mut left = weigh(a, &gap.a);
    for &place in &gap.a {
        if left < least {
            return false;
        }
        if !codes_b.contains(&a.codes[place]) {
            left -= a.weight(place);
        }
    }
    left >= least
}

fn weigh(words: &Words, places: &[usize]) -> u32 {
    places.iter().map(|&place| words.weight(place)).sum()
}

/// Counts numbers and names that stand in the place of others.
fn compare_facts(a: &Words, b: &Words, gap: &Gap, common: &[Tile], filled: &mut Filled) {
    let of_a = facts(a, &gap.a, |place| common.iter().any(|tile| tile.a as usize == place));
    let of_b = facts(b, &gap.b, |place| common.iter().any(|tile| tile.b as usize == place));
    filled.numbers += of_a.numbers.min(of_b.numbers);
    filled.names += of_a.names.min(of_b.names);
}

/// Numbers and names on one side of a stretch that the other does not have.
struct Facts {
    numbers: u32,
    names: u32,
}

fn facts(words: &Words, places: &[usize], is_common: impl Fn(usize) -> bool) -> Facts {
    let mut facts = Facts { numbers: 0, names: 0 };
    for &place in places.iter().filter(|place| !is_common(**place)) {
        facts.numbers += u32::from(words.is_number(place));
        facts.names += u32::from(words.is_name(place));
    }
    facts
}

/// The heaviest common subsequence of two stretches, by the table of all prefixes.
fn heaviest_common(a: &Words, b: &Words, gap: &Gap) -> Vec<Tile> {
    let (rows, columns) = (gap.a.len(), gap.b.len());
    let is_same = |row: usize, column: usize| a.codes[gap.a[row]] == b.codes[gap.b[column]];
    let width = columns + 1;
    let mut table = vec![0u32; (rows + 1) * width];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let skipped = table[(row + 1) * width + column].max(table[row * width + column + 1]);
            table[row * width + column] = if is_same(row, column) {
                let taken = table[(row + 1) * width + column + 1] + a.weight(gap.a[row]);
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
            common.push(Tile { a: gap.a[row] as u32, b: gap.b[column] as u32, length: 1 });
            (row, column) = (row + 1, column + 1);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::Weights;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn stretches_that_share_enough_are_never_skipped(
            a in prop::collection::vec(prop::sample::select(vec!["the", "red", "blue", "한", "漢", "の", "7"]), 0..12),
            b in prop::collection::vec(prop::sample::select(vec!["the", "red", "green", "한", "字", "の", "8"]), 0..12),
        ) {
            let [a, b] = [a, b].map(|words| Words::of(&words.join(" "), &Weights::default()));
            let gap = Gap { a: (0..a.len()).collect(), b: (0..b.len()).collect(), is_inside: true };
            let common = heaviest_common(&a, &b, &gap);
            let shared: u32 = common.iter().map(|tile| a.weight(tile.a as usize)).sum();
            prop_assert!(may_share(shared, &a, &b, &gap));
        }
    }
}
