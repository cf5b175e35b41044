//! The default index: a small table in memory over one or two memory-mapped sorted runs.
//!
//! Insertions and removals go to the memtable. When it is full, a thread writes it as a run (`writing`), while a new
//! memtable takes over; lookups ask memory first, then the runs, and the newest word counts (`found`). What is
//! committed but not yet in a run is lost in a crash: the durable position says from where the store must tell it again.

mod entry;
mod files;
mod found;
mod manifest;
mod memtable;
mod merge;
mod run;
mod writer;
mod writing;

use crate::{DuplicateIndex, IndexError, IndexStatistics, MAX_KEYS, Rule};
use entry::{Entry, Place};
use files::Others;
use found::Found;
use manifest::Manifest;
use memtable::Memtable;
use merge::{Merge, Source};
use run::Run;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use writing::{Job, Written, finished};

/// The version of manifest and runs (`docs/formats.md`). Another one is rebuilt from the store.
const FORMAT_VERSION: u32 = 1;

/// When memory becomes a run, and when runs become one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Operations that are held in memory.
    pub operations: usize,
    /// The newer run is merged into the older one when it is at least this part of it.
    pub merge_part: usize,
}

impl Default for Limits {
    /// A million operations take 24 MB and their slots: some 65,000 documents of 16 keys, which the store tells again
    /// within a second after a crash. With 32 parts there are never more than two runs, and only one up to 32 M entries
    /// (two million documents of 16 keys), for which a lookup takes half the time; the price is that the thread writes
    /// 8 · 32 bytes an entry, about as much as the store writes for a document.
    fn default() -> Self {
        Limits { operations: 1 << 20, merge_part: 32 }
    }
}

/// If the thread is still writing when the memtable has grown to so many times its size, commits wait for it: memory
/// stays bounded, however fast documents come.
const LARGEST_BACKLOG: usize = 4;

/// The default index of a folder.
#[derive(Debug)]
pub(crate) struct DefaultIndex {
    folder: PathBuf,
    rule: Rule,
    limits: Limits,
    memtable: Memtable,
    /// What is on its way to the disk.
    outgoing: Option<Outgoing>,
    /// Newest first.
    runs: Vec<Arc<Run>>,
    next_generation: u64,
    position: u64,
    durable_position: u64,
    /// Unmaps and removes the runs that were replaced last: that takes a while, and no commit should wait for it.
    clearing: Option<JoinHandle<()>>,
    /// What the last lookup found: kept for its memory.
    found: Vec<Found>,
}

/// A full memtable, and the thread that writes it; none if that failed and must be tried again.
#[derive(Debug)]
struct Outgoing {
    job: Job,
    thread: Option<JoinHandle<Written>>,
}

impl DefaultIndex {
    /// Opens the index of a folder, or makes an empty one.
    pub fn open(folder: &Path, rule: Rule, limits: Limits) -> Result<Self, IndexError> {
        fs::create_dir_all(folder).map_err(IndexError::io(folder))?;
        let manifest = match Manifest::read(folder, rule)? {
            Some(manifest) => manifest,
            None => create(folder, rule)?,
        };
        let runs: Vec<Arc<Run>> = manifest
            .runs
            .iter()
            .map(|named| Run::open(folder, *named, rule).map(Arc::new))
            .collect::<Result<_, _>>()?;
        remove_orphans(folder, &runs)?;
        Ok(DefaultIndex {
            folder: folder.to_owned(),
            rule,
            limits,
            memtable: Memtable::new(),
            outgoing: None,
            next_generation: manifest.runs.iter().map(|run| run.generation + 1).max().unwrap_or(0),
            runs,
            position: manifest.position,
            durable_position: manifest.position,
            clearing: None,
            found: Vec::new(),
        })
    }

    fn push(&mut self, number: u32, keys: &[u64], removed: bool) {
        for (position, &key) in keys.iter().take(self.rule.keys).enumerate() {
            self.memtable.push(Entry { place: Place::of(position, key), number, removed });
        }
    }

    /// Hands what is committed in memory to a thread.
    fn send_memtable(&mut self) -> Result<(), IndexError> {
        let job = Job {
            folder: self.folder.clone(),
            rule: self.rule,
            memtable: Arc::new(self.memtable.take_committed()),
            position: self.position,
            merge_part: self.limits.merge_part,
            runs: self.runs.clone(),
            generation: self.next_generation,
        };
        self.next_generation += 1;
        self.outgoing = Some(Outgoing { job, thread: None });
        self.start_writing()
    }

    /// Starts the thread for what is outgoing, unless it runs.
    fn start_writing(&mut self) -> Result<(), IndexError> {
        if let Some(Outgoing { job, thread: thread @ None }) = &mut self.outgoing {
            *thread = Some(job.start()?);
        }
        Ok(())
    }

    fn is_writing(&self) -> bool {
        self.outgoing
            .as_ref()
            .is_some_and(|outgoing| outgoing.thread.as_ref().is_some_and(|thread| !thread.is_finished()))
    }

    /// Waits for the thread and takes over the runs it wrote. If it failed, what is outgoing stays to be tried again.
    fn take_written(&mut self) -> Result<(), IndexError> {
        self.start_writing()?;
        let Some(outgoing) = &mut self.outgoing else { return Ok(()) };
        let Some(thread) = outgoing.thread.take() else { return Ok(()) };
        let runs = finished(thread, &self.folder)?;
        self.durable_position = outgoing.job.position;
        self.outgoing = None;
        self.replace_runs(runs);
        Ok(())
    }

