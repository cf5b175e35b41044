//! How right the extractors and the estimates are on labelled data.

mod bag;
mod extract;
mod resemblance;

use crate::CommonArguments;
use anyhow::Result;
use clap::{Args, ValueEnum};

pub use extract::mean_f1;

#[derive(Args)]
pub struct Arguments {
    /// What is judged.
    #[arg(long, value_name = "WHAT")]
    what: What,
    /// Also lists this many of the worst pages of every language.
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The core text of pages against what people marked: mean bag-of-words F1 a page, and MB/s.
    Extract,
    /// Near copies judged by hand or by rule: precision and recall by resemblance, and how well sketches estimate it.
    Resemblance,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    match arguments.what {
        What::Extract => extract::run(&arguments.common, arguments.worst),
        What::Resemblance => resemblance::run(&arguments.common),
    }
}
