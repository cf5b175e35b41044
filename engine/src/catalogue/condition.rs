//! How is it doing? How far each index is behind the store, and how much room is left.

use super::Catalogue;
use crate::error::Result;
use serde::Serialize;

/// How far an index is behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Lag {
    /// "search", "similarity" or "passages".
    pub index: &'static str,
    /// Changes of the store that it has still to take.
    pub changes: u64,
}

impl Catalogue {
    /// How far each index is behind the store, as this catalogue sees it.
    pub fn lags(&self) -> Result<[Lag; 3]> {
        let position = self.store().position()?;
        let lag = |index, reached: u64| Lag { index, changes: position.saturating_sub(reached) };
        Ok([
            lag("search", self.originals.position().min(self.copies.position())),
            lag("similarity", self.postings.position()),
            lag("passages", self.digests.position()),
        ])
    }

    /// Bytes that can still be written where the data directory is.
    pub fn free_bytes(&self) -> Result<u64> {
        Ok(firstcopy_store::free_bytes(self.reader.directory.path())?)
    }
}
