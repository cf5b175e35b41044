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
const NUMBER: u8 = 16;
const KANJI: u8 = 10;
const COMMON_KANJI: u8 = 8;
const KANA: u8 = 6;
const SYLLABLE: u8 = 8;
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
        let mut known: Vec<(u32, u8)> = self.table.slots.iter().copied().filter(|slot| slot.1 > 0).collect();
        known.sort_unstable();
        known
            .into_iter()
            .flat_map(|(code, weight)| {
                let [a, b, c, d] = code.to_le_bytes();
                [a, b, c, d, weight]
            })
            .collect()
    }

    /// Weights by script alone: no word is known to be common.
    pub(super) fn by_script() -> Self {
        Weights { table: Arc::new(WeightTable::of(&[])) }
    }

    /// The weight of a word of letters.
    #[inline]
    pub(super) fn word(&self, code: u32) -> u8 {
        self.table.get(code).unwrap_or(ORDINARY)
    }

    /// The weight of a number.
    pub(super) fn number(&self) -> u8 {
        NUMBER
    }

    /// The weight of a kana.
    pub(super) fn kana(&self) -> u8 {
        KANA
    }

    /// The weight of an ideograph.
    #[inline]
    pub(super) fn ideograph(&self, code: u32) -> u8 {
        self.table.get(code).unwrap_or(KANJI)
    }

    /// The weight of a Hangul syllable.
    #[inline]
    pub(super) fn syllable(&self, code: u32) -> u8 {
        self.table.get(code).unwrap_or(SYLLABLE)
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
        if self.documents < LEAST_DOCUMENTS {
            return Weights::default();
        }
        let mut weights: Vec<(u32, u8)> = Vec::new();
        for (code, (count, weight)) in self.counts {
            let share = count as f64 / self.documents as f64;
            // By information: a word that everybody has tells nothing.
            let factor = (share.ln() / COMMON_SHARE.ln()).min(1.0);
            let learnt = (f64::from(weight) * factor).round().max(1.0) as u8;
            if share >= COMMON_SHARE {
                weights.push((code, learnt));
            }
        }
        weights.extend(Weights::default().table.slots.iter().copied().filter(|slot| slot.1 > 0));
        Weights { table: Arc::new(WeightTable::of(&weights)) }
    }
}

/// A hash table with open addressing, at most half full.
#[derive(Debug)]
struct WeightTable {
    /// Code and weight; the weight 0 marks an empty slot.
    slots: Vec<(u32, u8)>,
}

impl WeightTable {
    /// Of a code that comes twice the lesser weight counts.
    fn of(weights: &[(u32, u8)]) -> Self {
        let mut table = WeightTable { slots: vec![(0, 0); (weights.len() * 2 + 2).next_power_of_two()] };
        for &(code, weight) in weights {
            let at = table.slot(code);
            let known = table.slots[at].1;
            table.slots[at] = (code, if known == 0 { weight } else { weight.min(known) });
        }
        table
    }

    #[inline]
    fn get(&self, code: u32) -> Option<u8> {
        Some(self.slots[self.slot(code)].1).filter(|&weight| weight > 0)
    }

    /// The slot of a code, or the empty one where it would be.
    #[inline]
    fn slot(&self, code: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (code.wrapping_mul(0x9e37_79b1) >> 7) as usize & mask;
        while self.slots[at].1 != 0 && self.slots[at].0 != code {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::compare;

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
    fn common_words_weigh_less() {
        let weights = Weights::default();
        let weight = |text: &str| crate::likeness::Words::of(text, &weights).total_weight();
        for (light, heavy) in [("the", "zebra"), ("would", "zebra"), ("다", "쾌"), ("の", "橋"), ("日", "橋")]
        {
            assert!(weight(light) < weight(heavy), "{light} {heavy}");
        }
    }
}
