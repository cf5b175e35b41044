//! `firstcopy holders`: who holds copies of a document?

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, parse_share, parse_time};
use crate::outcome::Outcome;
use crate::output::{Ignored, Output, counted};
use anyhow::{Result, bail};
use clap::Args;
use firstcopy_engine::{Holder, HoldersAnswer, HoldersQuestion};
use firstcopy_passages::SourceDatabase;
use std::path::PathBuf;

/// Lists everyone who holds a copy of a stored document, whole, contained or in part.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy holders post-17
  firstcopy holders --csv https://blog.example/17 > holders.csv
  firstcopy holders --json --since 2026-05-01 post-17

`whole` resembles the document as a whole, `contained` has almost all of it among other text, `partial` has at least
--min-share of its shingles, or a passage of it, however short. With --sources the holders are also sought in a source
database.")]
pub struct Arguments {
    /// The id of the document, or its url.
    #[arg(value_name = "ID_OR_URL")]
    name: String,
    /// Prints a table of comma-separated values, with a head line.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// How much of the document a holder has at least; a tenth of its shingles, or any passage, if absent.
    #[arg(long, value_name = "X", value_parser = parse_share)]
    min_share: Option<f64>,
    /// From which share on a holder contains the document.
    #[arg(long, value_name = "X", default_value = "0.9", value_parser = parse_share)]
    min_containment: f64,
    /// Only what was received from then on: 2026-05-01, or RFC 3339.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    since: Option<i64>,
    /// Also lists who of a source database (`firstcopy sources build`) holds passages of it.
    #[arg(long, value_name = "DB")]
    sources: Option<PathBuf>,
    #[command(flatten)]
    data: DataArguments,
}

/// The head of the table, in the order of [`values`].
const COLUMNS: [&str; 11] = [
    "id",
    "url",
    "author",
    "site",
    "created_at",
    "received_at",
    "gone_at",
    "verdict",
    "holds",
    "containment",
    "resemblance",
];

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let default = HoldersQuestion::default();
    let question = HoldersQuestion {
        min_share: arguments.min_share.unwrap_or(default.min_share),
        min_passage_share: arguments.min_share.unwrap_or(default.min_passage_share),
        min_containment: arguments.min_containment,
        since: arguments.since,
    };
    let catalogue = arguments.data.catalogue()?;
    let Some(answer) = catalogue.holders(&arguments.name, &question)? else {
        bail!("{}: there is no document with this id or url", arguments.name);
    };
    let HoldersAnswer { mut holders, ignored_shingles, sampled_shingles } = answer;
    if let Some(sources) = &arguments.sources {
        let sources = SourceDatabase::open(sources)?;
        holders.extend(catalogue.holders_in(&sources, &arguments.name, &question)?.unwrap_or_default());
    }
    let mut output = Output::new();
    if arguments.csv {
        output.csv(&COLUMNS)?;
    }
    for holder in &holders {
        match (global.json, arguments.csv) {
            (true, _) => output.json(holder)?,
            (_, true) => output.csv(&values(holder))?,
            _ => output.line(&line(holder))?,
        }
    }
    output.ignored(
        &Ignored { query: &arguments.name, ignored_shingles, sampled_shingles, not_compared: 0 },
        global,
    )?;
    output.flush()?;
    if !global.quiet {
        eprintln!("firstcopy: {}", counted(holders.len(), "holder"));
    }
    Ok(Outcome::Done)
}

fn values(holder: &Holder) -> [String; 11] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    [
        holder.id.clone(),
        text(&holder.url),
        text(&holder.author),
        text(&holder.site),
        text(&holder.created_at),
        holder.received_at.clone().unwrap_or_default(),
        text(&holder.gone_at),
        holder.verdict.to_owned(),
        holder.holds.to_owned(),
        format!("{:.4}", holder.containment),
        format!("{:.4}", holder.resemblance),
    ]
}

fn line(holder: &Holder) -> String {
    let place = holder.url.as_deref().unwrap_or(&holder.id);
    let by = holder.author.as_deref().map(|author| format!(" by {author}")).unwrap_or_default();
    let date = holder.created_at.as_deref().or(holder.received_at.as_deref()).unwrap_or("undated");
    let gone = holder.gone_at.as_deref().map(|at| format!(", gone since {at}")).unwrap_or_default();
    format!("{:<10} {place}{by}, {date} ({:.1} % of it{gone})", holder.holds, 100.0 * holder.containment)
}
