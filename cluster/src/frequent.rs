//! Phase 4, third part: documents that share frequent keys only. A star does not pair all holders of a key, so the pairs that
//! could still change the result are looked for here, given the groups found so far. Work per document is bounded.

use crate::equal::Equal;
use crate::error::{ClusterError, Result};
use crate::files::{self, Draft, take_exact};
use crate::pairs::Pair;
use crate::table::Table;
use crate::words::{CandidateRule, DocumentComparer, find_sharing_enough, has_words};
use firstcopy_text::likeness::{KEYS, needed_keys};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Pairs that are looked for on behalf of one document, at most. They are the likeliest copies by their words.
const MOST_LINKS: usize = 32;
/// The limit for a document that is a copy already: it may be a copy of a still earlier one, of which there are few.
const MOST_LINKS_OF_COPY: usize = 128;
/// Pairs of the holders of one key that are looked at in memory, at most, unless [`LEAST_WINDOW`] asks for more.
const MOST_LOOKS: usize = 1 << 17;
/// Holders that every document is looked at with, at least: those of about the same weight.
const LEAST_WINDOW: usize = 32;

/// Writes the holders of frequent keys: for every key their number and then their document numbers, earliest first (u32 each,
/// little-endian).
pub(crate) struct FrequentWriter {
    draft: Draft,
    block: Vec<u8>,
}

/// Bytes that are written at a time.
const BLOCK: usize = 1 << 16;

impl FrequentWriter {
    pub fn create(path: &Path) -> Result<Self> {
        Ok(FrequentWriter { draft: Draft::create(path)?, block: Vec::new() })
    }

    /// Appends the holders of a key.
    pub fn put(&mut self, holders: impl ExactSizeIterator<Item = u32>) -> Result<()> {
        self.block.extend((holders.len() as u32).to_le_bytes());
        holders.for_each(|number| self.block.extend(number.to_le_bytes()));
        if self.block.len() < BLOCK { Ok(()) } else { self.write_block() }
    }

    fn write_block(&mut self) -> Result<()> {
        self.draft.write(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Appends all keys of another file.
    pub fn put_file(&mut self, path: &Path) -> Result<()> {
        let mut file = files::open(path)?;
        loop {
            self.write_block()?;
            let read = file.by_ref().take(BLOCK as u64).read_to_end(&mut self.block);
            if read.map_err(ClusterError::io(path))? == 0 {
                return Ok(());
            }
        }
    }

    pub fn finish(mut self) -> Result<()> {
        self.write_block()?;
        self.draft.finish()
    }
}

/// Reads the holders of frequent keys, key by key.
struct FrequentReader {
    file: BufReader<File>,
    path: PathBuf,
}

impl FrequentReader {
    fn open(path: &Path) -> Result<Self> {
        Ok(FrequentReader { file: files::open(path)?, path: path.to_owned() })
    }

    /// Reads the holders of the next key, those with words; returns false at the end.
    fn next(&mut self, holders: &mut Vec<u32>, table: &Table) -> Result<bool> {
        let documents = table.len();
        let wrong = ClusterError::io(&self.path);
        let mut count = [0; 4];
        if !take_exact(&mut self.file, &mut count).map_err(&wrong)? {
            return Ok(false);
        }
        let count = u32::from_le_bytes(count) as usize;
        if count > documents {
            return Err(ClusterError::damaged(&self.path));
        }
        let mut bytes = vec![0; 4 * count];
        self.file.read_exact(&mut bytes).map_err(wrong)?;
        holders.clear();
        holders.extend(bytes.as_chunks().0.iter().map(|number| u32::from_le_bytes(*number)));
        if holders.iter().any(|&number| number as usize >= documents) {
            return Err(ClusterError::damaged(&self.path));
        }
        holders.retain(|&holder| has_words(table, holder));
        Ok(true)
    }
}

/// The groups of texts found so far, each text named by the document that represents it.
#[derive(Debug)]
pub(crate) enum Groups {
    /// For each text, a text of its connected component: the same for all of them.
    Connected(Vec<u32>),
    /// For each text, its original. Texts of the reference are never copies.
    Original { original: Vec<u32>, is_reference: Vec<bool> },
}

/// Finds pairs of documents that share frequent keys only and could change the groups.
pub(crate) struct LinkFinder<'a> {
    table: &'a Table,
    equal: &'a Equal,
    path: &'a Path,
    min_likeness: f64,
    rule: CandidateRule,
    comparer: DocumentComparer<'a>,
    /// For each document, the keys that are frequent, a bit each.
    frequent: Vec<u32>,
    /// For each document, the two of its frequent keys that most documents hold, by their place in the file.
    widest: Vec<[u32; 2]>,
    /// Pairs handed over before, packed, ascending.
    handed_over: Vec<u64>,
    /// For each document, the pairs handed over on its behalf.
    spent: Vec<u8>,
    /// Whether the last call found all pairs there were, no limit cutting any off.
    is_all_found: bool,
}

impl<'a> LinkFinder<'a> {
    /// Finds pairs of the keys in a file.
    pub fn new(
        (table, equal): (&'a Table, &'a Equal),
        path: &'a Path,
        min_likeness: f64,
        comparer: DocumentComparer<'a>,
    ) -> Result<Self> {
        let (frequent, widest) = find_frequent(table, path)?;
        Ok(LinkFinder {
            table,
            equal,
            path,
            min_likeness,
            rule: CandidateRule::new(min_likeness),
            comparer,
            frequent,
            widest,
            handed_over: Vec::new(),
            spent: vec![0; table.len()],
            is_all_found: false,
        })
    }

