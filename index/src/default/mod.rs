//! The default index: every key of a document at its position is a place among runs.

mod found;
mod place;

use crate::rarest::{MOST_HOLDERS, MOST_HOLDERS_OF_ONE, choose_rarest};
use crate::runs::{Entry, Limits, Place, Purpose, Runs};
use crate::{DuplicateIndex, IndexError, IndexStatistics, MAX_KEYS, Rule, SharedKeys};
use found::Found;
use place::place_of;
use std::path::Path;

/// A million operations take 24 MB and their slots: some 65,000 documents of 16 keys, which the store tells again
/// within a second after a crash. With 32 parts there are two runs up to a thousand million entries, and only one up to
/// 32 M (two million documents of 16 keys), for which a lookup takes half the time; the price is that the thread writes
/// 8 · 32 bytes an entry, about as much as the store writes for a document.
pub(crate) const LIMITS: Limits = Limits { operations: 1 << 20, merge_part: 32 };

/// The default index of a folder.
#[derive(Debug)]
pub(crate) struct DefaultIndex {
    rule: Rule,
    runs: Runs,
    /// What the last lookup found: kept for its memory.
    found: Vec<Found>,
    scratch: Vec<Found>,
}

impl DefaultIndex {
    /// Opens the index of a folder, or makes an empty one.
    pub fn open(folder: &Path, rule: Rule, limits: Limits) -> Result<Self, IndexError> {
        let runs = Runs::open(folder, Purpose::Duplicates(rule), limits)?;
        Ok(DefaultIndex { rule, runs, found: Vec::new(), scratch: Vec::new() })
    }

    fn push(&mut self, number: u32, keys: &[u64], removed: bool) {
        for (position, &key) in keys.iter().take(self.rule.keys).enumerate() {
            self.runs.push(Entry { place: place_of(position, key), number, removed });
        }
    }

    /// The places of some keys, of which the index keeps as many as its rule says.
    fn places(&self, keys: &[u64]) -> ([Place; MAX_KEYS], usize) {
        let mut places = [Place::default(); MAX_KEYS];
        let count = keys.len().min(self.rule.keys);
        for (position, (place, &key)) in places.iter_mut().zip(&keys[..count]).enumerate() {
            *place = place_of(position, key);
        }
        (places, count)
    }

    /// Collects everything that memory and runs say about some places.
    fn find(&mut self, places: &[Place]) {
        self.find_up_to(usize::MAX, places);
    }

    /// Collects everything that is said about some places unless it may be more than so much. Returns whether it did.
    fn find_up_to(&mut self, most: usize, places: &[Place]) -> bool {
        let found = &mut self.found;
        found.clear();
        self.runs.tell_up_to(most, places, |place, word| found.push(Found::new(place, word, found.len())))
    }

    /// Collects what is said about the rarest of some places. Returns how many were skipped.
    fn find_rarest(&mut self, places: &[Place]) -> u32 {
        let holders: Vec<usize> = places.iter().map(|&place| self.runs.count_at(place)).collect();
        let chosen = choose_rarest(&holders);
        let is_chosen = |position: &usize| chosen >> position & 1 == 1;
        let followed: Vec<Place> =
            (0..places.len()).filter(is_chosen).map(|position| places[position]).collect();
        let visited: usize = (0..places.len()).filter(is_chosen).map(|position| holders[position]).sum();
        if visited <= MOST_HOLDERS {
            self.find(&followed);
        } else {
            // One key with very many holders, and others with none.
            self.found.clear();
            for place in followed {
                for word in self.runs.at(place).take(MOST_HOLDERS_OF_ONE) {
                    self.found.push(Found::new(place, word, self.found.len()));
                }
            }
        }
        places.len() as u32 - chosen.count_ones()
    }
}

impl DuplicateIndex for DefaultIndex {
    fn insert(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError> {
        self.push(number, keys, false);
        Ok(())
    }

    fn remove(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError> {
        self.push(number, keys, true);
        Ok(())
    }

    fn candidates(&mut self, keys: &[u64]) -> Result<Vec<u32>, IndexError> {
        let (places, count) = self.places(keys);
        self.find(&places[..count]);
        let candidates = found::candidates(&mut self.found, self.rule.needed);
        Ok(candidates.into_iter().map(|candidate| candidate.number).collect())
    }

    fn shared(&mut self, keys: &[u64], preferred: usize) -> Result<SharedKeys, IndexError> {
        let (places, count) = self.places(keys);
        let places = &places[..count];
        let needed = self.rule.needed;
        let skipped = if self.find_up_to(MOST_HOLDERS, places) { 0 } else { self.find_rarest(places) };
        let holders = match needed {
            ..2 if preferred <= 2 => {
                found::shared(&mut self.found, preferred == 2 && skipped == 0, &mut self.scratch)
            }
            _ => found::candidates(&mut self.found, needed),
        };
        Ok(SharedKeys { holders, skipped })
    }

    fn commit(&mut self, position: u64) -> Result<(), IndexError> {
        self.runs.commit(position)
    }

    fn rollback(&mut self) -> Result<(), IndexError> {
        self.runs.rollback();
        Ok(())
    }

    fn position(&self) -> u64 {
        self.runs.position()
    }

    fn durable_position(&self) -> u64 {
        self.runs.durable_position()
    }

    fn flush(&mut self) -> Result<(), IndexError> {
        self.runs.flush()
    }

    fn statistics(&mut self) -> Result<IndexStatistics, IndexError> {
        Ok(IndexStatistics {
            entries: self.runs.count()?,
            entries_a_document: self.rule.keys as u64,
            bytes: self.runs.bytes()?,
            page_accesses: None,
        })
    }
}
