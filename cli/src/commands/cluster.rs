//! `firstcopy cluster`: which documents of a whole collection are copies of each other?

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::clustering::{
    JoinArguments, PhaseBar, ResourceArguments, SketchArguments, input_files, print, read_into,
    refuse_outputs_among_inputs,
};
use crate::outcome::{Outcome, UsageError};
use crate::reading::refuse_to_overwrite;
use anyhow::Result;
use clap::Args;
use firstcopy_cluster::{ClusterError, Collection};
use firstcopy_input::open;
use std::path::PathBuf;

/// Clusters a whole collection, however large, without a data directory.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy cluster crawl/*.warc.gz -o clusters
  firstcopy cluster posts.jsonl -o clusters --min-likeness 0.9
  firstcopy cluster posts.jsonl -o clusters --policy resemblance --threshold 0.5
  firstcopy cluster big.parquet -o clusters --memory 2GiB --temp-dir /fast
  firstcopy cluster shops.jsonl -o clusters --learn-weights
  firstcopy cluster june.jsonl --add-to clusters

Two documents belong together if four fifths of their words are the same, wherever they stand, or if the later one is an
excerpt of the earlier one. Pages of one template with other facts (numbers, names) do not. With --learn-weights, words that
many of the documents have count less: texts that share a template and little else stay apart. The weights belong to the
output folder: --add-to and `recluster` keep them.

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

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    refuse_to_overwrite(&arguments.inputs, arguments.bad.rejects.as_deref())?;
    let resources = arguments.resources.resources(global);
    let inputs = open(&arguments.inputs, arguments.reading.options())?;
    let files = input_files(&inputs);
    let collection = match (&arguments.add_to, &arguments.output) {
        (Some(folder), _) if arguments.sketch.learns_weights() => {
            Collection::open(folder)?.require_learnt_weights()?;
            Collection::add_to(folder, files)?
        }
        (Some(folder), _) => Collection::add_to(folder, files)?,
        (None, Some(folder)) => {
            refuse_outputs_among_inputs(&files, folder)?;
            Collection::begin(folder, &arguments.join.settings(&arguments.sketch)?, files)?
        }
        (None, None) => return Err(UsageError("name an output folder with -o".to_owned()).into()),
    };
    let mut collection = collection.within(resources.memory);
    let outcome = read_into(&mut collection, inputs, &arguments.bad, global, |sketched| sketched)?;
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
