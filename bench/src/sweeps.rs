//! What it costs to merge a crawl: all of it new, and all of it as it was.

use crate::CommonArguments;
use crate::add::{Posts, add_all, cores, write_posts};
use crate::report::Report;
use crate::temporary;
use anyhow::Result;
use clap::Args;
use firstcopy_engine::{Engine, OpenOptions};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
#[command(name = "sweeps")]
pub struct Arguments {
    /// Pages of the crawl.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    documents: usize,
    /// Lets search and similarity rest: new pages cost less then.
    #[arg(long)]
    no_followers: bool,
    /// The folder on whose disk the data directory is made.
    #[arg(long, value_name = "DIR", default_value = ".")]
    temp_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

/// The first crawl: 2026-05-01. The others are a month later each.
const FIRST: i64 = 1_777_593_600;
const MONTH: i64 = 30 * 86_400;

pub fn run(arguments: &Arguments) -> Result<()> {
    let documents = if arguments.common.quick { arguments.documents / 20 } else { arguments.documents };
    let folder = temporary::on_disk(&arguments.temp_dir)?;
    let input = folder.path().join("crawl.jsonl");
    write_posts(&Posts::pages(&arguments.common.data), 0..documents, &input)?;
    let options = OpenOptions { followers: !arguments.no_followers, ..OpenOptions::default() };
    let engine = Engine::open(&folder.path().join("data"), options)?;
    let columns = ["sweep", "pages", "documents/s", "documents/CPU-s", "times as fast as new ones, by CPU"];
    let mut report = Report::new("sweeps", &columns);
    let mut new_cpu = None;
    for (number, name) in ["all new", "all unchanged", "all unchanged, again"].into_iter().enumerate() {
        let sweep = FIRST + number as i64 * MONTH;
        engine.begin_sweep(sweep)?;
        let stretch = add_all(&engine, &input, cores(), |page| engine.analyze_swept(page, sweep))?;
        engine.finish_sweep(sweep)?;
        let pages = stretch.documents as f64;
        let new_cpu = *new_cpu.get_or_insert(stretch.cpu);
        report.row(vec![
            json!(name),
            json!(stretch.documents),
            json!(pages / stretch.wall),
            json!(pages / stretch.cpu),
            json!(new_cpu / stretch.cpu),
        ]);
    }
    report.finish(&arguments.common, "documents/s")
}
