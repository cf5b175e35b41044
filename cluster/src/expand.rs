//! Phase 3, second half: from the documents of one key to pairs. A few are paired each with each. Of many, each is paired
//! only with those that it shares a minimum with, in the shape of a star: so a key in n documents makes at most
//! `MINIMA * n` pairs, and copies of one text still find each other, however many they are.

use crate::sketching::MINIMA;

/// Up to so many documents are paired each with each.
pub(crate) const CLIQUE: usize = 24;

/// Makes pairs. One of them for every thread: it has tables to work in.
#[derive(Debug)]
pub(crate) struct Expander<'a> {
    minima: &'a [[u16; MINIMA]],
    rank: &'a [u32],
    common: usize,
    /// For every slot and value of a minimum the centre of its star: the document of lowest rank.
    centres: Vec<u32>,
    pub common_keys: u64,
}

const NOBODY: u32 = u32::MAX;

impl<'a> Expander<'a> {
    pub fn new(minima: &'a [[u16; MINIMA]], rank: &'a [u32], common: u32) -> Self {
        let centres = vec![NOBODY; MINIMA << 16];
        Expander { minima, rank, common: common as usize, centres, common_keys: 0 }
    }

    /// Hands the pairs of documents that share a key to `take`, each once, the lower number first.
    pub fn expand(&mut self, documents: &[u32], mut take: impl FnMut(u32, u32)) {
        if documents.len() <= CLIQUE {
            for (i, &a) in documents.iter().enumerate() {
                documents[i + 1..].iter().for_each(|&b| take(a, b));
            }
            return;
        }
        self.common_keys += u64::from(documents.len() > self.common);
        self.choose_centres(documents);
        for &document in documents {
            let mut centres = self.slots(document).map(|slot| self.centres[slot]);
            centres.sort_unstable();
            let mut last = document;
            for centre in centres {
                if centre != last && centre != document {
                    take(centre.min(document), centre.max(document));
                }
                last = centre;
            }
        }
        for &document in documents {
            for slot in self.slots(document) {
                self.centres[slot] = NOBODY;
            }
        }
    }

    fn choose_centres(&mut self, documents: &[u32]) {
        for &document in documents {
            for slot in self.slots(document) {
                let centre = &mut self.centres[slot];
                if *centre == NOBODY || self.rank[document as usize] < self.rank[*centre as usize] {
                    *centre = document;
                }
            }
        }
    }

    fn slots(&self, document: u32) -> [usize; MINIMA] {
        let minima = self.minima[document as usize];
        std::array::from_fn(|slot| slot << 16 | usize::from(minima[slot]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn pairs(minima: &[[u16; MINIMA]], documents: &[u32]) -> Vec<(u32, u32)> {
        let rank: Vec<u32> = (0..minima.len() as u32).rev().collect();
        let mut expander = Expander::new(minima, &rank, 1000);
        let mut found = Vec::new();
        expander.expand(documents, |a, b| found.push((a, b)));
        assert!(expander.centres.iter().all(|&centre| centre == NOBODY));
        found
    }

    #[test]
    fn a_few_are_paired_each_with_each() {
        let minima = vec![[0; MINIMA]; 4];
        assert_eq!(pairs(&minima, &[0, 2, 3]), [(0, 2), (0, 3), (2, 3)]);
    }

    #[test]
    fn many_are_paired_with_the_centres_of_their_stars() {
        let count = 100u32;
        // Two families that agree in all minima but one, which all have in common.
        let minima: Vec<[u16; MINIMA]> = (0..count)
            .map(|number| {
                std::array::from_fn(
                    |slot| if slot == 0 { 7 } else { (number % 2) as u16 * 100 + slot as u16 },
                )
            })
            .collect();
        let found = pairs(&minima, &(0..count).collect::<Vec<_>>());
        // Of the lowest rank, that is, the highest number: 98 and 99.
        let expected: BTreeSet<(u32, u32)> =
            (0..98).flat_map(|number| [(number, 98 + number % 2), (number, 99)]).chain([(98, 99)]).collect();
        assert_eq!(found.len(), expected.len(), "each once");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn pairs_grow_with_the_documents_and_not_with_their_square() {
        let minima: Vec<[u16; MINIMA]> = (0..10_000u32).map(|number| [(number % 3) as u16; MINIMA]).collect();
        assert!(pairs(&minima, &(0..10_000).collect::<Vec<_>>()).len() < 10_000);
    }
}
