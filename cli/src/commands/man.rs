//! `firstcopy man`: the manual pages.

use crate::outcome::Outcome;
use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use std::io::Write;
use std::path::PathBuf;

/// Prints the manual page, or writes those of all commands.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy man | man -l -
  firstcopy man --dir /usr/local/share/man/man1")]
pub struct Arguments {
    /// Writes the pages of all commands into this folder.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let command = crate::arguments::Arguments::command();
    match &arguments.dir {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder))
                .with_context(|| format!("cannot write to {}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
        }
    }
    Ok(Outcome::Done)
}
