//! One index under measurement: it grows, and is asked.

use super::documents::{Keys, REAL_DOCUMENTS, Real, made_keys};
use anyhow::Result;
use cpu_time::ProcessTime;
use firstcopy_index::{DuplicateIndex, IndexKind, Rule, open_with_cache};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Documents inserted between two commits while an index grows: many, because every commit writes nearly every page of
/// a tree that random keys are put into.
const DOCUMENTS_A_COMMIT: usize = 150_000;
/// The papers' indexes are kept in memory whole, as the system keeps the files of the default one.
const CACHE_BYTES: u64 = 8 << 30;
/// Lookups are repeated at least so long: the fastest are done with all queries in a quarter of a millisecond.
const SHORTEST_MEASURED: Duration = Duration::from_millis(5);
/// Made documents that are asked for but never stored have numbers from here on.
const UNKNOWN: u64 = 1 << 40;

/// An index and the folder it lives in.
pub struct Subject {
    pub kind: IndexKind,
    pub rule: Rule,
    pub keys: Keys,
    /// Or stays as small as it is first.
    pub grows: bool,
    index: Box<dyn DuplicateIndex>,
    /// Removed with everything in it at the end.
    _folder: TempDir,
    documents: usize,
    pub build: Duration,
    first_unasked: u64,
}

/// How long the lookups of one round took.
#[derive(Debug, Clone, Default)]
pub struct Lookups {
    /// Each alone, by the clock on the wall.
    pub times: Vec<Duration>,
    /// The mean of others, in microseconds of CPU time: what other processes do meanwhile is not counted, nor is reading
    /// the clock.
    pub mean: f64,
}

impl Subject {
    pub fn new(kind: IndexKind, rule: Rule, keys: Keys, grows: bool) -> Result<Self> {
        let folder = TempDir::new()?;
        let index = open_with_cache(kind, folder.path(), rule, CACHE_BYTES)?;
        Ok(Subject {
            kind,
            rule,
            keys,
            grows,
            index,
            _folder: folder,
            documents: 0,
            build: Duration::ZERO,
            first_unasked: UNKNOWN,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.documents == 0
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

    /// Asks for near copies of stored documents, once unmeasured to warm all caches.
    pub fn ask(&mut self, real: &Real) -> Result<Lookups> {
        let queries: Vec<&[u64]> = real.asked(self.keys).collect();
        self.cpu_mean(&queries)?;
        self.timed(&queries)
    }

    /// Asks for documents that are not stored, as most new ones are, once unmeasured to warm all caches.
    pub fn ask_unknown(&mut self) -> Result<Lookups> {
        let queries = self.unknown(UNKNOWN);
        let queries: Vec<&[u64]> = queries.iter().map(Vec::as_slice).collect();
        self.cpu_mean(&queries)?;
        self.timed(&queries)
    }

    /// Asks for others that are not stored, other ones every time: the mean where no cache of the processor knows the
    /// way.
    pub fn ask_first_time(&mut self) -> Result<f64> {
        self.first_unasked += REAL_DOCUMENTS as u64;
        let queries = self.unknown(self.first_unasked);
        let queries: Vec<&[u64]> = queries.iter().map(Vec::as_slice).collect();
        self.cpu_mean(&queries)
    }

    /// As many documents as there are real ones, none of them stored.
    fn unknown(&self, first: u64) -> Vec<Vec<u64>> {
        let numbers = first..first + REAL_DOCUMENTS as u64;
        numbers.map(|number| made_keys(number, self.rule.keys).collect()).collect()
    }

    fn timed(&mut self, queries: &[&[u64]]) -> Result<Lookups> {
        let mean = self.warm_mean(queries)?;
        let mut times = Vec::with_capacity(queries.len());
        for keys in queries {
            let start = Instant::now();
            let candidates = self.index.candidates(keys)?;
            times.push(start.elapsed());
            black_box(candidates);
        }
        Ok(Lookups { times, mean })
    }

    /// The mean of as many passes as it takes to be measured at all.
    fn warm_mean(&mut self, queries: &[&[u64]]) -> Result<f64> {
        let start = ProcessTime::now();
        let mut means = Vec::new();
        while start.elapsed() < SHORTEST_MEASURED {
            means.push(self.cpu_mean(queries)?);
        }
        Ok(means.iter().sum::<f64>() / means.len() as f64)
    }

    fn cpu_mean(&mut self, queries: &[&[u64]]) -> Result<f64> {
        let start = ProcessTime::now();
        for keys in queries {
            black_box(self.index.candidates(keys)?);
        }
        Ok(start.elapsed().as_secs_f64() * 1e6 / queries.len().max(1) as f64)
    }

    /// Adds documents one by one, each with its own commit, and tells how long each took.
    pub fn commit_each(&mut self, documents: usize) -> Result<Vec<Duration>> {
        let first = self.documents;
        self.documents += documents;
        (first..self.documents)
            .map(|number| {
                let keys: Vec<u64> = made_keys(number as u64, self.rule.keys).collect();
                let start = Instant::now();
                self.index.insert(number as u32, &keys)?;
                self.index.commit(number as u64)?;
                Ok(start.elapsed())
            })
            .collect()
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
