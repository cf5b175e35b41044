//! Policy likeness: what is kept of a text (its words and 32 keys), and how the words of two documents are compared.
//! Ready-made features have no words: they are compared by their resemblance, and never with a text.

use crate::equal::{Orders, any_order};
use crate::error::Result;
use crate::samples::Comparer;
use crate::settings::{Policy, Shared};
use crate::sketching::{MINIMA, Sketched};
use crate::table::{Archive, Table};
use firstcopy_text::Seed;
use firstcopy_text::likeness::{
    CopyRelation, KEYS, KeyMaker, Likeness, PairSketch, TextSize, WeightRule, Weights, WordProfile, Words,
    compare, may_be_copies, may_be_copy,
};

/// The level of a document whose sample holds words. Levels of shingles are far below.
pub(crate) const WORDS_LEVEL: u8 = u8::MAX;

/// Words from which on a sample begins with a profile. Shorter texts are compared as quickly.
const LEAST_PROFILED: usize = 32;

/// Up to this many holders of a key are paired each with each. More make stars, at most [`MINIMA`] pairs a document.
pub(crate) const CLIQUE_OF_WORDS: usize = 64;

/// Tags of words, as [`Words::to_bytes`] writes them: numbers and names.
const FACT_TAGS: u8 = 0b1100_0000;
const NUMBER_TAG: u8 = 0b1000_0000;

/// Turns texts into what is kept of them.
#[derive(Debug)]
pub(crate) struct WordSketcher {
    weights: Weights,
    key_maker: KeyMaker,
}

impl WordSketcher {
    pub fn new(seed: &Seed) -> Self {
        WordSketcher { weights: Weights::default(), key_maker: KeyMaker::new(seed) }
    }

    pub fn sketch(&self, text: &str) -> Sketched {
        self.sketch_words(&Words::of(text, &self.weights))
    }

    /// Sketches the words of a sample anew, with other weights; `words` is a scratch buffer. The sample has the size that it had.
    pub fn reweigh(&self, sample: &mut [u8], weights: &Weights, words: &mut Words) -> Sketched {
        let of_words = profile_bytes(sample.len());
        let (codes, tags) = split_words_mut(&mut sample[of_words..]);
        for (code, tag) in codes.iter().zip(tags) {
            let is_number = *tag & NUMBER_TAG != 0;
            let weight = weights.reweigh(u32::from_le_bytes(*code), *tag & !FACT_TAGS, is_number);
            *tag = *tag & FACT_TAGS | weight;
        }
        words.read_bytes(&sample[of_words..]);
        self.sketch_words(words)
    }

    fn sketch_words(&self, words: &Words) -> Sketched {
        let keys = self.key_maker.keys(words);
        let mut sample = Vec::new();
        if words.len() >= LEAST_PROFILED {
            sample.extend_from_slice(WordProfile::of(words).as_bytes());
        }
        let profiled = sample.len();
        words.to_bytes(&mut sample);
        let (codes, tags) = sample[profiled..].split_at(4 * words.len());
        let lexical = fingerprint(codes);
        let minima = if keys.len() == KEYS { groupings(&keys, codes, tags) } else { [0; MINIMA] };
        sample.resize(sample.len().next_multiple_of(4), 0);
        Sketched {
            lexical,
            set: lexical,
            shingles: u32::try_from(words.total_weight()).unwrap_or(u32::MAX),
            level: WORDS_LEVEL,
            minima,
            sample,
            key_parts: std::array::from_fn(|class| keys.get(class).map_or(0, |&key| key as u16)),
            // A key is the least of its class, so its upper bits are nearly always the same: spread over all buckets.
            keys: keys.iter().map(|key| key.wrapping_mul(MULTIPLIER)).collect(),
            ..Sketched::default()
        }
    }
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

fn fold_multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes the codes of all words, in order, in two independent lanes.
fn fingerprint(codes: &[u8]) -> u128 {
    let (chunks, rest) = codes.as_chunks::<8>();
    let last = rest.iter().rev().fold(1, |word, &byte| word << 8 | u64::from(byte));
    let (mut low, mut high) = (codes.len() as u64, 0x2d35_8dcc_aa6c_78a5);
    for word in chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)).chain([last]) {
        low = fold_multiply(low ^ word, 0x8bb8_4b93_962e_acc9).wrapping_add(word);
        high = fold_multiply(high ^ word, 0x4b33_a62e_d433_d4a3).wrapping_add(word.rotate_left(32));
    }
    u128::from(fold_multiply(high, MULTIPLIER)) << 64 | u128::from(fold_multiply(low, MULTIPLIER))
}

