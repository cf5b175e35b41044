//! What was done, what it cost, and what was left out: `report.json`.

use crate::settings::Settings;
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// What came of clustering.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Documents read.
    pub documents: u64,
    /// Bytes of their core texts.
    pub text_bytes: u64,
    /// Clusters of two documents or more.
    pub clusters: u64,
    /// Documents in them.
    pub clustered_documents: u64,
    /// Documents that are not the original of their cluster.
    pub duplicates: u64,
    /// Clusters whose documents are identical byte for byte.
    pub identical_clusters: u64,
    /// Documents in these.
    pub identical_documents: u64,
    /// Documents that are equal word for word to an earlier one.
    pub lexically_equal: u64,
    /// Documents that have the same shingles as an earlier one, in other words.
    pub shingle_equivalent: u64,
    /// Sampled shingles, or other keys, of all documents.
    pub keys: u64,
    /// Keys in more documents than `common`, ignored but for documents that share a minimum, too.
    pub common_shingles: u64,
    /// Pairs that share a key.
    pub pairs: u64,
    /// Pairs that were compared.
    pub compared_pairs: u64,
    /// Pairs at the threshold or above it.
    pub joined_pairs: u64,
    /// The lowest resemblance, or likeness, of any member to its original.
    pub min_resemblance: f64,
    /// The lowest likeness of any member to its original; nothing unless documents are compared by their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_likeness: Option<f64>,
    /// Words whose weights were learnt from the input; nothing if the weights are the built-in ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words_learnt: Option<u64>,
    /// What the phases took.
    pub phases: Vec<PhaseReport>,
    /// The most memory that the process had, in bytes; 0 where the system does not tell.
    pub peak_memory: u64,
    /// How it was made.
    pub settings: Settings,
}

/// What a phase took, in all runs that it took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseReport {
    /// Its name.
    pub phase: String,
    /// Seconds by the clock.
    pub seconds: f64,
    /// CPU seconds of all threads.
    pub cpu_seconds: f64,
    /// Bytes that it wrote.
    pub bytes_written: u64,
    /// The most memory that the process had by its end.
    pub peak_memory: u64,
}

/// Measures a phase.
#[derive(Debug)]
pub(crate) struct Meter {
    start: Instant,
    cpu: Option<ProcessTime>,
}

impl Meter {
    pub fn start() -> Self {
        Meter { start: Instant::now(), cpu: ProcessTime::try_now().ok() }
    }

    pub fn read(&self, phase: &str, bytes_written: u64) -> PhaseReport {
        let cpu = self.cpu.and_then(|cpu| cpu.try_elapsed().ok());
        PhaseReport {
            phase: phase.to_owned(),
            seconds: self.start.elapsed().as_secs_f64(),
            cpu_seconds: cpu.map_or(0.0, |cpu| cpu.as_secs_f64()),
            bytes_written,
            peak_memory: peak_memory(),
        }
    }
}

impl PhaseReport {
    /// The same phase, gone on with.
    pub(crate) fn and(self, more: &PhaseReport) -> PhaseReport {
        PhaseReport {
            seconds: self.seconds + more.seconds,
            cpu_seconds: self.cpu_seconds + more.cpu_seconds,
            bytes_written: self.bytes_written.max(more.bytes_written),
            peak_memory: self.peak_memory.max(more.peak_memory),
            phase: self.phase,
        }
    }
}

/// The most memory that this process ever had.
pub(crate) fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
