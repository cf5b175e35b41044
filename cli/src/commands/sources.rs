//! `firstcopy sources`: the documents others may have copied from.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments, parse_size};
use crate::clustering::half_of_memory;
use crate::outcome::Outcome;
use crate::output::{Output, counted, grouped_digits};
use crate::reading::for_each_page;
use anyhow::Result;
use clap::{Args, Subcommand};
use firstcopy_passages::{SourceDatabase, SourceSettings, SourceWriter};
use std::path::{Path, PathBuf};

/// Builds and grows a source database: what `firstcopy copies` looks for copied passages in.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy sources build wikipedia/*.jsonl.zst news.warc.gz -o sources
  firstcopy sources add june.jsonl --to sources
  firstcopy sources stats sources --verify

A source database is a folder. Killed while building or adding, it is as it was before; start the command again.")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Makes a source database of documents.
    Build {
        /// Files, directories, globs, or - for stdin.
        #[arg(required = true, value_name = "INPUT")]
        inputs: Vec<String>,
        /// The folder of the source database; there must be none yet.
        #[arg(short, long, value_name = "DB")]
        output: PathBuf,
        #[command(flatten)]
        settings: SettingsArguments,
        #[command(flatten)]
        common: WritingArguments,
    },
    /// Adds documents to a source database, with its settings.
    Add {
        /// Files, directories, globs, or - for stdin.
        #[arg(required = true, value_name = "INPUT")]
        inputs: Vec<String>,
        /// The folder of the source database.
        #[arg(long, value_name = "DB")]
        to: PathBuf,
        #[command(flatten)]
        common: WritingArguments,
    },
    /// Counts what a source database holds.
    Stats {
        /// The folder of the source database.
        #[arg(value_name = "DB")]
        folder: PathBuf,
        /// Reads every byte, and checks it against its checksum.
        #[arg(long)]
        verify: bool,
    },
}

/// What digests depend on.
#[derive(Args)]
#[command(next_help_heading = "Method")]
struct SettingsArguments {
    /// Leaves sentences with fewer normalised characters out (Sakurai et al. 2009: 5).
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_segment_chars: usize,
    /// Characters that end a sentence, besides block boundaries.
    #[arg(long, value_name = "CHARACTERS")]
    separators: Option<String>,
    /// Keeps no texts: much smaller, but passages are then told by fingerprints alone, and without their places in the sources.
    #[arg(long)]
    no_texts: bool,
}

#[derive(Args)]
struct WritingArguments {
    /// Memory for sorting, at most; half of the machine's if absent: 512MB, 8GiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    match &arguments.action {
        Action::Build { inputs, output, settings, common } => {
            let settings = SourceSettings {
                min_segment_chars: settings.min_segment_chars,
                separators: settings.separators.clone(),
                texts: !settings.no_texts,
            };
            let writer = SourceWriter::build(output, settings, common.memory())?;
            write(writer, inputs, common, global)
        }
        Action::Add { inputs, to, common } => {
            write(SourceWriter::add(to, common.memory())?, inputs, common, global)
        }
        Action::Stats { folder, verify } => stats(folder, *verify, global),
    }
}

impl WritingArguments {
    fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(half_of_memory)
    }
}

fn write(
    mut writer: SourceWriter,
    inputs: &[String],
    arguments: &WritingArguments,
    global: &GlobalArguments,
) -> Result<Outcome> {
    let analyzer = writer.settings().analyzer();
    let outcome = for_each_page(
        inputs,
        (&arguments.reading, &arguments.bad),
        global,
        |page| analyzer.digest(page),
        |document| Ok(writer.push(document)?),
    )?;
    // Stopped, nothing of it counts: half of the inputs would look like all of them.
    if outcome != Outcome::Interrupted {
        writer.finish()?;
    }
    Ok(outcome)
}

fn stats(folder: &Path, verify: bool, global: &GlobalArguments) -> Result<Outcome> {
    let database = SourceDatabase::open(folder)?;
    if verify {
        database.verify()?;
    }
    let statistics = database.statistics()?;
    let mut output = Output::new();
    if global.json {
        output.json(&statistics)?;
    } else {
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        output.line(&format!(
            "{} with {} in {}",
            counted(statistics.documents as usize, "document"),
            counted(statistics.segments as usize, "segment"),
            counted(statistics.parts, "part")
        ))?;
        output.field(
            "index",
            &format!(
                "{}, {:.2} bytes a segment",
                megabytes(statistics.index_bytes),
                statistics.bytes_per_segment
            ),
        )?;
        let what = if statistics.texts { "with their texts" } else { "without texts" };
        output.field("documents", &format!("{} {what}", megabytes(statistics.document_bytes)))?;
        output.field(
            "segments",
            &format!("of at least {} characters", grouped_digits(statistics.min_segment_chars)),
        )?;
        if verify {
            output.line("Every byte is as it was written.")?;
        }
    }
    output.flush()?;
    Ok(Outcome::Done)
}
