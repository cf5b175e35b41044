//! Phrases that stand in one text only, and the other ways in which somebody may type them.

use crate::random::Random;
use firstcopy_text::Tokens;
use std::collections::HashSet;

/// Words of the phrases, in scripts with spaces.
const WORDS: [usize; 3] = [2, 4, 8];
/// Characters of the phrases, in scripts without.
const CHARACTERS: [usize; 3] = [6, 12, 24];
/// Draws for a phrase until one is in no other text.
const DRAWS: usize = 50;

/// The texts of one language.
pub struct Corpus {
    language: &'static str,
    pub texts: Vec<String>,
    /// Their canonical words without anything between them.
    bare: Vec<String>,
}

/// A phrase and the number of the one text it stands in.
pub struct Phrase {
    pub source: u32,
    pub text: String,
}

impl Corpus {
    pub fn new(language: &'static str, texts: Vec<String>) -> Self {
        let bare = texts.iter().map(|text| bare(text)).collect();
        Corpus { language, texts, bare }
    }

    pub fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }

    /// As many of each length, as far as the texts have them.
    pub fn phrases(&self, count: usize) -> Vec<Phrase> {
        let lengths = if self.language == "ja" { CHARACTERS } else { WORDS };
        let mut random = Random::new(11);
        let mut phrases = Vec::new();
        for length in lengths {
            phrases.extend((0..count).filter_map(|_| self.phrase(length, &mut random)));
        }
        phrases
    }

    fn phrase(&self, length: usize, random: &mut Random) -> Option<Phrase> {
        (0..DRAWS).find_map(|_| {
            let source = random.below(self.texts.len());
            let lines: Vec<&str> = self.texts[source].lines().collect();
            let line = lines.get(random.below(lines.len()))?;
            let text = if self.language == "ja" {
                of_characters(line, length, random)
            } else {
                of_words(line, length, random)
            }?;
            let bare = bare(&text);
            let is_rare = self.bare.iter().filter(|other| other.contains(&bare)).count() == 1;
            (is_rare && text.chars().filter(|character| character.is_alphabetic()).count() > length)
                .then_some(Phrase { source: source as u32, text })
        })
    }
}

fn bare(text: &str) -> String {
    Tokens::of(text).words().collect()
}

fn of_words(line: &str, length: usize, random: &mut Random) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let start = random.below(words.len().checked_sub(length)? + 1);
    Some(without_syntax(&words[start..start + length].join(" ")))
}

fn of_characters(line: &str, length: usize, random: &mut Random) -> Option<String> {
    let characters: Vec<char> = line.chars().filter(|character| character.is_alphabetic()).collect();
    let start = random.below(characters.len().checked_sub(length + 1)? + 1);
    let text: String = characters[start..=start + length].iter().collect();
    line.contains(&text).then_some(text)
}

/// Quotes, minus signs and colons would be taken for something else.
fn without_syntax(text: &str) -> String {
    text.replace(['"', '“', '”', '„', ':', '-'], " ").trim().to_owned()
}

/// Another way of typing a phrase.
#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    /// None where it would be the same.
    pub make: fn(&str, &str) -> Option<String>,
}

pub const VARIANTS: [Variant; 5] = [
    Variant { name: "exact", make: |_, phrase| Some(phrase.to_owned()) },
    Variant {
        name: "particles changed",
        make: |language, phrase| other(phrase, with_particles(language, phrase, false)),
    },
    Variant {
        name: "particles cut",
        make: |language, phrase| other(phrase, with_particles(language, phrase, true)),
    },
    Variant {
        name: "spaces removed",
        make: |language, phrase| {
            (language == "ko").then(|| other(phrase, phrase.split_whitespace().collect()))?
        },
    },
    Variant { name: "spaces added", make: |language, phrase| other(phrase, with_spaces(language, phrase)) },
];

fn other(phrase: &str, variant: String) -> Option<String> {
    (variant != phrase && !variant.trim().is_empty()).then_some(variant)
}