/// Groups the holders of a frequent key in eight ways, from all of them to those that agree in nearly everything. In each
/// way a document is paired with the earliest holder of its group.
///
/// | slot | documents of a group agree in |
/// |---|---|
/// | 0 | the frequent key alone |
/// | 1 | two more keys |
/// | 2, 3 | eight more keys: close copies |
/// | 4 | all numbers, in order: copies of one page of a template |
/// | 5, 6 | the least hash of numbers and names: copies of one page of a template that were edited |
/// | 7 | both of these |
fn groupings(keys: &[u64], codes: &[u8], tags: &[u8]) -> [u16; MINIMA] {
    let hash = |keys: &[u64]| keys.iter().fold(1, |hash, &key| fold_multiply(hash ^ key, MULTIPLIER)) as u16;
    let (mut numbers, mut least) = (1u64, [u64::MAX; 2]);
    for_each_fact(codes.as_chunks().0, tags, |code, tag| {
        let code = u64::from(code);
        if tag & NUMBER_TAG != 0 {
            numbers = fold_multiply(numbers ^ code, MULTIPLIER);
        }
        least[0] = least[0].min(fold_multiply(code, 0x8bb8_4b93_962e_acc9));
        least[1] = least[1].min(fold_multiply(code, 0x4b33_a62e_d433_d4a3));
    });
    [
        0,
        hash(&[keys[0], keys[KEYS / 2]]),
        hash(&keys[..8]),
        hash(&keys[KEYS / 2..KEYS / 2 + 8]),
        numbers as u16,
        hash(&least[..1]),
        hash(&least[1..]),
        hash(&least),
    ]
}

/// Hands over the numbers and names of a text, in order. They are picked without a branch: which words they are cannot be
/// predicted.
fn for_each_fact(codes: &[[u8; 4]], tags: &[u8], mut sink: impl FnMut(u32, u8)) {
    const TOGETHER: usize = 64;
    for (codes, tags) in codes.chunks(TOGETHER).zip(tags.chunks(TOGETHER)) {
        let (mut facts, mut count) = ([0; TOGETHER + 1], 0);
        for (place, &tag) in (0u8..).zip(tags) {
            facts[count] = place;
            count += usize::from(tag & FACT_TAGS != 0);
        }
        for &place in &facts[..count] {
            sink(u32::from_le_bytes(codes[usize::from(place)]), tags[usize::from(place)]);
        }
    }
}

/// The overlap of two documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Comparison {
    Shingles(Shared),
    Words(WordOverlap),
}

impl Comparison {
    /// The resemblance, or the likeness.
    pub fn share(self) -> f64 {
        match self {
            Comparison::Shingles(shared) => shared.resemblance(),
            Comparison::Words(overlap) => overlap.likeness,
        }
    }

    /// The relation of the second document to the first, given which of them is earlier; nothing if compared by shingles.
    pub fn relation(self, is_first_earlier: bool, min_likeness: f64) -> Option<CopyRelation> {
        match self {
            Comparison::Shingles(_) => None,
            Comparison::Words(overlap) => Some(overlap.relation(is_first_earlier, min_likeness)),
        }
    }
}

/// A [`Likeness`] without its runs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct WordOverlap {
    pub likeness: f64,
    pub in_common: f64,
    pub covered_a: f64,
    pub covered_b: f64,
    pub contradictions: u32,
    pub heaviest_run: u32,
}

impl WordOverlap {
    pub const BYTES: usize = 40;

    fn of(likeness: &Likeness) -> Self {
        WordOverlap {
            likeness: likeness.likeness,
            in_common: likeness.in_common,
            covered_a: likeness.covered_a,
            covered_b: likeness.covered_b,
            contradictions: likeness.contradictions,
            heaviest_run: likeness.heaviest_run,
        }
    }

