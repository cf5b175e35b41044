//! `firstcopy trace`: lost and found: where does the page of a url live now?

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::{Outcome, UsageError};
use crate::output::{Output, counted};
use crate::reading::counting_bar;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use firstcopy_engine::{Moved, Trace, TraceStep};

/// Finds where the page of a url lives now, and by which way it came there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy trace https://old.example/post/17
  firstcopy trace --json https://old.example/post/17
  firstcopy trace --all-moved > redirects.csv
  firstcopy trace --all-moved --redirects nginx > redirects.map

Pages are known to be gone by sweeps (`firstcopy add --sweep 2026-05-01 crawl.warc.gz`). A page that no sweep sees any
more has moved to the page that appeared afterwards and resembles it most. Without sweeps only dates tell: then the
newest url of the pages that resemble it is shown.")]
pub struct Arguments {
    /// The url that is gone.
    #[arg(value_name = "URL", required_unless_present = "all_moved", conflicts_with = "all_moved")]
    url: Option<String>,
    /// Writes a redirect map of all pages that moved.
    #[arg(long)]
    all_moved: bool,
    /// The format of the redirect map.
    #[arg(long, value_name = "FORMAT", default_value = "csv", requires = "all_moved")]
    redirects: RedirectFormat,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum RedirectFormat {
    /// Comma-separated values: from, to, last seen there, first seen here, resemblance.
    Csv,
    /// A map that nginx includes.
    Nginx,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    match &arguments.url {
        Some(url) => trace(url, arguments, global),
        None if global.json && arguments.redirects == RedirectFormat::Nginx => {
            bail!(UsageError("--json and --redirects nginx are two formats: choose one".to_owned()))
        }
        None => all_moved(arguments, global),
    }
}

fn trace(url: &str, arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let Some(trace) = arguments.data.catalogue()?.trace(url)? else {
        bail!("{url}: no stored page has this url");
    };
    let mut output = Output::new();
    if global.json {
        output.json(&trace)?
    } else {
        print(&trace, &mut output)?
    }
    output.flush()?;
    Ok(Outcome::Done)
}

fn print(trace: &Trace, output: &mut Output) -> Result<()> {
    let line = match (trace.status, &trace.now) {
        ("here", _) => format!("here       {}", trace.url),
        ("moved", Some(now)) => format!("moved      {} to {now}", trace.url),
        ("unswept", Some(now)) => format!("unswept    {}: the newest page like it is {now}", trace.url),
        (status, _) => format!("{status:<10} {}", trace.url),
    };
    output.line(&line)?;
    output.field("path", &trace.path.iter().map(step).collect::<Vec<_>>().join("\n"))?;
    output.field("copies", &trace.copies.join("\n"))
}

fn step(step: &TraceStep) -> String {
    let like =
        step.resemblance.map(|like| format!(", resembles it {:.1} %", 100.0 * like)).unwrap_or_default();
    let gone = step.gone_at.as_deref().map(|at| format!(", gone since {at}")).unwrap_or_default();
    format!("{} from {} to {}{gone}{like}", step.url, step.first_seen, step.last_seen)
}

fn all_moved(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let bar = counting_bar(global.quiet);
    let moved = arguments.data.catalogue()?.all_moved(|done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    let mut output = Output::new();
    match (global.json, arguments.redirects) {
        (true, _) => moved.iter().try_for_each(|one| output.json(one))?,
        (false, RedirectFormat::Csv) => csv(&moved, &mut output)?,
        (false, RedirectFormat::Nginx) => nginx(&moved, &mut output)?,
    }
    output.flush()?;
    if !global.quiet {
        eprintln!("firstcopy: {} moved", counted(moved.len(), "page"));
    }
    Ok(Outcome::Done)
}

fn csv(moved: &[Moved], output: &mut Output) -> Result<()> {
    output.csv(&["from", "to", "last_seen", "first_seen", "resemblance"])?;
    for Moved { from, to, last_seen, first_seen, resemblance } in moved {
        output.csv(&[from, to, last_seen, first_seen, &format!("{resemblance:.4}")])?;
    }
    Ok(())
}

fn nginx(moved: &[Moved], output: &mut Output) -> Result<()> {
    output.line("# In http { }:    include redirects.map;")?;
    output.line("# In server { }:  if ($firstcopy_moved) { return 301 $firstcopy_moved; }")?;
    output.line("map $host$request_uri $firstcopy_moved {")?;
    for one in moved {
        let from = one.from.split_once("://").map_or(one.from.as_str(), |(_, rest)| rest);
        output.line(&format!("    \"{}\" \"{}\";", nginx_text(from), nginx_text(&one.to)))?;
    }
    output.line("}")
}

/// A url inside double quotes of nginx: what would end the string or name a variable is written as urls write it.
fn nginx_text(url: &str) -> String {
    let escaped = |character: char| match character {
        '"' | '\\' | '$' | '{' | '}' | ' ' => Some(format!("%{:02X}", character as u32)),
        _ if character.is_control() => Some(String::new()),
        _ => None,
    };
    url.chars().map(|character| escaped(character).unwrap_or_else(|| character.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::nginx_text;

    #[test]
    fn urls_cannot_break_out_of_a_map() {
        for (url, expected) in [
            ("blog.example/글/17?a=b&c=d", "blog.example/글/17?a=b&c=d"),
            ("x/\"; return 200 \"$secret\\", "x/%22;%20return%20200%20%22%24secret%5C"),
            ("x/a\nb", "x/ab"),
        ] {
            assert_eq!(nginx_text(url), expected);
        }
    }
}
