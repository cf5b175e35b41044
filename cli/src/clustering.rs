//! What the commands that cluster share: how documents are joined, what may be used, what is shown meanwhile and at the end.

use crate::arguments::{GlobalArguments, parse_size};
use crate::data::parse_share;
use crate::output::{Output, counted, grouped_digits};
use crate::reading::is_stopped;
use anyhow::Result;
use clap::{Args, ValueEnum};
use firstcopy_cluster::{Joining, Linkage, OutputFormat, Policy, Report, Resources, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

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
fn half_of_memory() -> u64 {
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
