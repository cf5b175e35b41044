//! What can go wrong: the disk, the files of an earlier run, the inputs, the memory, or the user who stops it.

use std::io;
use std::path::{Path, PathBuf};

/// Why a collection was not clustered. What is finished stays: the same command goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// No room.
    #[error(
        "{}: the disk is full: make room, or name another disk with --temp-dir, and start the same command again: it goes on where it was",
        path.display()
    )]
    Full {
        /// The file that found no room.
        path: PathBuf,
    },
    /// The file is not what was written.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// There is another run's output.
    #[error("{}: was made with other {what}: {remedy}", path.display())]
    Other {
        /// The output folder.
        path: PathBuf,
        /// What differs, then and now.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Less memory than the documents need.
    #[error("{documents} documents need at least {needed} MB of memory: give more with --memory")]
    Memory {
        /// How many there are.
        documents: u64,
        /// Megabytes.
        needed: u64,
    },
    /// More documents than numbers.
    #[error("more than 4,294,967,295 documents: cluster them in several parts")]
    TooMany,
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
}

pub(crate) type Result<T> = std::result::Result<T, ClusterError>;

impl ClusterError {
    /// What the operating system said about a file.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                ClusterError::Full { path: path.to_owned() }
            }
            _ => ClusterError::Io { path: path.to_owned(), source },
        }
    }

    pub(crate) fn damaged(path: &Path) -> Self {
        let reason = "is not what was written: remove the output folder and start again".to_owned();
        ClusterError::Damaged { path: path.to_owned(), reason }
    }
}
