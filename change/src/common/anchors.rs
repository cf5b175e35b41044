//! Pages of millions of words that have little in common would take hours to compare: they are cut where a word stands once
//! in both (Cohen's patience), and each piece is compared by itself. What is found then is common, and mostly the longest.

use super::Run;
use std::ops::Range;

/// Two pieces that are compared with each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub a: Range<usize>,
    pub b: Range<usize>,
}

/// Words between two cuts, so that there are not more pieces than needed.
pub(super) const APART: usize = 1 << 16;

/// Cuts two sequences at the longest chain of words that stand once in each, so far apart at least; in their middles if
/// there is none.
pub(super) fn cut(a: &[u32], b: &[u32], words: usize, apart: usize) -> Vec<Piece> {
    let mut chain = longest_chain(&once_in_both(a, b, words));
    let mut last = (0, 0);
    chain.retain(|place| {
        let is_far = place.0 - last.0 >= apart || place.1 - last.1 >= apart;
        if is_far {
            last = *place;
        }
        is_far
    });
    let ends = if chain.is_empty() { vec![(a.len() / 2, b.len() / 2)] } else { chain };
    let mut pieces = Vec::with_capacity(ends.len() + 1);
    let mut start = (0, 0);
    for end in ends.into_iter().chain([(a.len(), b.len())]) {
        pieces.push(Piece { a: start.0..end.0, b: start.1..end.1 });
        start = end;
    }
    pieces
}

impl Piece {
    /// A run inside the piece as one of the whole.
    pub fn placed(&self, run: Run) -> Run {
        Run { a: self.a.start + run.a, b: self.b.start + run.b, ..run }
    }
}

/// Where words stand that each sequence has exactly once, in the order of the first.
fn once_in_both(a: &[u32], b: &[u32], words: usize) -> Vec<(usize, usize)> {
    let count = |sequence: &[u32]| {
        let mut counts = vec![0u32; words];
        sequence.iter().for_each(|&word| counts[word as usize] += 1);
        counts
    };
    let (in_a, in_b) = (count(a), count(b));
    let is_anchor = |word: u32| in_a[word as usize] == 1 && in_b[word as usize] == 1;
    let mut places = vec![0; words];
    b.iter().enumerate().for_each(|(place, &word)| places[word as usize] = place);
    a.iter()
        .enumerate()
        .filter(|(_, word)| is_anchor(**word))
        .map(|(at, &word)| (at, places[word as usize]))
        .collect()
}

/// The longest chain of pairs that ascend on both sides; they do on the first.
fn longest_chain(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the pair with which the best chain of that length ends, and for each pair the one before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut chain: Vec<(usize, usize)> =
        std::iter::successors(ends.last().copied(), |&number| before[number])
            .map(|number| pairs[number])
            .collect();
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_where_a_word_stands_once_in_both() {
        // 7 and 8 stand once in both; 9 too, but out of order.
        let (a, b) = ([1, 7, 1, 2, 9, 8, 2], [2, 7, 2, 8, 1, 9]);
        let pieces = cut(&a, &b, 10, 1);
        let expected = [(0..1, 0..1), (1..5, 1..3), (5..7, 3..6)].map(|(a, b)| Piece { a, b });
        assert_eq!(pieces, expected);
        assert_eq!(cut(&[1, 1], &[1, 1], 2, 1).len(), 2);
    }
}
