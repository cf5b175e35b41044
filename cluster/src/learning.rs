//! Word weights learnt from the input, if asked for: in how many documents each word stands, counted in bounded memory, and
//! what is kept of the documents written anew with these weights. No text is read again.

use crate::error::Result;
use crate::files;
use crate::parallel;
use crate::piece::{BUCKETS, Entry, PieceDraft, PieceFiles, PieceReader};
use crate::sketching::Sketched;
use crate::watch::Watch;
use crate::words::{WORDS_LEVEL, WordSketcher, for_each_weighed};
use firstcopy_text::Seed;
use firstcopy_text::likeness::{Weights, Words};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

/// Bytes of memory that a counted word takes at most: a slot of 16 bytes in a table that is at least a quarter full.
const BYTES_A_WORD: u64 = 64;

/// Learns weights from all documents of some pieces. The result depends on the documents alone.
///
/// A word of 2 % of all documents stands in 2 % of the documents of at least one block, however these are cut into blocks.
/// So each block nominates the words that are common in it, and a second pass counts these in all documents. A block
/// ends when its words fill the memory.
pub(crate) fn learn(
    pieces: &[PieceFiles],
    memory: u64,
    threads: usize,
    watch: &dyn Watch,
) -> Result<Weights> {
    let most_words = (memory / 16 / threads.max(1) as u64 / BYTES_A_WORD).clamp(1 << 12, 1 << 20) as usize;
    let candidates = Mutex::new(Candidates::default());
    let take_block = |block: &WordCounter| lock(&candidates).take_block(block);
    // A block goes on with the next piece.
    let blocks: Mutex<Vec<WordCounter>> = Mutex::default();
    parallel::for_each(threads, watch, pieces.len(), Vec::new, |sample, number| {
        let mut block = lock(&blocks).pop().unwrap_or_default();
        for_each_text(&pieces[number], sample, |sample| {
            block.add_document(sample);
            if block.words >= most_words {
                take_block(&block);
                block = WordCounter::default();
            }
        })?;
        lock(&blocks).push(block);
        watch.done(1);
        Ok(())
    })?;
    lock(&blocks).iter().for_each(take_block);
    let candidates = candidates.into_inner().unwrap_or_else(PoisonError::into_inner);
    if candidates.are_exact() {
        return Ok(candidates.weights());
    }
    let counters: Mutex<Vec<WordCounter>> = Mutex::default();
    parallel::for_each(threads, watch, pieces.len(), Vec::new, |sample, number| {
        let counter = lock(&counters).pop();
        let mut counter = counter.unwrap_or_else(|| WordCounter::of_words(candidates.words.keys().copied()));
        for_each_text(&pieces[number], sample, |sample| counter.add_document(sample))?;
        lock(&counters).push(counter);
        watch.done(1);
        Ok(())
    })?;
    let mut exact = Candidates::default();
    lock(&counters).iter().for_each(|counter| exact.add_counts(counter));
    Ok(exact.weights())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands over the samples of all documents of a piece that have words.
fn for_each_text(piece: &PieceFiles, sample: &mut Vec<u8>, mut sink: impl FnMut(&[u8])) -> Result<()> {
    let mut reader = PieceReader::open(piece)?;
    while let Some(entry) = reader.next(sample)? {
        if entry.level == WORDS_LEVEL {
            sink(sample);
        }
    }
    Ok(())
}

/// Counts the documents that have each word: a hash table with open addressing, at most half full.
#[derive(Debug)]
struct WordCounter {
    slots: Vec<Slot>,
    /// Words in the table.
    words: usize,
    documents: u32,
    /// Whether words that are not in the table are left out.
    is_closed: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    code: u32,
    /// The last document that has the word, counted from 1; 0 marks an empty slot.
    last: u32,
    count: u32,
    weight: u8,
}

/// No document has this number.
const NO_DOCUMENT: u32 = u32::MAX;

impl Default for WordCounter {
    fn default() -> Self {
        WordCounter { slots: vec![Slot::default(); 1 << 10], words: 0, documents: 0, is_closed: false }
    }
}

impl WordCounter {
    /// Counts these words only.
    fn of_words(codes: impl Iterator<Item = u32>) -> Self {
        let mut counter = WordCounter::default();
        for code in codes {
            counter.insert(Slot { code, last: NO_DOCUMENT, count: 0, weight: u8::MAX });
        }
        WordCounter { is_closed: true, ..counter }
    }

    fn add_document(&mut self, sample: &[u8]) {
        self.documents += 1;
        for_each_weighed(sample, |code, weight| self.add(code, weight));
    }

    #[inline]
    fn add(&mut self, code: u32, weight: u8) {
        let at = self.find(code);
        let slot = &mut self.slots[at];
        if slot.last == self.documents {
            return;
        }
        if slot.last != 0 {
            slot.last = self.documents;
            slot.count += 1;
            // Words of one code have one weight, unless their codes are equal by chance.
            slot.weight = slot.weight.min(weight);
        } else if !self.is_closed {
            self.insert(Slot { code, last: self.documents, count: 1, weight });
        }
    }

    /// Puts in a word that is not there.
    fn insert(&mut self, slot: Slot) {
        self.words += 1;
        if 2 * self.words > self.slots.len() {
            let larger = vec![Slot::default(); 2 * self.slots.len()];
            let slots = std::mem::replace(&mut self.slots, larger);
            for slot in slots.into_iter().filter(|slot| slot.last != 0) {
                let at = self.find(slot.code);
                self.slots[at] = slot;
            }
        }
        let at = self.find(slot.code);
        self.slots[at] = slot;
    }

    /// Returns the slot of a word, or the empty one where it would be.
    #[inline]
    fn find(&self, code: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (u64::from(code).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at].last != 0 && self.slots[at].code != code {
            at = (at + 1) & mask;
        }
        at
    }

    fn counted(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.last != 0)
    }
}

