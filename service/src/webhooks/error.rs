//! What can be wrong with a webhook, and whose fault it is.

use std::path::{Path, PathBuf};

/// Why something could not be done with a webhook.
#[derive(Debug, thiserror::Error)]
pub enum WebhookError {
    /// What was asked for makes no sense.
    #[error("{detail}")]
    Wrong {
        /// The field at fault.
        field: &'static str,
        /// What is wrong with it, and what to do.
        detail: String,
    },
    /// The name is taken, or there are too many.
    #[error("{0}")]
    Conflict(String),
    /// There is no such webhook.
    #[error("there is no webhook named {0:?}")]
    Unknown(String),
    /// The database could not be used.
    #[error("{}: {source}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The database is of another kind or version.
    #[error("{}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file could not be made, or the system has no random numbers.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The store could not be read.
    #[error(transparent)]
    Engine(#[from] firstcopy_engine::EngineError),
}

impl WebhookError {
    pub(super) fn io(path: &Path, source: impl Into<std::io::Error>) -> Self {
        WebhookError::Io { path: path.to_owned(), source: source.into() }
    }

    pub(super) fn wrong(field: &'static str, detail: impl Into<String>) -> Self {
        WebhookError::Wrong { field, detail: detail.into() }
    }
}
