//! How fast are JSON Lines read? Writes text-dominated records to a temporary file and reads them back ten times:
//! the best time, and the CPU time of all threads (Linux), which other work on the machine does not change.
//! `cargo run --release -p firstcopy-input --example jsonl_speed [threads]`

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use firstcopy_input::{ReadOptions, for_each_ordered, open};

const RECORDS: usize = 100_000;
const RUNS: u32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let threads = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    for (name, text) in [
        (
            "English, escapes",
            "Who wrote this first?\\nShe said: \\\"I did\\\", and nobody knew better. ".repeat(60),
        ),
        (
            "English, plain",
            "Who wrote this first? She said that she did, and nobody knew better. ".repeat(60),
        ),
        (
            "Korean, plain",
            "누가 먼저 썼는가? 그는 자기가 썼다고 말했고 아무도 더 잘 알지 못했다. ".repeat(40),
        ),
    ] {
        let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile()?;
        for number in 0..RECORDS {
            writeln!(
                file,
                "{{\"id\":\"post-{number}\",\"url\":\"https://example.com/{number}\",\"created_at\":{number},\
                 \"text\":\"{text}\",\"tags\":[\"a\",\"b\"]}}"
            )?;
        }
        file.flush()?;
        let bytes = file.as_file().metadata()?.len() as f64;
        let before = cpu_seconds();
        let best = (0..RUNS).map(|_| seconds(file.path(), threads)).fold(f64::INFINITY, f64::min);
        let cpu = (cpu_seconds() - before) / f64::from(RUNS);
        let rate = |seconds: f64| bytes / seconds / 1e6;
        println!(
            "{name}: {:.0} MB, {threads} thread(s): {:.0} MB/s, {:.0} MB a CPU-second",
            bytes / 1e6,
            rate(best),
            rate(cpu)
        );
    }
    Ok(())
}

#[expect(clippy::expect_used, reason = "the file has just been written")]
fn seconds(path: &std::path::Path, threads: usize) -> f64 {
    let start = Instant::now();
    let inputs = open(&[path.display().to_string()], ReadOptions::default()).expect("the file exists");
    let mut pages = 0;
    let _ = for_each_ordered(
        inputs.pages(),
        threads,
        |page| page.id.len(),
        |result| {
            result.expect("every record is good");
            pages += 1;
            ControlFlow::<()>::Continue(())
        },
    );
    assert_eq!(pages, RECORDS);
    start.elapsed().as_secs_f64()
}

/// User and system time of this process, in the kernel's hundredths of a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
