//! A data directory opened only to read from its store, beside whoever writes to it.

use crate::engine::{Statistics, bytes_of};
use crate::error::Result;
use crate::settings::Settings;
use firstcopy_store::{Directory, Store};
use std::path::Path;

/// Reads what was committed. Needs no lock.
#[derive(Debug)]
pub struct Reader {
    pub(crate) directory: Directory,
    pub(crate) store: Store,
}

impl Reader {
    /// Opens a data directory that is there.
    pub fn open(path: &Path) -> Result<Self> {
        let directory = Directory::open_to_read(path)?;
        let store = Store::open_to_read(&directory.database())?;
        Ok(Reader { directory, store })
    }

    /// What the stored verdicts depend on.
    pub fn settings(&self) -> Result<Settings> {
        let stored: String = self.store.meta("parameters")?.unwrap_or_default();
        Settings::from_toml(&stored, &self.directory.database())
    }

    /// Counts what the data directory holds.
    pub fn statistics(&self) -> Result<Statistics> {
        let counts = self.store.counts()?;
        Ok(Statistics {
            documents: counts.documents,
            originals: counts.documents - counts.duplicates,
            duplicates: counts.duplicates,
            versions: counts.versions,
            deleted: counts.tombstones,
            outbox: counts.outbox,
            store_bytes: counts.bytes,
            index_bytes: bytes_of(&self.directory.indexes()),
            format_version: firstcopy_store::FORMAT_VERSION,
            generation: self.store.meta("generation")?.unwrap_or(1),
            settings: self.settings()?,
        })
    }
}
