//! `firstcopy appeal`: an editor declares a document to be an original, or takes that back.

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::storing::{let_followers_catch_up, print_changes};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use firstcopy_engine::{Decision, Standing};

/// Declares a document to be an original whatever it matches, or takes that back.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy appeal post-17 --decision first --reason 'the author showed drafts of May'
  firstcopy appeal post-17 --decision independent --reason 'both quote the same law'
  firstcopy appeal post-17 --decision withdrawn --reason 'the drafts were forged'

Those whom it concerns are judged anew in the same moment. `firstcopy show` tells who decided what, when and why. What was
declared ends when another text takes the place of the one that was meant.")]
pub struct Arguments {
    /// The id of the document, or its url.
    #[arg(value_name = "ID_OR_URL")]
    name: String,
    /// What it is.
    #[arg(long, value_name = "DECISION")]
    decision: Word,
    /// Why: it is shown with the verdict.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Who decides.
    #[arg(long, value_name = "NAME", env = "USER", default_value = "somebody on this machine")]
    by: String,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Word {
    /// It was there before the others: what matches it is its copy.
    First,
    /// It is nobody's copy; the others are judged as before.
    Independent,
    /// What was declared counts no more.
    Withdrawn,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let standing = match arguments.decision {
        Word::First => Some(Standing::First),
        Word::Independent => Some(Standing::Independent),
        Word::Withdrawn => None,
    };
    let decision = Decision { standing, by: arguments.by.clone(), reason: arguments.reason.clone() };
    let engine = arguments.judge.open(&arguments.data, &arguments.write)?;
    let Some(verdict) = engine.decide(&arguments.name, decision)? else {
        bail!("{}: there is no document with this id or url", arguments.name);
    };
    let mut output = Output::new();
    if global.json {
        output.json(&verdict)?;
    } else {
        output.line(&format!("{:<10} {}", verdict.verdict, verdict.id))?;
        print_changes(&verdict, &mut output)?;
    }
    output.flush()?;
    let_followers_catch_up(&engine, Outcome::Done, global)?;
    Ok(Outcome::Done)
}
