//! The path of a comparison: words as numbers, what is common, what became of the rest, how much that is.

use crate::common::Run;
use crate::idf::Idf;
use crate::metrics::{Measures, Metric};
use crate::operations::{Costs, Fates, Kind, Operations};
use crate::words::Pair;
use firstcopy_text::Tokens;
use std::borrow::Cow;
use std::ops::Range;

/// A text and its words.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// The core text.
    pub text: &'a str,
    /// Its words.
    pub tokens: &'a Tokens,
}

/// What metrics depend on besides the texts.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What operations cost, for IED.
    pub costs: Costs,
    /// k: words of a wrapped shingle (kwon-2007: 10).
    pub shingle_words: usize,
    /// How rare words are, for COS; without it all words are equally rare.
    pub idf: Option<Idf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { costs: Costs::default(), shingle_words: 10, idf: None }
    }
}

/// Two texts beside each other.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    /// The earlier text.
    pub a: Text<'a>,
    /// The later one.
    pub b: Text<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) pair: Pair,
    common: Vec<Run>,
    fates: Fates,
}

/// Words that stand beside each other in a text and have the same fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What became of them.
    pub kind: Kind,
    /// Which words of the first text.
    pub a: Option<Range<usize>>,
    /// Which words of the second.
    pub b: Option<Range<usize>>,
}

impl<'a> Comparison<'a> {
    /// Compares two texts. The other way round everything is the same, mirrored: whatever must be chosen among equals is
    /// chosen with the same text first.
    pub fn of(a: Text<'a>, b: Text<'a>, settings: &'a Settings) -> Self {
        let order = a.tokens.len().cmp(&b.tokens.len()).then_with(|| a.tokens.words().cmp(b.tokens.words()));
        if order.is_gt() {
            return Comparison::in_order(b, a, settings).mirrored();
        }
        Comparison::in_order(a, b, settings)
    }

    fn in_order(a: Text<'a>, b: Text<'a>, settings: &'a Settings) -> Self {
        let words = |text: Text<'a>| text.tokens.words().collect::<Vec<&str>>();
        let pair = Pair::of(&words(a), &words(b));
        let common = pair.common();
        let fates = Fates::of(&pair, &common, settings.costs);
        Comparison { a, b, settings, pair, common, fates }
    }

    fn mirrored(self) -> Self {
        let Comparison { a, b, settings, pair, common, fates } = self;
        Comparison {
            a: b,
            b: a,
            settings,
            pair: Pair { a: pair.b, b: pair.a, ..pair },
            common: common.into_iter().map(Run::mirrored).collect(),
            fates: fates.mirrored(),
        }
    }

    /// How many words the first text has.
    pub fn words_a(&self) -> usize {
        self.pair.a.len()
    }

    /// How many words the second text has.
    pub fn words_b(&self) -> usize {
        self.pair.b.len()
    }

    /// Runs of words that both have, in order.
    pub fn common(&self) -> &[Run] {
        &self.common
    }

    /// How many words are common, in order.
    pub fn common_words(&self) -> usize {
        self.common.iter().map(|run| run.length).sum()
    }

    /// Runs of words that moved together, in the order of the first text.
    pub fn moves(&self) -> &[Run] {
        &self.fates.moves
    }

    /// What became of each word of the first text.
    pub fn kinds_a(&self) -> &[Kind] {
        &self.fates.a
    }

    /// What became of each word of the second text.
    pub fn kinds_b(&self) -> &[Kind] {
        &self.fates.b
    }

    /// How many words every operation took.
    pub fn operations(&self) -> Operations {
        self.fates.operations
    }

    /// Measures by one metric: from 0, the same, to 1.
    pub fn measure(&self, metric: &Metric) -> f64 {
        (metric.measure)(self)
    }

    /// Measures by all of them.
    pub fn measures(&self) -> Measures {
        Measures::of(self)
    }

    /// All that changed, in the order of the second text; what is gone stands where it was.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let end = Run { a: self.pair.a.len(), b: self.pair.b.len(), length: 0 };
        let (mut a, mut b) = (0, 0);
        for run in self.common.iter().chain([&end]) {
            self.blocks_between(a..run.a, b..run.b, &mut blocks);
            (a, b) = (run.a + run.length, run.b + run.length);
        }
        blocks
    }

    /// What changed between two runs that are common. Replaced words stand in both texts, but not side by side.
    fn blocks_between(&self, a: Range<usize>, b: Range<usize>, blocks: &mut Vec<Block>) {
        for words in same_fate(&self.fates.a, a) {
            let kind = self.fates.a[words.start];
            if kind != Kind::Move {
                blocks.push(Block { kind, a: Some(words), b: None });
            }
        }
        for words in same_fate(&self.fates.b, b) {
            match self.fates.b[words.start] {
                Kind::Move => self.moves_in(words, blocks),
                kind => blocks.push(Block { kind, a: None, b: Some(words) }),
            }
        }
    }

    /// The moves into a run of words of the second text.
    fn moves_in(&self, words: Range<usize>, blocks: &mut Vec<Block>) {
        let mut moves: Vec<&Run> = self.fates.moves.iter().filter(|run| words.contains(&run.b)).collect();
        moves.sort_unstable_by_key(|run| run.b);
        blocks.extend(moves.into_iter().map(|run| Block {
            kind: Kind::Move,
            a: Some(run.a..run.a + run.length),
            b: Some(run.b..run.b + run.length),
        }));
    }
}

/// Neighbours of the same kind.
fn same_fate(kinds: &[Kind], words: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = words.start;
    kinds[words].chunk_by(|one, next| one == next).map(move |chunk| {
        let words = start..start + chunk.len();
        start = words.end;
        words
    })
}

impl<'a> Text<'a> {
    /// Where a run of words stands in the text, in bytes.
    pub fn place(&self, words: Range<usize>) -> Range<usize> {
        if words.is_empty() {
            return 0..0;
        }
        self.tokens.place(words.start).start..self.tokens.place(words.end - 1).end
    }

    /// The text with one space wherever there is white space.
    pub(crate) fn spaced(&self) -> Cow<'a, str> {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        Cow::Owned(words.join(" "))
    }
}
