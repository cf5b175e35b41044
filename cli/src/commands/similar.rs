//! `firstcopy similar`: which stored documents resemble, contain or are contained in this one?

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::data::{DataArguments, parse_share};
use crate::outcome::Outcome;
use crate::output::{Ignored, Output, counted, percent};
use crate::readable::Readability;
use crate::reading::for_each_sound_page;
use anyhow::{Result, bail};
use clap::Args;
use firstcopy_engine::{
    Catalogue, MinLikeness, SimilarAnswer, SimilarDocument, SimilarQuestion, quotation_in_words,
};
use firstcopy_text::likeness::CopyRelation;
use serde::Serialize;
use std::path::Path;

/// Finds every stored document that is like a given one, contains it or is contained in it, and says how much of it that has.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy similar draft.html
  firstcopy similar --min-likeness 0.8 draft.html
  firstcopy similar --stored post-17
  firstcopy similar --json --min-resemblance 0.3 --exact https://blog.example/17
  cat draft.txt | firstcopy similar -

The argument is a file, a directory, a glob or - if there is one, else the id or url of a stored document. Found are copies and
excerpts by their words, either way, as `check` finds them, and besides what shares enough shingles (runs of ten words):
resemblance and containment are estimated from samples, with their 95 % interval, and counted from the texts wherever a sample
cannot decide. --min-likeness shows only what is as much alike by its words; --min-resemblance or --min-containment alone ask by
shingles only. What the given document is to each (likeness, relation, the share of its words) comes from the two texts, as in
a verdict. In JSON a line is a stored document B, A being the given one (`query`). Ends with code 1 if any
is found, with 3 if nothing of what was given could be read.")]
pub struct Arguments {
    /// Documents to compare with what is stored, or the id or url of a stored one.
    #[arg(required = true, value_name = "INPUT|ID_OR_URL")]
    names: Vec<String>,
    /// Takes the arguments as ids or urls of stored documents, whatever files there are.
    #[arg(long)]
    stored: bool,
    /// Shows only documents of at least this likeness: 0.8 is four words in five the same.
    #[arg(long, value_name = "X", value_parser = parse_share)]
    min_likeness: Option<f64>,
    /// Asks by shingles: the least resemblance [default: 0.5].
    #[arg(long, value_name = "X", value_parser = parse_share)]
    min_resemblance: Option<f64>,
    /// Asks by shingles: the least containment, of either in the other [default: 0.9].
    #[arg(long, value_name = "X", value_parser = parse_share)]
    min_containment: Option<f64>,
    /// Counts every value from the texts, also where a sample is enough.
    #[arg(long)]
    exact: bool,
    /// The most documents that are shown for each.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

impl Arguments {
    fn question(&self) -> SimilarQuestion {
        let default = SimilarQuestion::default();
        SimilarQuestion {
            min_resemblance: self.min_resemblance.unwrap_or(default.min_resemblance),
            min_containment: self.min_containment.unwrap_or(default.min_containment),
            min_likeness: MinLikeness::of(
                self.min_likeness,
                self.min_resemblance.is_some() || self.min_containment.is_some(),
            ),
            exact: self.exact,
            limit: self.limit,
        }
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let catalogue = arguments.data.catalogue()?;
    let (inputs, stored): (Vec<String>, Vec<String>) =
        arguments.names.iter().cloned().partition(|name| !arguments.stored && is_input(name));
    let (mut printer, mut outcome) = (SimilarPrinter::new(global, is_empty(&arguments.data)?), Outcome::Done);
    for name in &stored {
        let Some(answer) = catalogue.similar_to(name, &arguments.question())? else {
            bail!("{name}: there is no such file, and no stored document with this id or url");
        };
        printer.print(&answer)?;
    }
    if !inputs.is_empty() {
        outcome = similar_to_inputs(&catalogue, &inputs, arguments, global, &mut printer)?;
    }
    printer.output.flush()?;
    Ok(if outcome == Outcome::Done && printer.found { Outcome::Copies } else { outcome })
}

fn similar_to_inputs(
    catalogue: &Catalogue,
    inputs: &[String],
    arguments: &Arguments,
    global: &GlobalArguments,
    printer: &mut SimilarPrinter<'_>,
) -> Result<Outcome> {
    let reading = (&arguments.reading, &arguments.bad);
    let readability = Readability::new();
    // Asked on one thread: an answer takes less time than reading the page.
    for_each_sound_page(
        inputs,
        reading,
        global,
        |page| readability.check(page),
        |page| printer.print(&catalogue.similar(page, &arguments.question())?),
    )
}

/// Whether nothing is stored that anything could be similar to.
fn is_empty(data: &DataArguments) -> Result<bool> {
    Ok(data.reader()?.statistics()?.documents == 0)
}

/// Whether an argument names something to read.
fn is_input(name: &str) -> bool {
    name == "-" || Path::new(name).exists() || (name.contains('*') && !name.contains("://"))
}

/// A stored document and which given one it is similar to.
#[derive(Serialize)]
struct Line<'a> {
    query: &'a str,
    #[serde(flatten)]
    document: &'a SimilarDocument,
}

struct SimilarPrinter<'a> {
    output: Output,
    global: &'a GlobalArguments,
    found: bool,
    collection_is_empty: bool,
}