    /// Returns pairs to compare, ascending, the lower number first; none twice in all calls.
    pub fn find(&mut self, groups: &Groups) -> Result<Vec<(u32, u32)>> {
        // Components only grow together: what lies between them now lay between them before.
        if self.is_all_found && matches!(groups, Groups::Connected(_)) {
            return Ok(Vec::new());
        }
        let mut reader = FrequentReader::open(self.path)?;
        let mut offers = Offers::default();
        let mut holders = Vec::new();
        let mut key = 0;
        while reader.next(&mut holders, self.table)? {
            holders.retain(|&holder| self.looks_by(key, holder));
            match groups {
                Groups::Connected(component) => {
                    self.look_between_components(&holders, component, &mut offers)?;
                }
                Groups::Original { original, is_reference } => {
                    self.look_at_originals(&holders, original, is_reference, &mut offers)?;
                }
            }
            key += 1;
        }
        self.is_all_found = !offers.are_cut;
        let mut found: Vec<u64> = Vec::new();
        for (of, others) in offers.best {
            self.spent[of as usize] += others.len() as u8;
            found.extend(others.iter().map(|offer| Pair::pack(of.min(offer.other), of.max(offer.other))));
        }
        found.sort_unstable();
        found.dedup();
        self.handed_over.extend_from_slice(&found);
        self.handed_over.sort_unstable();
        Ok(found.into_iter().map(|packed| ((packed >> 32) as u32, packed as u32)).collect())
    }

    /// Looks at pairs of holders in different components, on behalf of those outside of the largest one.
    fn look_between_components(
        &mut self,
        holders: &[u32],
        component: &[u32],
        offers: &mut Offers,
    ) -> Result<()> {
        let of_holders = || holders.iter().map(|&holder| component[holder as usize]);
        if of_holders().all(|component| Some(component) == of_holders().next()) {
            return Ok(());
        }
        let largest = most_frequent(of_holders());
        let is_outside = |holder: u32| Some(component[holder as usize]) != largest;
        let outside = holders.iter().filter(|&&holder| is_outside(holder)).count();
        let by_weight = self.order_by_weight(holders.iter().copied());
        let keys = self.keys_of(&by_weight);
        let window = (MOST_LOOKS / outside.max(1)).max(LEAST_WINDOW);
        offers.are_cut |= window < by_weight.len();
        let mut found = Vec::new();
        for (place, &holder) in by_weight.iter().enumerate() {
            let left = self.left_to_spend(holder, MOST_LINKS);
            if !is_outside(holder) || left == 0 {
                continue;
            }
            let places = around(by_weight.len(), place, window);
            // Most share no other key.
            find_sharing_enough(&keys[place], &keys[places.clone()], &mut found);
            for &found in &found {
                let other = by_weight[places.start + found as usize];
                // Two outside are looked at once, on behalf of the later one.
                let is_its_turn = || !is_outside(other) || self.equal.is_earlier(self.table, other, holder);
                if component[holder as usize] != component[other as usize] && is_its_turn() {
                    self.offer(holder, other, left, offers)?;
                }
            }
        }
        Ok(())
    }

