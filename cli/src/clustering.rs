//! What the commands that cluster share: how documents are joined, what may be used, what is shown meanwhile and at the end.

use crate::arguments::{GlobalArguments, RejectArguments, parse_size};
use crate::data::parse_share;
use crate::outcome::{Outcome, UsageError};
use crate::output::{Output, counted, grouped_digits};
use crate::reading::{for_each_page_after, is_stopped};
use anyhow::Result;
use clap::{Args, ValueEnum};
use firstcopy_cluster::{
    Collection, InputFile, Joining, Linkage, Method, OutputFormat, Policy, Report, Resources, Settings,
    Sketched, Sketcher, Verify, Watch,
};
use firstcopy_input::Inputs;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, UNIX_EPOCH};

/// How documents are joined.
#[derive(Args)]
#[command(next_help_heading = "Clusters")]
pub struct JoinArguments {
    /// The resemblance, or containment, from which on two documents belong together (Broder et al. 1997: 0.5).
    #[arg(long, value_name = "X", default_value = "0.5", value_parser = parse_share)]
    pub threshold: f64,
    /// What the threshold is of: `resemblance`, or `containment` of either document in the other.
    #[arg(long, value_name = "POLICY", default_value = "resemblance")]
    policy: PolicyName,
    /// How a cluster hangs together: `connected`, every member is joined to some other; or `original`, every member is
    /// joined to the original.
    #[arg(long, value_name = "LINKAGE", default_value = "connected")]
    linkage: LinkageName,
}

#[derive(Clone, Copy, ValueEnum)]
enum PolicyName {
    Resemblance,
    Containment,
}

#[derive(Clone, Copy, ValueEnum)]
enum LinkageName {
    Connected,
    Original,
}

impl JoinArguments {
    pub fn joining(&self) -> Joining {
        Joining {
            threshold: self.threshold,
            policy: match self.policy {
                PolicyName::Resemblance => Policy::Resemblance,
                PolicyName::Containment => Policy::Containment,
            },
            linkage: match self.linkage {
                LinkageName::Connected => Linkage::Connected,
                LinkageName::Original => Linkage::Original,
            },
        }
    }
}

/// What the sketches depend on.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct SketchArguments {
    /// What nominates pairs: sampled shingles (`sketch`), one `super-shingle` in common, or two of six `features`.
    #[arg(long, value_name = "METHOD", default_value = "sketch")]
    method: MethodName,
    /// What a pair's resemblance is counted from: all shingles of both texts (`exact`), or their sketches.
    #[arg(long, value_name = "HOW", default_value = "exact")]
    verify: VerifyName,
    /// A shingle in more documents than this is common: it pairs only documents that share a minimum, too.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    common: u32,
    /// Words of a shingle (Broder et al. 1997: 10).
    #[arg(long, value_name = "W", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    shingle_words: u16,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Sketch,
    SuperShingle,
    Features,
}

#[derive(Clone, Copy, ValueEnum)]
enum VerifyName {
    Exact,
    Sketch,
}

impl SketchArguments {
    pub fn settings(&self, joining: Joining) -> Settings {
        Settings {
            shingle_words: usize::from(self.shingle_words),
            method: match self.method {
                MethodName::Sketch => Method::Sketch,
                MethodName::SuperShingle => Method::SuperShingle,
                MethodName::Features => Method::Features,
            },
            verify: match self.verify {
                VerifyName::Exact => Verify::Exact,
                VerifyName::Sketch => Verify::Sketch,
            },
            common: self.common,
            joining,
        }
    }
}

/// What may be used, and in which form the results come.
#[derive(Args)]
#[command(next_help_heading = "Resources and results")]
pub struct ResourceArguments {
    /// Memory to use at most; half of the machine's if absent: 512MB, 8GiB.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    /// Where temporary files go; into the output folder if absent.
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// The form of the list of members: members.jsonl or members.parquet.
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    output_format: FormatName,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatName {
    Jsonl,
    Parquet,
}

impl ResourceArguments {
    pub fn resources(&self, global: &GlobalArguments) -> Resources {
        Resources {
            memory: self.memory.unwrap_or_else(half_of_memory),
            threads: global.threads(),
            temp_dir: self.temp_dir.clone(),
            output_format: match self.output_format {
                FormatName::Jsonl => OutputFormat::Jsonl,
                FormatName::Parquet => OutputFormat::Parquet,
            },
        }
    }
}

/// Half of the machine's memory; a gigabyte where the system does not tell.
pub fn half_of_memory() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(1 << 30, |kilobytes| kilobytes * 512)
}

