//! How many pages are checked for copied passages in an hour while the sources grow, the way `firstcopy copies` does it
//! (sakurai-2009 figure 5); and what the sources take.

mod documents;

use crate::CommonArguments;
use crate::add::cores;
use crate::measure::{forget_peak_memory, memory_mb};
use crate::random::Random;
use crate::report::{Lines, Report};
use crate::temporary;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use cpu_time::ProcessTime;
use documents::{Blog, CheckedPage};
use firstcopy_input::{ReadOptions, for_each_ordered, open};
use firstcopy_passages::{
    Copies, Finder, Rule, SourceDatabase, SourceSettings, SourceStatistics, SourceWriter,
};
use firstcopy_text::Analyzer;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::{AddAssign, ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

#[derive(Args)]
pub struct Arguments {
    /// Sources of the largest database.
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    documents: u64,
    /// Threads; as many as there are cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The folder on whose disk the sources lie.
    #[arg(long, value_name = "DIR", default_value = ".")]
    temp_dir: PathBuf,
    #[command(flatten)]
    common: CommonArguments,
}

const SIZES: [u64; 6] = [10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000];
const QUICK_SIZE: u64 = 30_000;
/// Pages that are checked at every size.
const PAGES: u64 = 20_000;
const QUICK_PAGES: u64 = 2_000;
/// The number of the first page: none of the sources has it.
const FIRST_PAGE: u64 = 1 << 40;
/// One page in so many has a passage planted in it.
const EVERY_PLANTED: u64 = 10;
/// Bytes of real text in every language.
const BYTES_A_LANGUAGE: usize = 20_000_000;
/// Documents that are written to a file together, to be read from there: as few as that file stays in memory.
const IN_A_FILE: usize = 50_000;
/// Memory for sorting.
const MEMORY: u64 = 4 << 30;
/// How often all pages are checked; the first time what is needed of the sources is read, and its checksums looked at.
const ROUNDS: usize = 10;
/// Pages that a thread takes at a time.
const TOGETHER: usize = 64;
/// Sources that must fit on a machine (sakurai-2009: 20 million).
const GOAL: f64 = 20e6;

pub fn run(arguments: &Arguments) -> Result<()> {
    let common = &arguments.common;
    let blog = Blog::read(&common.data, BYTES_A_LANGUAGE);
    let folder = temporary::on_disk(&arguments.temp_dir)?;
    let threads = arguments.threads.unwrap_or_else(cores);
    let database = Database { place: folder.path().join("sources"), blog: &blog, threads };
    let mut checked = Vec::new();
    let mut written = 0;
    for size in sizes(arguments) {
        let grown = database.grow(written..size, &folder.path().join("documents.jsonl"))?;
        eprintln!("{size} sources");
        let pages = pages(&blog, size, if common.quick { QUICK_PAGES } else { PAGES });
        checked.push(database.check(grown, pages)?);
        written = size;
    }
    // In turn, so that no size has the machine at a better time than another: what is open stays as it was opened.
    for _ in 1..ROUNDS {
        checked.iter_mut().try_for_each(|size| size.check_again(threads))?;
    }
    let rows: Vec<Row> = checked.into_iter().map(|size| size.row).collect();
    report(&rows, blog.origin(), common)
}

/// The usual sizes up to the largest that was asked for.
fn sizes(arguments: &Arguments) -> Vec<u64> {
    let largest =
        if arguments.common.quick { QUICK_SIZE.min(arguments.documents) } else { arguments.documents };
    SIZES.into_iter().filter(|&size| size < largest).chain([largest]).collect()
}

/// Pages that are no sources; into some of them a passage of any source was copied.
fn pages(blog: &Blog, sources: u64, count: u64) -> Vec<CheckedPage> {
    let mut random = Random::new(sources);
    let mut source =
        |number: u64| number.is_multiple_of(EVERY_PLANTED).then(|| random.below(sources as usize) as u64);
    (0..count).map(|number| blog.page(FIRST_PAGE + number, source(number))).collect()
}

/// Time that work took.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    wall: f64,
    cpu: f64,
}

impl Spent {
    fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let result = work();
        self.wall += wall.elapsed().as_secs_f64();
        self.cpu += cpu.elapsed().as_secs_f64();
        result
    }
}

/// What was found of what was planted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    planted: usize,
    found: usize,
    others: usize,
}

