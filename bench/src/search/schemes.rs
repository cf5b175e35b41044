//! The schemes of terms that were compared, each with the queries that suit it. The last one is the crate's.

use crate::temporary;
use anyhow::{Context, Result};
use cpu_time::ProcessTime;
use firstcopy_search::{Ask, Entry, Query, SearchIndex};
use firstcopy_text::Tokens;
use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use std::time::Duration;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Occur, PhraseQuery, Query as Tree, TermQuery};
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use tantivy::{Index, TantivyDocument, Term};
use tempfile::TempDir;

/// The name of the crate's scheme.
pub const CHOSEN: &str = "links, cores";

/// What an index weighs, and what it took to make it.
pub struct Weighed {
    pub bytes: u64,
    pub cpu: Duration,
}

/// An index of one scheme.
pub trait Subject {
    fn name(&self) -> &'static str;
    /// Indexes texts under their numbers.
    fn index(&mut self, texts: &[String]) -> Result<Weighed>;
    /// The first hits, and how many there are.
    fn find(&self, query: &str, first: usize) -> Result<(Vec<u32>, usize)>;
}

/// All of them, empty.
pub fn subjects() -> Vec<Box<dyn Subject>> {
    let plain =
        |name, terms, needed| -> Box<dyn Subject> { Box::new(Plain { name, terms, needed, made: None }) };
    vec![
        plain("words", words, 1.0),
        plain("stems, ICU words", stems, 1.0),
        plain("bigrams", bigrams, 1.0),
        plain("bigrams, 60 %", bigrams, 0.6),
        chosen(),
    ]
}

/// The crate's own, empty.
pub fn chosen() -> Box<dyn Subject> {
    Box::new(Chosen::default())
}

/// Canonical words; characters of scripts without spaces one by one.
fn words(text: &str) -> Vec<String> {
    Tokens::of(text).words().map(str::to_owned).collect()
}

/// Korean words without a particle, Japanese words as ICU's dictionary has them.
fn stems(text: &str) -> Vec<String> {
    let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
    let mut stems = Vec::new();
    let mut start = 0;
    for end in segmenter.segment_str(text).skip(1) {
        let words = words(&text[start..end]);
        let is_korean = words.iter().all(|word| word.chars().all(is_hangul));
        if is_korean {
            stems.extend(words.iter().map(|word| without_particle(word).to_owned()));
        } else if !words.is_empty() {
            stems.push(words.concat());
        }
        start = end;
    }
    stems
}

fn without_particle(word: &str) -> &str {
    const PARTICLES: [&str; 18] = [
        "에서", "에게", "으로", "까지", "부터", "처럼", "보다", "은", "는", "이", "가", "을", "를", "의",
        "에", "와", "과", "도",
    ];
    let stems = PARTICLES.iter().filter_map(|particle| word.strip_suffix(particle));
    stems.filter(|stem| stem.chars().count() >= 2).min_by_key(|stem| stem.len()).unwrap_or(word)
}

fn is_hangul(character: char) -> bool {
    ('가'..='힣').contains(&character)
}

/// Two characters each, whatever space lies between them; other words whole; single characters where they stand alone.
fn bigrams(text: &str) -> Vec<String> {
    let words = words(text);
    let mut terms = Vec::new();
    for run in words.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        let characters: Vec<char> = run.iter().flat_map(|word| word.chars()).collect();
        match characters.as_slice() {
            _ if run[0].is_ascii() => terms.extend_from_slice(run),
            [only] => terms.push(only.to_string()),
            characters => terms.extend(characters.windows(2).map(|pair| pair.iter().collect())),
        }
    }
    terms
}

type MakeTerms = fn(&str) -> Vec<String>;

/// Terms of which a share is wanted, and better in a row.
struct Plain {
    name: &'static str,
    terms: MakeTerms,
    needed: f32,
    made: Option<Made>,
}

struct Made {
    index: Index,
    text: Field,
    _folder: TempDir,
}