/// Words that may be common in all documents.
#[derive(Debug, Default)]
struct Candidates {
    documents: u64,
    words: HashMap<u32, Candidate>,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    weight: u8,
    count: u64,
    /// Documents before the first that is counted.
    since: u64,
}

impl Candidates {
    /// Counts another block, and drops the words that are not common since they were first counted: they were not common
    /// before, either.
    fn take_block(&mut self, block: &WordCounter) {
        for (&code, word) in &mut self.words {
            word.add(&block.slots[block.find(code)]);
        }
        let documents = u64::from(block.documents);
        for slot in block.counted().filter(|slot| Weights::is_common(u64::from(slot.count), documents)) {
            self.words.entry(slot.code).or_insert(Candidate::of(slot, self.documents));
        }
        self.documents += documents;
        let all = self.documents;
        self.words.retain(|_, word| Weights::is_common(word.count, all - word.since));
    }

    /// Adds the counts of other documents for the same words.
    fn add_counts(&mut self, counter: &WordCounter) {
        self.documents += u64::from(counter.documents);
        for slot in counter.counted() {
            match self.words.get_mut(&slot.code) {
                Some(word) => word.add(slot),
                None => drop(self.words.insert(slot.code, Candidate::of(slot, 0))),
            }
        }
    }

    /// Whether all words were counted from the first document on.
    fn are_exact(&self) -> bool {
        self.words.values().all(|word| word.since == 0)
    }

    fn weights(&self) -> Weights {
        let counts = self.words.iter().map(|(&code, word)| (code, word.weight, word.count));
        Weights::from_counts(self.documents, counts)
    }
}

impl Candidate {
    fn of(slot: &Slot, since: u64) -> Self {
        Candidate { weight: slot.weight, count: u64::from(slot.count), since }
    }

    fn add(&mut self, slot: &Slot) {
        if slot.count > 0 {
            self.weight = self.weight.min(slot.weight);
            self.count += u64::from(slot.count);
        }
    }
}

/// Counts the words whose weights differ from the built-in ones.
pub(crate) fn count_learnt(weights: &Weights) -> u64 {
    let entries = |weights: &Weights| -> BTreeSet<[u8; 5]> {
        weights.to_bytes().as_chunks().0.iter().copied().collect()
    };
    entries(weights).difference(&entries(&Weights::default())).count() as u64
}

