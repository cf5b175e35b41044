//! `firstcopy check`: the verdicts of `add`, storing nothing.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::Outcome;
use crate::storing::judge_all;
use anyhow::Result;
use clap::Args;

/// Says what `add` would say of documents, and stores nothing.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy check draft.html
  firstcopy check --json submissions.jsonl
  firstcopy check --quiet draft.html || echo 'somebody wrote this before'

The first line for a document says how much of it is in which earlier document. Documents of one run are also judged against
each other, as `add` would. Ends with code 1 if any is a duplicate, with 0 if all are originals (an original may quote others:
its first line says how much), with 3 if nothing of what was given could be read.")]
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
    let engine = arguments.judge.rehearse(&arguments.data, &arguments.write)?;
    let reading = (&arguments.reading, &arguments.bad);
    let (outcome, tally) =
        judge_all(&engine, &arguments.inputs, reading, global, |page| engine.analyze(page))?;
    if !global.quiet {
        eprintln!("firstcopy: {}; nothing was stored", tally.summary());
    }
    Ok(match outcome {
        Outcome::Done if tally.duplicates > 0 => Outcome::Copies,
        other => other,
    })
}
