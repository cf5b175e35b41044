//! Which tiles stand in the same order in both texts, and which moved.

use super::tiles::{Tile, Used};
use super::words::Words;
use std::ops::Range;

/// The least weight of a block that may have moved: a shorter run elsewhere is a common phrase.
const MOVED: u32 = 160;
/// In short texts, the share of the shorter one that a block must have to have moved.
const MOVED_SHARE: u64 = 8;

/// The most words between two runs of one moved block.
const MOST_WORDS_BETWEEN: usize = 8;

/// Drops the tiles that are out of order and whose block is too light to have moved. `tiles` are in the order of the first
/// text. Returns those that are in order in both texts.
pub(super) fn drop_chance_tiles(a: &Words, b: &Words, tiles: &mut Vec<Tile>, used: &mut Used) -> Vec<Tile> {
    let shorter = a.total_weight().min(b.total_weight());
    let least = MOVED.min((shorter / MOVED_SHARE) as u32);
    let is_in_order = heaviest_in_order(a, tiles);
    let (mut kept, mut in_order) = (Vec::with_capacity(tiles.len()), Vec::with_capacity(tiles.len()));
    for block in blocks(tiles, &is_in_order) {
        let weight: u32 = tiles[block.clone()].iter().map(|tile| a.weigh(tile.range_a())).sum();
        if is_in_order[block.start] {
            in_order.extend_from_slice(&tiles[block.clone()]);
        }
        if is_in_order[block.start] || weight >= least {
            kept.extend_from_slice(&tiles[block]);
        } else {
            for tile in &tiles[block] {
                used.a[tile.range_a()].fill(false);
                used.b[tile.range_b()].fill(false);
            }
        }
    }
    *tiles = kept;
    in_order
}

/// Tiles that stand together in both texts, in the same order, as ranges: all in order with the rest, or all out of order.
fn blocks(tiles: &[Tile], is_in_order: &[bool]) -> Vec<Range<usize>> {
    let is_near = |end: u32, start: u32| start >= end && (start - end) as usize <= MOST_WORDS_BETWEEN;
    let mut blocks: Vec<Range<usize>> = Vec::new();
    for (index, tile) in tiles.iter().enumerate() {
        let continues = index > 0 && is_in_order[index] == is_in_order[index - 1] && {
            let before = tiles[index - 1];
            is_near(before.a + before.length, tile.a) && is_near(before.b + before.length, tile.b)
        };
        match blocks.last_mut() {
            Some(block) if continues => block.end = index + 1,
            _ => blocks.push(index..index + 1),
        }
    }
    blocks
}

/// Marks the heaviest sequence of tiles that is in order in both texts. Of two equally heavy ones the one that ends with the
/// earlier tile, and so on backwards.
fn heaviest_in_order(a: &Words, tiles: &[Tile]) -> Vec<bool> {
    let mut ranks: Vec<u32> = tiles.iter().map(|tile| tile.b).collect();
    ranks.sort_unstable();
    let mut best_to = MaximumTree::new(tiles.len());
    let mut before = vec![None; tiles.len()];
    let mut heaviest: Option<(u64, usize)> = None;
    for (index, tile) in tiles.iter().enumerate() {
        let rank = ranks.partition_point(|&b| b < tile.b);
        let best = best_to.before(rank);
        let weight = best.map_or(0, |(weight, _)| weight) + u64::from(a.weigh(tile.range_a()));
        before[index] = best.map(|(_, index)| index);
        best_to.raise(rank, (weight, index));
        if heaviest.is_none_or(|(known, _)| weight > known) {
            heaviest = Some((weight, index));
        }
    }
    let mut marked = vec![false; tiles.len()];
    let mut next = heaviest.map(|(_, index)| index);
    while let Some(index) = next {
        marked[index] = true;
        next = before[index];
    }
    marked
}

/// A Fenwick tree of maxima: the heaviest sequence that ends before a rank.
struct MaximumTree {
    nodes: Vec<Option<(u64, usize)>>,
}

impl MaximumTree {
    fn new(ranks: usize) -> Self {
        MaximumTree { nodes: vec![None; ranks + 1] }
    }

    fn before(&self, rank: usize) -> Option<(u64, usize)> {
        let (mut node, mut best) = (rank, None);
        while node > 0 {
            best = heavier(best, self.nodes[node]);
            node &= node - 1;
        }
        best
    }

    fn raise(&mut self, rank: usize, entry: (u64, usize)) {
        let mut node = rank + 1;
        while node < self.nodes.len() {
            self.nodes[node] = heavier(self.nodes[node], Some(entry));
            node += node & node.wrapping_neg();
        }
    }
}

fn heavier(a: Option<(u64, usize)>, b: Option<(u64, usize)>) -> Option<(u64, usize)> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.0 > a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a }),
        (a, b) => a.or(b),
    }
}
