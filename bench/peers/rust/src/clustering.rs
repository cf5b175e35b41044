//! What the Rust peers of the clustering share: reading the corpus in batches, joining documents, writing the clusters.
//! It knows nothing of shingles, hashes or bands; those are each peer's own.
//!
//! `PEER CORPUS CLUSTERS` writes a line per document, in the order of the corpus: the number, from 0, of the first
//! document in its cluster. It uses as many threads as it may have cores.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use crate::{Line, READ_BUFFER};

/// The threshold that all peers are given.
pub const THRESHOLD: f64 = 0.7;

/// Documents in memory at once: enough for both threads to be busy, little beside the signatures that are kept.
const BATCH: usize = 1_000;

/// An index under measurement. Documents are known by their number, from 0.
pub trait Index: Sync {
    /// What stands for a document.
    type Signature: Send;

    /// Makes the signature of a text.
    fn signature(&self, text: &str) -> Result<Self::Signature>;

    /// Takes documents in, numbered from `first`.
    fn insert(&mut self, first: usize, signatures: Vec<Self::Signature>);

    /// The documents that are like this one, itself or not.
    fn similar(&self, document: usize) -> Vec<usize>;
}

/// The whole `main` of a peer.
pub fn run(index: impl Index) -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, output] = &arguments[..] else { bail!("usage: PEER CORPUS.jsonl CLUSTERS") };
    cluster(index, corpus)?.write(output)
}

fn cluster(mut index: impl Index, corpus: &str) -> Result<Clusters> {
    let file = File::open(corpus).with_context(|| format!("cannot open {corpus}"))?;
    let mut lines = BufReader::with_capacity(READ_BUFFER, file).split(b'\n');
    let mut clusters = Clusters::default();
    loop {
        let batch = lines.by_ref().take(BATCH).collect::<std::io::Result<Vec<_>>>()?;
        if batch.is_empty() {
            return Ok(clusters);
        }
        let signatures = batch.par_iter().map(|line| signature(&index, line)).collect::<Result<Vec<_>>>()?;
        let added = clusters.grow(signatures.len());
        index.insert(added.start, signatures);
        let found: Vec<_> =
            added.into_par_iter().map(|document| (document, index.similar(document))).collect();
        for (document, similar) in found {
            similar.into_iter().for_each(|other| clusters.join(document, other));
        }
    }
}

fn signature<I: Index>(index: &I, line: &[u8]) -> Result<I::Signature> {
    let document: Line = sonic_rs::from_slice(line).context("a line is no document")?;
    index.signature(&document.text)
}

/// Documents joined pair by pair: each points to an earlier one of its cluster, the first one to itself.
#[derive(Default)]
struct Clusters(Vec<usize>);

impl Clusters {
    /// Adds documents that are alone, and returns their numbers.
    fn grow(&mut self, count: usize) -> std::ops::Range<usize> {
        let added = self.0.len()..self.0.len() + count;
        self.0.extend(added.clone());
        added
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other)] = one.min(other);
    }

    fn first(&mut self, mut document: usize) -> usize {
        while self.0[document] != document {
            self.0[document] = self.0[self.0[document]];
            document = self.0[document];
        }
        document
    }

    fn write(mut self, path: &str) -> Result<()> {
        let mut out = BufWriter::new(File::create(path).with_context(|| format!("cannot write {path}"))?);
        for document in 0..self.0.len() {
            writeln!(out, "{}", self.first(document))?;
        }
        Ok(out.flush()?)
    }
}
