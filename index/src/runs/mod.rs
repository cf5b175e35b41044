//! Which documents are at a place? A small table in memory over memory-mapped sorted runs, that knows how far it got.
//!
//! Insertions and removals go to the memtable. When it is full, a thread writes it as a run (`writing`), while a new
//! memtable takes over; lookups ask memory first, then the runs, and the newest word on a document counts. What is
//! committed but not yet in a run is lost in a crash: the durable position says from where the store must tell it again.
//! What places mean is not known here.

mod entry;
mod files;
mod header;
mod lookup;
mod manifest;
mod memtable;
mod merge;
mod opening;
mod purpose;
mod run;
mod writer;
mod writing;

pub(crate) use entry::{Entry, PLACE_BITS, Place, Word, spread};
pub(crate) use purpose::Purpose;

use crate::IndexError;
use manifest::Manifest;
use memtable::{FoundLists, Memtable};
use merge::{Merge, Source};
use run::Run;
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
    /// Runs are merged into the next older one when together they are at least this part of it.
    pub merge_part: usize,
}

/// If the thread is still writing when the memtable has grown to so many times its size, commits wait for it: memory
/// stays bounded, however fast documents come.
const LARGEST_BACKLOG: usize = 4;

/// The runs of a folder, and what is not yet in them.
#[derive(Debug)]
pub(crate) struct Runs {
    folder: PathBuf,
    purpose: Purpose,
    /// None if another process writes: then everything new stays in memory.
    limits: Option<Limits>,
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
}

/// A full memtable, and the thread that writes it; none if that failed and must be tried again.
#[derive(Debug)]
struct Outgoing {
    job: Job,
    thread: Option<JoinHandle<Written>>,
}

impl Runs {
    /// Opens the runs of a folder, or makes an empty index there.
    pub fn open(folder: &Path, purpose: Purpose, limits: Limits) -> Result<Self, IndexError> {
        let (manifest, runs) = opening::to_write(folder, purpose)?;
        Ok(Self::new(folder, purpose, Some(limits), manifest, runs))
    }

    /// Opens the runs of a folder that another process may be writing to, as they are at this moment.
    pub fn open_to_read(folder: &Path, purpose: Purpose) -> Result<Self, IndexError> {
        let (manifest, runs) = opening::to_read(folder, purpose)?;
        Ok(Self::new(folder, purpose, None, manifest, runs))
    }

    fn new(
        folder: &Path,
        purpose: Purpose,
        limits: Option<Limits>,
        manifest: Manifest,
        runs: Vec<Arc<Run>>,
    ) -> Self {
        Runs {
            folder: folder.to_owned(),
            purpose,
            limits,
            memtable: Memtable::new(),
            outgoing: None,
            next_generation: manifest.runs.iter().map(|run| run.generation + 1).max().unwrap_or(0),
            runs,
            position: manifest.position,
            durable_position: manifest.position,
            clearing: None,
        }
    }

    /// Puts a document at a place, or takes it away.
    pub fn push(&mut self, entry: Entry) {
        self.memtable.push(entry);
    }

    /// Tells all that is known about some places, but nothing if that may be more than so many words. Of several words on a
    /// document at a place the newest comes first. Returns whether it told.
    pub fn tell_up_to(&self, most: usize, places: &[Place], mut hear: impl FnMut(Place, Word)) -> bool {
        let new = self.memtable.lists_at(places);
        let outgoing = self.outgoing.as_ref().map(|outgoing| outgoing.job.memtable.lists_at(places));
        // Quick, and seldom too high by much.
        let in_run = |run: &Arc<Run>| places.iter().map(|&place| run.bucket_len(place)).sum::<usize>();
        let in_memory = new.count() + outgoing.as_ref().map_or(0, FoundLists::count);
        if most < usize::MAX && in_memory + self.runs.iter().map(in_run).sum::<usize>() > most {
            return false;
        }
        new.tell(&mut hear);
        outgoing.iter().for_each(|lists| lists.tell(&mut hear));
        lookup::tell(&self.runs, places, hear);
        true
    }

    /// Counts the words at a place: insertions, and removals that no merge has carried out yet.
    pub fn count_at(&self, place: Place) -> usize {
        let outgoing = self.outgoing.as_ref().map_or(0, |outgoing| outgoing.job.memtable.count_at(place));
        self.memtable.count_at(place)
            + outgoing
            + self.runs.iter().map(|run| run.count_at(place)).sum::<usize>()
    }

    /// Iterates over all that is known about one place, the newest source first; reads no further than it is asked.
    pub fn at(&self, place: Place) -> impl Iterator<Item = Word> + '_ {
        let outgoing = self.outgoing.iter().flat_map(move |outgoing| outgoing.job.memtable.at(place));
        let in_runs = self.runs.iter().flat_map(move |run| run.at(place));
        self.memtable.at(place).chain(outgoing).chain(in_runs)
    }

    /// Makes what was pushed permanent, together with the position; full memory goes to the disk.
    pub fn commit(&mut self, position: u64) -> Result<(), IndexError> {
        self.memtable.commit();
        self.position = position;
        let Some(limits) = self.limits else { return Ok(()) };
        let must_wait = self.memtable.len() >= LARGEST_BACKLOG * limits.operations;
        if self.outgoing.is_some() && (must_wait || !self.is_writing()) {
            self.take_written()?;
        }
        if self.outgoing.is_none() && self.memtable.len() >= limits.operations {
            self.send_memtable(limits)?;
        }
        Ok(())
    }

    /// Forgets what was pushed since the last commit.
    pub fn rollback(&mut self) {
        self.memtable.rollback();
    }

    /// The position of the last commit.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The position that a crash would leave.
    pub fn durable_position(&self) -> u64 {
        self.durable_position
    }

    /// Brings the durable position to the position, unless another process writes.
    pub fn flush(&mut self) -> Result<(), IndexError> {
        let Some(limits) = self.limits else { return Ok(()) };
        self.take_written()?;
        if self.memtable.committed() > 0 {
            self.send_memtable(limits)?;
            self.take_written()?;
        } else if self.durable_position != self.position {
            Manifest::naming(&self.runs, self.position).write(&self.folder, self.purpose)?;
            self.durable_position = self.position;
        }
        Ok(())
    }

    /// Counts the entries that are really there, after checking that they are those that were written: reads them all.
    pub fn count(&self) -> Result<u64, IndexError> {
        self.runs.iter().try_for_each(|run| run.check_entries())?;
        Ok(Merge::new(self.sources()).living().count() as u64)
    }

    /// Bytes on disk, when what was replaced is gone.
    pub fn bytes(&mut self) -> Result<u64, IndexError> {
        self.wait_for_clearing();
        crate::folder_bytes(&self.folder)
    }

    /// Hands what is committed in memory to a thread.
    fn send_memtable(&mut self, limits: Limits) -> Result<(), IndexError> {
        let job = Job {
            folder: self.folder.clone(),
            purpose: self.purpose,
            memtable: Arc::new(self.memtable.take_committed()),
            position: self.position,
            merge_part: limits.merge_part,
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

impl Drop for Runs {
    /// Nobody else may write to the folder while a thread does. If that fails, the store tells it again.
    fn drop(&mut self) {
        if let Some(thread) = self.outgoing.as_mut().and_then(|outgoing| outgoing.thread.take()) {
            let _ = thread.join();
        }
        self.wait_for_clearing();
    }
}

fn check_version(version: u32) -> Result<(), String> {
    if version == FORMAT_VERSION {
        Ok(())
    } else {
        Err(format!("written in version {version} of the format; this is version {FORMAT_VERSION}"))
    }
}
