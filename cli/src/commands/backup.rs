//! `firstcopy backup`: one state of the data directory, elsewhere.

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::Outcome;
use anyhow::Result;
use clap::Args;
use firstcopy_service::copy_own_files;
use std::path::PathBuf;

/// Copies the data directory, while others go on writing to it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy backup /backup/firstcopy-2026-11-16
  firstcopy verify --data /backup/firstcopy-2026-11-16

A service may be running, and go on. The copy is a data directory like any other, with its seeds, settings, keys and webhooks:
keep it as secret as the first. What can be rebuilt is left out; whoever opens the copy rebuilds it.")]
pub struct Arguments {
    /// Where the copy goes: a place where nothing is yet.
    #[arg(value_name = "DIR")]
    target: PathBuf,
    #[command(flatten)]
    data: DataArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let data = &arguments.data.data;
    arguments.data.reader()?.backup_with(&arguments.target, |copy| copy_own_files(data, copy))?;
    if !global.quiet {
        eprintln!("firstcopy: {} is a copy of {}", arguments.target.display(), arguments.data.data.display());
    }
    Ok(Outcome::Done)
}
