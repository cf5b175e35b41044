//! The store-time check on copies of real texts, on posts in other frames, and on labelled pairs, under both policies.

mod by_change;
mod by_frame;
mod changes;
mod figure;
mod goals;
mod labelled;
mod tally;
mod trial;

use crate::CommonArguments;
use crate::report::Report;
use anyhow::Result;
use by_change::{Cell, LENGTHS};
use by_frame::Framed;
use changes::CHANGES;
use firstcopy_engine::Policy;
use labelled::Labelled;
use serde_json::{Value, json};
use std::path::Path;
use tally::Tally;

pub use goals::{Goals, RECALL};
pub use tally::Share;

const POLICIES: [Policy; 2] = [Policy::Resemblance, Policy::Paper];

pub fn run(arguments: &CommonArguments) -> Result<()> {
    let data = &arguments.data;
    if !data.is_dir() {
        println!("skipped: no labelled data in {} (name the folder with --data)", data.display());
        return Ok(());
    }
    // Texts of every language and length; posts of every language; every how manieth labelled pair.
    let (texts, posts, step) = if arguments.quick { (20, 10, 10) } else { (150, 60, 1) };
    let cells = by_change::run(data, &POLICIES, texts)?;
    report_details(&cells, arguments)?;
    report_changes(&cells, arguments)?;
    let framed = by_frame::run(data, &POLICIES, posts)?;
    report_frames(&framed, arguments)?;
    let labelled = labelled::run(data, &POLICIES, step)?;
    report_labelled(&labelled, arguments)?;
    report_petitions(arguments)?;
    if let Some(folder) = &arguments.output {
        figure::draw(&folder.join("accuracy-gate-resemblance.svg"), &cells)?;
    }
    report_goals(&Goals::of(&cells, &framed, &labelled), arguments)
}

/// A small run under the default policy; nothing if the data is not there.
pub fn sampled_goals(data: &Path) -> Option<Result<Goals>> {
    let default = [Policy::default()];
    data.is_dir().then(|| {
        let cells = by_change::run(data, &default, 4)?;
        Ok(Goals::of(&cells, &by_frame::run(data, &default, 5)?, &labelled::run(data, &default, 25)?))
    })
}

/// Language by length by change by policy: too long for a screen.
fn report_details(cells: &[Cell], arguments: &CommonArguments) -> Result<()> {
    let columns = [["language", "length", "change", "policy"].as_slice(), &Tally::COLUMNS].concat();
    let mut report = Report::new("accuracy-gate-details", &columns);
    for Cell { language, length, change, policy, tally } in cells {
        let head = vec![json!(language), json!(length), json!(change.name()), json!(policy.name())];
        report.row([head, tally.cells()].concat());
    }
    report.keep(arguments)
}

/// All languages together: recall by change and length, and what is wrong.
fn report_changes(cells: &[Cell], arguments: &CommonArguments) -> Result<()> {
    let columns = [["change", "length", "policy"].as_slice(), &Tally::COLUMNS].concat();
    let mut report = Report::new("accuracy-gate-changes", &columns);
    for policy in POLICIES {
        for change in CHANGES {
            for length in LENGTHS {
                let of = |cell: &&Cell| (cell.policy, cell.change, cell.length) == (policy, change, length);
                let tally = Tally(cells.iter().filter(of).flat_map(|cell| cell.tally.0.clone()).collect());
                let head = vec![json!(change.name()), json!(length), json!(policy.name())];
                report.row([head, tally.cells()].concat());
            }
        }
    }
    report.finish(arguments, "recall")
}

fn report_frames(framed: &[Framed], arguments: &CommonArguments) -> Result<()> {
    let columns = [["language", "frames", "policy"].as_slice(), &Tally::COLUMNS].concat();
    let mut report = Report::new("accuracy-gate-frames", &columns);
    for Framed { language, frames, policy, tally } in framed {
        report.row([vec![json!(language), json!(frames), json!(policy.name())], tally.cells()].concat());
    }
    report.finish(arguments, "recall")
}

fn report_labelled(labelled: &[Labelled], arguments: &CommonArguments) -> Result<()> {
    let mut report = Report::new("accuracy-gate-labelled", &Labelled::COLUMNS);
    labelled.iter().for_each(|labelled| report.row(labelled.cells()));
    report.finish(arguments, "recall")
}

fn report_petitions(arguments: &CommonArguments) -> Result<()> {
    let mut report = Report::new("accuracy-gate-petitions", &["policy", "reason", "posts"]);
    for policy in POLICIES {
        for (reason, posts) in labelled::petitions(&arguments.data, policy)? {
            let named: Value = if reason == "none" { json!("none: an original") } else { json!(reason) };
            report.row(vec![json!(policy.name()), named, json!(posts)]);
        }
    }
    report.finish(arguments, "posts")
}

fn report_goals(goals: &Goals, arguments: &CommonArguments) -> Result<()> {
    let columns = ["goal of the default policy", "wanted", "measured", "of", "reached"];
    let mut report = Report::new("accuracy-gate-goals", &columns);
    goals.rows().into_iter().for_each(|row| report.row(row));
    report.finish(arguments, "measured")
}
