//! What can go wrong, and whose fault it is: an input that cannot be begun, or one bad record in it.

use serde::Serialize;

use crate::place::Place;

/// An input that cannot be read at all: the run should end before it begins.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// Nothing was named.
    #[error("no input: name a file, a directory, a glob, or - for stdin")]
    NoInput,
    /// A path names nothing.
    #[error("{path}: no such file or directory: check the name")]
    Missing {
        /// The path as given.
        path: String,
    },
    /// A glob matches nothing.
    #[error("{pattern}: the glob matches no file: check it, or quote it so that the shell leaves it alone")]
    NoMatch {
        /// The glob as given.
        pattern: String,
    },
    /// A glob is not one.
    #[error(
        "{pattern}: not a valid glob ({reason}): to name a file with these characters, check that it exists"
    )]
    BadGlob {
        /// The glob as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Stdin can be read once only.
    #[error("-: stdin is named more than once: name it once")]
    StdinTwice,
    /// A path exists and may not be looked at.
    #[error("{path}: cannot be read ({reason}): check its permissions")]
    Unreadable {
        /// The path as given.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// A format name that is none.
    #[error("{name}: no such format: use html, text, jsonl, parquet or warc")]
    UnknownFormat {
        /// The name as given.
        name: String,
    },
}

/// One record that could not be read: where it is, and why, with a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{file}: {record}{separator}{reason}", separator = if record.is_empty() { "" } else { ": " })]
pub struct Reject {
    /// The file as it was named, `-` for stdin.
    pub file: String,
    /// Its place in the file: `line 17`, `row 12`, `record 3 (https://…)`; empty for the file as a whole.
    pub record: String,
    /// What is wrong and what to do.
    pub reason: String,
}

impl Reject {
    pub(crate) fn at(place: &Place, reason: impl Into<String>) -> Self {
        Reject { file: place.file.to_string(), record: place.at.to_string(), reason: reason.into() }
    }
}
