//! A data directory opened only to read from its store, beside whoever writes to it.

use crate::engine::{Statistics, bytes_of};
use crate::error::Result;
use crate::settings::Settings;
use firstcopy_store::{Directory, Store};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

    /// The generation of the stored features.
    pub(crate) fn generation(&self) -> Result<u32> {
        Ok(self.store.meta("generation")?.unwrap_or(1))
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
            gone: counts.gone,
            outbox: counts.outbox,
            store_bytes: counts.bytes,
            index_bytes: bytes_of(&self.directory.indexes()),
            format_version: firstcopy_store::FORMAT_VERSION,
            generation: self.generation()?,
            settings: self.settings()?,
        })
    }
}

/// As many readers as there are threads that read at the same time: a connection serves one of them.
#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Reader>>,
}

impl Readers {
    pub(crate) fn new(path: &Path) -> Self {
        Readers { path: path.to_owned(), idle: Mutex::new(Vec::new()) }
    }

    /// Reads with an idle reader, or a new one.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Store) -> Result<T>) -> Result<T> {
        let idle = self.idle().pop();
        let reader = match idle {
            Some(reader) => reader,
            None => Reader::open(&self.path)?,
        };
        let done = work(&reader.store);
        self.idle().push(reader);
        done
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
