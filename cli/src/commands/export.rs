//! `firstcopy export`: everything that was stored, as JSON Lines.

use crate::data::DataArguments;
use crate::outcome::Outcome;
use crate::output::Output;
use anyhow::{Context, Result};
use clap::Args;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Writes every version of every document as JSON Lines, in the order of arrival.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy export -o everything.jsonl
  firstcopy export | zstd > everything.jsonl.zst

`firstcopy import` takes what is written, and so does every other command that reads documents. Somebody may write to
the data directory meanwhile: what is exported is one state of it.")]
pub struct Arguments {
    /// Writes to this file instead of stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    data: DataArguments,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut reader = arguments.data.reader()?;
    let Some(path) = &arguments.output else {
        let mut output = Output::new();
        reader.export(|record| output.json(record))?;
        output.flush()?;
        return Ok(Outcome::Done);
    };
    let wrong = || format!("cannot write {}", path.display());
    let mut file = BufWriter::new(File::create_new(path).with_context(wrong)?);
    reader.export(|record| -> Result<()> {
        serde_json::to_writer(&mut file, record)?;
        file.write_all(b"\n").with_context(wrong)
    })?;
    file.into_inner()
        .map_err(|error| error.into_error())
        .and_then(|file| file.sync_all())
        .with_context(wrong)?;
    Ok(Outcome::Done)
}
