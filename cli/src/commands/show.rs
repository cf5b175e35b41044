//! `firstcopy show`: all that is known of one document.

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::Outcome;
use crate::output::{Output, counted};
use crate::storing::line;
use anyhow::{Result, bail};
use clap::Args;
use firstcopy_engine::{Appeal, PastVerdict, Shown, Sightings};

/// Shows a document: its verdict, its original, its copies, its versions, and what was said of it before.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy show post-17
  firstcopy show --text https://blog.example/17
  firstcopy show --json post-17")]
pub struct Arguments {
    /// The id of the document, or its url.
    #[arg(value_name = "ID_OR_URL")]
    name: String,
    /// Prints the core text and nothing else.
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    data: DataArguments,
}

/// Copies that are named; `--json` names all.
const NAMED_COPIES: usize = 20;

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let Some(shown) = arguments.data.reader()?.show(&arguments.name)? else {
        bail!("{}: there is no document with this id or url", arguments.name);
    };
    let mut output = Output::new();
    match (global.json, arguments.text) {
        (true, _) => output.json(&shown)?,
        (false, true) => output.line(shown.core_text.as_deref().unwrap_or_default())?,
        (false, false) => print(&arguments.name, &shown, &mut output)?,
    }
    output.flush()?;
    Ok(Outcome::Done)
}

fn print(name: &str, shown: &Shown, output: &mut Output) -> Result<()> {
    match (&shown.verdict, &shown.deleted_at) {
        (Some(verdict), _) => output.line(&line(verdict))?,
        (None, deleted_at) => {
            output.line(&format!("deleted    {name} ({})", deleted_at.as_deref().unwrap_or_default()))?
        }
    }
    for (name, value) in fields(shown) {
        output.field(name, &value)?;
    }
    Ok(())
}

/// What is shown, in its order; empty values are left out.
fn fields(shown: &Shown) -> [(&'static str, String); 14] {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let of_verdict = |value: fn(&firstcopy_engine::Verdict) -> Option<String>| {
        shown.verdict.as_ref().and_then(value).unwrap_or_default()
    };
    [
        ("title", text(&shown.title)),
        ("url", of_verdict(|verdict| verdict.url.clone())),
        ("author", text(&shown.author)),
        ("created", of_verdict(|verdict| verdict.created_at.clone())),
        ("received", of_verdict(|verdict| Some(verdict.received_at.clone()))),
        ("original", of_verdict(|verdict| verdict.original_url.clone())),
        (
            "features",
            of_verdict(|verdict| {
                verdict.original.as_ref().map(|_| format!("{} of 6 shared", verdict.shared_features))
            }),
        ),
        (
            "contained",
            of_verdict(|verdict| {
                verdict
                    .original
                    .as_ref()
                    .map(|_| format!("{:.1} % of it stands in the original", 100.0 * verdict.containment))
            }),
        ),
        ("copies", copies(&shown.copies)),
        ("versions", versions(shown)),
        ("seen", shown.sightings.as_ref().map(seen).unwrap_or_default()),
        ("appeals", shown.appeals.iter().map(appeal).collect::<Vec<_>>().join("\n")),
        ("before", shown.history.iter().map(past).collect::<Vec<_>>().join("\n")),
        ("warnings", of_verdict(|verdict| Some(verdict.warnings.join("\n")))),
    ]
}

fn copies(ids: &[String]) -> String {
    if ids.is_empty() {
        return String::new();
    }
    let named: Vec<&str> = ids.iter().take(NAMED_COPIES).map(String::as_str).collect();
    let more = if ids.len() > NAMED_COPIES { ", …" } else { "" };
    format!("{}: {}{more}", ids.len(), named.join(", "))
}

fn versions(shown: &Shown) -> String {
    if shown.versions.len() < 2 {
        return String::new();
    }
    let times: Vec<&str> = shown.versions.iter().map(|version| version.received_at.as_str()).collect();
    format!("{}, received {}", counted(times.len(), "version"), times.join(", "))
}

fn seen(sightings: &Sightings) -> String {
    let away = sightings.absences.iter().map(|(gone, back)| format!("\nnot from {gone} to {back}"));
    let gone = sightings.gone_at.as_deref().map(|at| format!("\ngone since {at}")).unwrap_or_default();
    let away: String = away.collect();
    format!("by sweeps from {} to {}{away}{gone}", sightings.first_seen, sightings.last_seen)
}

fn appeal(appeal: &Appeal) -> String {
    format!("{} since {}, by {}: {}", appeal.decision, appeal.at, appeal.by, appeal.reason)
}

fn past(past: &PastVerdict) -> String {
    let by = past.cause_id.as_deref().unwrap_or_default();
    let what = match (&past.verdict, &past.original) {
        (Some(_), Some(original)) => format!("duplicate of {original}"),
        (Some(verdict), None) => verdict.clone(),
        (None, _) => "not there".to_owned(),
    };
    format!("{what} until {}, when {by} was {}", past.until, past.cause)
}
