//! What somebody needs who tells others of what happened: what is said of a document now, what was said of it before, where the
//! store is, and how to stop following it.

use crate::appeals::standing_appeal;
use crate::engine::Engine;
use crate::error::Result;
use crate::reader::Reader;
use crate::show::PastVerdict;
use crate::verdict::Verdict;
use firstcopy_store::{Directory, Store, StoreError};
use std::path::Path;

impl Reader {
    /// The position of the last change.
    pub fn position(&self) -> Result<u64> {
        Ok(self.store.position()?)
    }

    /// What is said of the document with this id; none if there is no such document.
    pub fn verdict_of(&self, id: &str) -> Result<Option<Verdict>> {
        let Some(document) = self.store.by_id(id)? else { return Ok(None) };
        let original = match document.judgement.original {
            Some(number) => self.store.by_number(number)?,
            None => None,
        };
        let appeal = standing_appeal(&self.store, &document)?;
        Ok(Some(Verdict { appeal, ..Verdict::of(&document, original.as_ref()) }))
    }

    /// What was said of an id before, oldest first, even if it was deleted since.
    pub fn past_verdicts(&self, id: &str) -> Result<Vec<PastVerdict>> {
        self.history(id)
    }
}

impl Engine {
    /// Forgets a follower that will not ask again, so that nothing is kept for it.
    pub fn forget_follower(&self, name: &str) -> Result<()> {
        if !is_known(&self.reader().store, name)? {
            return Ok(());
        }
        let name = name.to_owned();
        self.writer.alone(move |registrar| Ok(registrar.store.forget_follower(&name)?))
    }
}

/// The same in a data directory that nobody has open; false if somebody has.
pub fn forget_follower(path: &Path, name: &str) -> Result<bool> {
    let directory = match Directory::open(path) {
        Err(StoreError::InUse { .. }) => return Ok(false),
        directory => directory?,
    };
    let mut store = Store::open(&directory.database())?;
    if is_known(&store, name)? {
        store.forget_follower(name)?;
    }
    Ok(true)
}

fn is_known(store: &Store, name: &str) -> Result<bool> {
    Ok(store.followers()?.iter().any(|(known, _)| known == name))
}
