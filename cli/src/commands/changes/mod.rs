//! `firstcopy changes`: how do pages change over time?

mod dated_path;
mod folder;
mod print;
mod stored;
mod versions;

use crate::arguments::{GlobalArguments, MethodArguments, ReadArguments, RejectArguments};
use crate::clustering::{input_files, refuse_outputs_among_inputs};
use crate::commands::compare::{ChangeArguments, parse_degree};
use crate::data::parse_time;
use crate::outcome::{Outcome, UsageError};
use crate::reading::{for_each_part_after, is_stopped, page_bar, refuse_to_overwrite, stop_on_ctrl_c};
use anyhow::Result;
use clap::{Args, ValueEnum};
use firstcopy_change::{
    Histories, HistoryError, HistorySettings, METRICS, Metric, Overall, PageHistory, Resources, Settings,
    Sweeps,
};
use firstcopy_input::{ReadOptions, open};
use folder::Folder;
use print::Printer;
use std::path::PathBuf;

/// Says how pages change over time: how often, how much, how long they live, where they move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy changes versions.jsonl
  firstcopy changes captures/ -o report
  firstcopy changes january.warc.gz february.warc.gz --csv > intervals.csv
  firstcopy changes --data ./firstcopy-data --json
  firstcopy changes versions.jsonl --watch-threshold 0.1

A version belongs to the page of its `url`, else of its `id`, and is dated by its `date`, else its `created_at`: RFC 3339, a
date, Unix seconds or the 14 digits of a capture. A record may hold many: {\"id\": …, \"versions\": [{\"date\": …, \"text\": …}, …]},
or say that the page was gone: {\"url\": …, \"date\": …, \"gone\": true} or \"status\": 404. Of files, a date in the path dates the
version, and the path without it names the page: captures/20240131/about.html.

--json prints a line for every page, and last {\"overall\": …}. -o writes index.html with a file for every page, pages.jsonl,
intervals.csv and overall.json.")]
pub struct Arguments {
    /// Files, directories, globs, or - for stdin.
    #[arg(required_unless_present = "data", conflicts_with = "data", value_name = "INPUT")]
    inputs: Vec<String>,
    /// Takes the versions of a data directory, and what its sweeps saw.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Writes a report to look at and all tables into this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Prints a line of comma-separated values for every interval between two versions.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Prints only the pages that changed by more than this between their last two versions, and when to look again.
    #[arg(long, value_name = "X", value_parser = parse_degree, conflicts_with = "csv")]
    watch_threshold: Option<f64>,
    /// The metric that pages are sorted and watched by.
    #[arg(long, value_name = "METRIC", default_value = "ied", help_heading = "Method")]
    metric: MetricName,
    /// When everything was looked at, so that a page not seen is gone: `auto`, days on which at least half of all pages were
    /// seen; `none`, versions are there because pages changed; or dates: 2024-01-01,2024-02-01.
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = parse_sweeps, help_heading = "Method")]
    sweeps: Sweeps,
    /// The field that holds the date of a version, in JSON Lines and Parquet records.
    #[arg(long, value_name = "FIELD", default_value = "date", help_heading = "Reading")]
    date_key: String,
    /// Where the temporary file of all texts goes; where the system has such files if absent.
    #[arg(long, value_name = "DIR", help_heading = "Reading")]
    temp_dir: Option<PathBuf>,
    #[command(flatten)]
    change: ChangeArguments,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum MetricName {
    Bw,
    Cos,
    Wd,
    Ed,
    Shingle,
    Ied,
}

impl MetricName {
    /// In the order of [`METRICS`].
    fn metric(self) -> &'static Metric {
        &METRICS[self as usize]
    }
}

fn parse_sweeps(text: &str) -> Result<Sweeps, String> {
    match text {
        "auto" => Ok(Sweeps::Found),
        "none" => Ok(Sweeps::None),
        dates => {
            dates.split(',').map(|date| parse_time(date.trim())).collect::<Result<_, _>>().map(Sweeps::At)
        }
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    refuse_to_overwrite(&arguments.inputs, arguments.bad.rejects.as_deref())?;
    stop_on_ctrl_c();
    let (histories, outcome) = match &arguments.data {
        Some(data) => stored::read(data, arguments, global)?,
        None => read(arguments, global)?,
    };
    if outcome == Outcome::Interrupted {
        return Ok(outcome);
    }
    let folder = arguments.output.as_deref().map(Folder::create).transpose()?;
    match tell(histories, folder, arguments, global) {
        Err(error) if matches!(error.downcast_ref(), Some(HistoryError::Stopped)) => Ok(Outcome::Interrupted),
        told => told.map(|()| outcome),
    }
}

/// What becomes of the pages: printed, and written into the folder.
fn tell(
    histories: Histories,
    mut folder: Option<Folder>,
    arguments: &Arguments,
    global: &GlobalArguments,
) -> Result<()> {
    let metric = arguments.metric.metric();
    let mut printer = Printer::new(arguments, global)?;
    let bar = page_bar(histories.pages() as u64, global.quiet);
    let resources = Resources { threads: global.threads(), is_stopped };
    let overall: Result<Overall> = histories.tell(&resources, |history: PageHistory| {
        bar.inc(1);
        printer.page(&history)?;
        folder.as_mut().map_or(Ok(()), |folder| folder.page(history, metric))
    });
    bar.finish_and_clear();
    let overall = overall?;
    if let Some(folder) = folder {
        folder.finish(&overall, metric)?;
    }
    printer.finish(&overall)
}

/// Reads all versions of the inputs.
fn read(arguments: &Arguments, global: &GlobalArguments) -> Result<(Histories, Outcome)> {
    let versions = versions::Reading::new(arguments.date_key.clone(), arguments.reading.options());
    let stand_ins = versions::STAND_INS.map(str::to_owned).to_vec();
    let options =
        ReadOptions { stand_ins, temp_dir: arguments.temp_dir.clone(), ..arguments.reading.options() };
    let inputs = open(&arguments.inputs, options)?;
    if let Some(folder) = &arguments.output {
        refuse_outputs_among_inputs(&input_files(&inputs), folder)?;
    }
    let mut histories = arguments.histories(arguments.sweeps.clone())?;
    let outcome = for_each_part_after(
        0,
        inputs,
        &arguments.bad,
        global,
        |page| versions.of(page),
        |version| Ok(histories.push(version)?),
    )?;
    Ok((histories, outcome))
}

impl Arguments {
    /// No versions yet.
    fn histories(&self, sweeps: Sweeps) -> Result<Histories> {
        let shingle_words = self.method.parameters().shingle_words;
        let comparison = Settings { costs: self.change.costs(), shingle_words, idf: None };
        if let Some(folder) = self.temp_dir.as_deref().filter(|folder| !folder.is_dir()) {
            return Err(UsageError(format!(
                "{}: no such folder: make it, or name another one",
                folder.display()
            ))
            .into());
        }
        Ok(Histories::new(HistorySettings { comparison, sweeps }, self.temp_dir.as_deref())?)
    }
}
