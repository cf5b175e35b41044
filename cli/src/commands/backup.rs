//! `firstcopy backup`: one state of the data directory, elsewhere.

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// Copies the data directory, while others go on writing to it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy backup /backup/firstcopy-2026-11-16
  firstcopy verify --data /backup/firstcopy-2026-11-16

The copy is a data directory like any other, with its seeds: keep it as secret as the first. What can be rebuilt is left
out; whoever opens the copy rebuilds it.")]
pub struct Arguments {
    /// Where the copy goes: a place where nothing is yet.
    #[arg(value_name = "DIR")]
    target: PathBuf,
    #[command(flatten)]
    data: DataArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    arguments.data.reader()?.backup(&arguments.target)?;
    if !global.quiet {
        eprintln!("firstcopy: {} is a copy of {}", arguments.target.display(), arguments.data.data.display());
    }
    Ok(Outcome::Done)
}
