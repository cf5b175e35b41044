//! What the Rust peers share: the corpus is read, the clock is held and the report is printed the same way for all.
//! It knows nothing of shingles or hashes; those are each peer's own.
//!
//! `PEER CORPUS` makes the minima of every document and prints the CPU seconds that took.
//! `PEER CORPUS --count` only counts the shingles, outside any measurement.
//! The peers of the clustering, `cluster-…`, have their own in [`clustering`].

pub mod clustering;

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader};

use anyhow::{Context, Result, bail};
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

/// Words in a shingle.
pub const SHINGLE_WORDS: usize = 5;
/// Minima per document.
pub const PERMUTATIONS: usize = 128;

/// Large enough that reading costs few system calls, small enough to stay in the cache.
const READ_BUFFER: usize = 256 * 1024;

/// One library under measurement.
pub trait Peer {
    /// Makes the minima of `text` and returns one of them, so that none of the work can be optimised away.
    fn minimum(&mut self, text: &str) -> u64;

    /// The number of shingles that [`Peer::minimum`] hashes for `text`.
    fn shingles(&self, text: &str) -> usize;
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

#[derive(Serialize, Default)]
struct Report {
    documents: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shingles: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_seconds: Option<f64>,
    /// All returned minima folded into one number.
    check: u64,
}

/// The whole `main` of a peer: reads the arguments, works, prints one line of JSON.
pub fn run(peer: impl Peer) -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let report = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [corpus] => sketch(peer, corpus)?,
        [corpus, "--count"] => count(&peer, corpus)?,
        _ => bail!("usage: PEER CORPUS.jsonl [--count]"),
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

fn sketch(mut peer: impl Peer, corpus: &str) -> Result<Report> {
    let start = ProcessTime::now();
    let mut report = Report::default();
    for_each_text(corpus, |text| {
        report.documents += 1;
        report.bytes += text.len() as u64;
        report.check ^= peer.minimum(text);
    })?;
    report.cpu_seconds = Some(start.elapsed().as_secs_f64());
    Ok(report)
}

fn count(peer: &impl Peer, corpus: &str) -> Result<Report> {
    let mut report = Report::default();
    let mut shingles = 0;
    for_each_text(corpus, |text| {
        report.documents += 1;
        report.bytes += text.len() as u64;
        shingles += peer.shingles(text) as u64;
    })?;
    report.shingles = Some(shingles);
    Ok(report)
}

/// One line in memory at a time; the text is borrowed from it unless it holds an escape.
fn for_each_text(corpus: &str, mut visit: impl FnMut(&str)) -> Result<()> {
    let file = File::open(corpus).with_context(|| format!("cannot open {corpus}"))?;
    let mut reader = BufReader::with_capacity(READ_BUFFER, file);
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let document: Line =
            sonic_rs::from_slice(&line).with_context(|| format!("{corpus}, line {number}"))?;
        visit(&document.text);
    }
    Ok(())
}
