//! Which words do two sequences have in common, in order? A longest common subsequence: always the same one for the same
//! two sequences, found in little memory, fast for the usual edit and never slow.
//!
//! What both begin and end with is common. Words that only one of them has cannot be. Of the rest, a few differences are
//! found by going along both ([`greedy`]); many by counting with whole machine words ([`bits`]). Only where even that would
//! take minutes, pages are cut into pieces first ([`anchors`]).

mod anchors;
mod bits;
mod greedy;

use crate::words::Pair;

/// A run of words that stands in both sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Where it starts in the first.
    pub a: usize,
    /// Where it starts in the second.
    pub b: usize,
    /// How many words it has.
    pub length: usize,
}

impl Run {
    /// The same, seen from the second sequence.
    pub(crate) fn mirrored(self) -> Self {
        Run { a: self.b, b: self.a, length: self.length }
    }
}

/// Steps of a machine word that comparing may take: some ten seconds. Two pages of 700,000 words that have nothing in common
/// but their vocabulary take as many.
const MOST_WORK: usize = 1 << 33;

/// Differences that are looked for before words are numbered: as long as that is not worth while.
const FEW_DIFFERENCES: usize = 32;

/// A longest common subsequence of two sequences of words, as runs in order. A few differences are found without numbering
/// the words.
pub fn common_words(a: &[&str], b: &[&str]) -> Vec<Run> {
    let numbered = || Pair::of(a, b).common();
    // Half of the differences, and not yet an eighth of the way: they will not do.
    let is_hopeful = |differences: usize, furthest: usize| {
        differences != FEW_DIFFERENCES / 2 || 8 * furthest >= a.len() + b.len()
    };
    greedy::runs(a, b, FEW_DIFFERENCES, is_hopeful).unwrap_or_else(numbered)
}

/// A longest common subsequence of two sequences of numbers below `words`, as runs in order.
pub fn longest_common(a: &[u32], b: &[u32], words: usize) -> Vec<Run> {
    common_within(a, b, words, MOST_WORK)
}

/// The same with at most so much work, about; then it may not be the longest.
fn common_within(a: &[u32], b: &[u32], words: usize, most_work: usize) -> Vec<Run> {
    let mut runs = Runs::default();
    let before = shared_beginning(a, b);
    let behind = shared_end(&a[before..], &b[before..]);
    runs.push(0, 0, before);
    let (middle_a, middle_b) = (before..a.len() - behind, before..b.len() - behind);
    if !middle_a.is_empty() && !middle_b.is_empty() {
        let (kept_a, kept_b, least_differences) =
            known_to_both(&a[middle_a.clone()], &b[middle_b.clone()], words);
        for Run { a, b, length } in between(&kept_a.words, &kept_b.words, words, least_differences, most_work)
        {
            for step in 0..length {
                let (at, place) = (kept_a.places[a + step] as usize, kept_b.places[b + step] as usize);
                runs.push(before + at, before + place, 1);
            }
        }
    }
    runs.push(middle_a.end, middle_b.end, behind);
    runs.0
}

/// Some words of a sequence.
struct Kept {
    words: Vec<u32>,
    /// Where each of them stands.
    places: Vec<u32>,
}

impl Kept {
    /// Those that are to be kept: most, mostly, and nobody can foresee which. So all are written down, and only those count.
    fn of(sequence: &[u32], is_kept: impl Fn(u32) -> bool) -> Self {
        let mut kept = Kept { words: vec![0; sequence.len()], places: vec![0; sequence.len()] };
        let mut count = 0;
        for (place, &word) in (0u32..).zip(sequence) {
            (kept.words[count], kept.places[count]) = (word, place);
            count += usize::from(is_kept(word));
        }
        kept.words.truncate(count);
        kept.places.truncate(count);
        kept
    }
}

/// The words that the other sequence has, too, and how many of them differ at least, wherever they stand.
fn known_to_both(a: &[u32], b: &[u32], words: usize) -> (Kept, Kept, usize) {
    let mut counts = vec![[0u32; 2]; words];
    a.iter().for_each(|&word| counts[word as usize][0] += 1);
    b.iter().for_each(|&word| counts[word as usize][1] += 1);
    let is_known = |[in_a, in_b]: [u32; 2]| in_a.min(in_b) > 0;
    let differences =
        counts.iter().filter(|counts| is_known(**counts)).map(|[in_a, in_b]| in_a.abs_diff(*in_b));
    let least = differences.map(|count| count as usize).sum();
    let kept = |sequence: &[u32]| Kept::of(sequence, |word| is_known(counts[word as usize]));
    (kept(a), kept(b), least)
}

