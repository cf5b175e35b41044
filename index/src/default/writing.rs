//! How does what is in memory reach the disk? A thread beside the writer makes a run of it, merged with the runs that it
//! has outgrown, and names the result in the manifest: no commit waits for a merge.

use super::files;
use super::manifest::Manifest;
use super::memtable::Memtable;
use super::merge::{Merge, Source};
use super::run::Run;
use super::writer::write_run;
use crate::{IndexError, Rule};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Everything that a thread needs to bring a memtable to the disk.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub folder: PathBuf,
    pub rule: Rule,
    /// What is written: all committed.
    pub memtable: Arc<Memtable>,
    /// The position that it brings.
    pub position: u64,
    /// The newer run is merged into the older one when it is at least this part of it.
    pub merge_part: usize,
    /// The runs under it, newest first.
    pub runs: Vec<Arc<Run>>,
    /// The generation of the run to be written.
    pub generation: u64,
}

/// The runs of the index from now on, newest first.
pub(super) type Written = Result<Vec<Arc<Run>>, IndexError>;

impl Job {
    /// Does it on a thread.
    pub fn start(&self) -> Result<JoinHandle<Written>, IndexError> {
        let job = self.clone();
        let thread = thread::Builder::new().name("index".to_owned());
        thread.spawn(move || job.run()).map_err(IndexError::io(&self.folder))
    }

    /// Writes the run, then the manifest: before that the old runs are the index, afterwards the new ones.
    fn run(self) -> Written {
        let fresh = self.memtable.sorted();
        let merged = self.outgrown(fresh.len());
        let (merged, kept) = self.runs.split_at(merged);
        let at_most = fresh.len() + merged.iter().map(|run| run.len()).sum::<usize>();
        let mut sources: Vec<Source> = vec![Box::new(fresh.into_iter())];
        sources.extend(merged.iter().map(|run| Box::new(run.iter()) as Source));
        let merge = Merge::new(sources);
        let entries: Source = if kept.is_empty() { Box::new(merge.living()) } else { Box::new(merge) };
        let run = write_run(&self.folder, self.generation, self.rule, at_most, entries)?;
        run.warm();
        let runs: Vec<Arc<Run>> = [Arc::new(run)].into_iter().chain(kept.iter().cloned()).collect();
        Manifest::naming(&runs, self.position).write(&self.folder, self.rule)?;
        Ok(runs)
    }

    /// How many of the runs, from the newest on, are merged with what is fresh: all but the oldest, and that too when
    /// the others have grown to a fair part of it.
    fn outgrown(&self, fresh: usize) -> usize {
        let Some((oldest, newer)) = self.runs.split_last() else { return 0 };
        let gathered = fresh + newer.iter().map(|run| run.len()).sum::<usize>();
        if self.merge_part * gathered >= oldest.len() { self.runs.len() } else { newer.len() }
    }
}

/// Waits for the thread.
pub(super) fn finished(thread: JoinHandle<Written>, folder: &std::path::Path) -> Written {
    let panicked = |_| IndexError::io(folder)(io::Error::other("the thread that writes the index panicked"));
    thread.join().map_err(panicked)?
}

/// Unmaps runs and removes their files, on a thread.
pub(super) fn clear(runs: Vec<Arc<Run>>) -> Option<JoinHandle<()>> {
    let paths: Vec<PathBuf> = runs.iter().map(|run| run.path().to_owned()).collect();
    let clear = move || {
        // Unmapped first: not every system removes a file that is in use.
        drop(runs);
        // What cannot be removed is an orphan: the next time the index is opened, it goes.
        paths.iter().for_each(|path| drop(files::remove(path)));
    };
    thread::Builder::new().name("index-clearing".to_owned()).spawn(clear).ok()
}

impl Manifest {
    /// The manifest of these runs.
    pub fn naming(runs: &[Arc<Run>], position: u64) -> Self {
        Manifest { position, runs: runs.iter().map(|run| run.named()).collect() }
    }
}
