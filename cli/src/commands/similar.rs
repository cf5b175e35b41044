//! `firstcopy similar`: which stored documents resemble, contain or are contained in this one?

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::data::{DataArguments, parse_share};
use crate::outcome::Outcome;
use crate::output::{Output, counted};
use crate::reading::for_each_page;
use anyhow::{Result, bail};
use clap::Args;
use firstcopy_engine::{Catalogue, SimilarAnswer, SimilarDocument, SimilarQuestion};
use serde::Serialize;
use std::path::Path;

/// Finds every stored document that resembles, contains or is contained in a given one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy similar draft.html
  firstcopy similar --stored post-17
  firstcopy similar --json --min-resemblance 0.3 --exact https://blog.example/17
  cat draft.txt | firstcopy similar -

The argument is a file, a directory, a glob or - if there is one, else the id or url of a stored document. Values are
estimated from samples of shingles, with their 95 % interval, and counted from the texts wherever a sample cannot decide.
In JSON a line is a stored document B, A being the given
one (`query`). Ends with code 1 if any is found.")]
pub struct Arguments {
    /// Documents to compare with what is stored, or the id or url of a stored one.
    #[arg(required = true, value_name = "INPUT|ID_OR_URL")]
    names: Vec<String>,
    /// Takes the arguments as ids or urls of stored documents, whatever files there are.
    #[arg(long)]
    stored: bool,
    /// The least resemblance.
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = parse_share)]
    min_resemblance: f64,
    /// The least containment, of either in the other.
    #[arg(long, value_name = "X", default_value = "0.9", value_parser = parse_share)]
    min_containment: f64,
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
        SimilarQuestion {
            min_resemblance: self.min_resemblance,
            min_containment: self.min_containment,
            exact: self.exact,
            limit: self.limit,
        }
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let catalogue = arguments.data.catalogue()?;
    let (inputs, stored): (Vec<String>, Vec<String>) =
        arguments.names.iter().cloned().partition(|name| !arguments.stored && is_input(name));
    let (mut printer, mut outcome) = (Printer::new(global), Outcome::Done);
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
    printer: &mut Printer,
) -> Result<Outcome> {
    let reading = (&arguments.reading, &arguments.bad);
    // Asked on one thread: an answer takes less time than reading the page.
    for_each_page(
        inputs,
        reading,
        global,
        |page| page,
        |page| printer.print(&catalogue.similar(page, &arguments.question())?),
    )
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

struct Printer {
    output: Output,
    json: bool,
    quiet: bool,
    found: bool,
}

impl Printer {
    fn new(global: &GlobalArguments) -> Self {
        Printer { output: Output::new(), json: global.json, quiet: global.quiet, found: false }
    }

    fn print(&mut self, answer: &SimilarAnswer) -> Result<()> {
        self.found |= !answer.similar.is_empty();
        if self.json {
            let line = |document| Line { query: &answer.id, document };
            return answer.similar.iter().try_for_each(|document| self.output.json(&line(document)));
        }
        self.output.line(&format!("{}: {}", answer.id, counted(answer.total, "similar document")))?;
        for document in &answer.similar {
            self.output.line(&line(document))?;
        }
        if answer.ignored_shingles > 0 && !self.quiet {
            eprintln!(
                "firstcopy: {}: {} of {} sampled shingles stand in more than 1,000 documents and were ignored",
                answer.id, answer.ignored_shingles, answer.sampled_shingles
            );
        }
        Ok(())
    }
}

fn line(document: &SimilarDocument) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let about = if document.exact { "" } else { "about " };
    let what = match document.relation {
        "contains" => format!("holds {about}{} of it", percent(document.containment_a_in_b)),
        "contained" => format!("{about}{} of it stands here", percent(document.containment_b_in_a)),
        _ => format!("resembles it {about}{}", percent(document.resemblance)),
    };
    let url = document.url.as_deref().filter(|url| *url != document.id);
    let url = url.map(|url| format!(" {url}")).unwrap_or_default();
    format!("  {:<10} {}{url} ({what})", document.relation, document.id)
}
