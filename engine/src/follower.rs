//! The contract with followers (a search index, say): every change in order, once more rather than once less.

use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::judge::state;
use crate::writer::Task;
use firstcopy_store::{Change, State, Store};

/// Changes that a follower gets at a time.
const PIECE: u32 = 1024;

/// Somebody who learns every change.
///
/// After a crash changes come again from the position the follower says it has: applying one twice must do no harm.
pub trait Follower {
    /// Its name among the followers: no two share one.
    fn name(&self) -> &str;

    /// The position of the last [`Follower::apply`] that survived.
    fn position(&self) -> u64;

    /// Applies changes, and keeps the position *in the same commit* as what it makes of them.
    fn apply(&mut self, changes: &[Change], position: u64) -> std::result::Result<(), String>;

    /// Forgets everything: all documents come next.
    fn restart(&mut self) -> std::result::Result<(), String>;
}

impl Engine {
    /// Brings a follower up to the store: from the outbox if that goes back far enough, else from all documents.
    /// Returns how many changes it took.
    pub fn follow(&self, follower: &mut dyn Follower) -> Result<u64> {
        let mut taken = 0;
        loop {
            let changes = self.reader().store.changes_after(follower.position(), PIECE)?;
            let Some(changes) = changes else {
                taken += self.restart(follower)?;
                continue;
            };
            let Some(last) = changes.last() else { break };
            told(follower, |follower| follower.apply(&changes, last.position))?;
            taken += changes.len() as u64;
        }
        let (name, position) = (follower.name().to_owned(), follower.position());
        let known = self.reader().store.followers()?;
        if !known.contains(&(name.clone(), position)) {
            self.reached(name, position)?;
        }
        Ok(taken)
    }

    /// Without room the outbox is kept a little longer: the follower is in step all the same.
    fn reached(&self, name: String, position: u64) -> Result<()> {
        match self.writer.submit(Task::Reached(name, position)).answer() {
            Err(error) if !error.is_disk_full() => Err(error),
            _ => Ok(()),
        }
    }

    /// Gives a follower all documents of one state of the store. It is done only with the last piece.
    fn restart(&self, follower: &mut dyn Follower) -> Result<u64> {
        told(follower, |follower| follower.restart())?;
        let mut reader = self.reader();
        reader.store.begin_reading()?;
        let done = give_all(&reader.store, follower);
        reader.store.rollback()?;
        done
    }
}

fn give_all(store: &Store, follower: &mut dyn Follower) -> Result<u64> {
    let end = store.position()?;
    let (mut last, mut taken) = (0, 0);
    loop {
        let documents = store.documents_after(last, PIECE)?;
        let is_last = documents.len() < PIECE as usize;
        last = documents.last().map_or(last, |document| document.number);
        let changes: Vec<Change> = documents
            .into_iter()
            .map(|document| Change {
                position: end,
                number: document.number,
                was: State::Absent,
                now: state(&document),
                id: document.id,
                keys: document.keys,
            })
            .collect();
        taken += changes.len() as u64;
        told(follower, |follower| follower.apply(&changes, if is_last { end } else { 0 }))?;
        if is_last {
            return Ok(taken);
        }
    }
}

fn told(
    follower: &mut dyn Follower,
    work: impl FnOnce(&mut dyn Follower) -> std::result::Result<(), String>,
) -> Result<()> {
    work(follower).map_err(|reason| EngineError::Follower { name: follower.name().to_owned(), reason })
}
