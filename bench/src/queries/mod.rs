//! How right and how fast `similar` is: against a comparison of all pairs, and while the collection grows.

mod all_pairs;
mod growth;

use crate::CommonArguments;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

pub use all_pairs::{Agreement, sampled_agreement};

#[derive(Args)]
pub struct Arguments {
    /// Real documents that are compared with each other.
    #[arg(long, value_name = "N", default_value_t = 5000)]
    pairs: usize,
    /// Sizes at which queries are timed, ascending.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    documents: Option<Vec<usize>>,
    /// The folder on whose disk the data directory is made.
    #[arg(long, value_name = "DIR", default_value = ".")]
    temp_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

const DOCUMENTS: [usize; 3] = [10_000, 100_000, 1_000_000];
const QUICK_DOCUMENTS: [usize; 3] = [1_000, 5_000, 20_000];
const QUICK_PAIRS: usize = 600;

pub fn run(arguments: &Arguments) -> Result<()> {
    let quick = arguments.common.quick;
    let pairs = if quick { QUICK_PAIRS } else { arguments.pairs };
    all_pairs::run(pairs, &arguments.common)?;
    let default: &[usize] = if quick { &QUICK_DOCUMENTS } else { &DOCUMENTS };
    let sizes = arguments.documents.as_deref().unwrap_or(default);
    growth::run(sizes, &arguments.temp_dir, &arguments.common)
}
