//! How does what is in memory reach the disk? A thread beside the writer makes a run of it, merged with the runs that it
//! has outgrown, and names the result in the manifest: no commit waits for a merge.

use super::files;
use super::manifest::Manifest;
use super::memtable::Memtable;
use super::merge::{Merge, Source};
use super::purpose::Purpose;
use super::run::Run;
use super::writer::write_run;
use crate::IndexError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

/// Entries that a run can hold: its directory counts in 32 bits.
const MOST_ENTRIES: usize = u32::MAX as usize;

/// Everything that a thread needs to bring a memtable to the disk.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub folder: PathBuf,
    pub purpose: Purpose,
    /// What is written: all committed.
    pub memtable: Arc<Memtable>,
    /// The position that it brings.
    pub position: u64,
    /// Runs are merged into the next older one when together they are at least this part of it.
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
        let merged = outgrown(fresh.len(), self.runs.iter().map(|run| run.len()), self.merge_part);
        let (merged, kept) = self.runs.split_at(merged);
        let at_most = fresh.len() + merged.iter().map(|run| run.len()).sum::<usize>();
        let mut sources: Vec<Source> = vec![Box::new(fresh.into_iter())];
        sources.extend(merged.iter().map(|run| Box::new(run.iter()) as Source));
        let merge = Merge::new(sources);
        let entries: Source = if kept.is_empty() { Box::new(merge.living()) } else { Box::new(merge) };
        let run = write_run(&self.folder, self.generation, self.purpose, at_most, entries)?;
        if self.purpose.is_kept_in_memory() {
            run.warm();
        }
        let runs: Vec<Arc<Run>> = [Arc::new(run)].into_iter().chain(kept.iter().cloned()).collect();
        Manifest::naming(&runs, self.position).write(&self.folder, self.purpose)?;
        Ok(runs)
    }
}

/// How many of the runs, from the newest on, are merged with what is fresh: as long as all that is gathered is a fair part
/// of the next one. So every run is many times as large as all newer ones together, and there are few.
fn outgrown(fresh: usize, runs: impl Iterator<Item = usize>, merge_part: usize) -> usize {
    let mut gathered = fresh;
    let is_outgrown = |run: &usize| {
        let is_fair_part = merge_part.saturating_mul(gathered) >= *run;
        gathered += run;
        is_fair_part && gathered <= MOST_ENTRIES
    };
    runs.take_while(is_outgrown).count()
}

/// Waits for the thread.
pub(super) fn finished(thread: JoinHandle<Written>, folder: &Path) -> Written {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_merged_while_they_are_outgrown() {
        // (fresh, runs from the newest on, merge part, how many are merged)
        let cases: [(usize, &[usize], usize, usize); 9] = [
            (1, &[], 4, 0),
            (1, &[4], 4, 1),
            (1, &[5], 4, 0),
            (1, &[3, 17, 80], 4, 1),
            (1, &[4, 20, 100], 4, 3),
            (1, &[5, 4], 4, 0),
            (0, &[0, 1], 4, 1),
            (1, &[1, 1], 0, 0),
            (1, &[MOST_ENTRIES - 1, 1], usize::MAX, 1),
        ];
        for (fresh, runs, merge_part, expected) in cases {
            assert_eq!(outgrown(fresh, runs.iter().copied(), merge_part), expected, "{fresh} {runs:?}");
        }
    }

    /// However many memtables come, there are few runs, and every one is much larger than those newer than it.
    #[test]
    fn runs_grow_by_a_factor() {
        for (merge_part, most) in [(1, 9), (4, 5), (32, 2)] {
            let mut runs: Vec<usize> = Vec::new();
            for _ in 0..1000 {
                let merged = outgrown(1, runs.iter().copied(), merge_part);
                let gathered = 1 + runs.drain(..merged).sum::<usize>();
                runs.insert(0, gathered);
                assert!(runs.len() <= most, "{merge_part}: {runs:?}");
            }
            assert_eq!(runs.iter().sum::<usize>(), 1000);
        }
    }
}
