//! The store-time check one document at a time, each durable before the next: the row of the peer benchmark.

use crate::measure::percentile;
use crate::temporary;
use anyhow::{Context, Result};
use clap::Args;
use cpu_time::{ProcessTime, ThreadTime};
use firstcopy_engine::{Engine, OpenOptions, Policy, Timings, Verdict, Wanted};
use firstcopy_text::{Content, Page};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(name = "gate")]
pub struct Arguments {
    /// Documents as JSON Lines: `id`, `text`, and for a copy `copy_of` and its true `resemblance`.
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,
    /// Also writes the result into this file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many milliseconds an answer may be ahead of the disk.
    #[arg(long, value_name = "N", default_value_t = 0)]
    sync_every: u64,
    /// The policy of the data directory: likeness, resemblance or paper.
    #[arg(long, value_name = "POLICY", default_value = "likeness", value_parser = policy)]
    policy: Policy,
    /// The folder on whose disk the data directory is made; the system's place for temporary files if not given.
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
}

/// Parses the name of a policy.
fn policy(name: &str) -> Result<Policy, String> {
    let policies = [Policy::Likeness, Policy::Resemblance, Policy::Paper];
    let unknown = || format!("no policy {name}; choose likeness, resemblance or paper");
    policies.into_iter().find(|policy| policy.name() == name).ok_or_else(unknown)
}

/// From this resemblance on a copy counts as one that must be found.
const NEAR: f64 = 0.85;
/// Documents that are checked again after a restart.
const CHECKED_AGAIN: usize = 1000;

#[derive(Deserialize)]
struct Record {
    id: String,
    text: String,
    copy_of: Option<String>,
    resemblance: Option<f64>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = temporary::on_disk(&arguments.temp_dir.clone().unwrap_or_else(std::env::temp_dir))?;
    let data = folder.path().join("data");
    let sync_every = Duration::from_millis(arguments.sync_every);
    let wanted = Wanted { policy: Some(arguments.policy), ..Wanted::default() };
    let mut stored = add_all(&arguments.corpus, &data, OpenOptions { sync_every, wanted, ..options() })?;
    let opening = Instant::now();
    let engine = Engine::open(&data, OpenOptions { create: false, ..options() })?;
    let reopen_seconds = opening.elapsed().as_secs_f64();
    let after = check_again(&arguments.corpus, &engine, &stored)?;
    let statistics = engine.statistics()?;
    let documents = stored.milliseconds.len();
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / documents.max(1) as f64;
    let row = json!({
        "peer": "firstcopy",
        "policy": arguments.policy.name(),
        "documents": documents,
        "check_insert_cpu_us": micros(stored.cpu.saturating_sub(stored.analyze_cpu)),
        "total_cpu_us": micros(stored.cpu),
        "p50_ms": percentile(&mut stored.milliseconds, 0.5),
        "p99_ms": percentile(&mut stored.milliseconds, 0.99),
        "recall": stored.found.recall(),
        "near_copies": stored.found.near,
        "false_candidates": stored.found.strange,
        "bytes": statistics.store_bytes + statistics.index_bytes,
        "index_bytes": statistics.index_bytes,
        "timings": stored.timings,
        "reopen_seconds": reopen_seconds,
        "recall_after_restart": after.recall(),
        "survives_restart": statistics.documents as usize == documents,
    });
    leave(&row, arguments.output.as_deref())
}

fn leave(row: &Value, output: Option<&Path>) -> Result<()> {
    println!("{row}");
    match output {
        Some(path) => std::fs::write(path, format!("{row}\n"))
            .with_context(|| format!("cannot write {}", path.display())),
        None => Ok(()),
    }
}

/// What came of storing all documents.
#[derive(Default)]
struct Stored {
    milliseconds: Vec<f64>,
    /// Of all threads, without reading the corpus.
    cpu: Duration,
    analyze_cpu: Duration,
    found: Found,
    /// The parts of the time of the clock on the wall.
    timings: Timings,
    /// The group of every document: the original it is a copy of, or itself.
    groups: HashMap<String, String>,
}

/// Which copies were found.
#[derive(Default)]
struct Found {
    near: usize,
    hits: usize,
    /// Duplicates of a document of another group.
    strange: usize,
}

impl Found {
    fn take(&mut self, record: &Record, verdict: &Verdict, groups: &HashMap<String, String>) {
        let group = record.copy_of.as_ref().unwrap_or(&record.id);
        let named = verdict.original.as_ref().and_then(|original| groups.get(original));
        let is_right = named == Some(group);
        self.strange += usize::from(named.is_some() && !is_right);
        if record.resemblance.is_some_and(|resemblance| resemblance >= NEAR) {
            self.near += 1;
            self.hits += usize::from(is_right);
        }
    }

    fn recall(&self) -> Option<f64> {
        (self.near > 0).then(|| self.hits as f64 / self.near as f64)
    }
}

fn records(corpus: &Path) -> Result<impl Iterator<Item = Result<Record>>> {
    let file = File::open(corpus).with_context(|| format!("cannot read {}", corpus.display()))?;
    let record = |line: std::io::Result<String>| Ok(serde_json::from_str(&line?)?);
    Ok(BufReader::new(file).lines().map(record))
}

/// Without search and similarity: the peers have none.
fn options() -> OpenOptions {
    OpenOptions { followers: false, ..OpenOptions::default() }
}

/// One after the other; when it returns, the directory is closed.
fn add_all(corpus: &Path, data: &Path, options: OpenOptions) -> Result<Stored> {
    let engine = Engine::open(data, options)?;
    let mut stored = Stored::default();
    let (cpu, mut reading, mut since) = (ProcessTime::now(), Duration::ZERO, ThreadTime::now());
    for record in records(corpus)? {
        let record = record?;
        let page = page(record.id.clone(), &record.text);
        reading += since.elapsed();
        let (start, analyze) = (Instant::now(), ThreadTime::now());
        let draft = engine.analyze(page);
        stored.analyze_cpu += analyze.elapsed();
        let verdict = engine.store(draft)?;
        stored.milliseconds.push(start.elapsed().as_secs_f64() * 1e3);
        since = ThreadTime::now();
        stored.found.take(&record, &verdict, &stored.groups);
        stored.groups.insert(record.id.clone(), record.copy_of.unwrap_or(record.id));
    }
    stored.timings = engine.timings();
    drop(engine);
    stored.cpu = cpu.elapsed().saturating_sub(reading);
    Ok(stored)
}

/// Checks documents again under other ids: copies, which must be found as before.
fn check_again(corpus: &Path, engine: &Engine, stored: &Stored) -> Result<Found> {
    let mut found = Found::default();
    let is_near = |record: &Result<Record>| {
        record
            .as_ref()
            .map_or(true, |record| record.resemblance.is_some_and(|resemblance| resemblance >= NEAR))
    };
    for record in records(corpus)?.filter(is_near).take(CHECKED_AGAIN) {
        let record = record?;
        let verdict = engine.check(page(format!("again/{}", record.id), &record.text))?;
        found.take(&record, &verdict, &stored.groups);
    }
    Ok(found)
}

fn page(id: String, text: &str) -> Page {
    Page { id, content: Content::text(text), ..Page::default() }
}
