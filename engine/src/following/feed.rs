//! What followers are fed from: the outbox while it goes back far enough, else all documents.

use crate::error::Result;
use crate::following::follower::{Follower, told};
use crate::judge::state;
use crate::reader::Reader;
use crate::writer::{Door, Task};
use firstcopy_store::{Change, Document, State, Store};
use std::path::Path;

/// Changes that a follower gets at a time, at most: whoever is far behind commits rarely, and merges little.
const PIECE: u32 = 8192;

/// A view of the store, and the way to its writer.
#[derive(Debug)]
pub(crate) struct Feed {
    store: Store,
    writer: Option<Door>,
}

impl Feed {
    pub(crate) fn open(path: &Path, writer: Option<Door>) -> Result<Self> {
        Ok(Feed { store: Reader::open(path)?.store, writer })
    }

    /// Where the store is.
    pub(crate) fn position(&self) -> Result<u64> {
        Ok(self.store.position()?)
    }

    /// Gives a follower everything it lacks. Returns how many changes it took.
    pub(crate) fn bring_up(&mut self, follower: &mut dyn Follower) -> Result<u64> {
        let mut taken = 0;
        loop {
            match self.bring_on(follower)? {
                0 => return Ok(taken),
                piece => taken += piece,
            }
        }
    }

    /// Gives a follower the next of what it lacks. Returns how many changes it took: none if it lacks nothing.
    pub(crate) fn bring_on(&mut self, follower: &mut dyn Follower) -> Result<u64> {
        let Some(changes) = next_changes(&self.store, follower.position())? else {
            return self.restart(follower);
        };
        let Some(last) = changes.last() else { return Ok(0) };
        told(follower, |follower| follower.apply(&changes, last.position))?;
        Ok(changes.len() as u64)
    }

    /// Lets the store know how far a follower certainly got, and returns whether it knows. Without room the outbox is kept a
    /// little longer: the follower is in step all the same.
    pub(crate) fn write_down(&self, follower: &dyn Follower) -> Result<bool> {
        let reached = (follower.name().to_owned(), follower.durable_position());
        let Some(writer) = &self.writer else { return Ok(false) };
        if self.store.followers()?.contains(&reached) {
            return Ok(true);
        }
        match writer.submit(Task::Reached(reached.0, reached.1)).answer() {
            Err(error) if error.is_disk_full() => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    /// Gives a follower all documents of one state of the store. It is done only with the last piece.
    fn restart(&mut self, follower: &mut dyn Follower) -> Result<u64> {
        told(follower, |follower| follower.restart())?;
        if !follower.wants_the_past() {
            let position = self.store.position()?;
            return told(follower, |follower| follower.apply(&[], position)).map(|()| 0);
        }
        self.store.begin_reading()?;
        let done = give_all(&self.store, follower);
        self.store.rollback()?;
        done
    }
}

/// The next changes after a position; none if whoever stands there must start again: they are no longer kept, or it is
/// ahead of the store, because somebody brought an older one back.
pub(crate) fn next_changes(store: &Store, position: u64) -> Result<Option<Vec<Change>>> {
    if position > store.position()? {
        return Ok(None);
    }
    Ok(store.changes_after(position, PIECE)?)
}

fn give_all(store: &Store, follower: &mut dyn Follower) -> Result<u64> {
    let end = store.position()?;
    let (mut last, mut taken) = (0, 0);
    loop {
        let documents = store.documents_after(last, PIECE)?;
        let is_last = documents.len() < PIECE as usize;
        last = documents.last().map_or(last, |document| document.number);
        let mut changes = Vec::new();
        for document in documents {
            let earlier = store.versions(document.number)?.into_iter().map(|version| version.content);
            changes.extend(earlier.map(|content| content_of(&document, content, end)));
            changes.push(Change { now: state(&document), ..content_of(&document, document.content, end) });
        }
        taken += changes.len() as u64;
        told(follower, |follower| follower.apply(&changes, if is_last { end } else { 0 }))?;
        if is_last {
            return Ok(taken);
        }
    }
}

/// The news that a document has, or had in an earlier version, this content.
fn content_of(document: &Document, content: u32, position: u64) -> Change {
    Change {
        position,
        number: document.number,
        id: document.id.clone(),
        content,
        was: State::Absent,
        now: State::Absent,
        keys: document.keys.clone(),
        forgotten: None,
    }
}