    /// Looks at pairs of a holder and an original that is earlier than the original of that holder.
    fn look_at_originals(
        &mut self,
        holders: &[u32],
        original: &[u32],
        is_reference: &[bool],
        offers: &mut Offers,
    ) -> Result<()> {
        let table = self.table;
        let is_original = |holder: &u32| original[*holder as usize] == *holder;
        let by_weight = self.order_by_weight(holders.iter().copied().filter(is_original));
        let keys = self.keys_of(&by_weight);
        let window = (MOST_LOOKS / holders.len().max(1)).max(LEAST_WINDOW);
        let mut found = Vec::new();
        for &holder in holders {
            let is_copy = original[holder as usize] != holder;
            let left = self.left_to_spend(holder, if is_copy { MOST_LINKS_OF_COPY } else { MOST_LINKS });
            if is_reference[holder as usize] || left == 0 {
                continue;
            }
            let (own, weight) = (&table.key_parts[holder as usize], self.weight(holder));
            let place = by_weight.partition_point(|&of| self.weight(of) < weight);
            let places = around(by_weight.len(), place, window);
            find_sharing_enough(own, &keys[places.clone()], &mut found);
            for &found in &found {
                let other = by_weight[places.start + found as usize];
                if self.equal.is_earlier(self.table, other, original[holder as usize]) {
                    self.offer(holder, other, left, offers)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a document is looked at by a key, given by its place in the file. Candidates share two keys, or three if they are
    /// long: if all of these are frequent, one is none of the widest of either document.
    fn looks_by(&self, key: u32, holder: u32) -> bool {
        let needed = needed_keys(u64::from(self.weight(holder)), u64::MAX);
        let widest = &self.widest[holder as usize];
        !widest[..needed.saturating_sub(1).min(widest.len())].contains(&key)
    }

    fn weight(&self, holder: u32) -> u32 {
        self.table.shingles[holder as usize]
    }

    fn order_by_weight(&self, holders: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut holders: Vec<u32> = holders.collect();
        holders.sort_by_key(|&holder| self.weight(holder));
        holders
    }

    /// Copies the keys of documents side by side, for the cache.
    fn keys_of(&self, holders: &[u32]) -> Vec<[u16; KEYS]> {
        holders.iter().map(|&holder| self.table.key_parts[holder as usize]).collect()
    }

    fn left_to_spend(&self, holder: u32, most: usize) -> usize {
        most.saturating_sub(usize::from(self.spent[holder as usize]))
    }

    /// Offers a document to another one, if the two may be joined and were not paired by a rare key.
    fn offer(&mut self, holder: u32, other: u32, left: usize, offers: &mut Offers) -> Result<()> {
        let keys = |number: u32| &self.table.key_parts[number as usize];
        let shares_rare_key =
            shared_classes(keys(holder), keys(other)) & !self.frequent[holder as usize] != 0;
        if shares_rare_key || !self.rule.are_candidates(self.table, holder, other) {
            return Ok(());
        }
        let orders = || self.equal.orders(self.table, holder, other);
        let pair = Pair::pack(holder.min(other), holder.max(other));
        if let Some(rating) = self.comparer.rate((holder, other), orders, self.min_likeness)?
            && self.handed_over.binary_search(&pair).is_err()
        {
            let earliness = Reverse(self.equal.age(self.table, other));
            offers.add(holder, Offer { rating, earliness, other }, left);
        }
        Ok(())
    }
}

/// The value that most have; of several the least.
fn most_frequent(values: impl Iterator<Item = u32>) -> Option<u32> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts.into_iter().max_by_key(|&(value, count)| (count, !value)).map(|(value, _)| value)
}

/// The places around a place among so many, as many as fit in the window.
fn around(places: usize, place: usize, window: usize) -> Range<usize> {
    let end = (place + window / 2 + 1).max(window).min(places);
    end.saturating_sub(window)..end
}

/// The keys that two documents share, a bit each.
fn shared_classes(a: &[u16; KEYS], b: &[u16; KEYS]) -> u32 {
    (0..KEYS).fold(0, |shared, class| shared | u32::from(a[class] == b[class]) << class)
}

/// Finds out which keys of every document are frequent, those in which all holders of a frequent key agree, and the places
/// in the file of the two that most documents hold.
fn find_frequent(table: &Table, path: &Path) -> Result<(Vec<u32>, Vec<[u32; 2]>)> {
    let mut frequent = vec![0; table.len()];
    let mut widest = vec![[u32::MAX; 2]; table.len()];
    let mut counts: Vec<u32> = Vec::new();
    let (mut reader, mut holders) = (FrequentReader::open(path)?, Vec::new());
    while reader.next(&mut holders, table)? {
        let keys = |holder: &u32| &table.key_parts[*holder as usize];
        let shared = holders
            .iter()
            .fold(u32::MAX, |shared, holder| shared & shared_classes(keys(holder), keys(&holders[0])));
        let (key, count) = (counts.len() as u32, holders.len() as u32);
        counts.push(count);
        for &holder in &holders {
            frequent[holder as usize] |= shared;
            let widest = &mut widest[holder as usize];
            let is_wider = |than: u32| counts.get(than as usize).is_none_or(|&known| count > known);
            if is_wider(widest[0]) {
                *widest = [key, widest[0]];
            } else if is_wider(widest[1]) {
                widest[1] = key;
            }
        }
    }
    Ok((frequent, widest))
}

/// A document that another one may be joined to; greater is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    rating: u32,
    /// Greater for earlier ones.
    earliness: Reverse<(i64, u32)>,
    other: u32,
}

/// The best offers for every document.
#[derive(Debug, Default)]
struct Offers {
    /// Best first.
    best: HashMap<u32, Vec<Offer>>,
    /// Whether a limit cut off offers, or pairs that were not even looked at.
    are_cut: bool,
}

impl Offers {
    fn add(&mut self, of: u32, offer: Offer, most: usize) {
        let best = self.best.entry(of).or_default();
        let place = best.partition_point(|known| *known > offer);
        if best.iter().any(|known| known.other == offer.other) {
            return;
        }
        self.are_cut |= best.len() >= most;
        if place < most {
            best.insert(place, offer);
            best.truncate(most);
        }
    }
}