    /// Takes the resemblance of ready-made features for their likeness. They have no excerpts.
    fn of_features(shared: Shared) -> Self {
        let resemblance = shared.resemblance();
        WordOverlap {
            likeness: resemblance,
            in_common: resemblance,
            covered_a: resemblance,
            covered_b: resemblance,
            ..WordOverlap::default()
        }
    }

    /// The relation of the later document to the earlier one.
    fn relation(self, is_first_earlier: bool, min_likeness: f64) -> CopyRelation {
        let (covered_a, covered_b) = match is_first_earlier {
            true => (self.covered_a, self.covered_b),
            false => (self.covered_b, self.covered_a),
        };
        let likeness = Likeness {
            likeness: self.likeness,
            in_common: self.in_common,
            covered_a,
            covered_b,
            contradictions: self.contradictions,
            heaviest_run: self.heaviest_run,
            ..Likeness::default()
        };
        likeness.relation(min_likeness)
    }

    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let shares = [self.likeness, self.in_common, self.covered_a, self.covered_b];
        let (wide, narrow) = bytes.split_at_mut(32);
        wide.as_chunks_mut().0.iter_mut().zip(shares).for_each(|(place, share)| *place = share.to_le_bytes());
        let numbers = [self.contradictions, self.heaviest_run];
        narrow
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(numbers)
            .for_each(|(place, number)| *place = number.to_le_bytes());
        bytes
    }

    /// Reads what [`WordOverlap::to_bytes`] wrote; nothing if a share is not between 0 and 1.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let (wide, narrow) = bytes.split_at(32);
        let share = |place: usize| f64::from_le_bytes(wide.as_chunks().0[place]);
        let number = |place: usize| u32::from_le_bytes(narrow.as_chunks().0[place]);
        let overlap = WordOverlap {
            likeness: share(0),
            in_common: share(1),
            covered_a: share(2),
            covered_b: share(3),
            contradictions: number(0),
            heaviest_run: number(1),
        };
        (0..4).all(|place| (0.0..=1.0).contains(&share(place))).then_some(overlap)
    }
}

/// Whether the sample of a document holds words.
pub(crate) fn has_words(table: &Table, number: u32) -> bool {
    table.levels[number as usize] == WORDS_LEVEL
}

/// Splits words as [`Words::to_bytes`] writes them into codes and tags.
fn split_words_mut(words: &mut [u8]) -> (&[[u8; 4]], &mut [u8]) {
    let count = words.len() / 5;
    let (codes, tags) = words.split_at_mut(4 * count);
    (codes.as_chunks().0, &mut tags[..count])
}

/// Hands over the words of a sample whose weights can be learnt, with their weights: all but numbers.
pub(crate) fn for_each_weighed(sample: &[u8], mut sink: impl FnMut(u32, u8)) {
    let words = &sample[profile_bytes(sample.len())..];
    let (codes, tags) = words.split_at(words.len() / 5 * 4);
    for (code, tag) in codes.as_chunks().0.iter().zip(tags) {
        if tag & NUMBER_TAG == 0 {
            sink(u32::from_le_bytes(*code), tag & !FACT_TAGS);
        }
    }
}

/// Counts the bytes of the profile at the start of a sample with words.
pub(crate) fn profile_bytes(sample_bytes: usize) -> usize {
    if sample_bytes >= WordProfile::BYTES + 5 * LEAST_PROFILED { WordProfile::BYTES } else { 0 }
}

/// Returns the size of the text of a document with words.
fn text_size(table: &Table, number: u32) -> TextSize {
    let sample_bytes = 4 * table.sampled[number as usize] as usize;
    let words = (sample_bytes - profile_bytes(sample_bytes)) / 5;
    TextSize { words: words as u64, weight: u64::from(table.shingles[number as usize]) }
}

/// The fewest keys that any candidates share: `needed_keys(0, 0)`.
const FEWEST_KEYS: u32 = 2;

/// Counts the keys that two documents with words share, by 16 bits of each key: rarely one too many.
#[inline]
fn count_shared_keys(a: &[u16; KEYS], b: &[u16; KEYS]) -> u32 {
    a.iter().zip(b).map(|(a, b)| u32::from(a == b)).sum()
}