impl<'a> SimilarPrinter<'a> {
    fn new(global: &'a GlobalArguments, collection_is_empty: bool) -> Self {
        SimilarPrinter { output: Output::new(), global, found: false, collection_is_empty }
    }

    fn print(&mut self, answer: &SimilarAnswer) -> Result<()> {
        self.found |= !answer.similar.is_empty();
        if self.global.json {
            let line = |document| Line { query: &answer.id, document };
            answer.similar.iter().try_for_each(|document| self.output.json(&line(document)))?;
        } else {
            let why = if self.collection_is_empty { "; the collection is empty" } else { "" };
            self.output.line(&format!(
                "{}: {}{why}",
                answer.id,
                counted(answer.total, "similar document")
            ))?;
            answer.similar.iter().try_for_each(|document| self.output.line(&line(document)))?;
        }
        let SimilarAnswer { ignored_shingles, sampled_shingles, not_compared, .. } = *answer;
        let ignored = Ignored { query: &answer.id, ignored_shingles, sampled_shingles, not_compared };
        self.output.ignored(&ignored, self.global)
    }
}

fn line(document: &SimilarDocument) -> String {
    let url = document.url.as_deref().filter(|url| *url != document.id);
    let url = url.map(|url| format!(" {url}")).unwrap_or_default();
    let (covered, what) = (percent(document.covered), relation_in_words(document));
    let figures = format!("likeness {:.3}, {}", document.likeness, overlap(document));
    format!("  {covered} of it is in {}{url}{what} ({figures})", document.id)
}

/// Describes the relation of the given document to a stored one; follows the share of its words.
fn relation_in_words(document: &SimilarDocument) -> String {
    let words = match document.copy_relation {
        _ if document.template => {
            return ", but numbers and names differ: pages of one template".to_owned();
        }
        CopyRelation::Identical => "the same page",
        CopyRelation::SameWords => "the same words",
        CopyRelation::Edited => "the same text with changes",
        CopyRelation::Excerpt => "an excerpt of it",
        CopyRelation::Extended => "it adds text of its own",
        CopyRelation::Quotes => quotation_in_words(document.covered),
        CopyRelation::None => return String::new(),
    };
    format!(": {words}")
}

/// The overlap of their shingles.
fn overlap(document: &SimilarDocument) -> String {
    let about = if document.exact { "" } else { "about " };
    let (name, share) = match document.relation {
        "contains" => ("containment", document.containment_a_in_b),
        "contained" => ("contained", document.containment_b_in_a),
        _ => ("resemblance", document.resemblance),
    };
    format!("{name} {about}{share:.3}")
}
