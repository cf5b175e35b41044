//! How much a word says about whether two texts are the same.
//!
//! An ordinary word weighs 16. What everybody writes weighs less: function words, kana, endings. Weights belong to a
//! generation: built in, or learnt from a collection; they never move while documents come in.

use super::common_words::COMMON;
use super::words::Words;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The weight of an ordinary word of a spaced script.
pub(super) const ORDINARY: u8 = 16;
/// The weight of a number.
pub(super) const NUMBER_WEIGHT: u8 = 16;
/// The weight of a kanji, or of a character of another script without spaces.
pub(super) const KANJI: u8 = 10;
const COMMON_KANJI: u8 = 8;
/// The weight of a kana.
pub(super) const KANA: u8 = 6;
/// The codes of kana: their weight is that of their script.
const KANA_CODES: std::ops::RangeInclusive<u32> = 0x3041..=0x30fa;
/// The weight of a Hangul syllable.
pub(super) const SYLLABLE: u8 = 8;
const COMMON_SYLLABLE: u8 = 5;
/// Common words by rank: the first twenty say least.
const FIRST_RANKS: usize = 20;
const FIRST_WORD: u8 = 6;
const COMMON_WORD: u8 = 9;

/// The weights of words.
#[derive(Debug, Clone)]
pub struct Weights {
    table: Arc<WeightTable>,
}

impl Default for Weights {
    /// The weights that are built in.
    fn default() -> Self {
        static BUILT_IN: LazyLock<Weights> = LazyLock::new(Weights::built_in);
        BUILT_IN.clone()
    }
}

impl Weights {
    fn built_in() -> Self {
        let mut weights = Vec::new();
        for (language, words) in COMMON {
            for (rank, word) in words.iter().enumerate() {
                let weight = match *language {
                    "ko" => COMMON_SYLLABLE,
                    "ja" | "zh" => COMMON_KANJI,
                    _ if rank < FIRST_RANKS => FIRST_WORD,
                    _ => COMMON_WORD,
                };
                super::words::codes_of(word, |code| weights.push((code, weight)));
            }
        }
        Weights { table: Arc::new(WeightTable::of(&weights)) }
    }

    /// Restores weights from [`Weights::to_bytes`]; nothing if the bytes are not theirs.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        let entry = |bytes: &[u8; ENTRY_BYTES]| {
            let [a, b, c, d, weight] = *bytes;
            (u32::from_le_bytes([a, b, c, d]), weight)
        };
        let weights: Vec<(u32, u8)> = entries.iter().map(entry).collect();
        let is_valid = rest.is_empty() && weights.iter().all(|entry| (1..=ORDINARY).contains(&entry.1));
        is_valid.then(|| Weights { table: Arc::new(WeightTable::of(&weights)) })
    }

    /// The weights as bytes: code (4 bytes, little-endian) and weight (1 byte) of every word that is known, ascending.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut known: Vec<(u32, u8)> = self.table.entries().collect();
        known.sort_unstable();
        known
            .into_iter()
            .flat_map(|(code, weight)| {
                let [a, b, c, d] = code.to_le_bytes();
                [a, b, c, d, weight]
            })
            .collect()
    }

    /// Learns weights from counts: for every word its code, its weight so far, and how many of the documents have it.
    /// Words that are not [common](Weights::is_common) may be left out. The built-in weights if there are too few documents.
    pub fn from_counts(documents: u64, counts: impl IntoIterator<Item = (u32, u8, u64)>) -> Self {
        if documents < LEAST_DOCUMENTS {
            return Weights::default();
        }
        let mut weights: Vec<(u32, u8)> = Vec::new();
        for (code, weight, count) in counts {
            let share = count as f64 / documents as f64;
            // By information: a word that everybody has tells nothing.
            let factor = (share.ln() / COMMON_SHARE.ln()).min(1.0);
            let learnt = (f64::from(weight) * factor).round().max(1.0) as u8;
            if Self::is_common(count, documents) && !KANA_CODES.contains(&code) {
                weights.push((code, learnt));
            }
        }
        weights.extend(Weights::default().table.entries());
        Weights { table: Arc::new(WeightTable::of(&weights)) }
    }

    /// Whether a word that so many of the documents have is common: only the weights of such words are learnt.
    pub fn is_common(count: u64, documents: u64) -> bool {
        count as f64 / documents as f64 >= COMMON_SHARE
    }

    /// Returns the weight that a word read with the built-in weights has under these ones.
    #[inline]
    pub fn reweigh(&self, code: u32, weight: u8, is_number: bool) -> u8 {
        if is_number || KANA_CODES.contains(&code) {
            return weight;
        }
        self.table.get(code, weight)
    }

    /// Weights by script alone: no word is known to be common.
    pub(super) fn by_script() -> Self {
        Weights { table: Arc::new(WeightTable::of(&[])) }
    }

    /// Returns the weight of a word, given what it weighs if it is not known.
    #[inline]
    pub(super) fn of(&self, code: u32, unknown: u8) -> u8 {
        self.table.get(code, unknown)
    }
}

