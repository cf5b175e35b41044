//! The words of two texts as numbers: the same word, the same number.

use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Two sequences of words as numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pair {
    /// The first sequence.
    pub a: Vec<u32>,
    /// The second.
    pub b: Vec<u32>,
    /// How many different words there are; every number is below.
    pub words: usize,
}

impl Pair {
    /// Numbers words in the order they are met.
    pub fn of<'t>(a: impl Iterator<Item = &'t str>, b: impl Iterator<Item = &'t str>) -> Self {
        let mut numbers = HashMap::with_hasher(FixedState::default());
        let mut number = |word: &'t str| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        };
        let a = a.map(&mut number).collect();
        let b = b.map(&mut number).collect();
        Pair { a, b, words: numbers.len() }
    }

    /// The longest common subsequence of both.
    pub fn common(&self) -> Vec<crate::Run> {
        crate::longest_common(&self.a, &self.b, self.words)
    }

    /// How often each word stands in a sequence.
    pub(crate) fn counts(&self, sequence: &[u32]) -> Vec<u32> {
        let mut counts = vec![0; self.words];
        sequence.iter().for_each(|&word| counts[word as usize] += 1);
        counts
    }
}
