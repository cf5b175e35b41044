//! Blog posts that look real while nearly every sentence is their own: the beginning of one real sentence, and the end of
//! another. The post of a number is always the same.

use crate::data::{LANGUAGES, texts};
use crate::random::Random;
use firstcopy_passages::SourceSettings;
use firstcopy_text::{Analyzer, Content, Page};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

/// Bytes of a sentence that others are made of.
const SENTENCE: Range<usize> = 60..240;
/// Bytes of a stock phrase.
const STOCK_PHRASE: Range<usize> = 15..40;
/// Stock phrases of a language.
const STOCK: usize = 100;
/// One sentence in so many is a stock phrase.
const EVERY_STOCK: usize = 100;
/// Sentences of a post: twenty, about.
const SENTENCES: Range<usize> = 10..31;
/// Sentences of a passage that is planted.
const PASSAGE: Range<usize> = 3..9;
/// Sentences of a paragraph.
const PARAGRAPH: usize = 5;
/// When the first post was created: 2020-01-01. Each is a second later than the one before.
const FIRST_CREATED: u64 = 1_577_836_800;

/// A source of posts.
pub struct Blog {
    languages: Vec<Language>,
    origin: &'static str,
}

/// A page, and what was planted in it.
pub struct CheckedPage {
    pub page: Page,
    pub planted: Option<Planted>,
}

/// A passage that was copied from a source.
#[derive(Debug, PartialEq, Eq)]
pub struct Planted {
    pub source: String,
    pub characters: usize,
}

impl Blog {
    /// Reads so many bytes of text in every language.
    pub fn read(data: &Path, bytes: usize) -> Self {
        let all = LANGUAGES.map(|language| (language, texts(data, language, bytes)));
        let origin = all[0].1.1;
        let languages = all.into_iter().map(|(language, (texts, _))| Language::of(language, texts)).collect();
        Blog { languages, origin }
    }

    /// Whether its sentences are of real ones or of made ones.
    pub fn origin(&self) -> &'static str {
        self.origin
    }

    /// The source of a number as a record of the input.
    pub fn record(&self, number: u64) -> Value {
        json!({
            "id": id(number),
            "url": format!("https://blog.example/{number}"),
            "created_at": FIRST_CREATED + number,
            "text": text(&self.sentences(number)),
        })
    }

    /// The page of a number, with a passage of a source in it if there is one.
    pub fn page(&self, number: u64, source: Option<u64>) -> CheckedPage {
        let mut sentences = self.sentences(number);
        let planted = source.map(|source| {
            let mut random = Random::new(number ^ source);
            let passage = passage(&self.sentences(source), &mut random);
            let place = random.below(sentences.len());
            let characters = passage.iter().map(|sentence| sentence.chars().count()).sum();
            sentences.splice(place..place, passage);
            Planted { source: id(source), characters }
        });
        let content = Content::text(text(&sentences));
        CheckedPage { page: Page { id: format!("page-{number}"), content, ..Page::default() }, planted }
    }

    fn sentences(&self, number: u64) -> Vec<String> {
        let mut random = Random::new(number);
        let language = &self.languages[number as usize % self.languages.len()];
        (0..within(SENTENCES, &mut random)).map(|_| language.sentence(&mut random)).collect()
    }
}

fn id(number: u64) -> String {
    format!("post-{number}")
}

fn text(sentences: &[String]) -> String {
    let paragraph = |some: &[String]| some.concat().trim_end().to_owned();
    sentences.chunks(PARAGRAPH).map(paragraph).collect::<Vec<_>>().join("\n\n")
}

fn within(range: Range<usize>, random: &mut Random) -> usize {
    range.start + random.below(range.len())
}

/// A few sentences that follow each other.
fn passage(sentences: &[String], random: &mut Random) -> Vec<String> {
    let length = within(PASSAGE, random).min(sentences.len());
    let start = random.below(sentences.len() - length + 1);
    sentences[start..start + length].to_vec()
}

/// The sentences of one language.
struct Language {
    sentences: Vec<String>,
    stock: Vec<String>,
    /// What stands between words.
    space: &'static str,
}

