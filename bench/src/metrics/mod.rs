//! Do the metrics of page change say what they should, and how fast (kwon-2007 figures 7 and 8, table 1)?

mod contenders;
mod curves;
mod mixtures;
mod pages;
mod pairs;
mod speed;
mod verdicts;

use crate::CommonArguments;
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub use curves::{Curve, Figure, Point};
pub use pages::Change;

#[derive(Args)]
pub struct Arguments {
    /// What is measured.
    #[arg(long, value_name = "WHAT", default_value = "all")]
    what: What,
    /// Only writes the pages that are timed into this folder, for others to be timed on.
    #[arg(long, value_name = "DIR")]
    pairs: Option<PathBuf>,
    /// Only pages of at most so many words are timed: of the largest, some contenders take a minute and a half.
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    most_words: usize,
    #[command(flatten)]
    common: CommonArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Both.
    All,
    /// The metrics beside the yardstick, what each is good for, and pages that changed in several ways at once.
    Figures,
    /// Time and memory beside other libraries.
    Speed,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let common = &arguments.common;
    let pairs = || {
        let mut pairs = pairs::pairs(&common.data, common.quick);
        pairs.retain(|pair| pair.words <= arguments.most_words);
        pairs
    };
    if let Some(folder) = &arguments.pairs {
        return pairs::write(&pairs(), folder);
    }
    if arguments.what != What::Speed {
        let curves = curves::curves(common.quick);
        curves::report(&curves, common)?;
        verdicts::report(&curves, common)?;
        mixtures::report(common)?;
    }
    if arguments.what != What::Figures {
        speed::run(&pairs(), common)?;
    }
    Ok(())
}

/// The curves of a few pages: for a test that holds a floor.
pub fn sampled_curves() -> Vec<Curve> {
    curves::curves(true)
}
