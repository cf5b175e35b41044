//! The measurements behind every figure firstcopy publishes: which step is how fast, which answer how right?
//!
//! One module a benchmark; each prints a table and writes JSON and SVG when asked. The library exists so that tests can
//! hold a floor under what a benchmark measured.

mod accuracy;
mod add;
mod clustering;
mod data;
mod digest;
mod frames;
mod gate;
mod indexes;
mod kernels;
mod measure;
mod metrics;
mod minima;
mod queries;
mod random;
mod report;
mod search;
mod sweeps;
mod temporary;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

pub use accuracy::{
    GoalLine, PassageTally, Traced, mean_f1, sampled_goals, sampled_passages, sampled_traces,
};
pub use clustering::{Clustered, sampled_clusters};
pub use metrics::{Change, Curve, Figure, Point, sampled_curves};
pub use queries::{Agreement, sampled_agreement};
pub use search::sampled_recall;

/// The measurements behind every figure firstcopy publishes.
#[derive(Parser)]
#[command(
    name = "firstcopy-bench",
    version,
    after_help = "\
Examples:
  firstcopy-bench kernels
  firstcopy-bench accuracy --what extract
  firstcopy-bench indexes -o figures
  firstcopy-bench accuracy --what gate -o figures
  firstcopy-bench add --documents 200000
  firstcopy-bench search -o figures
  firstcopy-bench clustering --quick
  firstcopy-bench digest --documents 100000 -o figures
  firstcopy-bench metrics --what figures -o figures
  firstcopy-bench kernels -o figures --quick"
)]
struct Arguments {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// MB/s and tokens/s of every step from bytes to features, each alone and all together, on one thread.
    Kernels(CommonArguments),
    /// How right the extractors, the estimates and the store-time check are on labelled data.
    Accuracy(accuracy::Arguments),
    /// The four duplicate indexes side by side while they grow: time, pages, bytes (lee-2010 figures 2 and 3, lee-2008
    /// figure 4.2).
    Indexes(indexes::Arguments),
    /// JSON Lines to tokens, shingles and minima, end to end on one core: the row that `bench/peers/run` compares.
    Minima(minima::Arguments),
    /// Documents/s, latencies, memory and growth of judging and storing posts, the way `firstcopy add` does it.
    Add(add::Arguments),
    /// `similar` against a comparison of all pairs, and its time while the collection grows.
    Queries(queries::Arguments),
    /// The store-time check one durable document at a time: the row that `bench/peers/run-gate` compares.
    Gate(gate::Arguments),
    /// Terms and queries compared by what they find again; size, speed and latencies of the search index.
    Search(search::Arguments),
    /// The clusters of a collection beside a comparison of all pairs; what the phases take while it grows (broder-1997).
    Clustering(clustering::Arguments),
    /// Merging a crawl: new pages, and pages as they were.
    Sweeps(sweeps::Arguments),
    /// Pages checked for copied passages in an hour while the sources grow, and what those take (sakurai-2009 figure 5).
    Digest(digest::Arguments),
    /// The metrics of page change beside the yardstick, and their speed beside other libraries (kwon-2007 figures 7 and 8,
    /// table 1).
    Metrics(metrics::Arguments),
}

/// What every benchmark takes.
#[derive(Args)]
struct CommonArguments {
    /// The folder of real text; a benchmark that can do without makes its own.
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    data: PathBuf,
    /// Runs small.
    #[arg(long)]
    quick: bool,
    /// Also writes the table as JSON and SVG into this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Prints one JSON object per row instead of a table.
    #[arg(long)]
    json: bool,
}

/// Parses the command line and runs one benchmark.
pub fn run() -> anyhow::Result<()> {
    match Arguments::parse().benchmark {
        Benchmark::Kernels(arguments) => kernels::run(&arguments),
        Benchmark::Accuracy(arguments) => accuracy::run(&arguments),
        Benchmark::Indexes(arguments) => indexes::run(&arguments),
        Benchmark::Minima(arguments) => minima::run(&arguments),
        Benchmark::Add(arguments) => add::run(&arguments),
        Benchmark::Queries(arguments) => queries::run(&arguments),
        Benchmark::Gate(arguments) => gate::run(&arguments),
        Benchmark::Search(arguments) => search::run(&arguments),
        Benchmark::Clustering(arguments) => clustering::run(&arguments),
        Benchmark::Sweeps(arguments) => sweeps::run(&arguments),
        Benchmark::Digest(arguments) => digest::run(&arguments),
        Benchmark::Metrics(arguments) => metrics::run(&arguments),
    }
}