/// Bytes of a word and its weight.
const ENTRY_BYTES: usize = 5;
/// Documents from which on counting says something.
const LEAST_DOCUMENTS: u64 = 100;
/// The share of documents from which on a word is common.
const COMMON_SHARE: f64 = 0.02;

/// Learns weights from a collection: what stands in many of its documents says little about any of them.
#[derive(Debug, Default)]
pub struct WeightLearner {
    documents: u64,
    /// For each word: the documents that have it, and its weight before.
    counts: HashMap<u32, (u64, u8)>,
    distinct: Vec<(u32, u8)>,
}

impl WeightLearner {
    /// Counts the words of a document.
    pub fn add(&mut self, words: &Words) {
        self.documents += 1;
        self.distinct.clear();
        self.distinct.extend((0..words.len()).map(|index| (words.codes[index], words.weight(index) as u8)));
        self.distinct.sort_unstable();
        self.distinct.dedup();
        for &(code, weight) in &self.distinct {
            self.counts.entry(code).or_insert((0, weight)).0 += 1;
        }
    }

    /// The weights learnt; the built-in ones if there were too few documents. The order of documents makes no difference.
    pub fn finish(self) -> Weights {
        Weights::from_counts(
            self.documents,
            self.counts.into_iter().map(|(code, (count, weight))| (code, weight, count)),
        )
    }
}

/// A hash table in which every code has one of two slots (cuckoo hashing), so that looking one up never branches: whether the
/// next word is a common one is nothing that a processor could predict.
#[derive(Debug)]
struct WeightTable {
    /// The code in the upper half, the weight in the lower; zero if empty.
    slots: Vec<u64>,
    shift: u32,
}

/// Moves of entries after which a table is taken to be too full.
const MOST_MOVES: usize = 64;
/// Larger tables that are tried.
const MOST_DOUBLINGS: u32 = 8;

impl WeightTable {
    /// Of a code that comes twice the lesser weight counts.
    fn of(weights: &[(u32, u8)]) -> Self {
        let mut weights = weights.to_vec();
        weights.sort_unstable();
        weights.dedup_by_key(|entry| entry.0);
        let least = (2 * weights.len()).next_power_of_two().ilog2().max(4);
        let fill = |bits| {
            let mut table = WeightTable { slots: vec![0; 1usize << bits], shift: u64::BITS - bits };
            weights.iter().all(|&(code, weight)| table.insert(code, weight)).then_some(table)
        };
        // Three codes share both slots only by chance, and never at all sizes.
        (least..least + MOST_DOUBLINGS)
            .find_map(fill)
            .unwrap_or(WeightTable { slots: vec![0; 2], shift: u64::BITS - 1 })
    }

    /// Puts an entry into one of its slots; what was there moves to its other one. Returns whether all found a slot.
    fn insert(&mut self, code: u32, weight: u8) -> bool {
        let (mut entry, mut at) = (u64::from(code) << 32 | u64::from(weight), self.places(code)[0]);
        for _ in 0..MOST_MOVES {
            entry = std::mem::replace(&mut self.slots[at], entry);
            if entry == 0 {
                return true;
            }
            let [first, second] = self.places((entry >> 32) as u32);
            at = if at == first { second } else { first };
        }
        false
    }

