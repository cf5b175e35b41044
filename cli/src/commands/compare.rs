//! `firstcopy compare`: how two documents relate, and what changed between them.

use crate::arguments::{GlobalArguments, MethodArguments, ReadArguments};
use crate::difference;
use crate::outcome::{Outcome, UsageError};
use crate::output::{Output, counted, grouped_digits, percent, printable};
use crate::readable;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use firstcopy_change::{Account, Comparison, Costs, Idf, METRICS, Settings, Text, side_by_side};
use firstcopy_engine::{EngineError, Reader};
use firstcopy_input::open;
use firstcopy_text::likeness::{self, CopyRelation, Likeness, MIN_LIKENESS};
use firstcopy_text::{Analyzer, Content, Document, Page, Parameters, Relation, Seed};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Says how much of two documents is the same and what changed: likeness, resemblance, six metrics, six kinds of change.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy compare mine.html theirs.html
  firstcopy compare old.html new.html --html difference.html
  firstcopy compare --json old.txt new.txt
  firstcopy compare --explain old.txt new.txt
  firstcopy compare --words --shingle-words 4 a.txt b.txt

The first line says how much is the same. Words that moved count as the same; other numbers and names in the same sentences count
against it, as in pages of one template. From a likeness of 0.8 on it is the same text with changes. The metrics go from 0, the same, to 1; what each is good for says --explain. Words are what stands between spaces, in scripts
without spaces characters; markup, case, width and punctuation make no difference. Passages and changes have their places in
characters of the core texts.")]
pub struct Arguments {
    /// A document: the earlier one.
    a: String,
    /// Another document: the later one.
    b: String,
    /// Takes both as ready word sequences: split at white space, and nothing else done.
    #[arg(long)]
    words: bool,
    /// Writes a page to look at: both texts side by side, what changed in colour, passages and moves joined.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Says of every metric what it counts and what it is good for.
    #[arg(long)]
    explain: bool,
    /// Ends with code 1 if the change by IED is larger than this.
    #[arg(long, value_name = "X", value_parser = parse_degree)]
    fail_over: Option<f64>,
    /// Shows the texts in colour: if stdout is a terminal, always, or never.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Colour,
    #[command(flatten)]
    change: ChangeArguments,
    /// Takes how rare words are from the collection in this data directory, for COS. Else all words are equally rare.
    #[arg(long, value_name = "DIR", help_heading = "Method")]
    idf: Option<PathBuf>,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    reading: ReadArguments,
}

/// What changes cost.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct ChangeArguments {
    /// s: what copying or shrinking a word costs, where adding, dropping or replacing one costs 1 (Kwon et al. 2007: 0.75).
    #[arg(long, value_name = "S", default_value_t = 0.75, value_parser = parse_degree)]
    copy_cost: f64,
    /// t: what moving a word costs (Kwon et al. 2007: 0.75).
    #[arg(long, value_name = "T", default_value_t = 0.75, value_parser = parse_degree)]
    move_cost: f64,
}

impl ChangeArguments {
    pub fn costs(&self) -> Costs {
        Costs { copy: self.copy_cost, moving: self.move_cost }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

impl Colour {
    fn is_wanted(self) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                std::io::stdout().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }
}

/// A number from 0 to 1.
pub fn parse_degree(text: &str) -> Result<f64, String> {
    let degree = text.parse::<f64>().ok().filter(|degree| (0.0..=1.0).contains(degree));
    degree.ok_or_else(|| "must be from 0 to 1".to_owned())
}

/// The relation of B, the later document, to A by their words; of ready-made features, by these.
#[derive(Debug, Serialize)]
struct WordComparison {
    /// How much alike they are, from 0 to 1.
    likeness: f64,
    /// The share of the words of A that B has.
    covered_a: f64,
    /// The share of the words of B that A has.
    covered_b: f64,
    /// The relation of B to A.
    relation: CopyRelation,
    /// Whether only other numbers and names keep them from being the same text.
    template: bool,
    #[serde(skip)]
    are_features: bool,
}

impl WordComparison {
    fn of(a: &Document, b: &Document, shingles: &Relation, analyzer: &Analyzer) -> Self {
        let are_whole = a.full.is_none() && b.full.is_none();
        let exact = match shingles {
            Relation { identical: true, .. } => Some(CopyRelation::Identical),
            Relation { lexical: true, .. } if are_whole => Some(CopyRelation::SameWords),
            _ => None,
        };
        let compared = match exact {
            Some(_) => Likeness::of_same_words(),
            None => likeness::compare(&analyzer.words(a.compared_text()), &analyzer.words(b.compared_text())),
        };
        WordComparison {
            likeness: compared.likeness,
            covered_a: compared.covered_a,
            covered_b: compared.covered_b,
            relation: exact.unwrap_or_else(|| compared.relation(MIN_LIKENESS)),
            template: compared.is_template(MIN_LIKENESS),
            are_features: false,
        }
    }

