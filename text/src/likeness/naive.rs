//! The naive twin of `tiles.rs`: every phrase of one text compared with every phrase of the other.

use super::phrases::phrase_at;
use super::tiles::{MOST_PAIRS, Tile, Used, take_heaviest_first};
use super::words::Words;
use std::collections::BTreeSet;

/// Lays tiles as [`super::tiles::lay_tiles`] does, in quadratic time.
pub(super) fn lay_tiles_naively(a: &Words, b: &Words, least: u32, used: &mut Used) -> Vec<Tile> {
    let of = |words: &Words, used: &[bool]| {
        let free =
            |&(start, (length, _)): &(usize, (usize, u64))| !used[start..start + length].contains(&true);
        let phrases = (0..words.len()).filter_map(|start| Some((start, phrase_at(words, least, start)?)));
        phrases.filter(free).map(|(start, (_, hash))| (start as u32, hash)).collect::<Vec<_>>()
    };
    let (of_a, of_b) = (of(a, &used.a), of(b, &used.b));
    let mut runs = BTreeSet::new();
    for (index_b, &(place_b, hash)) in of_b.iter().enumerate() {
        let places: Vec<u32> = of_a.iter().filter(|phrase| phrase.1 == hash).map(|phrase| phrase.0).collect();
        let ordinal = of_b[..index_b].iter().filter(|phrase| phrase.1 == hash).count();
        let count = of_b.iter().filter(|phrase| phrase.1 == hash).count();
        let is_frequent = places.len() * count > MOST_PAIRS as usize;
        for (index_a, &place_a) in places.iter().enumerate() {
            let is_paired = index_a == ordinal || index_a + count == ordinal + places.len();
            if !is_frequent || is_paired {
                runs.extend(longest_run(a, b, used, place_a as usize, place_b as usize));
            }
        }
    }
    take_heaviest_first(a, runs.into_iter().collect(), least, used)
}

fn longest_run(a: &Words, b: &Words, used: &Used, place_a: usize, place_b: usize) -> Option<Tile> {
    let is_equal =
        |at_a: usize, at_b: usize| a.codes[at_a] == b.codes[at_b] && !used.a[at_a] && !used.b[at_b];
    let before = (1..=place_a.min(place_b)).take_while(|&by| is_equal(place_a - by, place_b - by)).count();
    let rest = (a.len() - place_a).min(b.len() - place_b);
    let after = (0..rest).take_while(|&by| is_equal(place_a + by, place_b + by)).count();
    (after > 0).then(|| Tile {
        a: (place_a - before) as u32,
        b: (place_b - before) as u32,
        length: (before + after) as u32,
    })
}
