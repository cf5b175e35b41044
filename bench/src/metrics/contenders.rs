//! Who finds what two sequences of words have in common? Us, and the libraries people would otherwise use; each from words as
//! strings to the runs that are common, without a deadline.

use super::pairs::PagePair;
use firstcopy_change::{Comparison, Settings, common_words};
use imara_diff::{Diff, InternedInput, TokenSource};
use similar::{DiffOp, TextDiff};
use std::hint::black_box;

/// Two pages as all contenders get them.
pub struct Sides<'a> {
    pub pair: &'a PagePair,
    pub before: Vec<&'a str>,
    pub after: Vec<&'a str>,
}

impl<'a> Sides<'a> {
    pub fn of(pair: &'a PagePair) -> Self {
        Sides { pair, before: pair.before.words(), after: pair.after.words() }
    }
}

/// One way to do it.
pub struct Contender {
    pub name: &'static str,
    /// Words of a page up to which its memory is bearable.
    pub most_words: usize,
    /// How many words it finds common.
    pub common_words: fn(&Sides) -> usize,
}

/// The first finds a longest common subsequence: the others are measured by it. Of them only similar's "Raw Myers" always
/// does, too; its "Hunt" does while the words that are equal are few, imara's "Myers minimal" nearly. The rest has heuristics
/// that trade words for time.
pub const CONTENDERS: [Contender; 9] = [
    Contender { name: "firstcopy", most_words: usize::MAX, common_words: ours },
    Contender { name: "firstcopy, all six metrics", most_words: usize::MAX, common_words: whole_comparison },
    Contender { name: "similar, Raw Myers", most_words: usize::MAX, common_words: similar_raw_myers },
    // It keeps every pair of equal words: gigabytes for 100,000.
    Contender { name: "similar, Hunt", most_words: 30_000, common_words: similar_hunt },
    Contender { name: "similar, Myers", most_words: usize::MAX, common_words: similar_myers },
    Contender { name: "similar, Patience", most_words: usize::MAX, common_words: similar_patience },
    Contender { name: "imara-diff, Myers minimal", most_words: usize::MAX, common_words: imara_minimal },
    Contender { name: "imara-diff, Myers", most_words: usize::MAX, common_words: imara_myers },
    Contender { name: "imara-diff, Histogram", most_words: usize::MAX, common_words: imara_histogram },
];

fn ours(sides: &Sides) -> usize {
    common_words(&sides.before, &sides.after).iter().map(|run| run.length).sum()
}

/// What became of every word, and all metrics.
pub fn whole_comparison(sides: &Sides) -> usize {
    let PagePair { before, after, .. } = sides.pair;
    let settings = Settings::default();
    let comparison = Comparison::of(before.as_text(), after.as_text(), &settings);
    black_box(comparison.measures());
    comparison.common_words()
}

fn similar_raw_myers(sides: &Sides) -> usize {
    by_similar(sides, similar::Algorithm::RawMyers)
}

fn similar_hunt(sides: &Sides) -> usize {
    by_similar(sides, similar::Algorithm::Hunt)
}

fn similar_myers(sides: &Sides) -> usize {
    by_similar(sides, similar::Algorithm::Myers)
}

fn similar_patience(sides: &Sides) -> usize {
    by_similar(sides, similar::Algorithm::Patience)
}

fn by_similar(sides: &Sides, algorithm: similar::Algorithm) -> usize {
    let diff = TextDiff::configure().algorithm(algorithm).diff_slices(&sides.before, &sides.after);
    let common = |operation: &DiffOp| match operation {
        DiffOp::Equal { len, .. } => *len,
        _ => 0,
    };
    diff.ops().iter().map(common).sum()
}

fn imara_minimal(sides: &Sides) -> usize {
    by_imara(sides, imara_diff::Algorithm::MyersMinimal)
}

fn imara_myers(sides: &Sides) -> usize {
    by_imara(sides, imara_diff::Algorithm::Myers)
}

fn imara_histogram(sides: &Sides) -> usize {
    by_imara(sides, imara_diff::Algorithm::Histogram)
}

fn by_imara(sides: &Sides, algorithm: imara_diff::Algorithm) -> usize {
    let input = InternedInput::new(Words(&sides.before), Words(&sides.after));
    let diff = Diff::compute(algorithm, &input);
    let removed: usize = diff.hunks().map(|hunk| hunk.before.len()).sum();
    sides.before.len() - removed
}

/// Words as imara-diff takes them.
struct Words<'a>(&'a [&'a str]);

impl<'a> TokenSource for Words<'a> {
    type Token = &'a str;
    type Tokenizer = std::iter::Copied<std::slice::Iter<'a, &'a str>>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter().copied()
    }

    fn estimate_tokens(&self) -> u32 {
        self.0.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::pairs::{Edit, pairs};
    use std::path::Path;

    #[test]
    fn nobody_finds_more_than_the_first() {
        let all = pairs(Path::new("no such folder"), true);
        for pair in all.iter().filter(|pair| pair.words <= 1000 && pair.edit != Edit::Unrelated) {
            let sides = Sides::of(pair);
            let found = CONTENDERS.map(|contender| ((contender.common_words)(&sides), contender.name));
            let [(longest, _), ..] = found;
            assert!(found.iter().all(|(words, _)| *words <= longest && *words > 0), "{found:?}");
        }
    }
}