    /// From now on these are the runs; those no longer among them go, with their files.
    fn replace_runs(&mut self, runs: Vec<Arc<Run>>) {
        let mut gone = std::mem::replace(&mut self.runs, runs);
        gone.retain(|run| !self.runs.iter().any(|kept| Arc::ptr_eq(kept, run)));
        self.wait_for_clearing();
        self.clearing = writing::clear(gone);
    }

    fn wait_for_clearing(&mut self) {
        if let Some(thread) = self.clearing.take() {
            // A file that could not be removed is an orphan: the next time the index is opened, it goes.
            let _ = thread.join();
        }
    }

    fn sources(&self) -> Vec<Source<'_>> {
        let outgoing = self.outgoing.as_ref().map(|outgoing| outgoing.job.memtable.sorted());
        let in_memory = [Some(self.memtable.sorted()), outgoing].into_iter().flatten();
        let in_memory = in_memory.map(|entries| Box::new(entries.into_iter()) as Source);
        in_memory.chain(self.runs.iter().map(|run| Box::new(run.iter()) as Source)).collect()
    }
}

impl DuplicateIndex for DefaultIndex {
    fn insert(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError> {
        self.push(number, keys, false);
        Ok(())
    }

    fn remove(&mut self, number: u32, keys: &[u64]) -> Result<(), IndexError> {
        self.push(number, keys, true);
        Ok(())
    }

    fn candidates(&mut self, keys: &[u64]) -> Result<Vec<u32>, IndexError> {
        let mut places = [Place::default(); MAX_KEYS];
        let keys = &keys[..keys.len().min(self.rule.keys)];
        for (position, (place, &key)) in places.iter_mut().zip(keys).enumerate() {
            *place = Place::of(position, key);
        }
        let places = &places[..keys.len()];
        self.found.clear();
        self.memtable.collect(places, &mut self.found);
        if let Some(outgoing) = &self.outgoing {
            outgoing.job.memtable.collect(places, &mut self.found);
        }
        run::collect(&self.runs, places, &mut self.found);
        Ok(found::candidates(&mut self.found, self.rule.needed))
    }

    fn commit(&mut self, position: u64) -> Result<(), IndexError> {
        self.memtable.commit();
        self.position = position;
        let must_wait = self.memtable.len() >= LARGEST_BACKLOG * self.limits.operations;
        if self.outgoing.is_some() && (must_wait || !self.is_writing()) {
            self.take_written()?;
        }
        if self.outgoing.is_none() && self.memtable.len() >= self.limits.operations {
            self.send_memtable()?;
        }
        Ok(())
    }

    fn rollback(&mut self) -> Result<(), IndexError> {
        self.memtable.rollback();
        Ok(())
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn durable_position(&self) -> u64 {
        self.durable_position
    }

    fn flush(&mut self) -> Result<(), IndexError> {
        self.take_written()?;
        if self.memtable.committed() > 0 {
            self.send_memtable()?;
            self.take_written()?;
        } else if self.durable_position != self.position {
            Manifest::naming(&self.runs, self.position).write(&self.folder, self.rule)?;
            self.durable_position = self.position;
        }
        Ok(())
    }

    fn statistics(&mut self) -> Result<IndexStatistics, IndexError> {
        self.wait_for_clearing();
        self.runs.iter().try_for_each(|run| run.check_entries())?;
        Ok(IndexStatistics {
            entries: Merge::new(self.sources()).living().count() as u64,
            entries_a_document: self.rule.keys as u64,
            bytes: crate::folder_bytes(&self.folder)?,
            page_accesses: None,
        })
    }
}

impl Drop for DefaultIndex {
    /// Nobody else may open the folder while a thread writes there. If that fails, the store tells it again.
    fn drop(&mut self) {
        if let Some(thread) = self.outgoing.as_mut().and_then(|outgoing| outgoing.thread.take()) {
            let _ = thread.join();
        }
        self.wait_for_clearing();
    }
}

/// Makes an empty index in an empty folder.
fn create(folder: &Path, rule: Rule) -> Result<Manifest, IndexError> {
    let others = Others::of(folder)?;
    if let Some(path) = others.runs.iter().chain(&others.foreign).next() {
        return Err(IndexError::damaged(
            path,
            "this lies where an index should be, without a manifest".to_owned(),
        ));
    }
    let manifest = Manifest::default();
    manifest.write(folder, rule)?;
    Ok(manifest)
}

/// Removes what a crash left: files half written, runs written but not yet or no longer named.
fn remove_orphans(folder: &Path, runs: &[Arc<Run>]) -> Result<(), IndexError> {
    let others = Others::of(folder)?;
    let is_named = |path: &&PathBuf| runs.iter().any(|run| run.path() == path.as_path());
    let orphans = others.runs.iter().filter(|path| !is_named(path));
    orphans.chain(&others.unfinished).try_for_each(|path| files::remove(path))
}

fn check_version(version: u32) -> Result<(), String> {
    if version == FORMAT_VERSION {
        Ok(())
    } else {
        Err(format!("written in version {version} of the format; this is version {FORMAT_VERSION}"))
    }
}

fn check_rule(keys: u32, needed: u32, rule: Rule) -> Result<(), String> {
    if (keys as usize, needed as usize) == (rule.keys, rule.needed) {
        Ok(())
    } else {
        Err(crate::another_rule(keys, needed, rule))
    }
}
