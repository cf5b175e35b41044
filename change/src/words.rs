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
    /// Numbers words in the order they are met. Two versions of a page mostly go along with each other: where they do, a
    /// word of the second needs only to be compared with the one of the first, and not looked up.
    pub fn of<'t>(a: impl Iterator<Item = &'t str>, b: impl Iterator<Item = &'t str>) -> Self {
        let words: Vec<&'t str> = a.collect();
        let mut numbers = Numbers::new(words.len());
        let a: Vec<u32> = words.iter().enumerate().map(|(place, word)| numbers.of(word, place)).collect();
        let mut along = 0;
        let b = b
            .map(|word| {
                if words.get(along).is_some_and(|other| *other == word) {
                    along += 1;
                    return a[along - 1];
                }
                let number = numbers.of(word, usize::MAX);
                let place = numbers.first[number as usize];
                if (along..along.saturating_add(AHEAD)).contains(&place) {
                    along = place + 1;
                }
                number
            })
            .collect();
        Pair { a, b, words: numbers.first.len() }
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

/// How far ahead the first text is joined again after a difference.
const AHEAD: usize = 256;

/// The numbers of words.
struct Numbers<'t> {
    numbers: HashMap<&'t str, u32, FixedState>,
    /// Where each word stood first.
    first: Vec<usize>,
}

impl<'t> Numbers<'t> {
    /// For about so many words: a text has each of its words several times.
    fn new(words: usize) -> Self {
        let numbers = HashMap::with_capacity_and_hasher(words / 2, FixedState::default());
        Numbers { numbers, first: Vec::new() }
    }

    fn of(&mut self, word: &'t str, place: usize) -> u32 {
        let next = self.first.len() as u32;
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.first.push(place);
        }
        number
    }
}
