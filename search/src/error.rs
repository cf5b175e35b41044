//! What can go wrong, whose fault it is and what to do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use tantivy::TantivyError;
use tantivy::directory::error::LockError;

/// Why a search index could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// There is nothing there.
    #[error("{}: no search index is there: open it for writing once, or rebuild it", .0.display())]
    Missing(PathBuf),
    /// Another process writes to it.
    #[error("{}: another process writes to this search index: wait for it, or stop it", .0.display())]
    InUse(PathBuf),
    /// It was made by another version.
    #[error("{}: this search index was made by another version of firstcopy: delete the folder and rebuild it", .0.display())]
    OtherVersion(PathBuf),
    /// It cannot be read.
    #[error("{}: this search index is damaged ({reason}): delete the folder and rebuild it", path.display())]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// Writing or reading failed in another way.
    #[error("{}: the search index failed: {source}", path.display())]
    Engine {
        /// The folder.
        path: PathBuf,
        /// What happened.
        source: TantivyError,
    },
    /// A cursor that does not belong to the question.
    #[error("this cursor belongs to another query or order: leave it out to start from the first page")]
    ForeignCursor,
}

/// Why a query could not be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// A filter that makes no sense.
    #[error("{filter}:{value} is no valid filter: {remedy}")]
    Filter {
        /// Its name.
        filter: &'static str,
        /// What was given.
        value: String,
        /// What would be right.
        remedy: &'static str,
    },
    /// Something else than a cursor.
    #[error("{0:?} is no cursor: take the one that came with the last page")]
    Cursor(String),
}

impl SearchError {
    /// What the operating system said about a path.
    pub(crate) fn io(path: &Path) -> impl Fn(std::io::Error) -> Self {
        move |source| SearchError::Io { path: path.to_owned(), source }
    }

    /// What tantivy said about the index in a folder.
    pub(crate) fn of(folder: &Path) -> impl Fn(TantivyError) -> Self {
        move |source| {
            let path = folder.to_owned();
            match source {
                TantivyError::LockFailure(LockError::LockBusy, _) => SearchError::InUse(path),
                TantivyError::IncompatibleIndex(_) => SearchError::OtherVersion(path),
                TantivyError::DataCorruption(_) | TantivyError::OpenReadError(_) => {
                    SearchError::damaged(folder, &source.to_string())
                }
                source => SearchError::Engine { path, source },
            }
        }
    }

    /// A folder that cannot be read.
    pub(crate) fn damaged(folder: &Path, reason: &str) -> Self {
        SearchError::Damaged { path: folder.to_owned(), reason: reason.to_owned() }
    }
}

/// Runs what reads segments. Damaged ones make tantivy panic: here that is an error like any other damage.
pub(crate) fn guarded<T>(folder: &Path, work: impl FnOnce() -> tantivy::Result<T>) -> Result<T, SearchError> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(SearchError::of(folder)),
        Err(_) => Err(SearchError::damaged(folder, "a segment cannot be read")),
    }
}
