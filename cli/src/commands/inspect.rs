//! `firstcopy inspect`: what firstcopy sees in a page.

use crate::arguments::{GlobalArguments, MethodArguments, ReadArguments, RejectArguments};
use crate::outcome::Outcome;
use crate::output::{Output, counted, grouped_digits, percent};
use crate::readable;
use crate::reading::for_each_page;
use anyhow::Result;
use clap::{Args, ValueEnum};
use firstcopy_text::{Analyzer, Document, Seed};
use serde::Serialize;

/// Shows what is seen in a page: core text, title, tokens, segments, shingles, features, sketch.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy inspect post.html
  firstcopy inspect --show text post.html
  firstcopy inspect --json crawl.warc.gz blog/ 'posts-*.jsonl.zst'
  curl -s https://example.org/ | firstcopy inspect --format html -")]
pub struct Arguments {
    /// Files, directories, globs, or - for stdin.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Prints only this of every document.
    #[arg(long, value_name = "WHAT")]
    show: Option<Show>,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Show {
    /// The core text, block by block.
    Text,
    /// The canonical tokens, one a line, with their places.
    Tokens,
    /// The segments, one a line, with their places.
    Segments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let analyzer = Analyzer::new(arguments.method.parameters(), &Seed::PUBLIC);
    let mut output = Output::new();
    let work = |page| analyzer.document(page);
    let outcome = for_each_page(
        &arguments.inputs,
        (&arguments.reading, &arguments.bad),
        global,
        work,
        |document| match (global.json, arguments.show) {
            (true, show) => output.json(&Inspection::of(&document, show)),
            (false, None) => print_summary(&document, &mut output),
            (false, Some(Show::Text)) => {
                document.core.blocks().try_for_each(|block| output.line(&document.core.text[block]))
            }
            (false, Some(Show::Tokens)) => {
                tokens(&document).try_for_each(|token| output.line(&token.to_string()))
            }
            (false, Some(Show::Segments)) => {
                segments(&document).try_for_each(|segment| output.line(&segment.to_string()))
            }
        },
    )?;
    output.flush()?;
    Ok(outcome)
}

/// What `--json` prints of a document.
#[derive(Serialize)]
struct Inspection<'a> {
    id: &'a str,
    /// Why it could not be read, if it is no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
    url: Option<&'a str>,
    title: Option<&'a str>,
    author: Option<&'a str>,
    created_at: Option<String>,
    language: Option<&'a str>,
    encoding: Option<&'a str>,
    core_text: &'a str,
    read_share: f32,
    characters: usize,
    blocks: usize,
    tokens: usize,
    segments: usize,
    digest_segments: usize,
    shingles: usize,
    features: usize,
    feature_values: Vec<String>,
    sketch_size: usize,
    sketch_level: u32,
    identical_fingerprint: String,
    lexical_fingerprint: String,
    warnings: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    token_list: Option<Vec<Piece<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment_list: Option<Vec<Piece<'a>>>,
}

impl<'a> Inspection<'a> {
    fn of(document: &'a Document, show: Option<Show>) -> Self {
        Inspection {
            id: &document.id,
            unreadable: document.unreadable.map(readable::reason),
            url: document.url.as_deref(),
            title: document.title.as_deref(),
            author: document.author.as_deref(),
            created_at: created_at(document),
            language: document.language.as_deref(),
            encoding: document.encoding,
            core_text: &document.core.text,
            read_share: document.kept_share,
            characters: document.core.text.chars().count(),
            blocks: document.core.block_starts.len(),
            tokens: document.tokens.len(),
            segments: document.segments.len(),
            digest_segments: document.digest.fingerprints.len(),
            shingles: document.shingles.len(),
            features: document.features.0.len(),
            feature_values: hexadecimal(document).collect(),
            sketch_size: document.sketch.values().len(),
            sketch_level: document.sketch.level(),
            identical_fingerprint: format!("{:032x}", document.whole.identical),
            lexical_fingerprint: format!("{:032x}", document.whole.lexical),
            warnings: &document.warnings,
            token_list: (show == Some(Show::Tokens)).then(|| tokens(document).collect()),
            segment_list: (show == Some(Show::Segments)).then(|| segments(document).collect()),
        }
    }
}

