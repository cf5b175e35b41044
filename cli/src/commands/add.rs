//! `firstcopy add`: every document through the store-time check.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::data::{DataArguments, JudgeArguments, WriteArguments, parse_time};
use crate::outcome::Outcome;
use crate::storing::{judge_all, judge_all_with_passages, let_followers_catch_up};
use anyhow::Result;
use clap::Args;
use firstcopy_passages::{Rule, SourceDatabase};
use std::path::PathBuf;

/// Stores documents, each judged as it is stored, and prints a verdict for each.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy add posts.jsonl
  firstcopy add --data /srv/blog --json blog/ crawl.warc.gz
  firstcopy add --min-likeness 0.9 --data strict posts.jsonl
  firstcopy add --duplicates identical,same_words --data exact posts.jsonl
  firstcopy add --policy resemblance --min-resemblance 0.7 --data shingles posts.jsonl
  firstcopy add --sweep 2026-05-01 crawl.warc.gz
  firstcopy add --sources wikipedia --json posts.jsonl
  tail -f new-posts.jsonl | firstcopy add --format jsonl -

A document is stored and synced to the disk before its verdict is printed. Adding an id that exists with the same
content changes nothing; with other content it is a new version of that document, judged anew. The first line for a document
says how much of it is in which earlier document. Ends with code 3 if nothing of what was given could be read.

--sweep merges a dated crawl: its pages count as received then, changed ones become versions, and pages that earlier
sweeps saw and this one did not are marked gone once all inputs were read. Sweeps are merged in the order of their dates;
a sweep in several parts is added with the same date.")]
pub struct Arguments {
    /// Files, directories, globs, or - for stdin.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Merges the inputs as the crawl of this date (2026-05-01, or RFC 3339).
    #[arg(long, value_name = "DATE", value_parser = parse_time)]
    sweep: Option<i64>,
    /// Also finds passages copied from originals that were stored before: `passages` and `copied_share` in the verdict.
    #[arg(long)]
    passages: bool,
    /// The same, and passages copied from a source database (`firstcopy sources build`).
    #[arg(long, value_name = "DB")]
    sources: Option<PathBuf>,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

impl Arguments {
    fn seeks_passages(&self) -> bool {
        self.passages || self.sources.is_some()
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let engine = arguments.judge.open_or_create(&arguments.data, &arguments.write)?;
    let reading = (&arguments.reading, &arguments.bad);
    if let Some(sweep) = arguments.sweep {
        engine.begin_sweep(sweep)?;
    }
    let analyze = |page| match arguments.sweep {
        Some(sweep) => engine.analyze_swept(page, sweep),
        None => engine.analyze(page),
    };
    let inputs = &arguments.inputs;
    let (outcome, tally) = match arguments.seeks_passages() {
        true => {
            let sources = arguments.sources.as_deref().map(SourceDatabase::open).transpose()?;
            let seeker = engine.passage_seeker(sources, Rule::default())?;
            judge_all_with_passages(&engine, seeker, inputs, reading, global, analyze)?
        }
        false => judge_all(&engine, inputs, reading, global, analyze)?,
    };
    let gone = match arguments.sweep {
        // A crawl that was stopped, or could not be read, does not say what is gone.
        Some(sweep) if !matches!(outcome, Outcome::Interrupted | Outcome::NothingRead) => {
            Some(engine.finish_sweep(sweep)?)
        }
        _ => None,
    };
    if !global.quiet {
        let gone = gone.map(|gone| format!(", {gone} gone")).unwrap_or_default();
        eprintln!("firstcopy: {}{gone} in {}", tally.summary(), arguments.data.data.display());
    }
    let_followers_catch_up(&engine, outcome, global)?;
    Ok(outcome)
}
