//! Phase 3, second half: from the documents of one key to pairs. A few are paired each with each. Of many, each is paired
//! only with those that it shares a minimum with, in the shape of a star: so a key in n documents makes at most
//! `MINIMA * n` pairs, and copies of one text still find each other, however many they are.

use crate::sketching::MINIMA;

/// Up to so many documents are paired each with each.
pub(crate) const CLIQUE: usize = 24;

/// The documents that nominate pairs by their rank: an order that depends on their shingles alone.
#[derive(Debug)]
pub(crate) struct Ranked {
    /// The rank of every document; [`Ranked::NONE`] for those that do not nominate.
    ranks: Vec<u32>,
    /// The number and the minima of the document of every rank.
    numbers: Vec<u32>,
    minima: Vec<[u16; MINIMA]>,
}

impl Ranked {
    const NONE: u32 = u32::MAX;

    /// Ranks documents in this order, of a collection whose minima are given.
    pub fn new(numbers: Vec<u32>, minima: &[[u16; MINIMA]]) -> Self {
        let mut ranks = vec![Self::NONE; minima.len()];
        for (rank, &number) in (0..).zip(&numbers) {
            ranks[number as usize] = rank;
        }
        Ranked { ranks, minima: numbers.iter().map(|&number| minima[number as usize]).collect(), numbers }
    }

    /// Returns the document of a rank.
    pub fn number(&self, rank: u32) -> u32 {
        self.numbers[rank as usize]
    }

    /// The rank of a document, if it nominates.
    pub fn rank(&self, number: u32) -> Option<u32> {
        Some(self.ranks[number as usize]).filter(|&rank| rank != Self::NONE)
    }
}

/// Makes pairs. One of them for every thread: it has tables to work in.
#[derive(Debug)]
pub(crate) struct Expander<'a> {
    documents: &'a Ranked,
    common: usize,
    /// Up to this many documents are paired each with each.
    clique: usize,
    /// The minima of every document of a key, side by side.
    minima: Vec<[u16; MINIMA]>,
    /// Of every document of a key and slot of its minima, the centre of its star: the place among them of the first one,
    /// that is, of the one of lowest rank, with the same minimum.
    centres: Vec<[u32; MINIMA]>,
    /// Of the lower bits of a minimum, the place that was noted last.
    first_places: Box<[u32]>,
    /// Of every place, whose centre it was noted as last.
    noted: Vec<u32>,
    /// The centres of one document that are others than itself; the rest is room.
    others: [u32; MINIMA],
    pub common_keys: u64,
}

/// Up to so many documents, a table for 12 bits of a minimum is enough: it stays in the first-level cache, and one
/// document in 16 at most finds somebody else's minimum there.
const FEW: usize = 256;
const FEW_PLACES: usize = 1 << 12;
/// A place for every minimum.
const PLACES: usize = 1 << 16;

impl<'a> Expander<'a> {
    pub fn new(documents: &'a Ranked, common: u32) -> Self {
        Expander {
            documents,
            common: common as usize,
            clique: CLIQUE,
            minima: Vec::new(),
            centres: Vec::new(),
            first_places: vec![0; PLACES].into(),
            noted: Vec::new(),
            others: [0; MINIMA],
            common_keys: 0,
        }
    }

    /// Pairs up to `clique` documents each with each.
    pub fn with_clique(self, clique: usize) -> Self {
        Expander { clique, ..self }
    }

    /// Hands the pairs of documents that share a key, told by their ranks in ascending order, to `take`, each once, the
    /// lower number first.
    pub fn expand(&mut self, ranks: &[u32], mut take: impl FnMut(u32, u32)) {
        let numbers = &self.documents.numbers;
        let mut take_ranks = |a: u32, b: u32| {
            let (a, b) = (numbers[a as usize], numbers[b as usize]);
            take(a.min(b), a.max(b));
        };
        if ranks.len() <= self.clique {
            for (i, &a) in ranks.iter().enumerate() {
                ranks[i + 1..].iter().for_each(|&b| take_ranks(a, b));
            }
            return;
        }
        self.common_keys += u64::from(ranks.len() > self.common);
        self.find_centres(ranks);
        // Its own place is noted from the beginning: nobody before it has it as a centre.
        self.noted.clear();
        self.noted.extend(0..ranks.len() as u32);
        for place in 0..ranks.len() as u32 {
            let count = self.find_others(place);
            for &centre in &self.others[..count] {
                take_ranks(ranks[centre as usize], ranks[place as usize]);
            }
        }
    }

