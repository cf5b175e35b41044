//! The index in use at its size: how fast it grows, how fast it answers.

use super::phrases::short_queries;
use crate::CommonArguments;
use crate::add::Posts;
use crate::data::LANGUAGES;
use crate::measure::{memory_mb, percentile};
use crate::report::Report;
use crate::temporary;
use anyhow::Result;
use cpu_time::ProcessTime;
use firstcopy_search::{Ask, Entry, Query, SearchIndex};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Documents a commit, while it grows.
const BATCH: usize = 5000;
/// Queries a language.
const QUERIES: usize = 500;
/// Commits of one document each.
const SINGLE: usize = 100;

pub fn run(documents: usize, place: &Path, arguments: &CommonArguments) -> Result<()> {
    let posts = Posts::pages(&arguments.data);
    let folder = temporary::on_disk(place)?;
    let mut index = SearchIndex::open(folder.path())?;
    eprintln!("{documents} documents of {} texts", posts.origin());
    let (cpu, mut making, mut bytes) = (ProcessTime::now(), 0.0, 0);
    for number in 0..documents {
        let start = ProcessTime::now();
        let text = posts.article(number);
        making += start.elapsed().as_secs_f64();
        bytes += text.len();
        put(&mut index, number, &text)?;
        if number % BATCH == BATCH - 1 {
            index.commit(number as u64)?;
        }
    }
    index.commit(documents as u64)?;
    // Merges go on in the background; closing waits for them.
    index.close()?;
    let growing = cpu.elapsed().as_secs_f64() - making;
    let mut index = SearchIndex::open(folder.path())?;
    let weight = index.statistics()?.bytes;
    let mut report = Report::new(
        "search-growth",
        &[
            "documents",
            "text MB",
            "index bytes / text bytes",
            "MB/CPU-s",
            "commit of one p50 ms",
            "p99 ms",
            "peak MB",
        ],
    );
    let mut commits = commit_each(&mut index, &posts, documents)?;
    report.row(vec![
        json!(documents),
        json!(bytes as f64 / 1e6),
        json!(weight as f64 / bytes as f64),
        json!(bytes as f64 / 1e6 / growing),
        json!(percentile(&mut commits, 0.5)),
        json!(percentile(&mut commits, 0.99)),
        json!(memory_mb("VmHWM")),
    ]);
    report.finish(arguments, "MB/CPU-s")?;
    latency(&index, &posts, documents)?.finish(arguments, "p50 ms")
}

fn put(index: &mut SearchIndex, number: usize, text: &str) -> Result<()> {
    let title = text.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    Ok(index.put(&Entry {
        number: number as u32,
        title: &title,
        text,
        date: number as i64,
        ..Entry::default()
    })?)
}

/// One new document a commit: milliseconds.
fn commit_each(index: &mut SearchIndex, posts: &Posts, documents: usize) -> Result<Vec<f64>> {
    let one = |number: usize| -> Result<f64> {
        let text = posts.article(number);
        let start = Instant::now();
        put(index, number, &text)?;
        index.commit(number as u64)?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    (documents..documents + SINGLE).map(one).collect()
}

/// Words and phrases from documents in the index.
fn latency(index: &SearchIndex, posts: &Posts, documents: usize) -> Result<Report> {
    let mut report = Report::new(
        "search-latency",
        &["language", "queries", "p50 ms", "p99 ms", "longest ms", "median hits"],
    );
    let searcher = index.searcher();
    for (at, language) in LANGUAGES.into_iter().enumerate() {
        let texts = (0..documents).skip(at).step_by(LANGUAGES.len()).map(|number| posts.article(number));
        let words = short_queries(language, texts, QUERIES);
        let phrases = words.iter().map(|words| format!("\"{words}\"")).collect();
        for (kind, queries) in [("words", words), ("phrases", phrases)] {
            let (mut times, mut hits) = (Vec::new(), Vec::new());
            for query in &queries {
                let start = Instant::now();
                let found = searcher.search(&Query::parse(query)?, &Ask::default())?;
                times.push(start.elapsed().as_secs_f64() * 1e3);
                hits.push(found.total as f64);
            }
            report.row(vec![
                json!(format!("{language} {kind}")),
                json!(queries.len()),
                json!(percentile(&mut times, 0.5)),
                json!(percentile(&mut times, 0.99)),
                json!(percentile(&mut times, 1.0)),
                json!(percentile(&mut hits, 0.5)),
            ]);
        }
    }
    Ok(report)
}
