//! What can go wrong with a history: the disk, or somebody who has had enough.

use std::io;

/// Why histories cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The temporary file that holds the texts.
    #[error(
        "the temporary file of versions cannot be {what}: make room, or name another folder with --temp-dir"
    )]
    Spool {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// More pages than numbers for them.
    #[error("more than {} pages: split the inputs", u32::MAX)]
    TooMany,
    /// Whoever looks on asked to stop.
    #[error("stopped")]
    Stopped,
}

impl HistoryError {
    /// An error of the temporary file.
    pub(crate) fn spool(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| HistoryError::Spool { what, source }
    }
}
