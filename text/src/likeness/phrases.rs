//! Phrases: runs of words that together weigh enough to be told from chance, and the keys that find candidates.
//!
//! The phrase at a word reaches as far as it needs to weigh [`PHRASE`]: two or three ordinary words, three or four kanji,
//! more where words are common. It depends on these words alone, so that a copied sentence has the same phrases
//! wherever it stands.

use super::measure::LEVEL;
use super::weights::ORDINARY;
use super::words::{Words, key_weight};
use crate::mix::mix;
use crate::seed::Seed;
use crate::vector::with_vectors;

/// The least weight of a phrase.
pub(super) const PHRASE: u32 = 40;
/// The least weight of the phrases that stand in for missing ones in short texts.
const SHORT_PHRASE: u32 = 20;
/// The most words of a phrase: common words alone do not make it longer.
pub(super) const MOST_WORDS: usize = 12;

const MULTIPLIER: u64 = 0x9fb2_1c65_1e98_df25;

/// Hands over the place, the length and the hash of the phrase at every word that has one, in order, by the weights of keys.
/// Linear: the hash of a run of words is the difference of two hashes from the start of the text.
#[inline(always)]
fn key_phrases(words: &Words, least: u32, mut sink: impl FnMut(usize, usize, u64)) {
    let mut powers = [1u64; MOST_WORDS + 1];
    for length in 1..=MOST_WORDS {
        powers[length] = powers[length - 1].wrapping_mul(MULTIPLIER);
    }
    // Of the words before each place. Weights wrap around: only differences over a few words count.
    let mut hashes = vec![0u64; words.len() + 1];
    let mut weights = vec![0u16; words.len() + 1];
    let (mut hash, mut weight_before) = (0u64, 0u16);
    let behind = hashes[1..].iter_mut().zip(&mut weights[1..]);
    for ((hash_behind, weight_behind), (code, weight)) in behind.zip(words.weighed()) {
        hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(scramble(code));
        weight_before = weight_before.wrapping_add(key_weight(code, weight) as u16);
        (*hash_behind, *weight_behind) = (hash, weight_before);
    }
    for (start, length) in phrase_lengths(&weights, least as u16).into_iter().enumerate() {
        let length = usize::from(length);
        let Some(&end) = hashes.get(start + length) else {
            // The text ends before the phrase does.
            return;
        };
        sink(start, length, end.wrapping_sub(hashes[start].wrapping_mul(powers[length])));
    }
}

/// The words of the phrase at each place but the last, given the weights of the words before all places: more than there are
/// if the text ends before. Counts, for all places at once, the words after which the phrase is still too light.
#[inline(always)]
fn phrase_lengths(weights: &[u16], least: u16) -> Vec<u8> {
    let places = weights.len() - 1;
    let mut lengths = vec![1u8; places];
    for words in 1..MOST_WORDS {
        let behind = weights.get(words..).unwrap_or_default();
        for ((length, before), behind) in lengths.iter_mut().zip(weights).zip(behind) {
            *length += u8::from(behind.wrapping_sub(*before) < least);
        }
        // Behind the end there is no word: what is too light there stays too short.
        let near_end = places.saturating_sub(words - 1);
        for (length, before) in lengths[near_end..].iter_mut().zip(&weights[near_end..]) {
            *length += u8::from(weights[places].wrapping_sub(*before) < least);
        }
    }
    lengths
}

/// The phrase at a word, if it has one: its length and its hash.
#[inline]
pub(super) fn phrase_at(words: &Words, least: u32, start: usize) -> Option<(usize, u64)> {
    let (mut weight, mut hash) = (0, 0u64);
    for (length, &code) in words.codes[start..].iter().take(MOST_WORDS).enumerate() {
        weight += words.weight(start + length);
        hash = hash.wrapping_mul(MULTIPLIER).wrapping_add(scramble(code));
        if weight >= least || length + 1 == MOST_WORDS {
            return Some((length + 1, hash));
        }
    }
    None
}

