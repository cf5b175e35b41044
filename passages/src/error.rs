//! What can go wrong: the disk, a damaged file, another kind of database, or the user who stops it.

use std::io;
use std::path::{Path, PathBuf};

/// Why a source database did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum PassageError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The file is not what was written.
    #[error("{}: {what}: {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Whoever keeps the documents could not read one.
    #[error(transparent)]
    Documents(Box<dyn std::error::Error + Send + Sync>),
    /// There is something else in that place.
    #[error("{}: {what}", path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What is there, and what to do.
        what: String,
    },
}

pub(crate) type Result<T> = std::result::Result<T, PassageError>;

/// What helps against a damaged file.
const REBUILD: &str = "restore it from a copy, or build the source database again from its inputs";

impl PassageError {
    /// What the operating system said about a file.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| PassageError::Io { path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        PassageError::Damaged { path: path.to_owned(), what: what.into(), remedy: REBUILD }
    }
}
