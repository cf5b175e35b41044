//! Collections of families of copies, and the naive twin of clustering by likeness.

use super::page;
use firstcopy_text::likeness::{
    KeyMaker, WeightLearner, Weights, Words, compare, may_be_copies, shared_keys,
};
use firstcopy_text::{Content, Page, Seed};
use std::collections::BTreeSet;

/// Random numbers (SplitMix64): the same for the same seed.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A word of letters.
    pub fn word(&mut self) -> String {
        let mut number = self.next();
        (0..5)
            .map(|_| {
                let letter = char::from(b'a' + (number % 26) as u8);
                number /= 26;
                letter
            })
            .collect()
    }

    pub fn words(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.word()).collect()
    }

    /// Replaces a share of the words, adds some at the end, or takes an excerpt.
    fn copy(&mut self, text: &[String]) -> Vec<String> {
        let mut copy = text.to_vec();
        match self.below(4) {
            0 => {
                let length = text.len() * (40 + self.below(50)) / 100;
                let start = self.below(text.len() - length);
                copy = text[start..start + length].to_vec();
            }
            1 => copy.extend({
                let length = self.below(text.len());
                self.words(length)
            }),
            _ => {
                for _ in 0..self.below(text.len() / 6) {
                    let at = self.below(copy.len());
                    copy[at] = self.word();
                }
            }
        }
        copy
    }
}

/// A page of a template: its words with other figures between them, and some words of its own.
pub fn template_page(template: &[String], random: &mut Random, own: usize) -> Vec<String> {
    let mut text = Vec::new();
    for part in template.chunks(8) {
        text.extend_from_slice(part);
        text.push(random.below(90_000).to_string());
    }
    text.extend(random.words(own));
    text
}

/// Documents that share much: a template, a text with very many copies, families, and texts alone; some dated.
pub fn sharing(seed: u64, scale: usize) -> Vec<Page> {
    let mut random = Random(seed);
    let mut texts: Vec<Vec<String>> = Vec::new();
    let template = random.words(100 + seed as usize * 13 % 80);
    for _ in 0..5 * scale {
        let own = random.below(40);
        texts.push(template_page(&template, &mut random, own));
    }
    let famous = random.words(150);
    for _ in 0..4 * scale {
        texts.push(random.copy(&famous));
    }
    for _ in 0..scale {
        let length = 20 + random.below(300);
        texts.push(random.words(length));
    }
    for _ in 0..4 * scale {
        let of = random.below(texts.len());
        let text = texts[of].clone();
        texts.push(if random.below(4) == 0 { text } else { random.copy(&text) });
    }
    // In random order: a copy may come before what it was made from.
    for at in (1..texts.len()).rev() {
        texts.swap(at, random.below(at + 1));
    }
    let mut pages: Vec<Page> = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let created_at = (random.below(3) > 0).then(|| random.below(1000) as i64);
        pages.push(Page { created_at, ..page(&format!("d{number}"), &text.join(" ")) });
    }
    pages.push(page("empty-1", ""));
    pages.push(page("empty-2", "!"));
    pages
}

/// Compares all pairs that share enough keys to be candidates, as the store-time check does: a pair that shares fewer is not
/// compared there either, even if it would match.
pub struct Naive {
    words: Vec<Words>,
    keys: Vec<Vec<u64>>,
    codes: Vec<Vec<u8>>,
    /// Documents from the earliest on.
    order: Vec<usize>,
}

impl Naive {
    pub fn new(pages: &[Page]) -> Self {
        Self::weighed(pages, &Weights::default())
    }

    /// Compares with these weights.
    pub fn weighed(pages: &[Page], weights: &Weights) -> Self {
        let words: Vec<Words> = pages.iter().map(|page| words_of(page, weights)).collect();
        let codes = |words: &Words| {
            let mut bytes = Vec::new();
            words.to_bytes(&mut bytes);
            bytes.truncate(4 * words.len());
            bytes
        };
        let mut order: Vec<usize> = (0..pages.len()).collect();
        order.sort_by_key(|&number| (pages[number].created_at.unwrap_or(i64::MAX), number));
        let maker = KeyMaker::new(&Seed::PUBLIC);
        let keys = words.iter().map(|words| maker.keys(words)).collect();
        Naive { codes: words.iter().map(codes).collect(), keys, words, order }
    }

    fn has_same_words(&self, a: usize, b: usize) -> bool {
        !self.words[a].is_empty() && self.codes[a] == self.codes[b]
    }

    fn are_candidates(&self, a: usize, b: usize, min_likeness: f64) -> bool {
        let weight = |number: usize| self.words[number].total_weight();
        may_be_copies(weight(a), weight(b), shared_keys(&self.keys[a], &self.keys[b]), min_likeness)
    }

    fn is_copy(&self, earlier: usize, later: usize, min_likeness: f64) -> bool {
        self.has_same_words(earlier, later)
            || self.are_candidates(earlier, later, min_likeness)
                && compare(&self.words[earlier], &self.words[later]).relation(min_likeness).is_copy()
    }

    /// The connected components of matching pairs.
    pub fn clusters(&self, pages: &[Page], min_likeness: f64) -> BTreeSet<BTreeSet<String>> {
        let mut group: Vec<usize> = (0..pages.len()).collect();
        for (place, &later) in self.order.iter().enumerate() {
            for &earlier in &self.order[..place] {
                if group[earlier] != group[later] && self.is_copy(earlier, later, min_likeness) {
                    let (old, new) = (group[later], group[earlier]);
                    group.iter_mut().filter(|group| **group == old).for_each(|group| *group = new);
                }
            }
        }
        let of = |number: usize| -> BTreeSet<String> {
            let members = (0..pages.len()).filter(|&other| group[other] == number);
            members.map(|other| pages[other].id.clone()).collect()
        };
        (0..pages.len()).map(of).filter(|cluster| cluster.len() > 1).collect()
    }

    /// The original of every document by the rule of the store-time check.
    pub fn originals(&self, min_likeness: f64) -> Vec<usize> {
        let mut original: Vec<usize> = (0..self.words.len()).collect();
        let mut originals: Vec<usize> = Vec::new();
        for &number in &self.order {
            let same = originals.iter().find(|&&other| self.has_same_words(other, number));
            let found =
                same.or_else(|| originals.iter().find(|&&other| self.is_copy(other, number, min_likeness)));
            match found {
                Some(&found) => original[number] = found,
                None => originals.push(number),
            }
        }
        original
    }
}

/// Learns weights from the words of all pages, held in memory.
pub fn learn_naively(pages: &[Page]) -> Weights {
    let mut learner = WeightLearner::default();
    pages.iter().for_each(|page| learner.add(&words_of(page, &Weights::default())));
    learner.finish()
}

fn words_of(page: &Page, weights: &Weights) -> Words {
    match &page.content {
        Content::Unicode { text, .. } => Words::of(text, weights),
        Content::Text { bytes, .. } => Words::of(std::str::from_utf8(bytes).unwrap(), weights),
        _ => Words::default(),
    }
}
