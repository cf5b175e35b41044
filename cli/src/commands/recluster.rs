//! `firstcopy recluster`: the same collection with another threshold, policy or linkage.

use crate::arguments::GlobalArguments;
use crate::clustering::{JoinArguments, PhaseBar, ResourceArguments, print};
use crate::outcome::Outcome;
use crate::reading::stop_on_ctrl_c;
use anyhow::Result;
use clap::Args;
use firstcopy_cluster::{ClusterError, Collection, recluster};
use std::path::PathBuf;

/// Joins a clustered collection anew: only the last phase is repeated.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy recluster clusters --min-likeness 0.9
  firstcopy recluster clusters --linkage original
  firstcopy recluster clusters --policy containment --threshold 0.8

Nothing is read again: pairs that were compared before are known, and others are compared now. Without --policy the folder's
own is taken. A folder that was clustered by likeness takes any --min-likeness from the one it was clustered with on, and no
other policy: no shingles are kept there, as no words are elsewhere.")]
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
    let policy = Collection::open(&arguments.folder)?.settings().joining.policy;
    let report = recluster(&arguments.folder, &arguments.join.joining(policy)?, &resources, &bar);
    bar.finish();
    match report {
        Err(ClusterError::Stopped) => Ok(Outcome::Interrupted),
        report => print(&report?, global).map(|()| Outcome::Done),
    }
}