    fn find_centres(&mut self, ranks: &[u32]) {
        self.minima.clear();
        self.minima.extend(ranks.iter().map(|&rank| self.documents.minima[rank as usize]));
        self.centres.resize(ranks.len(), [0; MINIMA]);
        (0..MINIMA).for_each(|slot| self.find_centres_of(slot));
    }

    /// Whoever comes first is noted last and replaces all others, and only what was noted is looked up: no comparison, and
    /// nothing to clear, neither between slots nor between keys.
    fn find_centres_of(&mut self, slot: usize) {
        let minima = self.minima.as_slice();
        let places = if minima.len() <= FEW { FEW_PLACES } else { PLACES };
        let first_places = &mut self.first_places[..places];
        for (place, minima) in minima.iter().enumerate().rev() {
            first_places[usize::from(minima[slot]) & (places - 1)] = place as u32;
        }
        for (centres, own) in self.centres.iter_mut().zip(minima) {
            let first = first_places[usize::from(own[slot]) & (places - 1)];
            let is_its = minima[first as usize][slot] == own[slot];
            centres[slot] = if is_its { first } else { first_of(own[slot], slot, minima) };
        }
    }

    /// Finds the centres of a document that are others than itself, each once; returns how many.
    fn find_others(&mut self, place: u32) -> usize {
        let centres = &self.centres[place as usize];
        if centres.iter().fold(0, |differs, centre| differs | centre ^ place) == 0 {
            return 0;
        }
        let mut count = 0;
        for &centre in centres {
            self.others[count] = centre;
            // Counted without a branch: which of them are new is anybody's guess.
            count += usize::from(std::mem::replace(&mut self.noted[centre as usize], place) != place);
        }
        count
    }
}

#[cold]
fn first_of(minimum: u16, slot: usize, minima: &[[u16; MINIMA]]) -> u32 {
    minima.iter().take_while(|other| other[slot] != minimum).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn pairs(minima: &[[u16; MINIMA]], documents: &[u32]) -> Vec<(u32, u32)> {
        let ranked = Ranked::new((0..minima.len() as u32).rev().collect(), minima);
        let mut ranks: Vec<u32> = documents.iter().filter_map(|&number| ranked.rank(number)).collect();
        ranks.sort_unstable();
        let mut found = Vec::new();
        Expander::new(&ranked, 1000).expand(&ranks, |a, b| found.push((a, b)));
        found
    }

    /// The definition: each with the one of lowest rank, that is, the last one, that shares a minimum with it.
    fn naive(minima: &[[u16; MINIMA]], documents: &[u32]) -> BTreeSet<(u32, u32)> {
        let centre = |document: u32, slot: usize| {
            let minimum = |number: u32| minima[number as usize][slot];
            documents.iter().copied().filter(|&other| minimum(other) == minimum(document)).max()
        };
        let pairs = documents.iter().flat_map(|&document| {
            (0..MINIMA).filter_map(move |slot| centre(document, slot)).map(move |centre| (document, centre))
        });
        pairs.filter(|(document, centre)| document != centre).collect()
    }

    proptest! {
        #[test]
        fn stars_are_as_defined(
            minima in prop::collection::vec(prop::array::uniform8(prop_oneof![0u16..40, any::<u16>(), (0u16..16).prop_map(|upper| upper << 12)]), 50..90),
            repeats in 1usize..5,
            left_out in 0u32..20,
        ) {
            let minima = minima.repeat(repeats);
            let documents: Vec<u32> = (left_out..minima.len() as u32).collect();
            let found = pairs(&minima, &documents);
            prop_assert_eq!(found.len(), found.iter().collect::<BTreeSet<_>>().len(), "each once");
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), naive(&minima, &documents));
        }
    }

    #[test]
    fn a_few_are_paired_each_with_each() {
        let minima = vec![[0; MINIMA]; 4];
        assert_eq!(pairs(&minima, &[0, 2, 3]), [(2, 3), (0, 3), (0, 2)]);
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
