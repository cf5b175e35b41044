//! What the phases take while the collection grows, the way `firstcopy cluster` does it: JSON Lines in, clusters out.

use crate::CommonArguments;
use crate::measure::forget_peak_memory;
use crate::report::Report;
use crate::temporary;
use anyhow::{Context, Result, anyhow};
use firstcopy_cluster::{Collection, Report as Clustered, Resources, Settings, Sketcher, Unwatched};
use firstcopy_input::{ReadOptions, for_each_ordered, open};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;

/// What is clustered on.
pub struct Machine {
    pub memory: u64,
    pub threads: usize,
    pub place: PathBuf,
}

/// Clusters a collection of every size and reports every phase: CPU, its share, bytes, memory, and CPU a document beside
/// the size before.
pub fn measure(
    name: &'static str,
    sizes: &[usize],
    machine: &Machine,
    arguments: &CommonArguments,
    text: impl Fn(usize) -> String + Sync,
) -> Result<()> {
    let columns = [
        "documents",
        "phase",
        "CPU s",
        "share",
        "seconds",
        "MB written",
        "peak MB",
        "CPU µs a document",
        "of the size before",
    ];
    let mut report = Report::new(name, &columns);
    let mut before: Option<f64> = None;
    for &size in sizes {
        let folder = temporary::on_disk(&machine.place)?;
        let input = folder.path().join("collection.jsonl");
        write_collection(&input, size, &text)?;
        let clustered = cluster(&input, &folder.path().join("clusters"), machine)?;
        let all: f64 = clustered.phases.iter().map(|phase| phase.cpu_seconds).sum();
        for phase in &clustered.phases {
            report.row(vec![
                json!(size),
                json!(phase.phase),
                json!(phase.cpu_seconds),
                json!(phase.cpu_seconds / all),
                json!(phase.seconds),
                json!(phase.bytes_written as f64 / 1e6),
                json!(phase.peak_memory as f64 / 1e6),
                json!(phase.cpu_seconds * 1e6 / size as f64),
                Value::Null,
            ]);
        }
        let each = all * 1e6 / size as f64;
        report.row(vec![
            json!(size),
            json!(format!("all: {} clusters, {} duplicates", clustered.clusters, clustered.duplicates)),
            json!(all),
            json!(1.0),
            json!(clustered.phases.iter().map(|phase| phase.seconds).sum::<f64>()),
            json!(clustered.phases.iter().map(|phase| phase.bytes_written).sum::<u64>() as f64 / 1e6),
            json!(clustered.peak_memory as f64 / 1e6),
            json!(each),
            json!(before.map(|before| each / before)),
        ]);
        before = Some(each);
    }
    report.finish(arguments, "CPU s")
}

/// Writes documents on two threads: making them takes longer than clustering them.
fn write_collection(path: &Path, size: usize, text: &(impl Fn(usize) -> String + Sync)) -> Result<()> {
    const TOGETHER: usize = 256;
    let mut file = BufWriter::new(File::create(path).context("cannot write the collection")?);
    let next = AtomicUsize::new(0);
    let made = |part: usize| {
        let numbers = part * TOGETHER..size.min((part + 1) * TOGETHER);
        numbers
            .map(|number| json!({"id": number.to_string(), "text": text(number)}).to_string() + "\n")
            .collect::<String>()
    };
    std::thread::scope(|scope| {
        let (parts, finished) = sync_channel::<(usize, String)>(64);
        for _ in 0..2 {
            let (parts, next, made) = (parts.clone(), &next, &made);
            scope.spawn(move || {
                loop {
                    let part = next.fetch_add(1, Relaxed);
                    if part * TOGETHER >= size || parts.send((part, made(part))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(parts);
        let (mut waiting, mut expected) = (std::collections::BTreeMap::new(), 0);
        for (part, lines) in finished {
            waiting.insert(part, lines);
            while let Some(lines) = waiting.remove(&expected) {
                file.write_all(lines.as_bytes())?;
                expected += 1;
            }
        }
        Ok(file.flush()?)
    })
}

fn cluster(input: &Path, output: &Path, machine: &Machine) -> Result<Clustered> {
    forget_peak_memory();
    let settings = Settings::default();
    let sketcher = Sketcher::new(&settings);
    let mut collection = Collection::begin(output, &settings, Vec::new())?.within(machine.memory);
    let inputs = open(&[input.display().to_string()], ReadOptions::default())?;
    let read = for_each_ordered(
        inputs.pages(),
        machine.threads,
        |page| sketcher.sketch(page),
        |sketched| {
            let pushed =
                sketched.map_err(|reject| anyhow!("{reject}")).and_then(|one| Ok(collection.push(one)?));
            pushed.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        },
    );
    if let ControlFlow::Break(error) = read {
        return Err(error);
    }
    let resources = Resources { memory: machine.memory, threads: machine.threads, ..Resources::default() };
    Ok(collection.cluster(&resources, &Unwatched)?)
}