/// Collects the places of the documents that share as many keys with one as any candidates do, given the keys of all side by
/// side. A function of its own: as part of a larger one its loop is not compiled to vector instructions.
#[inline(never)]
pub(crate) fn find_sharing_enough(own: &[u16; KEYS], others: &[[u16; KEYS]], found: &mut Vec<u32>) {
    found.clear();
    for (place, other) in (0..).zip(others) {
        if count_shared_keys(own, other) >= FEWEST_KEYS {
            found.push(place);
        }
    }
}

/// The documents that share a key, paired each with each as far as they may be candidates.
#[derive(Debug, Default)]
pub(crate) struct Clique {
    /// Their keys side by side, for the cache.
    key_parts: Vec<[u16; KEYS]>,
    found: Vec<u32>,
}

impl Clique {
    /// Hands over the candidates, and the pairs of ready-made features: these have the same parts of keys,
    /// zeros.
    pub fn for_each_pair(
        &mut self,
        table: &Table,
        numbers: &[u32],
        rule: &CandidateRule,
        mut take: impl FnMut(u32, u32),
    ) {
        let parts = |&number: &u32| table.key_parts.get(number as usize).copied().unwrap_or([0; KEYS]);
        self.key_parts.clear();
        self.key_parts.extend(numbers.iter().map(parts));
        for (place, own) in self.key_parts.iter().enumerate() {
            find_sharing_enough(own, &self.key_parts[place + 1..], &mut self.found);
            for &other in &self.found {
                let other = place + 1 + other as usize;
                let shared = count_shared_keys(own, &self.key_parts[other]);
                let (a, b) = (numbers[place].min(numbers[other]), numbers[place].max(numbers[other]));
                if rule.may_be_candidates(table, a, b, shared) || !has_words(table, a) {
                    take(a, b);
                }
            }
        }
    }
}

/// Whether the lengths of two documents with words allow the later one to be a copy of the earlier one.
pub(crate) fn have_fitting_sizes(table: &Table, earlier: u32, later: u32, min_likeness: f64) -> bool {
    may_be_copy(text_size(table, earlier), text_size(table, later), 0, min_likeness)
}

/// Which documents with words are candidates at a likeness, by the keys that they share.
#[derive(Debug)]
pub(crate) struct CandidateRule {
    min_likeness: f64,
    weight_rule: WeightRule,
}

impl CandidateRule {
    pub fn new(min_likeness: f64) -> Self {
        CandidateRule { min_likeness, weight_rule: WeightRule::new(min_likeness) }
    }

    /// Whether two documents have words and share enough keys.
    pub fn are_candidates(&self, table: &Table, a: u32, b: u32) -> bool {
        let shared = count_shared_keys(&table.key_parts[a as usize], &table.key_parts[b as usize]);
        // Quickest first: nearly all pairs that are asked for share one key.
        shared >= FEWEST_KEYS && self.may_be_candidates(table, a, b, shared)
    }

    /// Whether two documents that share so many keys have words, and the keys are enough. Most that share few are ruled out by
    /// the classes of their weights.
    fn may_be_candidates(&self, table: &Table, a: u32, b: u32, shared: u32) -> bool {
        let class = |number: u32| table.weight_classes[number as usize];
        let weight = |number: u32| u64::from(table.shingles[number as usize]);
        shared as usize >= self.weight_rule.least_keys(class(a), class(b))
            && has_words(table, a)
            && has_words(table, b)
            && may_be_copies(weight(a), weight(b), shared as usize, self.min_likeness)
    }
}

/// The profiles of all documents with words, if memory suffices.
#[derive(Debug)]
pub(crate) struct Profiles {
    profiles: Vec<[u8; WordProfile::BYTES]>,
}

impl Profiles {
    /// Holds no profile: all are read from the files.
    pub const fn none() -> Self {
        Profiles { profiles: Vec::new() }
    }

    /// Reads all profiles, or none if they take more than so many bytes.
    pub fn load(table: &Table, archive: &Archive, most_bytes: usize) -> Result<Self> {
        let mut profiles = Vec::new();
        if WordProfile::BYTES * table.len() <= most_bytes {
            let mut buffer = Vec::new();
            for number in 0..table.len() as u32 {
                if has_words(table, number) {
                    archive.profile(table, number, &mut buffer)?;
                }
                profiles.push(buffer.first_chunk().copied().unwrap_or([0; WordProfile::BYTES]));
                buffer.clear();
            }
        }
        Ok(Profiles { profiles })
    }

