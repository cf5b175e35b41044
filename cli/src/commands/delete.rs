//! `firstcopy delete`: a document and all its versions, gone.

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::storing::{let_followers_catch_up, print_changes};
use anyhow::{Result, bail};
use clap::Args;

/// Removes a document; if it was an original, its earliest copy takes its place.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy delete post-17
  firstcopy delete https://blog.example/spam

All versions of the text are removed and overwritten on the disk; what stays is the id, that it was deleted, and when.")]
pub struct Arguments {
    /// The id of the document, or its url.
    #[arg(value_name = "ID_OR_URL")]
    name: String,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let engine = arguments.judge.open(&arguments.data, &arguments.write)?;
    let Some(verdict) = engine.delete(&arguments.name)? else {
        bail!("{}: there is no document with this id or url", arguments.name);
    };
    let mut output = Output::new();
    if global.json {
        output.json(&serde_json::json!({ "deleted": verdict.id, "changed": verdict.changed }))?;
    } else {
        output.line(&format!("deleted    {}", verdict.id))?;
        print_changes(&verdict, &mut output)?;
    }
    output.flush()?;
    let_followers_catch_up(&engine, Outcome::Done, global)?;
    Ok(Outcome::Done)
}
