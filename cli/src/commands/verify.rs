//! `firstcopy verify`: do store and indexes agree?

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::Outcome;
use crate::output::{Output, counted};
use crate::reading::counting_bar;
use anyhow::{Result, bail};
use clap::Args;

/// Checks that store and indexes agree, that every text can be read, and that every verdict is right.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy verify
  firstcopy verify --data /backup/firstcopy-2026-11-16 --json

Ends with code 3 if anything is wrong, and names the remedy.")]
pub struct Arguments {
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let engine = arguments.judge.open(&arguments.data, &arguments.write)?;
    let bar = counting_bar(global.quiet);
    let progress = bar.clone();
    let found = engine.verify(move |documents| progress.set_position(documents))?;
    bar.finish_and_clear();
    let mut output = Output::new();
    if global.json {
        output.json(&found)?;
    } else {
        for problem in &found.problems {
            output.line(problem)?;
        }
        if found.is_clean() {
            output.line(&format!("{}: nothing is wrong", counted(found.documents as usize, "document")))?;
        }
    }
    output.flush()?;
    if !found.is_clean() {
        bail!("{} in {}", counted(found.problem_count as usize, "problem"), arguments.data.data.display());
    }
    Ok(Outcome::Done)
}
