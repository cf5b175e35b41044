//! How right the extractors, the estimates and the store-time check are on labelled data.

mod bag;
mod candidates;
mod extract;
mod gate;
mod passages;
mod reposts;
mod resemblance;
mod templates;
mod trace;

use crate::CommonArguments;
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub use extract::mean_f1;
pub use gate::{GoalLine, sampled_goals};
pub use passages::{PassageTally, sampled_passages};
pub use trace::{Traced, sampled_traces};

#[derive(Args)]
pub struct Arguments {
    /// What is judged.
    #[arg(long, value_name = "WHAT")]
    what: What,
    /// Also lists this many of what went worst.
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
    /// With --what gate: also writes the pairs and firstcopy's verdicts into this folder, as JSON Lines for other tools to judge.
    #[arg(long, value_name = "DIR")]
    write_pairs: Option<PathBuf>,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The core text of pages against what people marked: mean bag-of-words F1 a page, and MB/s.
    Extract,
    /// Near copies judged by hand or by rule: precision and recall by resemblance, and how well sketches estimate it.
    Resemblance,
    /// The store-time check: copies of real texts by length and change, posts in other frames, labelled pairs.
    Gate,
    /// Copies edited down to the line of likeness: how many share too few keys to be compared.
    Candidates,
    /// Where pages went: dated crawls of real texts with planted moves.
    Trace,
    /// Copied passages: manual pages that share blocks, suspicious pages with copied spans.
    Passages,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match arguments.what {
        What::Extract => extract::run(&arguments.common, arguments.worst),
        What::Resemblance => resemblance::run(&arguments.common),
        What::Gate => gate::run(&arguments.common, arguments.write_pairs.as_deref()),
        What::Candidates => candidates::run(&arguments.common),
        What::Passages => passages::run(&arguments.common, arguments.worst),
        What::Trace => trace::run(&arguments.common, arguments.worst),
    }
}
