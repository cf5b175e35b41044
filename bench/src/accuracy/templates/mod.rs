//! Pages of one template with other facts: not copies. Each page is also paired with a copy that
//! differs only in a greeting or sign-off. The language files hold the templates and the values;
//! this file fills them in and may not know a language beyond how its words are counted.
//!
//! Syntax of the fields of a template:
//! * `{city}`: a random value of the pool `city`, if possible one that is not on the page yet. A value may
//!   have fields of its own.
//! * `{city@a}`: a value that is the same wherever this field occurs on the page.
//! * `{#5-40}`: a random number; `{#1.0-9.9}` with decimals, `{#1,000-9,999}` with commas, `{#00-59}`
//!   padded with zeros.
//! * `{text}`: a sentence of a real document.

mod en;
mod ja;
mod ko;

use crate::data::read_lines;
use crate::random::Random;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Seed of the published pairs.
const SEED: u64 = 20_240;
/// Largest share of a page that a greeting may replace or add, as a divisor: one word in ten.
const GREETING_DIVISOR: usize = 10;
const LANGUAGES: [&TemplateLanguage; 3] = [&en::LANGUAGE, &ko::LANGUAGE, &ja::LANGUAGE];

/// Two pages and whether the second is a copy of the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplatePair {
    pub language: &'static str,
    pub kind: &'static str,
    pub a: String,
    pub b: String,
    pub is_copy: bool,
}

/// Templates of one language and the values of their fields.
#[derive(Debug)]
struct TemplateLanguage {
    code: &'static str,
    /// Words are characters: the script has no spaces between words.
    counts_characters: bool,
    /// Fewest and most words of a sentence taken from a real document.
    sentence_words: [usize; 2],
    /// Last characters of a complete sentence.
    sentence_end: &'static str,
    /// Greetings and sign-offs that make a copy out of a page.
    greetings: &'static [&'static str],
    /// Names of the pools and their values, separated by `|`.
    pools: &'static [(&'static str, &'static str)],
    kinds: &'static [TemplateKind],
}

/// A template, with the fixed sentences that the site puts around each of its pages (or none).
#[derive(Debug)]
struct TemplateKind {
    name: &'static str,
    before: &'static str,
    body: &'static str,
    after: &'static str,
}

/// Generates `pairs_per_kind` pairs of each kind that are not copies and as many that are: deterministic
/// in the seed. Fails if the real texts under `data` cannot be read.
pub fn pairs(data: &Path, pairs_per_kind: usize) -> Result<Vec<TemplatePair>> {
    let mut pairs = Vec::new();
    for language in LANGUAGES {
        let sentences = language.read_sentences(data)?;
        pairs.extend(language.generate_pairs(&sentences, pairs_per_kind, SEED)?);
    }
    Ok(pairs)
}

impl TemplateLanguage {
    /// Generates the pairs of all kinds. More pairs per kind continue the same sequence.
    fn generate_pairs(
        &self,
        sentences: &[String],
        pairs_per_kind: usize,
        seed: u64,
    ) -> Result<Vec<TemplatePair>> {
        let mut pairs = Vec::new();
        for (number, kind) in self.kinds.iter().enumerate() {
            let mut random = Random::new(seed + number as u64);
            for _ in 0..pairs_per_kind {
                let a = self.fill_page(kind, sentences, &mut random)?;
                let b = self.fill_page(kind, sentences, &mut random)?;
                let copy = self.change_greeting(kind, &a, &mut random);
                let pair = |b, is_copy| TemplatePair {
                    language: self.code,
                    kind: kind.name,
                    a: a.clone(),
                    b,
                    is_copy,
                };
                pairs.extend([pair(b, false), pair(copy, true)]);
            }
        }
        Ok(pairs)
    }

