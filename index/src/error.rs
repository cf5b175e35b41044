//! What can go wrong with an index: always the disk or the file, never the keys.

use std::io;
use std::path::{Path, PathBuf};

/// Why an index could not be used. It can always be deleted and rebuilt from the store.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// SQLite refused.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
    /// The file is not what was written.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl IndexError {
    /// The file that found no room, if that is all that went wrong.
    pub fn full_disk(&self) -> Option<&Path> {
        match self {
            IndexError::Io { path, source } if source.kind() == io::ErrorKind::StorageFull => Some(path),
            IndexError::Sqlite { path, source }
                if source.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull) =>
            {
                Some(path)
            }
            _ => None,
        }
    }

    /// Whether there is nothing where an index was to be read: whoever writes has not made it yet.
    pub fn is_missing(&self) -> bool {
        matches!(self, IndexError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// What the operating system said about a file.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| IndexError::Io { path: path.to_owned(), source }
    }

    /// What is wrong with a file.
    pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> Self {
        IndexError::Damaged { path: path.to_owned(), reason: reason.into() }
    }
}