impl Tally {
    /// A planted passage is found if at least half of it is said to be of its source.
    fn of(page: &CheckedPage, copies: &Copies) -> Self {
        let Some(planted) = &page.planted else {
            return Tally { others: copies.passages.len(), ..Tally::default() };
        };
        let (of_it, others): (Vec<_>, Vec<_>) =
            copies.passages.iter().partition(|passage| passage.source == planted.source);
        let characters: usize = of_it.iter().map(|passage| passage.end - passage.start).sum();
        let is_found = 2 * characters >= planted.characters;
        Tally { planted: 1, found: usize::from(is_found), others: others.len() }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.planted += other.planted;
        self.found += other.found;
        self.others += other.others;
    }
}

/// What one size gave.
struct Row {
    statistics: SourceStatistics,
    grown: Spent,
    open_ms: f64,
    pages: usize,
    first: Spent,
    /// The best time of all rounds.
    best: Spent,
    /// What the benchmark itself has in memory, its pages above all.
    before_mb: Option<f64>,
    peak_mb: Option<f64>,
    tally: Tally,
}

impl Row {
    fn pages_an_hour(&self, spent: Spent) -> f64 {
        3600.0 * self.pages as f64 / spent.wall
    }

    fn cpu_us_a_page(&self) -> f64 {
        self.best.cpu * 1e6 / self.pages as f64
    }

    fn index_bytes_a_document(&self) -> f64 {
        self.statistics.index_bytes as f64 / self.statistics.documents.max(1) as f64
    }
}

/// The sources, while they grow.
struct Database<'a> {
    place: PathBuf,
    blog: &'a Blog,
    threads: usize,
}

