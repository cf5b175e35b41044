//! `firstcopy cluster`: which documents of a whole collection are copies of each other?

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::clustering::{JoinArguments, PhaseBar, ResourceArguments, print};
use crate::outcome::{Outcome, UsageError};
use crate::reading::{for_each_page_after, refuse_to_overwrite};
use anyhow::Result;
use clap::{Args, ValueEnum};
use firstcopy_cluster::{ClusterError, Collection, InputFile, Method, Settings, Sketcher, Verify};
use firstcopy_input::open;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Clusters a whole collection, however large, without a data directory.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy cluster crawl/*.warc.gz -o clusters
  firstcopy cluster posts.jsonl -o clusters --threshold 0.8 --linkage original
  firstcopy cluster big.parquet -o clusters --memory 2GiB --temp-dir /fast
  firstcopy cluster june.jsonl --add-to clusters

Writes members.jsonl (a line for every document, in input order), clusters.jsonl (a line for every cluster of two documents
or more, the largest first) and report.json into the output folder, and keeps there, in work/, what `recluster` and
`--add-to` go on from. Killed, or stopped for want of room, the same command goes on where it was.")]
pub struct Arguments {
    /// Files, directories, globs, or - for stdin.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// The folder that the clusters go into.
    #[arg(short, long, value_name = "OUT", required_unless_present = "add_to", conflicts_with = "add_to")]
    output: Option<PathBuf>,
    /// Adds the inputs to a collection that was clustered into this folder, with its settings.
    #[arg(long, value_name = "OUT")]
    add_to: Option<PathBuf>,
    #[command(flatten)]
    join: JoinArguments,
    #[command(flatten)]
    sketch: SketchArguments,
    #[command(flatten)]
    resources: ResourceArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

/// What the sketches depend on.
#[derive(Args)]
#[command(next_help_heading = "Method")]
struct SketchArguments {
    /// What nominates pairs: sampled shingles (`sketch`), one `super-shingle` in common, or two of six `features`.
    #[arg(long, value_name = "METHOD", default_value = "sketch")]
    method: MethodName,
    /// What a pair's resemblance is counted from: all shingles of both texts (`exact`), or their sketches.
    #[arg(long, value_name = "HOW", default_value = "exact")]
    verify: VerifyName,
    /// A shingle in more documents than this is common: it pairs only documents that share a minimum, too.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    common: u32,
    /// Words of a shingle (Broder et al. 1997: 10).
    #[arg(long, value_name = "W", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    shingle_words: u16,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Sketch,
    SuperShingle,
    Features,
}

#[derive(Clone, Copy, ValueEnum)]
enum VerifyName {
    Exact,
    Sketch,
}

impl Arguments {
    fn settings(&self) -> Settings {
        Settings {
            shingle_words: usize::from(self.sketch.shingle_words),
            method: match self.sketch.method {
                MethodName::Sketch => Method::Sketch,
                MethodName::SuperShingle => Method::SuperShingle,
                MethodName::Features => Method::Features,
            },
            verify: match self.sketch.verify {
                VerifyName::Exact => Verify::Exact,
                VerifyName::Sketch => Verify::Sketch,
            },
            common: self.sketch.common,
            joining: self.join.joining(),
        }
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    refuse_to_overwrite(&arguments.inputs, arguments.bad.rejects.as_deref())?;
    let resources = arguments.resources.resources(global);
    let inputs = open(&arguments.inputs, arguments.reading.options())?;
    let files: Vec<InputFile> = inputs.names().iter().map(|name| input_file(name)).collect();
    let collection = match (&arguments.add_to, &arguments.output) {
        (Some(folder), _) => Collection::add_to(folder, files)?,
        (None, Some(folder)) => {
            refuse_outputs_among_inputs(&files, folder)?;
            Collection::begin(folder, &arguments.settings(), files)?
        }
        (None, None) => return Err(UsageError("name an output folder with -o".to_owned()).into()),
    };
    let mut collection = collection.within(resources.memory);
    let mut outcome = Outcome::Done;
    if !collection.is_read() {
        let sketcher = Sketcher::new(collection.settings());
        let before = collection.read_before();
        if before > 0 && !global.quiet {
            eprintln!("firstcopy: going on after {before} documents");
        }
        let sketch = |page| sketcher.sketch(page);
        outcome = for_each_page_after(before, inputs, &arguments.bad, global, sketch, |sketched| {
            Ok(collection.push(sketched)?)
        })?;
    }
    if outcome == Outcome::Interrupted {
        return Ok(outcome);
    }
    let bar = PhaseBar::new(global.quiet);
    let report = collection.cluster(&resources, &bar);
    bar.finish();
    match report {
        Err(ClusterError::Stopped) => Ok(Outcome::Interrupted),
        report => print(&report?, global).map(|()| outcome),
    }
}

/// An input as it is now, so that a later run notices when it has changed.
fn input_file(name: &str) -> InputFile {
    let metadata = std::fs::metadata(name).ok();
    let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    InputFile {
        path: name.to_owned(),
        bytes: metadata.map_or(0, |metadata| metadata.len()),
        modified: since.map_or(0, |since| since.as_nanos() as u64),
    }
}

/// What is written must not be read the next time.
fn refuse_outputs_among_inputs(files: &[InputFile], folder: &Path) -> Result<()> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let is_inside =
        |file: &&InputFile| Path::new(&file.path).canonicalize().is_ok_and(|path| path.starts_with(&folder));
    match files.iter().find(is_inside) {
        Some(file) => {
            let reason = "lies in the output folder: name another output folder";
            Err(UsageError(format!("{}: {reason}", file.path)).into())
        }
        None => Ok(()),
    }
}
