//! `firstcopy recluster`: the same collection with another threshold, policy or linkage.

use crate::arguments::GlobalArguments;
use crate::clustering::{JoinArguments, PhaseBar, ResourceArguments, print};
use crate::outcome::Outcome;
use crate::reading::stop_on_ctrl_c;
use anyhow::Result;
use clap::Args;
use firstcopy_cluster::{ClusterError, recluster};
use std::path::PathBuf;

/// Joins a clustered collection anew: only the last phase is repeated.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy recluster clusters --threshold 0.9
  firstcopy recluster clusters --threshold 0.8 --policy containment
  firstcopy recluster clusters --linkage original

Nothing is read again: pairs that were compared before are known, and others are compared now.")]
pub struct Arguments {
    /// The folder that `firstcopy cluster` wrote.
    #[arg(value_name = "OUT")]
    folder: PathBuf,
    #[command(flatten)]
    join: JoinArguments,
    #[command(flatten)]
    resources: ResourceArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    stop_on_ctrl_c();
    let bar = PhaseBar::new(global.quiet);
    let resources = arguments.resources.resources(global);
    let report = recluster(&arguments.folder, &arguments.join.joining(), &resources, &bar);
    bar.finish();
    match report {
        Err(ClusterError::Stopped) => Ok(Outcome::Interrupted),
        report => print(&report?, global).map(|()| Outcome::Done),
    }
}