impl Database<'_> {
    /// Adds documents as `firstcopy sources` does; what making them takes is not counted.
    fn grow(&self, numbers: Range<u64>, file: &Path) -> Result<Spent> {
        let mut spent = Spent::default();
        let mut writer = spent.during(|| match numbers.start {
            0 => SourceWriter::build(&self.place, SourceSettings::default(), MEMORY),
            _ => SourceWriter::add(&self.place, MEMORY),
        })?;
        let analyzer = writer.settings().analyzer();
        for first in numbers.clone().step_by(IN_A_FILE) {
            write_documents(self.blog, first..numbers.end.min(first + IN_A_FILE as u64), file)?;
            spent.during(|| self.push_all(&mut writer, &analyzer, file))?;
        }
        spent.during(|| writer.finish())?;
        Ok(spent)
    }

    fn push_all(&self, writer: &mut SourceWriter, analyzer: &Analyzer, file: &Path) -> Result<()> {
        let documents = open(&[file.display().to_string()], ReadOptions::default())?.pages();
        let digested = |page| analyzer.digest(page);
        let end = for_each_ordered(documents, self.threads, digested, |document| {
            let pushed = document.map_err(|reject| anyhow!("{reject}")).and_then(|one| Ok(writer.push(one)?));
            pushed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        match end {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    /// Checks all pages for the first time.
    fn check(&self, grown: Spent, pages: Vec<CheckedPage>) -> Result<Size> {
        forget_peak_memory();
        let before_mb = memory_mb("VmRSS");
        let mut opened = Spent::default();
        let sources = opened.during(|| SourceDatabase::open(&self.place))?;
        let mut first = Spent::default();
        let tally = first.during(|| round(&sources, &pages, self.threads))?;
        let row = Row {
            statistics: sources.statistics()?,
            grown,
            open_ms: opened.wall * 1e3,
            pages: pages.len(),
            first,
            best: first,
            before_mb,
            peak_mb: memory_mb("VmHWM"),
            tally,
        };
        Ok(Size { sources, pages, row })
    }
}

/// The sources as they were at one size, and what is checked against them.
struct Size {
    sources: SourceDatabase,
    pages: Vec<CheckedPage>,
    row: Row,
}

impl Size {
    fn check_again(&mut self, threads: usize) -> Result<()> {
        let mut spent = Spent::default();
        spent.during(|| round(&self.sources, &self.pages, threads))?;
        let best = &mut self.row.best;
        *best = Spent { wall: best.wall.min(spent.wall), cpu: best.cpu.min(spent.cpu) };
        Ok(())
    }
}

/// Reads, digests and looks up every page once, on all threads.
fn round(sources: &SourceDatabase, pages: &[CheckedPage], threads: usize) -> Result<Tally> {
    let analyzer = sources.settings().analyzer();
    let finder = Finder::new(sources, &analyzer, Rule::default());
    let next = AtomicUsize::new(0);
    let work = || -> Result<Tally> {
        let mut tally = Tally::default();
        while let Some(some) = pages.chunks(TOGETHER).nth(next.fetch_add(1, Relaxed)) {
            for page in some {
                let document = analyzer.digest(page.page.clone());
                tally += Tally::of(page, &finder.copies(&document)?);
            }
        }
        Ok(tally)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Tally::default();
        for worker in workers {
            all += worker.join().map_err(|_| anyhow!("a thread that checks pages panicked"))??;
        }
        Ok(all)
    })
}

fn write_documents(blog: &Blog, numbers: Range<u64>, path: &Path) -> Result<()> {
    let mut file = BufWriter::new(File::create(path).context("cannot write the documents")?);
    for number in numbers {
        serde_json::to_writer(&mut file, &blog.record(number))?;
        file.write_all(b"\n")?;
    }
    file.flush().context("cannot write the documents")
}

fn report(rows: &[Row], origin: &str, common: &CommonArguments) -> Result<()> {
    let columns = [
        "text",
        "documents",
        "segments",
        "grown s",
        "grown CPU s",
        "index bytes a segment",
        "index bytes a document",
        "text bytes a document",
        "open ms",
        "pages an hour",
        "the first time",
        "CPU µs a page",
        "peak MB",
        "planted",
        "found",
        "others",
    ];
    let mut report = Report::new("digest", &columns);
    for row in rows {
        let statistics = &row.statistics;
        report.row(vec![
            json!(origin),
            json!(statistics.documents),
            json!(statistics.segments),
            json!(row.grown.wall),
            json!(row.grown.cpu),
            json!(statistics.bytes_per_segment),
            json!(row.index_bytes_a_document()),
            json!(statistics.document_bytes as f64 / statistics.documents.max(1) as f64),
            json!(row.open_ms),
            json!(row.pages_an_hour(row.best)),
            json!(row.pages_an_hour(row.first)),
            json!(row.cpu_us_a_page()),
            json!(row.peak_mb),
            json!(row.tally.planted),
            json!(row.tally.found),
            json!(row.tally.others),
        ]);
    }
    report.finish(common, "pages an hour")?;
    if !common.json {
        print_growth(rows);
    }
    common.output.as_deref().map_or(Ok(()), |folder| draw(rows, folder))
}

/// Whether time grows as a logarithm does, and what the goal would take.
fn print_growth(rows: &[Row]) {
    let (Some(small), Some(large)) = (rows.first(), rows.last()) else { return };
    let logarithm = |row: &Row| (row.statistics.segments.max(2) as f64).log2();
    println!(
        "CPU time a page grew {:.2}-fold from {} to {} documents; the logarithm of the segments grew {:.2}-fold.",
        large.cpu_us_a_page() / small.cpu_us_a_page(),
        small.statistics.documents,
        large.statistics.documents,
        logarithm(large) / logarithm(small),
    );
    println!(
        "{:.0} million documents would take {:.2} GB of index.",
        GOAL / 1e6,
        GOAL * large.index_bytes_a_document() / 1e9
    );
    if let Some(before) = large.before_mb {
        println!("Of the peak memory {before:.0} MB are the pages and texts of the benchmark.");
    }
}

fn draw(rows: &[Row], folder: &Path) -> Result<()> {
    let line = |of: fn(&Row) -> f64| {
        rows.iter().map(|row| (row.statistics.documents as f64, of(row) / 1e6)).collect::<Vec<_>>()
    };
    Lines {
        name: "digest-growth",
        title: "Pages checked in an hour while the sources grow",
        across: "documents",
        unit: "million pages an hour",
        is_logarithmic: false,
        series: vec![
            ("again".to_owned(), line(|row| row.pages_an_hour(row.best))),
            ("the first time".to_owned(), line(|row| row.pages_an_hour(row.first))),
        ],
    }
    .draw(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_planted_is_found_and_nothing_else() {
        let blog = Blog::read(Path::new("no such folder"), 400_000);
        let folder = temporary::in_memory().unwrap();
        let database = Database { place: folder.path().join("sources"), blog: &blog, threads: 2 };
        let file = folder.path().join("documents.jsonl");
        database.grow(0..300, &file).unwrap();
        let grown = database.grow(300..400, &file).unwrap();
        let mut size = database.check(grown, pages(&blog, 400, 200)).unwrap();
        size.check_again(2).unwrap();
        let row = size.row;
        assert_eq!(row.statistics.documents, 400);
        assert_eq!(row.tally, Tally { planted: 20, found: 20, others: 0 });
    }
}
