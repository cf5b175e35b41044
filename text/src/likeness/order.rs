//! Which tiles stand in the same order in both texts, and which moved.

use super::tiles::{Tile, Used};
use super::words::Words;

/// The least weight of a block that may have moved: a shorter run elsewhere is a common phrase.
const MOVED: u32 = 160;
/// In short texts, the share of the shorter one that a block must have to have moved.
const MOVED_SHARE: u64 = 8;

/// Drops the tiles that are out of order and too light to be moved blocks. `tiles` are in the order of the first text.
pub(super) fn drop_chance_tiles(a: &Words, b: &Words, tiles: &mut Vec<Tile>, used: &mut Used) {
    let shorter = a.total_weight().min(b.total_weight());
    let least = MOVED.min((shorter / MOVED_SHARE) as u32);
    let is_in_order = heaviest_in_order(a, tiles);
    let mut index = 0;
    tiles.retain(|tile| {
        let keeps = is_in_order[index] || a.weigh(tile.range_a()) >= least;
        index += 1;
        if !keeps {
            used.a[tile.range_a()].fill(false);
            used.b[tile.range_b()].fill(false);
        }
        keeps
    });
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
