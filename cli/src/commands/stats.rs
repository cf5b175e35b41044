//! `firstcopy stats`: what a data directory holds.

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::Outcome;
use crate::output::{Output, grouped_digits};
use anyhow::Result;
use clap::Args;
use firstcopy_engine::{Policy, Settings};

/// Counts what the data directory holds.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy stats
  firstcopy stats --json --data /srv/blog")]
pub struct Arguments {
    #[command(flatten)]
    data: DataArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let statistics = arguments.data.reader()?.statistics()?;
    let mut output = Output::new();
    if global.json {
        output.json(&statistics)?;
    } else {
        let settings = &statistics.settings;
        output.line(&arguments.data.data.display().to_string())?;
        for (name, number) in [
            ("documents", statistics.documents),
            ("originals", statistics.originals),
            ("duplicates", statistics.duplicates),
            ("versions", statistics.versions),
            ("deleted", statistics.deleted),
            ("gone", statistics.gone),
            ("outbox", statistics.outbox),
        ] {
            output.field(name, &grouped_digits(number as usize))?;
        }
        output.field("store", &megabytes(statistics.store_bytes))?;
        output.field("indexes", &megabytes(statistics.index_bytes))?;
        output.field("policy", &policy(settings))?;
        output.field("shingles", &format!("{} words", settings.shingle_words))?;
    }
    output.flush()?;
    Ok(Outcome::Done)
}

/// The rule that makes duplicates, with its threshold.
fn policy(settings: &Settings) -> String {
    let name = settings.policy.name();
    match settings.policy {
        Policy::Likeness => {
            let relations: Vec<&str> = settings.duplicates.iter().map(|relation| relation.name()).collect();
            format!("{name}, from {} on: {}", settings.min_likeness, relations.join(", "))
        }
        Policy::Resemblance => format!("{name}, from {} on", settings.min_resemblance),
        Policy::Paper => name.to_owned(),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
