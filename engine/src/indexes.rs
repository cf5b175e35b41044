//! The two duplicate indexes of a data directory: the originals, which every new document is looked up in, and the
//! copies, which only matter when an older original comes late or an original goes. Both follow the outbox.

use crate::error::{EngineError, Result};
use firstcopy_index::{DuplicateIndex, IndexError, IndexKind, IndexStatistics, Rule};
use firstcopy_store::{Change, State, Store};
use std::path::{Path, PathBuf};

/// Changes that are read and applied at a time.
const PIECE: u32 = 4096;

/// The originals and the copies.
#[derive(Debug)]
pub(crate) struct Indexes {
    pub(crate) originals: Box<dyn DuplicateIndex>,
    pub(crate) copies: Box<dyn DuplicateIndex>,
}

impl Indexes {
    /// Opens both and brings them up to the store, from the outbox if that goes back far enough, else from the
    /// documents. Whatever cannot be read is built anew: the store is the truth.
    pub(crate) fn open(kind: IndexKind, folder: &Path, rule: Rule, store: &Store) -> Result<Self> {
        let one = |name: &str, state| -> Result<Box<dyn DuplicateIndex>> {
            let folder = folder.join(kind.name()).join(name);
            let mut index = match firstcopy_index::open(kind, &folder, rule) {
                Ok(index) => index,
                Err(_) => rebuild(kind, &folder, rule, store, state)?,
            };
            if !catch_up(index.as_mut(), store, state)? {
                drop(index);
                index = rebuild(kind, &folder, rule, store, state)?;
            }
            Ok(index)
        };
        Ok(Indexes {
            originals: one("originals", State::Original)?,
            copies: one("copies", State::Duplicate)?,
        })
    }

    /// Makes both, empty.
    pub(crate) fn empty(kind: IndexKind, folder: &Path, rule: Rule) -> Result<Self> {
        let one = |name: &str| firstcopy_index::open(kind, &folder.join(kind.name()).join(name), rule);
        Ok(Indexes { originals: one("originals")?, copies: one("copies")? })
    }

    /// Moves a document from where it was to where it is.
    pub(crate) fn apply(&mut self, change: &Change) -> Result<()> {
        apply(self.originals.as_mut(), State::Original, change)?;
        apply(self.copies.as_mut(), State::Duplicate, change)?;
        Ok(())
    }

    pub(crate) fn commit(&mut self, position: u64) -> Result<()> {
        // One that finds no room must not keep the other behind.
        let originals = self.originals.commit(position);
        self.copies.commit(position)?;
        Ok(originals?)
    }

    /// Takes from the outbox what a commit without room has left out. `end` is where the store is.
    pub(crate) fn keep_up(&mut self, store: &Store, end: u64) -> Result<()> {
        for (index, state) in [(&mut self.originals, State::Original), (&mut self.copies, State::Duplicate)] {
            if index.position() != end {
                index.rollback()?;
                if !catch_up(index.as_mut(), store, state)? {
                    let reason = "the duplicate index has fallen behind the outbox".to_owned();
                    return Err(EngineError::Stopped(reason));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn rollback(&mut self) -> Result<()> {
        self.originals.rollback()?;
        self.copies.rollback()?;
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.originals.flush()?;
        self.copies.flush()?;
        Ok(())
    }

    /// The position from which on the outbox must be kept.
    pub(crate) fn durable_position(&self) -> u64 {
        self.originals.durable_position().min(self.copies.durable_position())
    }

    /// What both weigh.
    pub(crate) fn statistics(&mut self) -> Result<(IndexStatistics, IndexStatistics)> {
        Ok((self.originals.statistics()?, self.copies.statistics()?))
    }
}

fn apply(
    index: &mut dyn DuplicateIndex,
    state: State,
    change: &Change,
) -> std::result::Result<(), IndexError> {
    match (change.was == state, change.now == state) {
        (true, false) => index.remove(change.number, &change.keys),
        (false, true) => index.insert(change.number, &change.keys),
        _ => Ok(()),
    }
}

/// Applies what the outbox has after the index's position; false if the outbox does not go back that far, or the index
/// is ahead of the store (somebody brought an older store back).
fn catch_up(index: &mut dyn DuplicateIndex, store: &Store, state: State) -> Result<bool> {
    let end = store.position()?;
    if index.position() > end {
        return Ok(false);
    }
    while index.position() < end {
        let Some(changes) = store.changes_after(index.position(), PIECE)? else { return Ok(false) };
        let Some(last) = changes.last().map(|change| change.position) else { return Ok(false) };
        for change in &changes {
            apply(index, state, change)?;
        }
        index.commit(last)?;
    }
    Ok(true)
}

/// Builds an index from all documents of a state beside its place, then puts it there: a crash leaves no half of one.
fn rebuild(
    kind: IndexKind,
    folder: &Path,
    rule: Rule,
    store: &Store,
    state: State,
) -> Result<Box<dyn DuplicateIndex>> {
    let draft = folder.with_extension("building");
    remove_folder(&draft)?;
    let position = store.position()?;
    let mut index = firstcopy_index::open(kind, &draft, rule)?;
    let mut last = 0;
    loop {
        let documents = store.documents_after(last, PIECE)?;
        let Some(end) = documents.last() else { break };
        last = end.number;
        for document in &documents {
            let is = if document.judgement.original.is_some() { State::Duplicate } else { State::Original };
            if is == state && !document.keys.is_empty() {
                index.insert(document.number, &document.keys)?;
            }
        }
        index.commit(position)?;
    }
    index.commit(position)?;
    index.flush()?;
    drop(index);
    remove_folder(folder)?;
    let io = |source| EngineError::from(IndexError::Io { path: folder.to_owned(), source });
    std::fs::rename(&draft, folder).map_err(io)?;
    sync_folder(folder.parent().unwrap_or(folder)).map_err(io)?;
    Ok(firstcopy_index::open(kind, folder, rule)?)
}

pub(crate) fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(IndexError::Io { path: folder.to_owned(), source }.into())
        }
        _ => Ok(()),
    }
}

fn sync_folder(folder: &Path) -> std::io::Result<()> {
    std::fs::File::open(folder)?.sync_all()
}

/// The folder of the indexes of one generation of features: two generations never mix.
pub(crate) fn folder_of_generation(indexes: &Path, generation: u32) -> PathBuf {
    indexes.join(format!("generation-{generation}"))
}
