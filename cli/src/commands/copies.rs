//! `firstcopy copies`: which parts of these pages were taken from where?

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::outcome::{Outcome, UsageError};
use crate::output::{Output, counted};
use crate::reading::for_each_page;
use crate::storing::passage_line;
use anyhow::{Context, Result};
use clap::Args;
use firstcopy_passages::{
    Copies, Finder, Kind, Passage, ReportedPage, Rule, SourceDatabase, index_report, page_report,
};
use firstcopy_text::Document;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Finds passages that were copied from the documents of a source database.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy copies blog/*.html --sources sources
  firstcopy copies posts.jsonl --sources sources --json > passages.jsonl
  firstcopy copies posts.jsonl --sources sources --html report

Every passage is compared text with text before it is named: with its place in the page and in its source, in characters of
their core texts. A source with the id of a page is that page itself, and not counted. Ends with code 1 if any is found.")]
pub struct Arguments {
    /// Files, directories, globs, or - for stdin.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// The source database that `firstcopy sources build` made.
    #[arg(long, value_name = "DB")]
    sources: PathBuf,
    #[command(flatten)]
    rule: RuleArguments,
    /// Writes a report to look at into this folder: every page with its passages marked, and an index.
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadArguments,
    #[command(flatten)]
    bad: RejectArguments,
}

/// What makes a passage.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct RuleArguments {
    /// The least a passage has: so many segments, or the weight of so many ordinary ones (Sakurai et al. 2009: 3).
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    min_segments: u16,
    /// Segments with fewer normalised characters count for nothing; what the sources were built with if absent (5).
    #[arg(long, value_name = "N")]
    min_segment_chars: Option<usize>,
    /// Counts a segment by how long and how rare it is, looks beyond where sentences were cut, and bridges small edits (the
    /// default).
    #[arg(long, overrides_with = "no_weigh")]
    weigh: bool,
    /// Counts every segment as one, and passages only as far as their segments agree (Sakurai et al. 2009).
    #[arg(long, overrides_with = "weigh")]
    no_weigh: bool,
    /// Lists every source of a passage: the longest match first, then the earliest source. Else only the best.
    #[arg(long)]
    all_sources: bool,
}

impl RuleArguments {
    pub fn rule(&self, sources: &SourceDatabase) -> Result<Rule> {
        let built = sources.settings().min_segment_chars;
        let min_segment_chars = self.min_segment_chars.unwrap_or(built);
        if min_segment_chars < built {
            let what = format!(
                "--min-segment-chars {min_segment_chars}: the sources were built with {built}: build them again with \
                 --min-segment-chars {min_segment_chars}"
            );
            return Err(UsageError(what).into());
        }
        Ok(Rule {
            min_segments: usize::from(self.min_segments),
            min_segment_chars,
            weigh: !self.no_weigh,
            all_sources: self.all_sources,
        })
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let sources = SourceDatabase::open(&arguments.sources)?;
    let analyzer = sources.settings().analyzer();
    let finder = Finder::new(&sources, &analyzer, arguments.rule.rule(&sources)?);
    let mut report = arguments.html.as_deref().map(Report::create).transpose()?;
    let (mut output, mut found, mut checked) = (Output::new(), false, 0);
    let work = |page| {
        let page = analyzer.digest(page);
        let copies = finder.copies(&page);
        (page, copies)
    };
    let outcome = for_each_page(
        &arguments.inputs,
        (&arguments.reading, &arguments.bad),
        global,
        work,
        |(page, copies)| {
            let copies = copies?;
            checked += 1;
            if copies.passages.is_empty() {
                return Ok(());
            }
            found = true;
            if let Some(report) = &mut report {
                report.add(&page, &copies)?;
            }
            print(&page, &copies, global, &mut output)
        },
    )?;
    output.flush()?;
    if let Some(report) = report {
        report.finish(checked)?;
    }
    Ok(if outcome == Outcome::Done && found { Outcome::Copies } else { outcome })
}

/// What `--json` prints of a page.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    url: Option<&'a str>,
    copied_share: f64,
    kind: Option<Kind>,
    passages: &'a [Passage],
}

fn print(page: &Document, copies: &Copies, global: &GlobalArguments, output: &mut Output) -> Result<()> {
    if global.json {
        let Copies { passages, copied_share, .. } = copies;
        let (id, url) = (page.id.as_str(), page.url.as_deref());
        return output.json(&Line { id, url, copied_share: *copied_share, kind: copies.kind(), passages });
    }
    let share = 100.0 * copies.copied_share;
    output.line(&format!(
        "{}: {share:.1} % copied, {}",
        page.id,
        counted(copies.passages.len(), "passage")
    ))?;
    for passage in &copies.passages {
        output.line(&format!("  {}", passage_line(passage)))?;
        output.line(&format!("    {}", beginning(&passage.text)))?;
    }
    Ok(())
}

/// As much of a passage as fits a line.
fn beginning(text: &str) -> String {
    const SHOWN: usize = 100;
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

/// The report: a file for every page, written at once, and the index at the end.
struct Report {
    folder: PathBuf,
    pages: Vec<ReportedPage>,
}

impl Report {
    fn create(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Report { folder: folder.to_owned(), pages: Vec::new() })
    }

    fn add(&mut self, page: &Document, copies: &Copies) -> Result<()> {
        let file = format!("{:06}.html", self.pages.len() + 1);
        self.write(&file, &page_report(page, copies))?;
        let longest = copies.passages.iter().max_by_key(|passage| passage.end - passage.start);
        self.pages.push(ReportedPage {
            id: page.id.clone(),
            file,
            copied_share: copies.copied_share,
            kind: copies.kind().map_or("", Kind::name),
            passages: copies.passages.len(),
            source: longest.map(|passage| passage.source.clone()).unwrap_or_default(),
        });
        Ok(())
    }

    fn finish(mut self, checked: u64) -> Result<()> {
        let index = index_report(&mut self.pages, checked);
        self.write("index.html", &index)
    }

    fn write(&self, file: &str, html: &str) -> Result<()> {
        let path = self.folder.join(file);
        std::fs::write(&path, html).with_context(|| format!("cannot write {}", path.display()))
    }
}
