//! What is printed of histories: a summary for people, JSON Lines, comma-separated values, or the pages to look at again.

use super::Arguments;
use crate::arguments::GlobalArguments;
use crate::output::{Output, counted, grouped_digits};
use anyhow::Result;
use firstcopy_change::{INTERVAL_COLUMNS, METRICS, Metric, Overall, PageHistory};
use serde::Serialize;

/// So many pages are listed for people.
const LISTED: usize = 10;

/// Prints pages as they come, or keeps what is to be sorted first.
pub struct Printer {
    output: Output,
    form: Form,
    metric: &'static Metric,
    lines: Vec<Line>,
}

enum Form {
    People,
    Json,
    Csv,
    Watch { threshold: f64, json: bool },
}

/// A page in a list.
#[derive(Serialize)]
struct Line {
    page: String,
    last_seen: String,
    metric: &'static str,
    change: f64,
    #[serde(skip)]
    versions: usize,
    changes: usize,
    changes_per_day: Option<f64>,
    revisit_days: Option<f64>,
}

impl Printer {
    pub fn new(arguments: &Arguments, global: &GlobalArguments) -> Result<Self> {
        let mut output = Output::new();
        let form = match (arguments.watch_threshold, arguments.csv) {
            (Some(threshold), _) => Form::Watch { threshold, json: global.json },
            (None, true) => Form::Csv,
            (None, false) if global.json => Form::Json,
            (None, false) => Form::People,
        };
        if matches!(form, Form::Csv) {
            output.csv(&INTERVAL_COLUMNS)?;
        }
        Ok(Printer { output, form, metric: arguments.metric.metric(), lines: Vec::new() })
    }

    pub fn page(&mut self, history: &PageHistory) -> Result<()> {
        match self.form {
            Form::Json => self.output.json(history),
            Form::Csv => {
                let mut lines = history.intervals.iter().map(|interval| interval.columns(&history.page));
                lines.try_for_each(|columns| self.output.csv(&columns))
            }
            Form::Watch { threshold, .. } => {
                let change = history.last_change().map_or(0.0, |last| self.metric.value(&last.metrics));
                if change > threshold {
                    self.lines.push(self.line(history, change));
                }
                Ok(())
            }
            Form::People => {
                let line = self.line(history, self.metric.total(history));
                self.lines.push(line);
                // Twice as many as are listed, so that sorting is rare.
                if self.lines.len() > 2 * LISTED {
                    self.sort(LISTED);
                }
                Ok(())
            }
        }
    }

    fn line(&self, history: &PageHistory, change: f64) -> Line {
        Line {
            page: history.page.clone(),
            last_seen: firstcopy_change::rfc3339(history.last_seen),
            metric: self.metric.name,
            change,
            versions: history.versions,
            changes: history.changes,
            changes_per_day: history.changes_per_day,
            revisit_days: history.revisit_days,
        }
    }

    /// Those that changed most first; pages of the same change by name.
    fn sort(&mut self, most: usize) {
        self.lines.sort_by(|a, b| b.change.total_cmp(&a.change).then_with(|| a.page.cmp(&b.page)));
        self.lines.truncate(most);
    }

    pub fn finish(mut self, overall: &Overall) -> Result<()> {
        self.sort(usize::MAX);
        match self.form {
            Form::Json => self.output.json(&serde_json::json!({ "overall": overall }))?,
            Form::Csv => {}
            Form::Watch { json: true, .. } => {
                self.lines.iter().try_for_each(|line| self.output.json(line))?
            }
            Form::Watch { json: false, .. } => self.watched()?,
            Form::People => self.summary(overall)?,
        }
        self.output.flush()
    }

    fn watched(&mut self) -> Result<()> {
        for line in &self.lines {
            let revisit = line.revisit_days.map(|days| format!(", revisit in {}", days_text(days)));
            let revisit = revisit.unwrap_or_default();
            self.output.line(&format!("{:.3}  {}{revisit}", line.change, line.page))?;
        }
        Ok(())
    }

    fn summary(&mut self, overall: &Overall) -> Result<()> {
        let output = &mut self.output;
        output.line(&format!(
            "{}, {}: {} of {} changed, {} of the pages",
            counted(overall.pages, "page"),
            counted(overall.versions, "version"),
            grouped_digits(overall.changed_intervals),
            counted(overall.intervals, "interval"),
            grouped_digits(overall.changed_pages),
        ))?;
        for (name, value) in facts(overall) {
            output.field(name, &value)?;
        }
        self.sort(LISTED);
        self.lines.retain(|line| line.changes > 0);
        if !self.lines.is_empty() {
            self.output.line(&format!("changed most, in all, by {}:", self.metric.title))?;
        }
        for line in &self.lines {
            self.output.line(&format!(
                "  {:<9}{}: {}, {}{}",
                format!("{:.3}", line.change),
                line.page,
                counted(line.versions, "version"),
                counted(line.changes, "change"),
                line.revisit_days.map(|days| format!(", revisit in {}", days_text(days))).unwrap_or_default(),
            ))?;
        }
        Ok(())
    }
}

fn facts(overall: &Overall) -> Vec<(&'static str, String)> {
    let change: Vec<String> = METRICS
        .iter()
        .zip(overall.change.values())
        .map(|(metric, value)| format!("{} {value:.3}", metric.title))
        .collect();
    let rate = overall.mean_changes_per_day.map(|rate| format!("{rate:.4} changes a day and page"));
    let lifetime = overall.lifetime_days.map(|quarters| {
        let [q1, median, q3] = [quarters.q1, quarters.median, quarters.q3].map(days_text);
        format!("{median} (median), half of the pages {q1} to {q3}")
    });
    vec![
        ("change", change.join(", ")),
        ("rate", rate.unwrap_or_default()),
        ("lifetime", lifetime.unwrap_or_default()),
        ("came, went", came_and_went(overall)),
        (
            "moved",
            format!(
                "{} within a host, {} between hosts",
                overall.moves_within_host, overall.moves_between_hosts
            ),
        ),
        ("empty", empty(overall)),
    ]
}

fn came_and_went(overall: &Overall) -> String {
    let told = format!("{}, {}", counted(overall.births, "birth"), counted(overall.deaths, "death"));
    let returns = match overall.returns {
        0 => String::new(),
        returns => format!(", {}", counted(returns, "return")),
    };
    match (overall.sweeps, overall.deaths) {
        (0, 0) => format!("not known: no two days on which at least half of the pages were seen{returns}"),
        (0, deaths) => format!("{} told, births not known{returns}", counted(deaths, "death")),
        (sweeps, _) => format!("{told} in {}{returns}", counted(sweeps, "sweep")),
    }
}

fn empty(overall: &Overall) -> String {
    match overall.empty_versions {
        0 => String::new(),
        empty => format!("{}, left out", counted(empty, "version")),
    }
}

/// Days as people say them.
fn days_text(days: f64) -> String {
    match days {
        days if days < 1.0 => format!("{:.1} hours", days * 24.0),
        days if days < 10.0 => format!("{days:.1} days"),
        days => format!("{days:.0} days"),
    }
}