/// The runs of two sequences of words that both have, and of which at least so many differ.
fn between(a: &[u32], b: &[u32], words: usize, least_differences: usize, most_work: usize) -> Vec<Run> {
    let before = shared_beginning(a, b);
    let behind = shared_end(&a[before..], &b[before..]);
    let (middle_a, middle_b) = (before..a.len() - behind, before..b.len() - behind);
    let mut runs = Runs::default();
    runs.push(0, 0, before);
    let (inner_a, inner_b) = (&a[middle_a.clone()], &b[middle_b.clone()]);
    let limit = most_greedy_differences(inner_a.len(), inner_b.len());
    let few =
        if least_differences <= limit { greedy::runs(inner_a, inner_b, limit, |_, _| true) } else { None };
    let inner = few.unwrap_or_else(|| many(inner_a, inner_b, words, most_work));
    inner.into_iter().for_each(|run| runs.push(before + run.a, before + run.b, run.length));
    runs.push(middle_a.end, middle_b.end, behind);
    runs.0
}

/// The runs of two sequences that differ much.
fn many(a: &[u32], b: &[u32], words: usize, most_work: usize) -> Vec<Run> {
    if a.len().saturating_mul(b.len().div_ceil(64)) <= most_work || a.len() < 2 || b.len() < 2 {
        return bits::Boxes::new(a, b, words).runs(known_common(a, b, words));
    }
    // As much work for each piece as its share of the words.
    let share = |piece: &anchors::Piece| (most_work as f64 * piece.a.len() as f64 / a.len() as f64) as usize;
    let in_piece = |piece: anchors::Piece| {
        let runs = common_within(&a[piece.a.clone()], &b[piece.b.clone()], words, share(&piece));
        runs.into_iter().map(move |run| piece.placed(run))
    };
    anchors::cut(a, b, words, anchors::APART).into_iter().flat_map(in_piece).collect()
}

/// From this many steps on it pays to know something before.
const MUCH_WORK: usize = 1 << 19;
/// Looking at the pieces alone must be so many times less work.
const LESS_WORK: usize = 8;

/// Words that are common, if it is easy to know some: those between words that stand once in both.
fn known_common(a: &[u32], b: &[u32], words: usize) -> Vec<Run> {
    let work = |a: usize, b: usize| a.saturating_mul(b.div_ceil(64));
    let all = work(a.len(), b.len());
    if all < MUCH_WORK {
        return along(a, b);
    }
    let pieces = anchors::cut(a, b, words, 1);
    if pieces.iter().map(|piece| work(piece.a.len(), piece.b.len())).sum::<usize>() > all / LESS_WORK {
        return Vec::new();
    }
    bits::Boxes::new(a, b, words).runs_in(pieces.into_iter().map(|piece| (piece.a, piece.b)))
}

/// How far ahead both are looked for the place where they agree again.
const AHEAD: usize = 12;
/// Looks ahead a word, on average: beyond, the two have little in common.
const LOOKS: usize = 4;

/// Words that are common: both are gone along together, and where they differ, joined again at the nearest two words in a row
/// that agree. Nearly the most where edits are small, and little work always.
fn along(a: &[u32], b: &[u32]) -> Vec<Run> {
    let mut runs = Runs::default();
    let (mut at, mut place, mut looks) = (0, 0, LOOKS * (a.len() + b.len()));
    while at < a.len() && place < b.len() {
        let length = shared_beginning(&a[at..], &b[place..]);
        runs.push(at, place, length);
        (at, place) = (at + length, place + length);
        let Some((skip_a, skip_b)) = joined_again(&a[at..], &b[place..], &mut looks) else { break };
        (at, place) = (at + skip_a, place + skip_b);
    }
    runs.0
}

/// How many words of each are skipped until both agree again; none if that is not near, and as if nothing had agreed when
/// enough was looked at.
fn joined_again(a: &[u32], b: &[u32], looks: &mut usize) -> Option<(usize, usize)> {
    let agree = |skip_a: usize, skip_b: usize| {
        let (from_a, from_b) = (a.get(skip_a..skip_a + 2), b.get(skip_b..skip_b + 2));
        from_a.is_some() && from_a == from_b
    };
    for skipped in 1..=AHEAD {
        *looks = looks.checked_sub(skipped + 1)?;
        if let Some(skip_a) = (0..=skipped).find(|&skip_a| agree(skip_a, skipped - skip_a)) {
            return Some((skip_a, skipped - skip_a));
        }
    }
    Some((1, 1))
}