/// Particles after nouns and what is typed instead of them.
const KOREAN: [(&str, &str); 16] = [
    ("에서", "으로"),
    ("에게", "한테"),
    ("으로", "에서"),
    ("까지", "부터"),
    ("부터", "까지"),
    ("은", "을"),
    ("는", "를"),
    ("이", "은"),
    ("가", "는"),
    ("을", "이"),
    ("를", "가"),
    ("의", "에"),
    ("에", "의"),
    ("와", "는"),
    ("과", "은"),
    ("도", "만"),
];
const JAPANESE: [(&str, &str); 7] =
    [("は", "が"), ("が", "は"), ("を", "も"), ("に", "へ"), ("の", "と"), ("と", "や"), ("も", "は")];

fn with_particles(language: &str, phrase: &str, cut: bool) -> String {
    match language {
        "ko" => phrase.split(' ').map(|word| korean(word, cut)).collect::<Vec<_>>().join(" "),
        "ja" => japanese(phrase, cut),
        _ => phrase.to_owned(),
    }
}

/// A word of three syllables or more without its particle, or with another.
fn korean(word: &str, cut: bool) -> String {
    let is_noun = |stem: &str| {
        stem.chars().count() >= 2 && stem.chars().all(|character| ('가'..='힣').contains(&character))
    };
    let found = KOREAN.iter().find_map(|(particle, instead)| Some((word.strip_suffix(particle)?, *instead)));
    match found.filter(|(stem, _)| is_noun(stem)) {
        Some((stem, instead)) => {
            if cut {
                stem.to_owned()
            } else {
                format!("{stem}{instead}")
            }
        }
        None => word.to_owned(),
    }
}

/// Particles between two characters that are no hiragana: cut off, they leave a space.
fn japanese(phrase: &str, cut: bool) -> String {
    let is_noun = |character: Option<char>| {
        character.is_some_and(|character| character.is_alphabetic() && !is_hiragana(character))
    };
    let characters: Vec<char> = phrase.chars().collect();
    let mut text = String::new();
    for (at, &character) in characters.iter().enumerate() {
        let is_between =
            at > 0 && is_noun(characters.get(at - 1).copied()) && is_noun(characters.get(at + 1).copied());
        let particle = JAPANESE.iter().find(|(particle, _)| is_between && particle.starts_with(character));
        match particle {
            Some(_) if cut => text.push(' '),
            Some((_, instead)) => text.push_str(instead),
            None => text.push(character),
        }
    }
    text
}

fn is_hiragana(character: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&character)
}

/// Words of four syllables or more are taken for two; in Japanese a space follows where hiragana end.
fn with_spaces(language: &str, phrase: &str) -> String {
    let halved = |word: &str| {
        let characters: Vec<char> = word.chars().collect();
        match characters.len() {
            4.. if characters.iter().all(|character| ('가'..='힣').contains(character)) => {
                let (front, back) = characters.split_at(2);
                format!("{} {}", front.iter().collect::<String>(), back.iter().collect::<String>())
            }
            _ => word.to_owned(),
        }
    };
    match language {
        "ko" => phrase.split(' ').map(halved).collect::<Vec<_>>().join(" "),
        "ja" => {
            let characters: Vec<char> = phrase.chars().collect();
            let pieces = characters.chunk_by(|a, b| !is_hiragana(*a) || is_hiragana(*b));
            pieces.map(|piece| piece.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
        }
        _ => phrase.to_owned(),
    }
}

/// Queries for speed: two or three words from texts, all different.
pub fn short_queries(language: &str, texts: impl Iterator<Item = String>, count: usize) -> Vec<String> {
    let (mut random, mut known) = (Random::new(5), HashSet::new());
    let draw = |text: String| {
        let lines: Vec<&str> = text.lines().filter(|line| line.len() > 60).collect();
        let line = lines.get(random.below(lines.len()))?;
        if language == "ja" { of_characters(line, 6, &mut random) } else { of_words(line, 2, &mut random) }
    };
    texts.filter_map(draw).filter(|query| known.insert(query.clone())).take(count).collect()
}