    #[inline]
    fn places(&self, code: u32) -> [usize; 2] {
        let hash = |multiplier: u64| (u64::from(code).wrapping_mul(multiplier) >> self.shift) as usize;
        [hash(0x9e37_79b9_7f4a_7c15), hash(0xd6e8_feb8_6659_fd93)]
    }

    /// Returns the weight of a code, or another if it is not in the table.
    #[inline]
    fn get(&self, code: u32, unknown: u8) -> u8 {
        self.places(code).into_iter().fold(unknown, |weight, place| {
            let slot = self.slots[place];
            let is_here = (slot >> 32) as u32 == code && slot != 0;
            if is_here { slot as u8 } else { weight }
        })
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        self.slots.iter().filter(|slot| **slot != 0).map(|&slot| ((slot >> 32) as u32, slot as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::compare;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn table_holds_what_a_map_holds(
            entries in prop::collection::vec((0u32..2_000, 1u8..=ORDINARY), 0..600),
        ) {
            let table = WeightTable::of(&entries);
            for code in 0..2_000 {
                let known = entries.iter().filter(|entry| entry.0 == code).map(|entry| entry.1).min();
                prop_assert_eq!(table.get(code, 40), known.unwrap_or(40));
            }
        }
    }

    #[test]
    fn learnt_weights_discount_what_everybody_writes() {
        let page = |number: u32| {
            let name: String =
                (0..4).map(|step| char::from(b'a' + (number >> (2 * step) & 25) as u8)).collect();
            format!(
                "Opening hours and directions of our shop in Street {name}: come and visit us, parking is free"
            )
        };
        let weights = Weights::default();
        let mut learner = WeightLearner::default();
        (0..300).for_each(|number| learner.add(&Words::of(&page(number), &weights)));
        let learnt = learner.finish();
        let likeness = |weights: &Weights| {
            compare(&Words::of(&page(1), weights), &Words::of(&page(2), weights)).in_common
        };
        assert!(
            likeness(&weights) > 0.85 && likeness(&learnt) < 0.7,
            "{} {}",
            likeness(&weights),
            likeness(&learnt)
        );
        let again = Weights::from_bytes(&learnt.to_bytes()).unwrap();
        assert_eq!(again.to_bytes(), learnt.to_bytes());
        assert!(
            Weights::from_bytes(&[1, 2, 3]).is_none() && Weights::from_bytes(&[1, 2, 3, 4, 200]).is_none()
        );
    }

    #[test]
    fn reweighed_words_equal_words_read_with_the_weights() {
        let built_in = Weights::default();
        // Every character, alone and in a word and a number; all of them are learnt.
        let texts: Vec<String> = (0..0x32000)
            .filter_map(char::from_u32)
            .map(|each| format!("ab {each} x{each}y 7{each} q"))
            .collect();
        let codes = texts.iter().flat_map(|text| Words::of(text, &built_in).codes);
        let learnt = Weights::from_counts(100, codes.map(|code| (code, 1, 100)));
        for text in &texts {
            let (before, after) = (Words::of(text, &built_in), Words::of(text, &learnt));
            for index in 0..before.len() {
                let weight = before.weight(index) as u8;
                let reweighed = learnt.reweigh(before.codes[index], weight, before.is_number(index));
                assert_eq!(u32::from(reweighed), after.weight(index), "{text}");
            }
        }
    }

    #[test]
    fn common_words_weigh_less() {
        let weights = Weights::default();
        let weight = |text: &str| crate::likeness::Words::of(text, &weights).total_weight();
        for (light, heavy) in [("the", "zebra"), ("would", "zebra"), ("다", "쾌"), ("の", "橋"), ("日", "橋")]
        {
            assert!(weight(light) < weight(heavy), "{light} {heavy}");
        }
    }
}
