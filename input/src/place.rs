//! Where is a record? The place that a reject names and that an id falls back to.

use std::fmt;
use std::sync::Arc;

/// A record's file and its place in it; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub file: Arc<str>,
    pub at: At,
}

/// A place inside a file, counted from 1.
#[derive(Debug, Clone)]
pub(crate) enum At {
    /// The file as a whole.
    File,
    /// A line of JSON Lines.
    Line(u64),
    /// An item of a JSON array.
    Item(u64),
    /// A row of a table.
    Row(u64),
    /// A record of an archive, with the url it was fetched from.
    Record(u64, Option<Arc<str>>),
}

impl fmt::Display for At {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::File => Ok(()),
            At::Line(n) => write!(out, "line {n}"),
            At::Item(n) => write!(out, "item {n}"),
            At::Row(n) => write!(out, "row {n}"),
            At::Record(n, None) => write!(out, "record {n}"),
            At::Record(n, Some(url)) => write!(out, "record {n} ({url})"),
        }
    }
}

impl Place {
    pub(crate) fn new(file: &Arc<str>, at: At) -> Self {
        Place { file: file.clone(), at }
    }

    /// The id of a document that has neither an id nor a url of its own.
    pub(crate) fn id(&self) -> String {
        match &self.at {
            At::File => self.file.to_string(),
            At::Line(n) => format!("{}:{n}", self.file),
            At::Item(n) => format!("{}:item {n}", self.file),
            At::Row(n) => format!("{}:row {n}", self.file),
            At::Record(n, _) => format!("{}:record {n}", self.file),
        }
    }
}