#[inline]
fn scramble(code: u32) -> u64 {
    (u64::from(code) + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Weights of the shorter text below which two and three shared keys are enough: some 55 and 200 words of English.
pub(super) const TWO_KEYS: u64 = 800;
pub(super) const THREE_KEYS: u64 = 2_800;
/// The keys that any two copies share, however short they are.
const FEWEST_KEYS: usize = 2;
/// The share of the shorter text that the two ends of its longer copy may have for half the cost (`measure.rs`).
const CHEAP_ENDS: f64 = 0.2;

/// The keys that two texts of these weights must share to be compared.
///
/// At a likeness of 0.8 two texts share 9 to 14 keys of 32 on average, with words replaced, inserted or deleted one by one
/// everywhere, and 20 if whole passages are: `docs/likeness.md` has how many share fewer than needed.
pub fn needed_keys(weight_a: u64, weight_b: u64) -> usize {
    match weight_a.min(weight_b) {
        ..TWO_KEYS => 2,
        TWO_KEYS..THREE_KEYS => 3,
        _ => 4,
    }
}

/// Whether two texts may be copies, given their weights and how many keys they share: as much alike as
/// `min_likeness`, or one an excerpt of the other. The same both ways.
pub fn may_be_copies(weight_a: u64, weight_b: u64, shared: usize, min_likeness: f64) -> bool {
    shared >= least_keys(weight_a, weight_b, min_likeness)
}

/// The fewest keys that two texts of these weights must share to be copies: as much alike as `min_likeness`, or one an
/// excerpt of the other. The same both ways.
pub(super) fn least_keys(weight_a: u64, weight_b: u64, min_likeness: f64) -> usize {
    if weight_a.min(weight_b) == 0 {
        // Ready-made features have no words to weigh.
        return if weight_a == weight_b { FEWEST_KEYS } else { KEYS + 1 };
    }
    let (shorter, longer) = (weight_a.min(weight_b) as f64, weight_a.max(weight_b) as f64);
    // Nothing is more alike than that: all of the shorter one is in the longer one, and what the longer one has more is made
    // of ordinary words, which weigh least when levelled (`measure.rs`).
    let share =
        |distance: f64| 2.0 * shorter / (2.0 * shorter + distance - distance.min(CHEAP_ENDS * shorter) / 2.0);
    let levelled = f64::from(LEVEL) / f64::from(ORDINARY);
    let may_be_edited =
        (share(longer - shorter) + share((longer - shorter) * levelled)) / 2.0 >= min_likeness;
    let of_excerpt = ((KEYS as f64 * shorter / longer / 3.0).ceil() as usize).max(FEWEST_KEYS);
    if may_be_edited { of_excerpt.min(needed_keys(weight_a, weight_b)) } else { of_excerpt }
}

/// Counts the keys that two texts share.
pub fn shared_keys(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}

/// Makes the keys by which an index finds documents that may be copies of each other.
#[derive(Debug, Clone)]
pub struct KeyMaker {
    secret: u64,
}

/// Keys of a document: the least phrase hash of each of this many classes.
pub const KEYS: usize = 32;

impl KeyMaker {
    /// Draws the secret from the seed: keys that others can compute could be forged.
    pub fn new(seed: &Seed) -> Self {
        KeyMaker { secret: seed.stream("likeness keys").next_u64() }
    }

    /// The keys of a text. Phrases are hashed and fall into [`KEYS`] classes by their hash; the least of each class is
    /// kept (one-permutation hashing). A part of a text has the same key as the whole wherever the whole's least phrase
    /// is in it, so that excerpts are found, too. In a class without a phrase, as in short texts, a shorter phrase takes
    /// its place, else a value that only texts of the same words share. A text without words has no keys.
    pub fn keys(&self, words: &Words) -> Vec<u64> {
        if words.is_empty() {
            return Vec::new();
        }
        let mut keys = self.least_of_classes(words, PHRASE).to_vec();
        if keys.contains(&u64::MAX) {
            let shorter = self.least_of_classes(words, SHORT_PHRASE);
            let all = words.codes.iter().fold(self.secret, |hash, &code| mix(hash ^ scramble(code)));
            for (class, key) in keys.iter_mut().enumerate().filter(|(_, key)| **key == u64::MAX) {
                *key = if shorter[class] < u64::MAX { shorter[class] } else { mix(all ^ class as u64) };
            }
        }
        keys
    }

    fn least_of_classes(&self, words: &Words, least_weight: u32) -> [u64; KEYS] {
        let secret = self.secret ^ u64::from(least_weight);
        with_vectors!(least_of_classes, (words: &Words, secret: u64, least_weight: u32) -> [u64; KEYS])
    }
}

#[inline(always)]
fn least_of_classes(words: &Words, secret: u64, least_weight: u32) -> [u64; KEYS] {
    let mut least = [u64::MAX; KEYS];
    key_phrases(words, least_weight, |_, _, hash| {
        let hash = mix(hash ^ secret);
        let class = &mut least[(hash >> (64 - KEYS.ilog2())) as usize];
        *class = hash.min(*class);
    });
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::Weights;
    use proptest::prelude::*;

    fn words(text: &str) -> Words {
        Words::of(text, &Weights::default())
    }

    fn key_weights(words: &Words) -> Vec<u32> {
        words.weighed().map(|(code, weight)| key_weight(code, weight)).collect()
    }

    #[test]
    fn rolling_hashes_equal_hashes_from_scratch() {
        let words = words(
            "누가 이 글을 먼저 썼는가 who wrote this text first 誰がこの文章を最初に書いたのか 1 2 3 4 5 6",
        );
        let mut count = 0;
        key_phrases(&words, PHRASE, |start, length, hash| {
            let phrase = &words.codes[start..start + length];
            let expected = phrase
                .iter()
                .fold(0u64, |hash, &code| hash.wrapping_mul(MULTIPLIER).wrapping_add(scramble(code)));
            let weights: Vec<u32> = key_weights(&words).drain(start..start + length).collect();
            let weight: u32 = weights.iter().sum();
            assert_eq!(hash, expected);
            assert!(weight >= PHRASE || length == MOST_WORDS);
            assert!(weight - weights[length - 1] < PHRASE);
            count += 1;
        });
        assert!(count > 20);
    }

    proptest! {
        #[test]
        fn phrases_are_as_long_as_their_weight_needs(
            text in prop::collection::vec(prop::sample::select(vec!["the", "of", "zebra", "한", "는", "漢", "の", "7"]), 0..60),
            least in prop::sample::select(vec![SHORT_PHRASE, PHRASE]),
        ) {
            let words = words(&text.join(" "));
            let mut found = Vec::new();
            key_phrases(&words, least, |start, length, _| found.push((start, length)));
            let length = |start: usize| {
                let weight = |length: usize| key_weights(&words)[start..start + length].iter().sum::<u32>();
                let is_whole = |length: &usize| *length == MOST_WORDS || weight(*length) >= least;
                (1..=words.len() - start).find(is_whole)
            };
            let expected = (0..words.len()).map_while(|start| Some((start, length(start)?)));
            prop_assert_eq!(found, expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_excerpt_shares_keys_with_the_whole() {
        let text: String = (0..800).map(|number| format!("word{} ", number * 7919 % 1000)).collect();
        let maker = KeyMaker::new(&Seed::PUBLIC);
        let (whole, part) = (maker.keys(&words(&text)), maker.keys(&words(&text[..text.len() / 4])));
        let shared = whole.iter().zip(&part).filter(|(a, b)| a == b).count();
        assert!((2..20).contains(&shared), "{shared}");
    }
}
