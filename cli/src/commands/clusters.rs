//! `firstcopy clusters lookup`: which cluster is a document in, and who else?

use crate::arguments::GlobalArguments;
use crate::outcome::Outcome;
use crate::output::{Output, counted};
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use firstcopy_cluster::{Found, Lookup};
use std::path::PathBuf;

/// Asks what `firstcopy cluster` wrote.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy clusters lookup clusters https://blog.example/17
  firstcopy clusters lookup --json clusters post-17

The files are read at a few places only, however large they are. A name that is not there ends with code 3.")]
pub struct Arguments {
    #[command(subcommand)]
    question: Question,
}

#[derive(Subcommand)]
enum Question {
    /// The cluster of a document, by its url or id: the original first, then the others in the order of age.
    Lookup {
        /// The folder that `firstcopy cluster` wrote.
        #[arg(value_name = "OUT")]
        folder: PathBuf,
        /// The url or id of a document.
        #[arg(value_name = "URL_OR_ID")]
        name: String,
    },
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let Question::Lookup { folder, name } = &arguments.question;
    let found = Lookup::of(folder)?.find(name)?;
    if found.is_empty() {
        bail!("{name}: is no url or id of a document in {}", folder.display());
    }
    let mut output = Output::new();
    for found in &found {
        if global.json { output.json(found)? } else { show(found, &mut output)? }
    }
    output.flush()?;
    Ok(Outcome::Done)
}

fn show(found: &Found, output: &mut Output) -> Result<()> {
    let size = counted(found.cluster_size as usize, "document");
    output
        .line(&format!("{}: cluster {} of {size}, original {}", found.id, found.cluster, found.original))?;
    for member in &found.members {
        match member.url.as_ref().filter(|url| **url != member.id) {
            Some(url) => output.line(&format!("  {}  {url}", member.id))?,
            None => output.line(&format!("  {}", member.id))?,
        }
    }
    Ok(())
}