    /// Compares two sets of ready-made features, as `cluster` does: their resemblance is their likeness.
    fn of_features(relation: &Relation) -> Self {
        WordComparison {
            likeness: relation.resemblance,
            covered_a: relation.containment_a_in_b,
            covered_b: relation.containment_b_in_a,
            relation: match relation.resemblance {
                _ if relation.identical => CopyRelation::Identical,
                1.0 => CopyRelation::SameWords,
                MIN_LIKENESS.. => CopyRelation::Edited,
                _ => CopyRelation::None,
            },
            template: false,
            are_features: true,
        }
    }

    /// The answer in one sentence, with one percentage.
    fn sentence(&self) -> String {
        if self.are_features {
            return format!("{} of all features are in both sets.", percent(self.likeness));
        }
        let (a_in_b, b_in_a) = (percent(self.covered_a), percent(self.covered_b));
        let same = percent(self.same_words());
        match self.relation {
            CopyRelation::Identical => "100 % is the same: identical, byte for byte.".to_owned(),
            CopyRelation::SameWords => {
                "100 % of the words are the same; markup, case, punctuation or spacing differ.".to_owned()
            }
            CopyRelation::Edited => {
                format!(
                    "{same} of the words are the same, in the same order or moved: the same text with changes."
                )
            }
            CopyRelation::Excerpt => format!("B is an excerpt of A: {b_in_a} of B is in A."),
            CopyRelation::Extended => format!("A is an excerpt of B: {a_in_b} of A is in B."),
            _ if self.template => {
                format!(
                    "{same} of the words are the same, but numbers and names differ: pages of one template."
                )
            }
            CopyRelation::Quotes => format!("They have passages in common: {b_in_a} of B is in A."),
            CopyRelation::None => format!("They are different texts: {same} of the words are the same."),
        }
    }

    /// The words that are the same, as a share of the words of both.
    fn same_words(&self) -> f64 {
        match self.covered_a + self.covered_b {
            0.0 => 0.0,
            sum => 2.0 * self.covered_a * self.covered_b / sum,
        }
    }
}

/// All that is said.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    words: &'a WordComparison,
    #[serde(flatten)]
    relation: &'a Relation,
    /// None of ready-made features: they have no words that could change.
    #[serde(flatten)]
    account: Option<&'a Account>,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    if arguments.a == "-" && arguments.b == "-" {
        bail!(UsageError(
            "only one of the two documents can come from stdin: name a file for the other".to_owned()
        ));
    }
    let parameters = Parameters { ready_words: arguments.words, ..arguments.method.parameters() };
    let shingle_words = parameters.shingle_words;
    let analyzer = Analyzer::new(parameters, &Seed::PUBLIC);
    let a = single_document(&arguments.a, arguments, &analyzer)?;
    let b = single_document(&arguments.b, arguments, &analyzer)?;
    if !global.quiet {
        warn(&a, arguments);
        warn(&b, arguments);
    }
    let idf = arguments.idf.as_deref().map(|folder| idf(folder, &analyzer, [&a, &b])).transpose()?;
    let settings = Settings { costs: arguments.change.costs(), shingle_words, idf };
    let comparison = Comparison::of(text(&a), text(&b), &settings);
    let (relation, account) = (Relation::of(&a, &b), Account::of(&comparison));
    let are_features = is_feature_set(&a) && is_feature_set(&b);
    let words = match are_features {
        true => WordComparison::of_features(&relation),
        false => WordComparison::of(&a, &b, &relation, &analyzer),
    };
    let account = (!are_features).then_some(account);
    if are_features && (arguments.html.is_some() || arguments.fail_over.is_some()) {
        bail!(UsageError(
            "ready-made features have no words to show or to measure: leave out --html and --fail-over"
                .to_owned()
        ));
    }
    if let Some(file) = &arguments.html {
        let html = side_by_side(&comparison, &a.id, &b.id);
        std::fs::write(file, html).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut output = Output::new();
    if global.json {
        output.json(&Answer { words: &words, relation: &relation, account: account.as_ref() })?
    } else {
        output.line(&words.sentence())?;
        print(&words, &relation, account.as_ref(), arguments.explain, &mut output)?;
        if arguments.color.is_wanted() && account.as_ref().is_some_and(|account| account.kind != "none") {
            difference::print(&comparison, &mut output)?;
        }
    }
    output.flush()?;
    let change = account.map_or(0.0, |account| account.metrics.ied);
    let is_over = arguments.fail_over.is_some_and(|most| change > most);
    Ok(if is_over { Outcome::Copies } else { Outcome::Done })
}