    /// Returns the profile of a document; nothing if its text is too short for one.
    fn get<'b>(
        &'b self,
        (table, archive): (&Table, &Archive),
        number: u32,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<&'b [u8; WordProfile::BYTES]>> {
        if profile_bytes(4 * table.sampled[number as usize] as usize) == 0 {
            return Ok(None);
        }
        if let Some(profile) = self.profiles.get(number as usize) {
            return Ok(Some(profile));
        }
        archive.profile(table, number, buffer)?;
        Ok(buffer.first_chunk())
    }
}

/// Compares documents by shingles or by words, as the policy says. One for each thread.
#[derive(Debug)]
pub(crate) struct DocumentComparer<'a> {
    shingles: Comparer<'a>,
    table: &'a Table,
    archive: &'a Archive,
    compares_words: bool,
    profiles: &'a Profiles,
    /// Scratch buffers for two profiles that are not in memory.
    profile_buffers: [Vec<u8>; 2],
    /// The first document of the last comparison, its words, and its pairs of neighbouring words if they were needed.
    fixed: Option<u32>,
    words: Words,
    pairs: Option<PairSketch>,
    other: Words,
    bytes: Vec<u8>,
}

impl<'a> DocumentComparer<'a> {
    pub fn new(table: &'a Table, archive: &'a Archive, policy: Policy) -> Self {
        Self::with_profiles(table, archive, policy, const { &Profiles::none() })
    }

    /// Compares with the help of profiles that are in memory.
    pub fn with_profiles(
        table: &'a Table,
        archive: &'a Archive,
        policy: Policy,
        profiles: &'a Profiles,
    ) -> Self {
        DocumentComparer {
            shingles: Comparer::new(table, archive),
            table,
            archive,
            compares_words: policy.compares_words(),
            profiles,
            profile_buffers: Default::default(),
            fixed: None,
            words: Words::default(),
            pairs: None,
            other: Words::default(),
            bytes: Vec::new(),
        }
    }

    /// Compares two documents. Quick as long as the first stays the same.
    pub fn compare(&mut self, a: u32, b: u32) -> Result<Comparison> {
        if !self.compares_words {
            return Ok(Comparison::Shingles(self.shingles.compare(a, b)?));
        }
        Ok(Comparison::Words(match (has_words(self.table, a), has_words(self.table, b)) {
            (true, true) => self.compare_words(a, b)?,
            (false, false) => WordOverlap::of_features(self.shingles.compare(a, b)?),
            _ => WordOverlap::default(),
        }))
    }

    fn compare_words(&mut self, a: u32, b: u32) -> Result<WordOverlap> {
        self.load_words(a, b)?;
        Ok(WordOverlap::of(&compare(&self.words, &self.other)))
    }

    fn load_words(&mut self, a: u32, b: u32) -> Result<()> {
        if self.fixed != Some(a) {
            self.archive.sample(self.table, a, &mut self.bytes)?;
            self.words.read_bytes(&self.bytes[profile_bytes(self.bytes.len())..]);
            (self.fixed, self.pairs) = (Some(a), None);
        }
        self.archive.sample(self.table, b, &mut self.bytes)?;
        self.other.read_bytes(&self.bytes[profile_bytes(self.bytes.len())..]);
        Ok(())
    }

    /// Compares two documents unless their profiles, or their pairs of neighbouring words, rule out that the later one is a
    /// copy of the earlier one.
    pub fn compare_unless_ruled_out(
        &mut self,
        (a, b): (u32, u32),
        orders: impl FnOnce() -> Orders,
        min_likeness: f64,
    ) -> Result<Option<Comparison>> {
        let are_words = self.compares_words && has_words(self.table, a) && has_words(self.table, b);
        if !are_words {
            return self.compare(a, b).map(Some);
        }
        if self.rate((a, b), orders, min_likeness)?.is_none() {
            return Ok(None);
        }
        self.load_words(a, b)?;
        let pairs = self.pairs.get_or_insert_with(|| PairSketch::of(&self.words));
        if !pairs.may_be_copies(&PairSketch::of(&self.other), min_likeness) {
            return Ok(None);
        }
        Ok(Some(Comparison::Words(WordOverlap::of(&compare(&self.words, &self.other)))))
    }

