//! One index under measurement: it grows, and is asked.

use super::documents::{Keys, REAL_DOCUMENTS, Real, made_keys};
use anyhow::Result;
use cpu_time::ProcessTime;
use firstcopy_index::{DuplicateIndex, IndexKind, Rule, open_with_cache};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Documents inserted between two commits while an index grows: many, because every commit writes nearly every page of
/// a tree that random keys are put into.
const DOCUMENTS_A_COMMIT: usize = 150_000;
/// The papers' indexes are kept in memory whole, as the system keeps the files of the default one.
const CACHE_BYTES: u64 = 8 << 30;
/// Made documents that are asked for but never stored have numbers from here on.
const UNKNOWN: u64 = 1 << 40;

/// An index and the folder it lives in.
pub struct Subject {
    pub kind: IndexKind,
    pub rule: Rule,
    pub keys: Keys,
    index: Box<dyn DuplicateIndex>,
    /// Removed with everything in it at the end.
    _folder: TempDir,
    documents: usize,
    pub build: Duration,
    unknown_asked: u64,
}

/// How long lookups took.
#[derive(Debug, Clone, Default)]
pub struct Lookups {
    /// Each alone.
    pub times: Vec<Duration>,
    /// All together, of this process.
    pub cpu: Duration,
}

impl Lookups {
    /// The mean, in microseconds of CPU time: what other processes do while a lookup waits is not counted.
    pub fn mean_micros(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.times.len().max(1) as f64
    }
}

impl Subject {
    pub fn new(kind: IndexKind, rule: Rule, keys: Keys) -> Result<Self> {
        let folder = TempDir::new()?;
        let index = open_with_cache(kind, folder.path(), rule, CACHE_BYTES)?;
        Ok(Subject {
            kind,
            rule,
            keys,
            index,
            _folder: folder,
            documents: 0,
            build: Duration::ZERO,
            unknown_asked: UNKNOWN,
        })
    }

    /// Inserts documents until there are so many, and brings them to the disk.
    pub fn grow(&mut self, documents: usize, real: &Real) -> Result<()> {
        let start = ProcessTime::now();
        let stored: Vec<&[u64]> = real.stored(self.keys).collect();
        let mut made = Vec::new();
        for number in self.documents..documents {
            made.clear();
            made.extend(made_keys(number as u64, self.rule.keys));
            self.index.insert(number as u32, stored.get(number).copied().unwrap_or(&made))?;
            if number % DOCUMENTS_A_COMMIT == DOCUMENTS_A_COMMIT - 1 {
                self.index.commit(number as u64)?;
            }
        }
        self.documents = documents;
        self.index.commit(documents as u64)?;
        self.index.flush()?;
        self.build += start.elapsed();
        Ok(())
    }

    /// Asks for near copies of stored documents.
    pub fn ask(&mut self, real: &Real) -> Result<Lookups> {
        timed(&mut *self.index, real.asked(self.keys))
    }

    /// Asks for documents that nobody has seen, other ones every time: the usual case, and no cache can know them.
    pub fn ask_unknown(&mut self) -> Result<Lookups> {
        let numbers = self.unknown_asked..self.unknown_asked + REAL_DOCUMENTS as u64;
        self.unknown_asked = numbers.end;
        let queries: Vec<Vec<u64>> =
            numbers.map(|number| made_keys(number, self.rule.keys).collect()).collect();
        timed(&mut *self.index, queries.iter().map(Vec::as_slice))
    }

    /// What every query finds.
    pub fn candidates(&mut self, real: &Real) -> Result<Vec<Vec<u32>>> {
        Ok(real.asked(self.keys).map(|keys| self.index.candidates(keys)).collect::<Result<_, _>>()?)
    }

    /// Pages looked at by one query, where the index counts them, and bytes on disk.
    pub fn weigh(&mut self, real: &Real) -> Result<(Option<f64>, u64)> {
        let before = self.index.statistics()?;
        let lookups = self.candidates(real)?.len();
        let after = self.index.statistics()?;
        let pages = |after: u64| (after - before.page_accesses.unwrap_or(0)) as f64 / lookups.max(1) as f64;
        Ok((after.page_accesses.map(pages), after.bytes))
    }
}

fn timed<'a>(index: &mut dyn DuplicateIndex, queries: impl Iterator<Item = &'a [u64]>) -> Result<Lookups> {
    let mut times = Vec::with_capacity(REAL_DOCUMENTS);
    let cpu = ProcessTime::now();
    for keys in queries {
        let start = Instant::now();
        let candidates = index.candidates(keys)?;
        times.push(start.elapsed());
        std::hint::black_box(candidates);
    }
    Ok(Lookups { times, cpu: cpu.elapsed() })
}
