//! `firstcopy import`: what `export` wrote, stored and judged again.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::Outcome;
use crate::storing::{judge_all, let_followers_catch_up};
use anyhow::Result;
use clap::Args;

/// Stores what `export` wrote: judged anew, received when it says it was.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy import --data new-data export.jsonl
  firstcopy export --data old-data | firstcopy import --data new-data --format jsonl -

Cut off, the same command can be run again: what is there already is left as it is.")]
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
    let analyze = |page| engine.analyze_exported(page);
    let (outcome, tally) = judge_all(&engine, &arguments.inputs, reading, global, analyze)?;
    if !global.quiet {
        eprintln!("firstcopy: {} in {}", tally.summary(), arguments.data.data.display());
    }
    let_followers_catch_up(&engine, outcome, global)?;
    Ok(outcome)
}