/// Differences up to which going along both is worth a try: it takes about the square of them, the other way the product
/// of the lengths by the bits of a machine word.
fn most_greedy_differences(a: usize, b: usize) -> usize {
    (a * b.div_ceil(64) / 4).isqrt().min(greedy::MOST)
}

fn shared_beginning<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn shared_end(a: &[u32], b: &[u32]) -> usize {
    a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Runs in order, each as long as it can be.
#[derive(Debug, Default)]
struct Runs(Vec<Run>);

impl Runs {
    fn push(&mut self, a: usize, b: usize, length: usize) {
        match self.0.last_mut() {
            _ if length == 0 => {}
            Some(last) if last.a + last.length == a && last.b + last.length == b => last.length += length,
            _ => self.0.push(Run { a, b, length }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The twin: the length of a longest common subsequence, by the plain quadratic table.
    pub(super) fn table(a: &[u32], b: &[u32]) -> usize {
        let mut above = vec![0; b.len() + 1];
        for word in a {
            let mut row = vec![0];
            for (column, other) in b.iter().enumerate() {
                row.push(if word == other { above[column] + 1 } else { above[column + 1].max(row[column]) });
            }
            above = row;
        }
        above[b.len()]
    }

    /// Runs are in order, of words that are the same, and together as long as can be.
    #[track_caller]
    pub(super) fn check(a: &[u32], b: &[u32], runs: Vec<Run>) {
        assert_eq!(checked_length(a, b, &runs), table(a, b));
    }

    #[track_caller]
    fn checked_length(a: &[u32], b: &[u32], runs: &[Run]) -> usize {
        let (mut end_a, mut end_b, mut length) = (0, 0, 0);
        for (number, run) in runs.iter().enumerate() {
            assert!(run.length > 0 && run.a >= end_a && run.b >= end_b, "{runs:?}");
            assert!(number == 0 || run.a > end_a || run.b > end_b, "two runs that are one: {runs:?}");
            assert_eq!(a[run.a..run.a + run.length], b[run.b..run.b + run.length]);
            (end_a, end_b, length) = (run.a + run.length, run.b + run.length, length + run.length);
        }
        length
    }

    proptest! {
        #[test]
        fn as_long_as_the_table_says(
            a in prop::collection::vec(0u32..8, 0..80),
            b in prop::collection::vec(0u32..8, 0..80),
        ) {
            check(&a, &b, longest_common(&a, &b, 8));
        }

        /// With too little work allowed what is found is common all the same.
        #[test]
        fn common_if_not_the_longest(
            a in prop::collection::vec(0u32..300, 0..120),
            b in prop::collection::vec(0u32..300, 0..120),
            most_work in 0usize..200,
        ) {
            let found = checked_length(&a, &b, &common_within(&a, &b, 300, most_work));
            prop_assert!(found <= table(&a, &b));
        }

        #[test]
        fn words_as_numbers(
            a in prop::collection::vec(0u32..30, 0..60),
            b in prop::collection::vec(0u32..30, 0..60),
        ) {
            let named = |words: &[u32]| words.iter().map(u32::to_string).collect::<Vec<_>>();
            let (names_a, names_b) = (named(&a), named(&b));
            let words_a: Vec<&str> = names_a.iter().map(String::as_str).collect();
            let words_b: Vec<&str> = names_b.iter().map(String::as_str).collect();
            check(&a, &b, common_words(&words_a, &words_b));
        }

        #[test]
        fn edited_texts(
            words in prop::collection::vec(0u32..50, 0..300),
            edits in prop::collection::vec((0usize..300, 0usize..20, prop::collection::vec(0u32..60, 0..20)), 0..5),
        ) {
            let mut edited = words.clone();
            for (place, dropped, added) in edits {
                let place = place.min(edited.len());
                edited.splice(place..edited.len().min(place + dropped), added);
            }
            check(&words, &edited, longest_common(&words, &edited, 60));
        }
    }

    #[test]
    fn nothing_in_common() {
        assert_eq!(longest_common(&[], &[], 0), []);
        assert_eq!(longest_common(&[0, 1], &[], 2), []);
        assert_eq!(longest_common(&[0, 1], &[2, 3], 4), []);
        assert_eq!(longest_common(&[0, 1], &[0, 1], 2), [Run { a: 0, b: 0, length: 2 }]);
    }
}
