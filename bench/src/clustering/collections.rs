//! The collections that are clustered: real ones as they are, and real text recombined into as many documents as wanted.

use crate::data::{LANGUAGES, made_text, read_lines, texts};
use crate::random::Random;
use anyhow::Result;
use firstcopy_text::{Content, Page};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Pages that belong together.
pub struct Collection {
    pub name: String,
    pub pages: Vec<Page>,
}

#[derive(Deserialize)]
struct Versions {
    id: String,
    versions: Vec<Version>,
}

#[derive(Deserialize)]
struct Version {
    date: String,
    text: Option<String>,
    html: Option<String>,
}

#[derive(Deserialize)]
struct Guide {
    cluster: String,
    pages: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Petition {
    text: String,
}

/// Versions of documents, by language and kind.
const VERSIONS: [&str; 7] =
    ["en_terms", "en_terms_html", "ja_kubernetes", "ja_law", "ja_mdn", "ko_kubernetes", "ko_mdn"];

/// One collection a language of all texts there are, some of them dated versions of each other, re-posts, and pages of
/// one manual in their frames. None without the data.
pub fn real(data: &Path) -> Result<Vec<Collection>> {
    if !data.is_dir() {
        return Ok(Vec::new());
    }
    LANGUAGES.map(|language| of_language(data, language)).into_iter().collect()
}

pub fn of_language(data: &Path, language: &str) -> Result<Collection> {
    let mut pages: Vec<Page> = Vec::new();
    let mut put = |id: String, content: Content| pages.push(Page { id, content, ..Page::default() });
    for (number, text) in texts(data, language, usize::MAX).0.into_iter().enumerate() {
        put(format!("text/{number}"), Content::text(text));
    }
    for name in VERSIONS.iter().filter(|name| name.starts_with(language)) {
        for document in read_lines::<Versions>(&data.join(format!("4_versions/{name}.jsonl.gz")))? {
            for version in document.versions {
                let content = match (version.html, version.text) {
                    (Some(html), _) => Content::html(html),
                    (None, text) => Content::text(text.unwrap_or_default()),
                };
                put(format!("{name}/{}/{}", document.id, version.date), content);
            }
        }
    }
    let guide = data.join(format!("2_neardup/html_installguide_{language}.jsonl.gz"));
    for Guide { cluster, pages } in read_lines(&guide)? {
        pages
            .into_iter()
            .for_each(|(kind, html)| put(format!("guide/{cluster}/{kind}"), Content::html(html)));
    }
    if language == "ko" {
        let petitions: Vec<Petition> = read_lines(&data.join("2_neardup/ko_petitions_unlabelled.jsonl.gz"))?;
        for (number, Petition { text }) in petitions.into_iter().enumerate() {
            put(format!("petition/{number}"), Content::text(text));
        }
    }
    Ok(Collection { name: language.to_owned(), pages })
}

/// Bytes of a document, about.
const LENGTH: usize = 3000;
/// One document in so many is a copy.
const COPIES: usize = 5;
/// Bytes of a fragment, about: a few words. Shorter than a shingle, so that documents share none by chance.
const FRAGMENT: usize = 24;

/// Documents of short fragments of real text, in any number: the words are real, the shingles are each document's own.
pub struct Recombined {
    sources: Vec<String>,
    origin: &'static str,
}

impl Recombined {
    pub fn new(data: &Path) -> Self {
        let all = LANGUAGES.map(|language| texts(data, language, 20_000_000));
        let origin = all[0].1;
        Recombined { sources: all.into_iter().map(|(texts, _)| texts.join("\n")).collect(), origin }
    }

    pub fn origin(&self) -> &'static str {
        self.origin
    }

    /// The document of a number: every fifth is an earlier one, as it was, or with words replaced or added.
    pub fn text(&self, number: usize) -> String {
        if number % COPIES != COPIES - 1 {
            return self.fragments(number, LENGTH / 3 + (number * 7919) % (4 * LENGTH / 3));
        }
        let mut random = Random::new(number as u64 ^ 0xc0b7);
        let earlier = random.below(number);
        let source = self.text(earlier - usize::from(earlier % COPIES == COPIES - 1));
        match random.below(3) {
            0 => source,
            1 => with_words_replaced(&source, 1 + random.below(5), &mut random),
            _ => source + " " + &self.fragments(number, LENGTH / 10),
        }
    }

    /// A document of which four fifths are the same for all.
    pub fn on_a_template(&self, number: usize) -> String {
        let template = self.fragments(0, 4 * LENGTH / 5);
        let (head, foot) = template.split_at(template.floor_char_boundary(template.len() / 2));
        format!("{head}\n{}\n{foot}", self.fragments(number + 1, LENGTH / 5))
    }

    fn fragments(&self, number: usize, length: usize) -> String {
        let mut random = Random::new(number as u64 ^ 0xf4a6);
        let source = &self.sources[number % self.sources.len()];
        if source.is_empty() {
            return made_text("en", number);
        }
        let mut text = String::with_capacity(length + 2 * FRAGMENT);
        while text.len() < length {
            let start = source.floor_char_boundary(random.below(source.len().saturating_sub(2 * FRAGMENT)));
            let end = source.floor_char_boundary(start + FRAGMENT / 2 + random.below(FRAGMENT));
            text += source[start..end].trim();
            text.push(' ');
        }
        text
    }
}

fn with_words_replaced(text: &str, count: usize, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let places = words.len();
    let replacements = ["replaced", "바꾼", "換えた"];
    for _ in 0..count {
        words[random.below(places)] = replacements[random.below(replacements.len())];
    }
    words.join(" ")
}
