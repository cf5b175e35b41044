//! `firstcopy search`: which originals speak of these words?

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::Outcome;
use crate::output::{Output, grouped_digits};
use anyhow::Result;
use clap::{Args, ValueEnum};
use firstcopy_engine::{CopyName, Hit, SearchAnswer, SearchQuestion, Sort};
use std::io::IsTerminal;

/// Searches the originals; copies are folded under them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy search 학교 급식
  firstcopy search '\"who wrote this first\" -spam site:blog.example after:2026-01-01'
  firstcopy search --sort newest --limit 50 author:\"김철수\"
  firstcopy search --all --json 図書館

All words must be there; \"a phrase\" as it stands; -word and -\"phrase\" must not. Filters: site: (with all hosts below it),
author:, title:, lang:, before: and after: (2026-05-01, or RFC 3339). Duplicates are found only with --all, and stand
under their originals.")]
pub struct Arguments {
    /// Words, phrases and filters.
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// Looks through duplicates too, and folds them under their originals.
    #[arg(long)]
    all: bool,
    /// The order of the hits.
    #[arg(long, value_name = "ORDER", default_value = "relevance")]
    sort: SortName,
    /// Hits of a page.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// The next page: what the page before ended with.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum SortName {
    /// The best first.
    Relevance,
    /// The latest date first.
    Newest,
    /// The earliest date first.
    Oldest,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let question = SearchQuestion {
        query: arguments.query.join(" "),
        all: arguments.all,
        sort: match arguments.sort {
            SortName::Relevance => Sort::Relevance,
            SortName::Newest => Sort::Newest,
            SortName::Oldest => Sort::Oldest,
        },
        limit: usize::from(arguments.limit),
        cursor: arguments.cursor.clone(),
    };
    let answer = arguments.data.catalogue()?.search(&question)?;
    let mut output = Output::new();
    let marks = if std::io::stdout().is_terminal() { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
    for hit in &answer.hits {
        if global.json { output.json(hit)? } else { print(hit, marks, &mut output)? }
    }
    output.flush()?;
    if !global.quiet {
        summarize(&answer);
    }
    Ok(Outcome::Done)
}

fn summarize(answer: &SearchAnswer) {
    let next = answer.next.as_deref().map(|next| format!("; next page: --cursor {next}")).unwrap_or_default();
    let total = grouped_digits(answer.total as usize);
    let found =
        if answer.total == 1 { "1 document matches".to_owned() } else { format!("{total} documents match") };
    eprintln!("firstcopy: {found}{next}");
}

fn print(hit: &Hit, marks: (&str, &str), output: &mut Output) -> Result<()> {
    let title = hit.title.as_deref().map(|title| title.split_whitespace().collect::<Vec<_>>().join(" "));
    output.line(title.as_deref().unwrap_or(&hit.id))?;
    let place = hit.url.as_deref().unwrap_or(&hit.id);
    let by = hit.author.as_deref().map(|author| format!(" by {author}")).unwrap_or_default();
    let gone = hit.gone_at.as_deref().map(|at| format!(", gone since {at}")).unwrap_or_default();
    output.line(&format!("  {place}{by}, {}{gone}", hit.date))?;
    output.marked(&hit.snippet, &hit.highlights, marks)?;
    if hit.copies > 0 {
        let named = names(&hit.first_copies, hit.copies);
        output.line(&format!("  {}: {named}", copies(hit.copies)))?;
    }
    if !hit.matching_copies.is_empty() {
        output.line(&format!("  found in {}", names(&hit.matching_copies, hit.matching_copies.len())))?;
    }
    Ok(())
}

fn copies(count: usize) -> String {
    if count == 1 { "1 copy".to_owned() } else { format!("{} copies", grouped_digits(count)) }
}

fn names(copies: &[CopyName], all: usize) -> String {
    let named: Vec<&str> = copies.iter().map(|copy| copy.url.as_deref().unwrap_or(&copy.id)).collect();
    let more = if all > named.len() { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}