/// A progress line for every phase; on a terminal only.
pub struct PhaseBar {
    bar: ProgressBar,
    quiet: bool,
    temporary: AtomicU64,
}

impl PhaseBar {
    pub fn new(quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.enable_steady_tick(Duration::from_millis(500));
        PhaseBar { bar, quiet, temporary: AtomicU64::new(0) }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for PhaseBar {
    fn phase(&self, name: &'static str, units: u64) {
        if self.quiet {
            return;
        }
        let template = match units {
            0 => "{prefix}: {human_pos}, {per_sec}{msg}",
            _ => "{prefix}: {wide_bar} {human_pos} of {human_len}, {per_sec}, {eta} to go{msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_prefix(name);
        self.bar.set_length(units.max(1));
    }

    fn done(&self, units: u64) {
        self.bar.inc(units);
    }

    fn temporary(&self, bytes: u64) {
        self.temporary.store(bytes, Relaxed);
        self.bar.set_message(format!(", {} MB of temporary files", bytes / 1_000_000));
    }

    fn is_stopped(&self) -> bool {
        is_stopped()
    }
}

/// The inputs as they are now, so that a later run notices when one has changed.
pub fn input_files(inputs: &Inputs) -> Vec<InputFile> {
    inputs.names().iter().map(|name| input_file(name)).collect()
}

/// An input as it is now, so that a later run notices when it has changed.
fn input_file(name: &str) -> InputFile {
    let metadata = std::fs::metadata(name).ok();
    let modified = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    InputFile {
        path: name.to_owned(),
        bytes: metadata.map_or(0, |metadata| metadata.len()),
        modified: since.map_or(0, |since| since.as_nanos() as u64),
    }
}

/// What is written must not be read the next time.
pub fn refuse_outputs_among_inputs(files: &[InputFile], folder: &Path) -> Result<()> {
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    let is_inside =
        |file: &&InputFile| Path::new(&file.path).canonicalize().is_ok_and(|path| path.starts_with(&folder));
    match files.iter().find(is_inside) {
        Some(file) => {
            let reason = "lies in the output folder: name another output folder";
            Err(UsageError(format!("{}: {reason}", file.path)).into())
        }
        None => Ok(()),
    }
}

/// Reads what of the inputs was not read before.
pub fn read_into(
    collection: &mut Collection,
    inputs: Inputs,
    bad: &RejectArguments,
    global: &GlobalArguments,
    take: impl Fn(Sketched) -> Sketched,
) -> Result<Outcome> {
    if collection.is_read() {
        return Ok(Outcome::Done);
    }
    let sketcher = Sketcher::new(collection.settings());
    let before = collection.read_before();
    if before > 0 && !global.quiet {
        eprintln!("firstcopy: going on after {}", counted(before as usize, "document"));
    }
    let sketch = |page| sketcher.sketch(page);
    for_each_page_after(before, inputs, bad, global, sketch, |sketched| Ok(collection.push(take(sketched))?))
}

/// The report for people or programs.
pub fn print(report: &Report, global: &GlobalArguments) -> Result<()> {
    let mut output = Output::new();
    if global.json {
        output.json(report)?;
        return output.flush();
    }
    let number = |number: u64| grouped_digits(number as usize);
    output.line(&format!(
        "{}: {} with {}, {} of them duplicates",
        counted(report.documents as usize, "document"),
        counted(report.clusters as usize, "cluster"),
        counted(report.clustered_documents as usize, "document"),
        number(report.duplicates)
    ))?;
    output.field(
        "identical",
        &format!(
            "{} clusters of {} documents",
            number(report.identical_clusters),
            number(report.identical_documents)
        ),
    )?;
    output.field(
        "pairs",
        &format!(
            "{} share a key, {} compared, {} joined; lowest resemblance to an original {:.3}",
            number(report.pairs),
            number(report.compared_pairs),
            number(report.joined_pairs),
            report.min_resemblance
        ),
    )?;
    output.field(
        "common",
        &format!(
            "{} of {} keys in more documents than --common",
            number(report.common_shingles),
            number(report.keys)
        ),
    )?;
    for phase in &report.phases {
        output.field(
            &phase.phase,
            &format!(
                "{:.1} s, {:.1} CPU-s, {} MB written, at most {} MB of memory",
                phase.seconds,
                phase.cpu_seconds,
                number(phase.bytes_written / 1_000_000),
                number(phase.peak_memory / 1_000_000)
            ),
        )?;
    }
    output.flush()
}
