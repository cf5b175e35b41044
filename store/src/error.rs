//! What can go wrong with a data directory, and whose turn it is to do something about it.

use std::path::{Path, PathBuf};

/// Why a data directory could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is nothing there.
    #[error("{}: no data directory is there: `firstcopy add` makes one", .0.display())]
    Missing(PathBuf),
    /// Something else is there.
    #[error("{}: this folder is not empty and is no data directory: name another one with --data", .0.display())]
    Foreign(PathBuf),
    /// Another process writes to it.
    #[error("{}: another process{holder} has this data directory open: wait for it, stop it, or ask it over HTTP", path.display())]
    InUse {
        /// The data directory.
        path: PathBuf,
        /// Who holds it, if that is known.
        holder: String,
    },
    /// It was written by a newer version.
    #[error(
        "{}: format {found} is newer than this firstcopy reads (up to {}): use the version that wrote it, or a later one",
        path.display(), crate::FORMAT_VERSION
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// It was written by an older version, whose format is no longer read.
    #[error(
        "{}: format {found} is older than this firstcopy reads ({}): write it out with the version that made it \
         (`firstcopy export`), and take it in again (`firstcopy import`)",
        path.display(), crate::FORMAT_VERSION
    )]
    Older {
        /// The database.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// A part of it is lost or does not belong to it.
    #[error("{}: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        reason: String,
    },
    /// Too little room is left on the disk.
    #[error(
        "{}: the disk is full (less than {reserve} bytes would be left): nothing was stored, reading goes on; free some space",
        path.display()
    )]
    DiskFull {
        /// The data directory.
        path: PathBuf,
        /// What is kept free.
        reserve: u64,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// SQLite refused.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What it said.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// The system's error at a file; a full disk is told apart.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::StorageFull => StoreError::DiskFull { path: path.to_owned(), reserve: 0 },
            _ => StoreError::Io { path: path.to_owned(), source },
        }
    }

    /// Something wrong with a file, and what to do.
    pub fn unusable(path: &Path, reason: impl Into<String>) -> Self {
        StoreError::Unusable { path: path.to_owned(), reason: reason.into() }
    }

    /// SQLite's error at a database; a full disk is told apart, because then only room is missing.
    pub(crate) fn sqlite(path: &Path, source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => StoreError::DiskFull { path: path.to_owned(), reserve: 0 },
            _ => StoreError::Sqlite { path: path.to_owned(), source },
        }
    }

    /// Whether the same write may be tried again once there is room; everything else must be looked at first.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, StoreError::DiskFull { .. })
    }
}