    /// Rates how likely the later of two documents with words is a copy of the earlier one, by their lengths and profiles:
    /// from 0, just possible, to [`BEST_RATING`], for the same words. Nothing if it is ruled out.
    pub fn rate(
        &mut self,
        (a, b): (u32, u32),
        orders: impl FnOnce() -> Orders,
        min_likeness: f64,
    ) -> Result<Option<u32>> {
        let (of_a, of_b) = (text_size(self.table, a), text_size(self.table, b));
        let [buffer_a, buffer_b] = &mut self.profile_buffers;
        let profile_a = self.profiles.get((self.table, self.archive), a, buffer_a)?;
        let profile_b = self.profiles.get((self.table, self.archive), b, buffer_b)?;
        let distance = match (profile_a, profile_b) {
            (Some(profile_a), Some(profile_b)) => WordProfile::distance(profile_a, profile_b),
            _ => of_a.weight.abs_diff(of_b.weight),
        };
        let may_be_copy = |earlier, later| may_be_copy(earlier, later, distance, min_likeness);
        let is_possible = any_order([may_be_copy(of_a, of_b), may_be_copy(of_b, of_a)], orders);
        Ok(is_possible.then(|| rating(of_a.weight, of_b.weight, distance, min_likeness)))
    }
}

/// The rating of two texts of the same words.
const BEST_RATING: u32 = 1 << 16;

/// Rates two texts by the share of words that one of them does not have, beside the share that an edited text may lack; of the
/// shorter text alone, beside the share that an excerpt may have of its own.
fn rating(weight_a: u64, weight_b: u64, distance: u64, min_likeness: f64) -> u32 {
    /// An excerpt has fewer words of its own. Only the order of candidates depends on it.
    const OWN_SHARE: f64 = 0.06;
    let (shorter, longer) = (weight_a.min(weight_b), weight_a.max(weight_b));
    let edited = distance as f64 / (shorter + longer) as f64 / (1.0 - min_likeness).max(0.01);
    let own = (shorter + distance).saturating_sub(longer) as f64 / 2.0;
    let excerpt = own / shorter.max(1) as f64 / OWN_SHARE;
    ((1.0 - edited.min(excerpt)).max(0.0) * f64::from(BEST_RATING)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn overlaps_come_back(shares in prop::array::uniform4(0.0f64..=1.0), numbers: [u32; 2]) {
            let overlap = WordOverlap {
                likeness: shares[0], in_common: shares[1], covered_a: shares[2], covered_b: shares[3],
                contradictions: numbers[0], heaviest_run: numbers[1],
            };
            prop_assert_eq!(WordOverlap::from_bytes(&overlap.to_bytes()), Some(overlap));
        }

        #[test]
        fn fingerprints_differ_where_words_do(codes in prop::collection::vec(any::<[u8; 4]>(), 0..20), at in any::<prop::sample::Index>()) {
            let known = fingerprint(codes.as_flattened());
            prop_assert_eq!(known, fingerprint(codes.as_flattened()));
            if !codes.is_empty() {
                let mut other = codes.clone();
                other[at.index(codes.len())][0] ^= 1;
                prop_assert_ne!(known, fingerprint(other.as_flattened()));
                prop_assert_ne!(known, fingerprint(codes[1..].as_flattened()));
            }
        }
    }

    #[test]
    fn fewest_keys_are_those_of_short_texts() {
        assert_eq!(FEWEST_KEYS as usize, firstcopy_text::likeness::needed_keys(0, 0));
    }

    #[test]
    fn same_words_in_other_notation_are_equal() {
        let sketcher = WordSketcher::new(&Seed::PUBLIC);
        let (a, b) = (sketcher.sketch("Who wrote THIS first?"), sketcher.sketch("who wrote this — first"));
        assert_eq!((a.lexical, &a.keys), (b.lexical, &b.keys));
        assert!(a.lexical != 0 && a.sample.len().is_multiple_of(4));
        assert_eq!(sketcher.sketch("?!").shingles, 0);
    }
}