impl Language {
    fn of(language: &str, texts: Vec<String>) -> Self {
        let analyzer = SourceSettings::default().analyzer();
        let all: Vec<String> =
            texts.into_iter().flat_map(|text| finished_sentences(&analyzer, text)).collect();
        let of_length = |bytes: Range<usize>| {
            let mut seen = HashSet::new();
            let sentences = all.iter().filter(move |sentence| bytes.contains(&sentence.len()));
            sentences.filter(move |sentence| seen.insert(sentence.as_str())).cloned()
        };
        // Of sentences that begin or end alike, as those of lists and laws do, any two posts would soon have the same.
        let (mut beginnings, mut ends) = (HashSet::new(), HashSet::new());
        let sentences = of_length(SENTENCE)
            .filter(|sentence| beginnings.insert(first_third(sentence).to_owned()))
            .filter(|sentence| ends.insert(last_third(sentence).to_owned()));
        Language {
            sentences: sentences.collect(),
            stock: of_length(STOCK_PHRASE).take(STOCK).collect(),
            space: if language == "ja" { "" } else { " " },
        }
    }

    fn sentence(&self, random: &mut Random) -> String {
        if random.below(EVERY_STOCK) == 0 && !self.stock.is_empty() {
            return ended(self.stock[random.below(self.stock.len())].clone());
        }
        let ((beginning, _), (_, end)) = (self.cut(random), self.cut(random));
        ended(format!("{beginning}{}{end}", self.space))
    }

    /// Any sentence in two, somewhere in its middle third and not inside a word.
    fn cut(&self, random: &mut Random) -> (&str, &str) {
        let sentence = &self.sentences[random.below(self.sentences.len())];
        let third = sentence.len() / 3;
        let place = sentence.floor_char_boundary(third + random.below(third));
        let place = sentence[place..].find(self.space).map_or(place, |more| place + more);
        let (beginning, end) = sentence.split_at(place);
        (beginning.trim_end(), end.trim_start())
    }
}

fn first_third(sentence: &str) -> &str {
    &sentence[..sentence.floor_char_boundary(sentence.len() / 3)]
}

fn last_third(sentence: &str) -> &str {
    &sentence[sentence.floor_char_boundary(sentence.len() - sentence.len() / 3)..]
}

/// A full stop of ASCII ends a sentence only before a space.
fn ended(sentence: String) -> String {
    if sentence.ends_with(|last: char| last.is_ascii()) { sentence + " " } else { sentence }
}

/// The sentences of a text that have an end, each on one line.
fn finished_sentences(analyzer: &Analyzer, text: String) -> Vec<String> {
    let document = analyzer.digested(analyzer.read(Page { content: Content::text(text), ..Page::default() }));
    let finished = document.segments.iter().filter(|segment| segment.is_finished);
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    finished.map(|segment| on_one_line(&document.core.text[segment.place.clone()])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blog() -> Blog {
        Blog::read(Path::new("no such folder"), 400_000)
    }

    #[test]
    fn posts_stay_the_same_and_sentences_are_their_own() {
        let (blog, again) = (blog(), blog());
        assert_eq!(blog.record(5), again.record(5));
        let all: Vec<String> = (0..600).flat_map(|number| blog.sentences(number)).collect();
        let different: HashSet<&String> = all.iter().collect();
        assert!((600 * 18..600 * 22).contains(&all.len()), "{}", all.len());
        let own = different.len() as f64 / all.len() as f64;
        assert!((0.98..1.0).contains(&own), "{own}");
    }

    #[test]
    fn a_sentence_is_a_segment() {
        let (blog, analyzer) = (blog(), SourceSettings::default().analyzer());
        for number in 0..30 {
            let page = blog.page(number, None).page;
            let document = analyzer.digest(page);
            assert_eq!(document.digest.fingerprints.len(), blog.sentences(number).len(), "post {number}");
        }
    }

    #[test]
    fn what_is_planted_stands_in_its_source() {
        let blog = blog();
        let planted = blog.page(1000, Some(7));
        let own = blog.sentences(1000);
        let Content::Unicode { text, .. } = planted.page.content else { panic!("not plain text") };
        let copied: Vec<String> =
            blog.sentences(7).into_iter().filter(|sentence| text.contains(sentence.trim_end())).collect();
        assert!(
            PASSAGE.contains(&copied.len()) && own.iter().all(|sentence| text.contains(sentence.trim_end()))
        );
        let characters = copied.iter().map(|sentence| sentence.chars().count()).sum();
        assert_eq!(planted.planted, Some(Planted { source: "post-7".to_owned(), characters }));
        assert_eq!(blog.page(1000, None).planted, None);
    }
}
