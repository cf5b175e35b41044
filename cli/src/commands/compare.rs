//! `firstcopy compare`: how two documents relate.

use crate::arguments::{GlobalArguments, MethodArguments, ReadArguments};
use crate::outcome::{Outcome, UsageError};
use crate::output::{Output, grouped_digits, printable};
use anyhow::{Context, Result, bail};
use clap::Args;
use firstcopy_input::open;
use firstcopy_text::{Analyzer, Document, Parameters, Relation, Seed};

/// Says how two documents relate: the same, resembling, contained.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy compare mine.html theirs.html
  firstcopy compare --json old.txt new.txt
  firstcopy compare --words --shingle-words 4 a.txt b.txt")]
pub struct Arguments {
    /// A document.
    a: String,
    /// Another document.
    b: String,
    /// Takes both as ready word sequences: split at white space, and nothing else done.
    #[arg(long)]
    words: bool,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    if arguments.a == "-" && arguments.b == "-" {
        bail!(UsageError(
            "only one of the two documents can come from stdin: name a file for the other".to_owned()
        ));
    }
    let parameters = Parameters { ready_words: arguments.words, ..arguments.method.parameters() };
    let analyzer = Analyzer::new(parameters, &Seed::PUBLIC);
    let a = single_document(&arguments.a, arguments, &analyzer)?;
    let b = single_document(&arguments.b, arguments, &analyzer)?;
    if !global.quiet {
        warn(&a, arguments);
        warn(&b, arguments);
    }
    let relation = Relation::of(&a, &b);
    let mut output = Output::new();
    if global.json {
        output.json(&relation)?
    } else {
        print(&relation, &mut output)?
    }
    output.flush()?;
    Ok(Outcome::Done)
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

/// The one document that an input holds.
fn single_document(input: &str, arguments: &Arguments, analyzer: &Analyzer) -> Result<Document> {
    let mut pages = open(&[input.to_owned()], arguments.reading.options())?.pages();
    let page = pages.next().with_context(|| format!("{input}: holds no document"))??;
    if pages.next().is_some() {
        bail!("{input}: holds more than one document: compare takes one on each side");
    }
    Ok(analyzer.document(page))
}

fn print(relation: &Relation, output: &mut Output) -> Result<()> {
    let verdict = match relation {
        Relation { identical: true, .. } => "identical, byte for byte",
        Relation { lexical: true, .. } => "the same words; markup, case, punctuation or spacing differ",
        Relation { resemblance: 0.0, .. } => "nothing in common",
        _ => "different",
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    output.line(verdict)?;
    output.field("resembles", &percent(relation.resemblance))?;
    output.field("A in B", &percent(relation.containment_a_in_b))?;
    output.field("B in A", &percent(relation.containment_b_in_a))?;
    output.field(
        "words",
        &format!("{} in A, {} in B", grouped_digits(relation.words_a), grouped_digits(relation.words_b)),
    )
}