/// A token or a segment with its place in the core text, in characters.
#[derive(Serialize)]
struct Piece<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

impl std::fmt::Display for Piece<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}-{}\t{}", self.start, self.end, self.text.replace('\n', " "))
    }
}

fn tokens(document: &Document) -> impl Iterator<Item = Piece<'_>> {
    let mut characters = Characters::new(&document.core.text);
    (0..document.tokens.len()).map(move |index| {
        let place = document.tokens.place(index);
        let start = characters.before(place.start);
        let length = document.core.text[place].chars().count();
        Piece { start, end: start + length, text: document.tokens.word(index) }
    })
}

fn segments(document: &Document) -> impl Iterator<Item = Piece<'_>> {
    let mut characters = Characters::new(&document.core.text);
    document.segments.iter().map(move |segment| {
        let text = &document.core.text[segment.place.clone()];
        let start = characters.before(segment.place.start);
        Piece { start, end: start + text.chars().count(), text }
    })
}

/// Counts the characters before ascending byte offsets, in one walk.
struct Characters<'a> {
    text: &'a str,
    at: usize,
    count: usize,
}

impl<'a> Characters<'a> {
    fn new(text: &'a str) -> Self {
        Characters { text, at: 0, count: 0 }
    }

    fn before(&mut self, offset: usize) -> usize {
        if offset > self.at {
            self.count += self.text[self.at..offset].chars().count();
            self.at = offset;
        }
        self.count
    }
}

fn hexadecimal(document: &Document) -> impl Iterator<Item = String> {
    document.features.0.iter().map(|feature| format!("{feature:016x}"))
}

fn created_at(document: &Document) -> Option<String> {
    jiff::Timestamp::from_second(document.created_at?).ok().map(|time| time.to_string())
}

/// How many characters of the core text the summary shows.
const EXCERPT: usize = 200;

fn print_summary(document: &Document, output: &mut Output) -> Result<()> {
    match document.unreadable {
        Some(format) => output.line(&format!("{}: {}", document.id, readable::reason(format)))?,
        None => output.line(&document.id)?,
    }
    for (name, value) in summary(document) {
        output.field(name, &value)?;
    }
    output.line("")
}

/// What the summary says, in its order; empty values are left out.
fn summary(document: &Document) -> [(&'static str, String); 14] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let characters = document.core.text.chars().count();
    let digest = grouped_digits(document.digest.fingerprints.len());
    let sketch = counted(document.sketch.values().len(), "shingle");
    [
        ("title", text(&document.title)),
        ("url", document.url.clone().filter(|url| *url != document.id).unwrap_or_default()),
        ("author", text(&document.author)),
        ("language", text(&document.language)),
        ("created", created_at(document).unwrap_or_default()),
        ("encoding", document.encoding.unwrap_or_default().to_owned()),
        (
            "core text",
            format!(
                "{} in {}",
                counted(characters, "character"),
                counted(document.core.block_starts.len(), "block")
            ),
        ),
        ("read", read_share(document)),
        ("tokens", grouped_digits(document.tokens.len())),
        ("segments", format!("{}, {digest} of them in the digest", grouped_digits(document.segments.len()))),
        (
            "shingles",
            format!(
                "{}; sketch of {sketch} (V_{})",
                grouped_digits(document.shingles.len()),
                document.sketch.level()
            ),
        ),
        ("features", hexadecimal(document).collect::<Vec<_>>().join(" ")),
        ("warnings", document.warnings.join("\n")),
        ("text", excerpt(&document.core.text)),
    ]
}

/// The share of the page that was read as its text; nothing if that is all of it.
fn read_share(document: &Document) -> String {
    match document.kept_share {
        1.0 => String::new(),
        share => format!("{} of the page was read as its text", percent(share.into())),
    }
}

/// The beginning of a text in one line.
fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(EXCERPT).collect();
    let more = if start.len() < text.len() { " …" } else { "" };
    format!("{}{more}", start.split_whitespace().collect::<Vec<_>>().join(" "))
}
