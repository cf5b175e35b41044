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
use firstcopy_text::likeness::MIN_LIKENESS;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, UNIX_EPOCH};

/// When two documents belong together.
#[derive(Args)]
#[command(next_help_heading = "Clusters")]
pub struct PolicyArguments {
    /// When two documents belong together: by `likeness`, the share of their words that are the same, in runs, or if the
    /// later one is an excerpt of the earlier one; by `resemblance`, the share of their shingles that are the same; or by
    /// `containment` of the shingles of either document in the other. If absent: likeness, or resemblance if --threshold,
    /// --method, --verify or --shingle-words is given.
    #[arg(long, value_name = "POLICY")]
    policy: Option<PolicyName>,
    /// The likeness from which on two documents belong together, from 0 to 1; 0.8 if absent.
    #[arg(long, value_name = "X", value_parser = parse_share, conflicts_with = "threshold")]
    min_likeness: Option<f64>,
    /// The resemblance, or containment, from which on two documents belong together; 0.5 if absent (Broder et al. 1997),
    /// for `dedup` 0.8. With --policy likeness the same as --min-likeness.
    #[arg(long, value_name = "X", value_parser = parse_share)]
    threshold: Option<f64>,
}

/// How documents are joined.
#[derive(Args)]
#[command(next_help_heading = "Clusters")]
pub struct JoinArguments {
    #[command(flatten)]
    policy: PolicyArguments,
    /// How a cluster hangs together: `connected`, every member is joined to some other; or `original`, every member is
    /// joined to the original.
    #[arg(long, value_name = "LINKAGE", default_value = "connected")]
    linkage: LinkageName,
}

#[derive(Clone, Copy, ValueEnum)]
enum PolicyName {
    Likeness,
    Resemblance,
    Containment,
}

#[derive(Clone, Copy, ValueEnum)]
enum LinkageName {
    Connected,
    Original,
}

/// The threshold of Broder et al. (1997).
const BRODER_THRESHOLD: f64 = 0.5;

impl PolicyArguments {
    /// Returns the policy and its threshold. `otherwise` is the policy if no argument names one or implies one,
    /// `threshold` that of policies by shingles.
    pub fn resolve(&self, otherwise: Policy, threshold: f64) -> Result<(Policy, f64)> {
        let policy = match self.policy {
            Some(PolicyName::Likeness) => Policy::Likeness,
            Some(PolicyName::Resemblance) => Policy::Resemblance,
            Some(PolicyName::Containment) => Policy::Containment,
            None if self.min_likeness.is_some() => Policy::Likeness,
            None => otherwise,
        };
        match policy {
            Policy::Likeness => Ok((policy, self.min_likeness.or(self.threshold).unwrap_or(MIN_LIKENESS))),
            _ if self.min_likeness.is_some() => {
                let reason = "--min-likeness is for --policy likeness: give --threshold instead";
                Err(UsageError(reason.to_owned()).into())
            }
            _ => Ok((policy, self.threshold.unwrap_or(threshold))),
        }
    }

    /// Returns the policy if no argument names one.
    pub fn default_policy(&self, sketch: &SketchArguments) -> Policy {
        match self.threshold.is_some() || sketch.names_shingles() {
            true => Policy::Resemblance,
            false => Policy::Likeness,
        }
    }
}

impl JoinArguments {
    /// Builds the settings of a new collection.
    pub fn settings(&self, sketch: &SketchArguments) -> Result<Settings> {
        sketch.settings(self.joining(self.policy.default_policy(sketch))?)
    }

    /// Builds how documents are joined; `otherwise` is the policy if no argument names one.
    pub fn joining(&self, otherwise: Policy) -> Result<Joining> {
        let (policy, threshold) = self.policy.resolve(otherwise, BRODER_THRESHOLD)?;
        let linkage = match self.linkage {
            LinkageName::Connected => Linkage::Connected,
            LinkageName::Original => Linkage::Original,
        };
        Ok(Joining { threshold, policy, linkage })
    }
}

/// What the sketches depend on.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct SketchArguments {
    /// Selects the keys that nominate pairs by resemblance: sampled shingles (`sketch`, the default), one `super-shingle` in common, or two
    /// of six `features`.
    #[arg(long, value_name = "METHOD")]
    method: Option<MethodName>,
    /// Selects the source of a pair's resemblance: all shingles of both texts (`exact`, the default), or their sketches.
    #[arg(long, value_name = "HOW")]
    verify: Option<VerifyName>,
    /// A shingle or phrase in more documents than this counts as common in the report.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    common: u32,
    /// Words of a shingle; 10 if absent (Broder et al. 1997).
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u16).range(1..=1000))]
    shingle_words: Option<u16>,
    /// Learns from the inputs how common words are: a word of 2 % of the documents or more weighs less, so that boilerplate
    /// neither makes nor hides a copy. Only with --policy likeness. If absent, weights are built in, and every command gives the
    /// same answer to the same two texts.
    #[arg(long)]
    learn_weights: bool,
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
    /// Whether the weights of words are to be learnt.
    pub fn learns_weights(&self) -> bool {
        self.learn_weights
    }

    /// Whether an argument is given that is about shingles.
    fn names_shingles(&self) -> bool {
        self.method.is_some() || self.verify.is_some() || self.shingle_words.is_some()
    }

    pub fn settings(&self, joining: Joining) -> Result<Settings> {
        if joining.policy.compares_words() && self.names_shingles() {
            let reason = "--method, --verify and --shingle-words are for --policy resemblance or containment: \
                          leave them out, or name one of these";
            return Err(UsageError(reason.to_owned()).into());
        }
        if self.learn_weights && !joining.policy.compares_words() {
            let reason = "--learn-weights is for --policy likeness: leave it out, or compare by likeness";
            return Err(UsageError(reason.to_owned()).into());
        }
        Ok(Settings {
            shingle_words: usize::from(self.shingle_words.unwrap_or(10)),
            method: match self.method {
                None | Some(MethodName::Sketch) => Method::Sketch,
                Some(MethodName::SuperShingle) => Method::SuperShingle,
                Some(MethodName::Features) => Method::Features,
            },
            verify: match self.verify {
                None | Some(VerifyName::Exact) => Verify::Exact,
                Some(VerifyName::Sketch) => Verify::Sketch,
            },
            common: self.common,
            joining,
            learn_weights: self.learn_weights,
        })
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
            "{} share a key, {} compared, {} joined; lowest {} to an original {:.3}",
            number(report.pairs),
            number(report.compared_pairs),
            number(report.joined_pairs),
            if report.min_likeness.is_some() { "likeness" } else { "resemblance" },
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
    if let Some(learnt) = report.words_learnt {
        output.field("weights", &format!("{} words weigh less: learnt from the inputs", number(learnt)))?;
    }
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