/// Writes a piece anew with other weights, file by file. Its first document has the number `first`. Cut off in between, it
/// can be repeated: the result is the same.
pub(crate) fn reweigh(piece: &PieceFiles, first: u32, weights: &Weights) -> Result<()> {
    let sketcher = WordSketcher::new(&Seed::PUBLIC);
    let keys = keys_of_features(piece, first)?;
    let mut reader = PieceReader::open(piece)?;
    let mut draft = PieceDraft::new(piece.clone());
    let (mut sample, mut words) = (Vec::new(), Words::default());
    let mut number = first;
    while let Some(entry) = reader.next(&mut sample)? {
        let sketched = match entry.level {
            WORDS_LEVEL => sketcher.reweigh(&mut sample, weights, &mut words),
            _ => Sketched {
                sample: std::mem::take(&mut sample),
                keys: keys.get(&number).cloned().unwrap_or_default(),
                ..Sketched::default()
            },
        };
        draft.push(number, &restore(entry, sketched))?;
        number += 1;
    }
    draft.write(piece.clone()).map(drop)
}

/// Restores what does not depend on weights.
fn restore(entry: Entry, sketched: Sketched) -> Sketched {
    let of_entry = Sketched {
        id: entry.id,
        url: entry.url,
        created_at: entry.created_at,
        identical: entry.identical,
        text_bytes: entry.text_bytes,
        ..sketched
    };
    match entry.level {
        WORDS_LEVEL => of_entry,
        level => Sketched {
            lexical: entry.lexical,
            set: entry.set,
            shingles: entry.shingles,
            level,
            minima: entry.minima,
            ..of_entry
        },
    }
}

/// Collects the keys of documents without words, as far as they are kept, by their numbers.
fn keys_of_features(piece: &PieceFiles, first: u32) -> Result<HashMap<u32, Vec<u64>>> {
    let mut keys: HashMap<u32, Vec<u64>> = HashMap::new();
    let (mut reader, mut sample, mut number) = (PieceReader::open(piece)?, Vec::new(), first);
    while let Some(entry) = reader.next(&mut sample)? {
        if entry.level != WORDS_LEVEL {
            keys.insert(number, Vec::new());
        }
        number += 1;
    }
    if keys.is_empty() {
        return Ok(keys);
    }
    let bytes = files::read(&piece.keys)?;
    let (ends, postings) = bytes.split_at_checked(8 * BUCKETS).ok_or_else(|| damaged(piece))?;
    let number_at = |bytes: &[u8], at: usize| {
        let chunk = bytes.as_chunks().0.get(at).ok_or_else(|| damaged(piece));
        chunk.map(|chunk| u64::from_le_bytes(*chunk))
    };
    let mut at = 0;
    for bucket in 0..BUCKETS {
        let end = number_at(ends, bucket)? as usize;
        while at < end {
            let posting = number_at(postings, at)?;
            if let Some(keys) = keys.get_mut(&(posting as u32)) {
                keys.push((bucket as u64) << 56 | posting >> 32 << 24);
            }
            at += 1;
        }
    }
    Ok(keys)
}

fn damaged(piece: &PieceFiles) -> crate::error::ClusterError {
    crate::error::ClusterError::damaged(&piece.keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counter_of(documents: &[Vec<u32>]) -> WordCounter {
        let mut counter = WordCounter::default();
        for document in documents {
            counter.documents += 1;
            document.iter().for_each(|&code| counter.add(code, 16));
        }
        counter
    }

    proptest! {
        #[test]
        fn every_common_word_is_a_candidate_however_blocks_are_cut(
            documents in prop::collection::vec(prop::collection::vec((0u32..400, 0u32..400).prop_map(|(a, b)| a * b / 400), 0..6), 1..250),
            block_documents in 1usize..90,
        ) {
            let mut candidates = Candidates::default();
            documents.chunks(block_documents).for_each(|block| candidates.take_block(&counter_of(block)));
            let count = |code: u32| documents.iter().filter(|document| document.contains(&code)).count() as u64;
            for code in 0..400 {
                let candidate = candidates.words.get(&code);
                let is_common = Weights::is_common(count(code), documents.len() as u64);
                prop_assert!(candidate.is_some() || !is_common, "{code}");
                if let Some(candidate) = candidate.filter(|candidate| candidate.since == 0) {
                    prop_assert_eq!(candidate.count, count(code));
                }
            }
        }
    }
}