    /// Fills the template once and puts the site's own sentences around it.
    fn fill_page(&self, kind: &TemplateKind, sentences: &[String], random: &mut Random) -> Result<String> {
        let mut filler =
            PageFiller { pools: self.pools, sentences, random, tagged: HashMap::new(), used: HashSet::new() };
        let body =
            filler.fill(kind.body).with_context(|| format!("template {} of {}", kind.name, self.code))?;
        Ok(join_lines(&[kind.before, &body, kind.after]))
    }

    /// Adds a greeting in front of the page or behind it, or replaces the site's opening with one.
    fn change_greeting(&self, kind: &TemplateKind, page: &str, random: &mut Random) -> String {
        let limit = self.count_words(page) / GREETING_DIVISOR;
        let fits = |text: &str| self.count_words(text) <= limit;
        let fitting: Vec<&str> = self.greetings.iter().copied().filter(|greeting| fits(greeting)).collect();
        let greeting = fitting.get(random.below(fitting.len())).copied().unwrap_or(self.greetings[0]);
        let without_opening = page.strip_prefix(kind.before).map(str::trim_start).unwrap_or(page);
        let is_replaceable = !kind.before.is_empty() && fits(kind.before);
        match random.below(if is_replaceable { 3 } else { 2 }) {
            0 => join_lines(&[greeting, page]),
            1 => join_lines(&[page, greeting]),
            _ => join_lines(&[greeting, without_opening]),
        }
    }

    /// Reads the real texts and returns their plain sentences of suitable length, at most two of a document.
    fn read_sentences(&self, data: &Path) -> Result<Vec<String>> {
        #[derive(Deserialize)]
        struct RealText {
            text: String,
        }
        let path = data.join(format!("5_scale_sample/{}.jsonl.gz", self.code));
        let texts = read_lines::<RealText>(&path)?;
        let sentences: Vec<String> =
            texts.iter().flat_map(|text| self.sentences_of(&text.text).take(2)).collect();
        anyhow::ensure!(!sentences.is_empty(), "no usable sentence in {}", path.display());
        Ok(sentences)
    }

    /// Splits a text into sentences and skips those with markup, numbers or an unsuitable length.
    fn sentences_of<'a>(&'a self, text: &'a str) -> impl Iterator<Item = String> + 'a {
        let separator = if self.counts_characters { "" } else { " " };
        text.split("\n\n")
            .flat_map(|paragraph| paragraph.split_inclusive(['.', '。']))
            .map(move |sentence| sentence.split_whitespace().collect::<Vec<_>>().join(separator))
            .filter(|sentence| self.is_plain_sentence(sentence))
    }

    fn is_plain_sentence(&self, sentence: &str) -> bool {
        let [fewest, most] = self.sentence_words;
        let starts_sentence =
            sentence.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase());
        let is_plain = |character: char| character.is_alphabetic() || " ,.、，。ー".contains(character);
        starts_sentence
            && sentence.ends_with(self.sentence_end)
            && sentence.chars().all(is_plain)
            && (fewest..=most).contains(&self.count_words(sentence))
    }

    fn count_words(&self, text: &str) -> usize {
        self.words(text).count()
    }

    /// Splits a text at white space, or into characters if the script has no spaces between words.
    fn words<'a>(&self, text: &'a str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        let characters =
            |word: &'a str| word.char_indices().map(|(at, found)| &word[at..at + found.len_utf8()]);
        match self.counts_characters {
            true => Box::new(text.split_whitespace().flat_map(characters)),
            false => Box::new(text.split_whitespace()),
        }
    }
}

/// Joins the parts that are not empty, each on lines of its own.
fn join_lines(parts: &[&str]) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The values chosen so far for one page.
struct PageFiller<'a> {
    pools: &'static [(&'static str, &'static str)],
    sentences: &'a [String],
    random: &'a mut Random,
    /// Values of fields with `@`, which repeat on the page.
    tagged: HashMap<&'a str, String>,
    used: HashSet<&'a str>,
}

impl<'a> PageFiller<'a> {
    fn fill(&mut self, template: &'a str) -> Result<String> {
        let mut page = String::new();
        let mut rest = template;
        while let Some((fixed, tail)) = rest.split_once('{') {
            let (field, tail) = tail.split_once('}').context("field without a closing brace")?;
            page += fixed;
            page += &self.choose(field)?;
            rest = tail;
        }
        Ok(page + rest)
    }

