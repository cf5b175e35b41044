//! How fast posts are judged and stored, end to end, the way `firstcopy add` does it; and whether that lasts.

mod posts;

pub use posts::Posts;

use crate::CommonArguments;
use crate::measure::{memory_mb, percentile};
use crate::report::Report;
use crate::temporary;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use cpu_time::ProcessTime;
use firstcopy_engine::{Draft, Engine, OpenOptions, Ticket, Timings};
use firstcopy_input::{ReadOptions, for_each_ordered, open};
use firstcopy_text::Page;
use serde_json::json;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
#[command(name = "add")]
pub struct Arguments {
    /// How many documents are added.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    documents: usize,
    /// Adds short texts of made words instead of pages: for many documents.
    #[arg(long)]
    synthetic: bool,
    /// Threads that analyse pages; as many as there are cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Lets search and similarity rest: the store-time check alone.
    #[arg(long)]
    no_followers: bool,
    /// Single documents that are added one at a time whenever a size is reached.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    single: usize,
    /// The folder on whose disk the data directory is made.
    #[arg(long, value_name = "DIR", default_value = ".")]
    temp_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

/// Shares of all documents at which the growth is looked at: 10 k, 50 k, 100 k and 200 k of 200 k.
const PAGE_SIZES: [f64; 4] = [0.05, 0.25, 0.5, 1.0];
/// 150 k, 500 k, 1 M and 1.5 M of 1.5 M.
const SYNTHETIC_SIZES: [f64; 4] = [0.1, 1.0 / 3.0, 2.0 / 3.0, 1.0];
/// Answers that are waited for only when so many are on their way: as many as the writer takes.
const ON_THEIR_WAY: usize = 2048;

/// What one stretch took.
pub struct Stretch {
    pub documents: usize,
    pub wall: f64,
    pub cpu: f64,
    timings: Timings,
    duplicates: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let documents = if arguments.common.quick { arguments.documents / 50 } else { arguments.documents };
    let single = if arguments.common.quick { arguments.single / 10 } else { arguments.single };
    let posts = if arguments.synthetic { Posts::made() } else { Posts::pages(&arguments.common.data) };
    let folder = temporary::on_disk(&arguments.temp_dir)?;
    let data = folder.path().join("data");
    let threads = arguments.threads.unwrap_or_else(cores);
    eprintln!("{documents} documents of {} texts, {threads} threads", posts.origin());
    let mut tables = Tables::new();
    let options = OpenOptions { followers: !arguments.no_followers, ..OpenOptions::default() };
    let engine = Engine::open(&data, options.clone())?;
    let sizes = if arguments.synthetic { SYNTHETIC_SIZES } else { PAGE_SIZES };
    let mut numbers = 0..;
    let mut stored = 0;
    for size in sizes.map(|share| (documents as f64 * share).round() as usize) {
        let input = folder.path().join("posts.jsonl");
        let bytes = write_posts(&posts, numbers.by_ref().take(size - stored), &input)?;
        let stretch = add_all(&engine, &input, threads, |page| engine.analyze(page))?;
        eprintln!("{size} stored");
        tables.stretch(size, bytes, &stretch);
        tables.singles(size, add_singly(&engine, &posts, numbers.by_ref().take(single))?);
        tables.memory(size, &engine)?;
        stored = size;
    }
    let closing = Instant::now();
    drop(engine);
    let closing = closing.elapsed().as_secs_f64();
    let opening = Instant::now();
    drop(Engine::open(&data, OpenOptions { create: false, ..options })?);
    tables.opened(documents, closing, opening.elapsed().as_secs_f64());
    tables.finish(&arguments.common)
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

pub fn write_posts(posts: &Posts, numbers: impl Iterator<Item = usize>, path: &Path) -> Result<u64> {
    let mut file = BufWriter::new(File::create(path).context("cannot write the posts")?);
    for number in numbers {
        serde_json::to_writer(&mut file, &posts.record(number))?;
        file.write_all(b"\n")?;
    }
    Ok(file.into_inner().context("cannot write the posts")?.metadata()?.len())
}

/// Reads, analyses and submits as the command does: many threads analyse, one submits in the order of the input.
pub fn add_all(
    engine: &Engine,
    input: &Path,
    threads: usize,
    analyze: impl Fn(Page) -> Draft + Sync,
) -> Result<Stretch> {
    let (before, wall, cpu) = (engine.timings(), Instant::now(), ProcessTime::now());
    let mut waiting: VecDeque<Ticket> = VecDeque::new();
    let (mut documents, mut duplicates) = (0, 0);
    let mut take = |ticket: Ticket| -> Result<()> {
        duplicates += usize::from(!ticket.wait()?.is_original());
        Ok(())
    };
    let pages = open(&[input.display().to_string()], ReadOptions::default())?.pages();
    let end = for_each_ordered(pages, threads, analyze, |draft| {
        let submitted = draft.map_err(|reject| anyhow!("{reject}")).and_then(|draft| {
            waiting.push_back(engine.submit(draft));
            documents += 1;
            match waiting.len() {
                ON_THEIR_WAY.. => waiting.pop_front().map_or(Ok(()), &mut take),
                _ => Ok(()),
            }
        });
        submitted.map_or_else(ControlFlow::Break, ControlFlow::Continue)
    });
    if let ControlFlow::Break(error) = end {
        return Err(error);
    }
    waiting.into_iter().try_for_each(&mut take)?;
    // As the command does: search and similarity are part of the price, if they follow at all.
    engine.catch_up()?;
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
    Ok(Stretch { documents, wall, cpu, timings: since(&engine.timings(), &before), duplicates })
}

fn since(now: &Timings, before: &Timings) -> Timings {
    Timings {
        extract: now.extract - before.extract,
        features: now.features - before.features,
        pack: now.pack - before.pack,
        lookup: now.lookup - before.lookup,
        compare: now.compare - before.compare,
        write: now.write - before.write,
        commit: now.commit - before.commit,
        index: now.index - before.index,
        commits: now.commits - before.commits,
    }
}

/// One document after the other, each waited for until it is on the disk: milliseconds.
fn add_singly(engine: &Engine, posts: &Posts, numbers: impl Iterator<Item = usize>) -> Result<Vec<f64>> {
    let one = |number: usize| -> Result<f64> {
        let page = posts.page(number);
        let start = Instant::now();
        engine.add(page)?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    numbers.map(one).collect()
}

/// What is reported.
struct Tables {
    speed: Report,
    shares: Report,
    singles: Report,
    memory: Report,
    opening: Report,
}

impl Tables {
    fn new() -> Self {
        let shares = [
            "size",
            "extract",
            "features",
            "pack",
            "lookup",
            "compare",
            "write",
            "commit",
            "index",
            "documents a commit",
        ];
        Tables {
            speed: Report::new(
                "add",
                &[
                    "size",
                    "documents/s",
                    "documents/CPU-s",
                    "MB/s",
                    "cores used",
                    "duplicates",
                    "bytes a document",
                ],
            ),
            shares: Report::new("add-shares", &shares),
            singles: Report::new("add-single", &["size", "p50 ms", "p99 ms", "longest ms", "documents"]),
            memory: Report::new(
                "add-memory",
                &["size", "peak MB", "own MB", "store MB", "index MB", "stored bytes a document"],
            ),
            opening: Report::new("add-opening", &["size", "open s", "close s"]),
        }
    }

    fn stretch(&mut self, size: usize, bytes: u64, stretch: &Stretch) {
        let Stretch { documents, wall, cpu, timings, duplicates } = stretch;
        let count = *documents as f64;
        self.speed.row(vec![
            json!(size),
            json!(count / wall),
            json!(count / cpu),
            json!(bytes as f64 / wall / 1e6),
            json!(cpu / wall),
            json!(*duplicates as f64 / count),
            json!(bytes as f64 / count),
        ]);
        let Timings { extract, features, pack, lookup, compare, write, commit, index, commits } = *timings;
        let steps = [extract, features, pack, lookup, compare, write, commit, index];
        let all: f64 = steps.iter().sum();
        let mut row = vec![json!(size)];
        row.extend(steps.map(|seconds| json!(seconds / all)));
        row.push(json!(count / commits.max(1) as f64));
        self.shares.row(row);
    }

    fn singles(&mut self, size: usize, mut milliseconds: Vec<f64>) {
        if milliseconds.is_empty() {
            return;
        }
        self.singles.row(vec![
            json!(size),
            json!(percentile(&mut milliseconds, 0.5)),
            json!(percentile(&mut milliseconds, 0.99)),
            json!(percentile(&mut milliseconds, 1.0)),
            json!(milliseconds.len()),
        ]);
    }

    fn memory(&mut self, size: usize, engine: &Engine) -> Result<()> {
        let statistics = engine.statistics()?;
        let (store, index) = (statistics.store_bytes as f64, statistics.index_bytes as f64);
        self.memory.row(vec![
            json!(size),
            json!(memory_mb("VmHWM")),
            json!(memory_mb("RssAnon")),
            json!(store / 1e6),
            json!(index / 1e6),
            json!((store + index) / statistics.documents.max(1) as f64),
        ]);
        Ok(())
    }

    fn opened(&mut self, size: usize, closing: f64, opening: f64) {
        self.opening.row(vec![json!(size), json!(opening), json!(closing)]);
    }

    fn finish(&self, arguments: &CommonArguments) -> Result<()> {
        self.speed.finish(arguments, "documents/s")?;
        self.shares.finish(arguments, "extract")?;
        self.singles.finish(arguments, "p99 ms")?;
        self.memory.finish(arguments, "peak MB")?;
        self.opening.finish(arguments, "open s")
    }
}
