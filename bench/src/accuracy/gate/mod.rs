//! The store-time check on copies of real texts, on posts in other frames, and on labelled pairs, under all policies.

mod by_change;
mod by_frame;
mod changes;
mod figure;
mod goals;
mod handmade;
mod labelled;
mod pairs;
mod tally;
mod trial;

use crate::CommonArguments;
use crate::report::Report;
use anyhow::Result;
use by_change::{Cell, LENGTHS};
use by_frame::Framed;
use changes::CHANGES;
use firstcopy_engine::Policy;
use goals::Measured;
use handmade::{Reposted, Templated};
use labelled::Labelled;
use serde_json::{Value, json};
use std::path::Path;
use tally::Tally;

pub use goals::GoalLine;

const POLICIES: [Policy; 3] = [Policy::Likeness, Policy::Resemblance, Policy::Paper];

pub fn run(arguments: &CommonArguments, write_pairs: Option<&Path>) -> Result<()> {
    let data = &arguments.data;
    if !data.is_dir() {
        println!("skipped: no labelled data in {} (name the folder with --data)", data.display());
        return Ok(());
    }
    let sizes = if arguments.quick { Sizes::QUICK } else { Sizes::WHOLE };
    let mut written = Vec::new();
    let cells = by_change::run(data, &POLICIES, sizes.texts, &mut written)?;
    report_details(&cells, arguments)?;
    report_changes(&cells, arguments)?;
    let framed = by_frame::run(data, &POLICIES, sizes.posts)?;
    report_frames(&framed, arguments)?;
    let labelled = labelled::run(data, &POLICIES, sizes.labelled_step, &mut written)?;
    report_labelled(&labelled, arguments)?;
    let templates = handmade::templates(data, &POLICIES, sizes.templates, &mut written)?;
    report_rows(
        "accuracy-gate-templates",
        &Templated::COLUMNS,
        templates.iter().map(Templated::cells),
        arguments,
    )?;
    let reposts = handmade::reposts(&POLICIES, &mut written)?;
    report_rows("accuracy-gate-reposts", &Reposted::COLUMNS, reposts.iter().map(Reposted::cells), arguments)?;
    report_petitions(arguments)?;
    if let Some(folder) = &arguments.output {
        figure::draw(&folder.join("accuracy-gate-resemblance.svg"), &cells)?;
    }
    if let Some(folder) = write_pairs {
        pairs::write(folder, &written)?;
    }
    let measured = Measured {
        cells: &cells,
        framed: &framed,
        labelled: &labelled,
        templates: &templates,
        reposts: &reposts,
    };
    report_goals(&measured.goals(), arguments)
}

/// How much is measured.
struct Sizes {
    /// Texts of every language and length.
    texts: usize,
    /// Posts of every language that are put into frames.
    posts: usize,
    /// Every how manieth labelled pair.
    labelled_step: usize,
    /// Pairs of every kind of template.
    templates: usize,
}

impl Sizes {
    const WHOLE: Sizes = Sizes { texts: 150, posts: 60, labelled_step: 1, templates: 200 };
    const QUICK: Sizes = Sizes { texts: 20, posts: 10, labelled_step: 10, templates: 10 };
}

/// Measures a small sample under the default policy; nothing if the data is not there.
pub fn sampled_goals(data: &Path) -> Option<Result<Vec<GoalLine>>> {
    let default = [Policy::default()];
    data.is_dir().then(|| {
        let written = &mut Vec::new();
        let measured = Measured {
            cells: &by_change::run(data, &default, 10, written)?,
            framed: &by_frame::run(data, &default, 5)?,
            labelled: &labelled::run(data, &default, 10, written)?,
            templates: &handmade::templates(data, &default, 5, written)?,
            reposts: &handmade::reposts(&default, written)?,
        };
        Ok(measured.goals())
    })
}

fn report_rows(
    name: &'static str,
    columns: &[&'static str],
    rows: impl Iterator<Item = Vec<Value>>,
    arguments: &CommonArguments,
) -> Result<()> {
    let mut report = Report::new(name, columns);
    rows.for_each(|row| report.row(row));
    report.finish(arguments, "policy")
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

fn report_goals(goals: &[GoalLine], arguments: &CommonArguments) -> Result<()> {
    let columns = ["goal of the default policy", "wanted", "measured", "of", "reached"];
    let mut report = Report::new("accuracy-gate-goals", &columns);
    goals.iter().for_each(|goal| report.row(goal.row()));
    report.finish(arguments, "measured")
}
