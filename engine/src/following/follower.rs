//! The contract with followers (a search index, say): every change in order, once more rather than once less.

use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::following::feed::Feed;
use firstcopy_store::Change;

/// Somebody who learns every change.
///
/// After a crash changes come again from the position the follower says it has: applying one twice must do no harm.
pub trait Follower {
    /// Its name among the followers: no two share one.
    fn name(&self) -> &str;

    /// The position of the last [`Follower::apply`].
    fn position(&self) -> u64;

    /// The position that a crash would leave: the outbox is kept from there on.
    fn durable_position(&self) -> u64 {
        self.position()
    }

    /// Applies changes, and keeps the position *in the same commit* as what it makes of them.
    fn apply(&mut self, changes: &[Change], position: u64) -> std::result::Result<(), String>;

    /// Forgets everything: all documents come next, if it wants the past.
    fn restart(&mut self) -> std::result::Result<(), String>;

    /// Whether it has to know all documents when it starts again; who only tells of news goes on from where the store is.
    fn wants_the_past(&self) -> bool {
        true
    }
}

impl Engine {
    /// Brings a follower up to the store: from the outbox if that goes back far enough, else from all documents.
    /// Returns how many changes it took.
    pub fn follow(&self, follower: &mut dyn Follower) -> Result<u64> {
        let mut feed = Feed::open(self.path(), Some(self.writer.door().clone()))?;
        let taken = feed.bring_up(follower)?;
        feed.write_down(follower)?;
        Ok(taken)
    }
}

/// What a follower says went wrong, with its name.
pub(crate) fn told(
    follower: &mut dyn Follower,
    work: impl FnOnce(&mut dyn Follower) -> std::result::Result<(), String>,
) -> Result<()> {
    work(follower).map_err(|reason| EngineError::Follower { name: follower.name().to_owned(), reason })
}
