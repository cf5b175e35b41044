//! `firstcopy add`: every document through the store-time check.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::Outcome;
use crate::storing::judge_all;
use anyhow::Result;
use clap::Args;

/// Stores documents, each judged as it is stored, and prints a verdict for each.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy add posts.jsonl
  firstcopy add --data /srv/blog --json blog/ crawl.warc.gz
  firstcopy add --policy paper --data papers-rule posts.jsonl
  tail -f new-posts.jsonl | firstcopy add --format jsonl -

A document is stored and synced to the disk before its verdict is printed. Adding an id that exists with the same
content changes nothing; with other content it is a new version of that document, judged anew.")]
pub struct Arguments {
    /// Files, directories, globs, or - for stdin.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let engine = arguments.judge.open_or_create(&arguments.data, &arguments.write)?;
    let reading = (&arguments.reading, &arguments.bad);
    let (outcome, tally) =
        judge_all(&engine, &arguments.inputs, reading, global, |page| engine.analyze(page))?;
    if !global.quiet {
        eprintln!("firstcopy: {} in {}", tally.summary(), arguments.data.data.display());
    }
    Ok(outcome)
}