/// Whether a document has ready-made features in place of a text.
fn is_feature_set(document: &Document) -> bool {
    document.tokens.is_empty() && !document.shingles.is_empty()
}

fn text(document: &Document) -> Text<'_> {
    Text { text: &document.core.text, tokens: &document.tokens }
}

/// How rare the words of both documents are in a collection.
fn idf(folder: &Path, analyzer: &Analyzer, documents: [&Document; 2]) -> Result<Idf> {
    let mut idf = Idf::of_words(documents.into_iter().flat_map(|document| document.tokens.words()));
    Reader::open(folder)?.versions::<EngineError>(|document| {
        if let Some(text) = document.texts.into_iter().next_back().and_then(|version| version.text) {
            let page = Page { content: Content::text(text), ..Page::default() };
            idf.add(analyzer.document(page).tokens.words());
        }
        Ok(())
    })?;
    Ok(idf)
}

/// Says what was mended in a document, and when it is too short for its shingles.
fn warn(document: &Document, arguments: &Arguments) {
    let words = arguments.method.parameters().shingle_words;
    let is_short = (1..words).contains(&document.tokens.len());
    let short = format!(
        "shorter than one shingle of {words} words, so all or nothing: compare with --shingle-words 2, say"
    );
    for warning in document.warnings.iter().chain(is_short.then_some(&short)) {
        eprintln!("firstcopy: {}", printable(&format!("{}: {warning}", document.id)));
    }
}

/// Reads the one document that an input holds. Fails if it holds none, more than one, or no text.
fn single_document(input: &str, arguments: &Arguments, analyzer: &Analyzer) -> Result<Document> {
    let mut pages = open(&[input.to_owned()], arguments.reading.options())?.pages();
    let page = pages.next().with_context(|| format!("{input}: holds no document"))??;
    if pages.next().is_some() {
        bail!("{input}: holds more than one document: compare takes one on each side");
    }
    let document = analyzer.document(page);
    match document.unreadable {
        Some(format) => bail!("{input}: {}", readable::reason(format)),
        None => Ok(document),
    }
}

fn print(
    words: &WordComparison,
    relation: &Relation,
    account: Option<&Account>,
    explain: bool,
    output: &mut Output,
) -> Result<()> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let contained =
        [relation.containment_a_in_b, relation.containment_b_in_a].map(percent).join(" of A in B, ");
    let shared = format!("resemblance {}, {contained} of B in A", percent(relation.resemblance));
    let Some(account) = account else { return output.field("features", &shared) };
    output.field("likeness", &format!("{:.3}, relation {}", words.likeness, words.relation.name()))?;
    output.field(
        "covered",
        &format!("{} of A in B, {} of B in A", percent(words.covered_a), percent(words.covered_b)),
    )?;
    output.field("shingles", &shared)?;
    output.field(
        "words",
        &format!("{} in A, {} in B", grouped_digits(relation.words_a), grouped_digits(relation.words_b)),
    )?;
    output.field("changed", &what_changed(account))?;
    let measured: Vec<String> = METRICS
        .iter()
        .zip(account.metrics.values())
        .map(|(metric, value)| match explain {
            true => {
                format!("{:<5}{value:.3}  {}\n            {}", metric.title, metric.counts, metric.good_for)
            }
            false => format!("{} {value:.3}", metric.title),
        })
        .collect();
    output.field("metrics", &measured.join(if explain { "\n" } else { "  " }))
}

/// How many words every kind of change took.
fn what_changed(account: &Account) -> String {
    let kinds: Vec<String> = account
        .operations
        .kinds()
        .into_iter()
        .map(|(kind, words)| format!("{} {}", kind.name(), grouped_digits(words)))
        .collect();
    let moved = account.passages.iter().filter(|passage| passage.moved).count();
    let blocks = if moved > 0 { format!("; {} moved", counted(moved, "passage")) } else { String::new() };
    match account.kind {
        "none" => "no word".to_owned(),
        "mixture" => format!("a mixture: {}{blocks}", kinds.join(", ")),
        _ => format!("{}{blocks}", kinds.join(", ")),
    }
}