    /// Chooses the value of a field, or repeats the one chosen before if the field has a tag.
    fn choose(&mut self, field: &'a str) -> Result<String> {
        if let Some(value) = self.tagged.get(field) {
            return Ok(value.clone());
        }
        let source = field.split('@').next().unwrap_or(field);
        let value = match source.strip_prefix('#') {
            Some(range) => self.choose_number(range)?,
            None => self.choose_value(source)?,
        };
        if field.contains('@') {
            self.tagged.insert(field, value.clone());
        }
        Ok(value)
    }

    /// Chooses a value that is not on the page yet; gives up after as many tries as the pool has values.
    fn choose_value(&mut self, name: &str) -> Result<String> {
        let values: Vec<&'a str> = match self.pools.iter().find(|(pool, _)| *pool == name) {
            Some((_, values)) => values.split('|').collect(),
            None if name == "text" => self.sentences.iter().map(String::as_str).collect(),
            None => anyhow::bail!("unknown pool {name}; add it to the pools of the language"),
        };
        anyhow::ensure!(!values.is_empty(), "no real sentence to choose from");
        let mut value = values[self.random.below(values.len())];
        for _ in 0..values.len() {
            if !self.used.contains(value) {
                break;
            }
            value = values[self.random.below(values.len())];
        }
        self.used.insert(value);
        self.fill(value)
    }

    /// Chooses a number of an inclusive range and writes it the way the lower bound is written.
    fn choose_number(&mut self, range: &str) -> Result<String> {
        let (low, high) = range.split_once('-').context("number range without a hyphen")?;
        let digits = |bound: &str| bound.replace([',', '.'], "").parse::<usize>();
        let (first, last) = (digits(low)?, digits(high)?);
        let number = first + self.random.below(last + 1 - first);
        let decimals = low.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        Ok(match () {
            () if low.contains(',') => group_thousands(number),
            () if decimals > 0 => {
                let scale = 10_usize.pow(decimals as u32);
                format!("{}.{:0decimals$}", number / scale, number % scale)
            }
            () if low.starts_with('0') => format!("{number:0width$}", width = low.len()),
            () => number.to_string(),
        })
    }
}

