//! How rare is a word in a collection? The inverse document frequency of the words somebody asks about.

use foldhash::fast::FixedState;
use std::collections::{HashMap, HashSet};

/// The document frequencies of some words.
#[derive(Debug, Clone, Default)]
pub struct Idf {
    documents: u64,
    holding: HashMap<String, u64, FixedState>,
}

impl Idf {
    /// Will count these words.
    pub fn of_words<'t>(words: impl IntoIterator<Item = &'t str>) -> Self {
        Idf { documents: 0, holding: words.into_iter().map(|word| (word.to_owned(), 0)).collect() }
    }

    /// Counts a document.
    pub fn add<'t>(&mut self, words: impl Iterator<Item = &'t str>) {
        self.documents += 1;
        let asked: HashSet<&str, FixedState> =
            words.filter(|word| self.holding.contains_key(*word)).collect();
        for word in asked {
            if let Some(documents) = self.holding.get_mut(word) {
                *documents += 1;
            }
        }
    }

    /// How many documents were counted.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The weight of a word: 1 if every document has it, more the fewer do. A document more than there is has every word,
    /// so that no word is infinitely rare.
    pub fn weight(&self, word: &str) -> f64 {
        let holding = self.holding.get(word).copied().unwrap_or(0);
        1.0 + ((self.documents + 1) as f64 / (holding + 1) as f64).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_weigh_more() {
        let mut idf = Idf::of_words(["the", "whale", "never"]);
        idf.add("the whale the whale".split(' '));
        idf.add("the sea".split(' '));
        idf.add("the ship".split(' '));
        assert_eq!(idf.documents(), 3);
        assert_eq!(idf.weight("the"), 1.0);
        assert_eq!(idf.weight("whale"), 1.0 + 2f64.ln());
        assert_eq!(idf.weight("never"), 1.0 + 4f64.ln());
    }
}