impl Subject for Plain {
    fn name(&self) -> &'static str {
        self.name
    }

    fn index(&mut self, texts: &[String]) -> Result<Weighed> {
        let folder = temporary::in_memory()?;
        let mut builder = Schema::builder();
        let number = builder.add_u64_field("number", FAST);
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("scheme")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let text = builder.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let index = Index::create_in_dir(folder.path(), builder.build())?;
        index.tokenizers().register("scheme", TermsTokenizer(self.terms));
        let cpu = ProcessTime::now();
        let mut writer = index.writer_with_num_threads(1, 200_000_000)?;
        for (at, content) in (0..).zip(texts) {
            let mut document = TantivyDocument::default();
            document.add_u64(number, at);
            document.add_text(text, content);
            writer.add_document(document)?;
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        let cpu = cpu.elapsed();
        let files = std::fs::read_dir(folder.path())?.flatten();
        let bytes = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
        self.made = Some(Made { index, text, _folder: folder });
        Ok(Weighed { bytes, cpu })
    }

    fn find(&self, query: &str, first: usize) -> Result<(Vec<u32>, usize)> {
        let made = self.made.as_ref().context("not indexed")?;
        let searcher = made.index.reader()?.searcher();
        let query = self.query(made.text, query);
        let (hits, total) =
            searcher.search(&*query, &(TopDocs::with_limit(first).order_by_score(), Count))?;
        let number = |address: tantivy::DocAddress| {
            let column = searcher.segment_reader(address.segment_ord).fast_fields().u64("number")?;
            Ok(column.first(address.doc_id).unwrap_or_default() as u32)
        };
        Ok((hits.into_iter().map(|(_, address)| number(address)).collect::<Result<_>>()?, total))
    }
}

impl Plain {
    fn query(&self, field: Field, text: &str) -> Box<dyn Tree> {
        let terms: Vec<Term> =
            (self.terms)(text).iter().map(|term| Term::from_field_text(field, term)).collect();
        let each = terms.iter().map(|term| -> Box<dyn Tree> {
            Box::new(TermQuery::new(term.clone(), IndexRecordOption::WithFreqs))
        });
        let needed = (terms.len() as f32 * self.needed).ceil() as usize;
        let wanted = BooleanQuery::union_with_minimum_required_clauses(each.collect(), needed);
        let mut parts: Vec<(Occur, Box<dyn Tree>)> = vec![(Occur::Must, Box::new(wanted))];
        if terms.len() > 1 {
            parts.push((Occur::Should, Box::new(PhraseQuery::new(terms))));
        }
        Box::new(BooleanQuery::new(parts))
    }
}

#[derive(Clone)]
struct TermsTokenizer(MakeTerms);

impl Tokenizer for TermsTokenizer {
    type TokenStream<'a> = TermsStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermsStream {
        TermsStream { terms: (self.0)(text).into_iter(), token: Token::default() }
    }
}

struct TermsStream {
    terms: std::vec::IntoIter<String>,
    token: Token,
}

impl TokenStream for TermsStream {
    fn advance(&mut self) -> bool {
        let Some(term) = self.terms.next() else { return false };
        self.token.text = term;
        self.token.position = self.token.position.wrapping_add(1);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// What the crate does.
#[derive(Default)]
struct Chosen {
    made: Option<(TempDir, SearchIndex)>,
}

impl Subject for Chosen {
    fn name(&self) -> &'static str {
        CHOSEN
    }

    fn index(&mut self, texts: &[String]) -> Result<Weighed> {
        let folder = temporary::in_memory()?;
        let cpu = ProcessTime::now();
        let mut index = SearchIndex::open(folder.path())?;
        for (number, text) in (0..).zip(texts) {
            index.put(&Entry { number, text, ..Entry::default() })?;
        }
        index.commit(1)?;
        index.close()?;
        let cpu = cpu.elapsed();
        let index = SearchIndex::open(folder.path())?;
        let bytes = index.statistics()?.bytes;
        self.made = Some((folder, index));
        Ok(Weighed { bytes, cpu })
    }

    fn find(&self, query: &str, first: usize) -> Result<(Vec<u32>, usize)> {
        let (_, index) = self.made.as_ref().context("not indexed")?;
        let found =
            index.searcher().search(&Query::parse(query)?, &Ask { limit: first, ..Ask::default() })?;
        Ok((found.hits.iter().map(|hit| hit.number).collect(), found.total as usize))
    }
}