/// Writes 1234567 as 1,234,567.
fn group_thousands(number: usize) -> String {
    let (rest, group) = (number / 1000, number % 1000);
    if rest == 0 { group.to_string() } else { format!("{},{group:03}", group_thousands(rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stand-ins for the sentences of real documents, as long as those.
    fn sentences(language: &TemplateLanguage) -> Vec<String> {
        let word = |number: usize| match language.code {
            "en" => format!("word{number}"),
            "ko" => format!("낱말{number}"),
            _ => char::from_u32(0x4e00 + number as u32 * 7).into_iter().collect(),
        };
        let separator = if language.counts_characters { "" } else { " " };
        let length = language.sentence_words.iter().sum::<usize>() / 2;
        let sentence = |number| (number..number + length).map(word).collect::<Vec<_>>().join(separator);
        (0..40).map(|number| sentence(number * 60) + language.sentence_end).collect()
    }

    fn generate(language: &TemplateLanguage, seed: u64) -> Vec<TemplatePair> {
        language.generate_pairs(&sentences(language), 20, seed).unwrap()
    }

    /// Share of the words of the longer page that the other one does not have (multiset difference).
    fn differing_share(language: &TemplateLanguage, pair: &TemplatePair) -> f64 {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        language.words(&pair.a).for_each(|word| *counts.entry(word).or_default() += 1);
        let mut shared = 0;
        for word in language.words(&pair.b) {
            if let Some(count) = counts.get_mut(word).filter(|count| **count > 0) {
                *count -= 1;
                shared += 1;
            }
        }
        let longest = language.count_words(&pair.a).max(language.count_words(&pair.b));
        1.0 - f64::from(shared) / longest as f64
    }

    /// Mean share of differing words of the pairs of each kind that are not copies.
    fn mean_shares(language: &TemplateLanguage) -> Vec<(&'static str, f64)> {
        let pairs = generate(language, SEED);
        let mean = |kind: &TemplateKind| {
            let of_kind = pairs.iter().filter(|pair| pair.kind == kind.name && !pair.is_copy);
            let shares: Vec<f64> = of_kind.map(|pair| differing_share(language, pair)).collect();
            (kind.name, shares.iter().sum::<f64>() / shares.len() as f64)
        };
        language.kinds.iter().map(mean).collect()
    }

    #[test]
    fn pages_of_one_kind_differ_in_10_to_40_percent() {
        for language in LANGUAGES {
            for (kind, share) in mean_shares(language) {
                assert!((0.10..=0.40).contains(&share), "{} {kind}: {share:.3}", language.code);
            }
        }
    }

    #[test]
    fn kinds_of_a_language_spread_over_the_range() {
        for language in LANGUAGES {
            let shares = mean_shares(language);
            assert!(shares.iter().any(|(_, share)| *share < 0.16), "{}: {shares:.3?}", language.code);
            assert!(shares.iter().any(|(_, share)| *share > 0.30), "{}: {shares:.3?}", language.code);
        }
    }

    #[test]
    fn copies_differ_in_at_most_10_percent() {
        for language in LANGUAGES {
            for pair in generate(language, SEED).iter().filter(|pair| pair.is_copy) {
                let share = differing_share(language, pair);
                assert!(share <= 0.10, "{} {}: {share:.3}\n{}", language.code, pair.kind, pair.b);
            }
        }
    }

    #[test]
    fn same_seed_gives_same_pairs() {
        for language in LANGUAGES {
            assert_eq!(generate(language, 1), generate(language, 1));
            assert_ne!(generate(language, 1), generate(language, 2));
        }
    }

    #[test]
    fn pages_of_a_pair_are_never_equal() {
        for language in LANGUAGES {
            assert!(generate(language, SEED).iter().all(|pair| pair.a != pair.b));
        }
    }

    #[test]
    fn languages_have_twelve_kinds_half_framed_a_third_with_real_text() {
        for language in LANGUAGES {
            let kinds = language.kinds;
            let framed =
                kinds.iter().filter(|kind| !kind.before.is_empty() || !kind.after.is_empty()).count();
            let with_text = kinds.iter().filter(|kind| kind.body.contains("{text}")).count();
            assert!(kinds.len() >= 12, "{}", language.code);
            assert!(framed * 2 >= kinds.len(), "{}: {framed}", language.code);
            assert!(with_text * 3 >= kinds.len(), "{}: {with_text}", language.code);
        }
    }

    #[test]
    fn pages_have_no_field_left() {
        for language in LANGUAGES {
            assert!(generate(language, SEED).iter().all(|pair| !pair.b.contains(['{', '}', '|', '#'])));
        }
    }

    #[test]
    fn numbers_follow_the_form_of_the_lower_bound() {
        let check = |range: &str, expected: &str| {
            let (mut random, used) = (Random::new(1), HashSet::new());
            let mut filler =
                PageFiller { pools: &[], sentences: &[], random: &mut random, tagged: HashMap::new(), used };
            assert_eq!(filler.choose_number(range).unwrap(), expected);
        };
        check("7-7", "7");
        check("07-7", "07");
        check("4.05-4.05", "4.05");
        check("1,000,050-1,000,050", "1,000,050");
    }

    #[test]
    fn sentences_with_markup_or_numbers_are_skipped() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(en::LANGUAGE.sentences_of(text).collect::<Vec<_>>(), expected);
        };
        let plain = "The plan shall notify any sponsor of the plan within a year.";
        check(plain, &[plain]);
        check("# § 1366. Annual notification", &[]);
        check("The plan shall notify any of the 12 sponsors of the plan.", &[]);
    }
}
