//! What is there to copy of a record? Its bytes, or in a table its place; taken before the record is decoded.

use std::io::{self, Read};

use firstcopy_text::{Content, Page};

use crate::parquet::Row;
use crate::record::{Raw, Record};
use crate::tape::Tape;

/// A record as it was.
pub(super) enum Original {
    Bytes(Vec<u8>),
    Tape(Tape),
    Row(Row),
}

impl Original {
    pub(super) fn take(record: &mut Record) -> Self {
        match &mut record.raw {
            Raw::Page(page) => Original::Bytes(whole_file(page)),
            Raw::Json(json) => Original::Bytes(json.0.clone()),
            Raw::Row(row) => Original::Row(row.clone()),
            Raw::Capture(capture) => Original::Tape(std::mem::take(&mut capture.original)),
            Raw::Passed(passed) => Original::Tape(std::mem::take(&mut passed.original)),
        }
    }

    pub(super) fn into_bytes(self) -> io::Result<Vec<u8>> {
        match self {
            Original::Bytes(bytes) => Ok(bytes),
            other => {
                let mut bytes = Vec::new();
                other.into_stream()?.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    pub(super) fn into_stream(self) -> io::Result<Box<dyn Read>> {
        match self {
            Original::Bytes(bytes) => Ok(Box::new(io::Cursor::new(bytes))),
            Original::Tape(tape) => Ok(Box::new(tape.play()?)),
            Original::Row(_) => Err(io::Error::other("a row has no bytes of its own")),
        }
    }

    pub(super) fn into_row(self) -> io::Result<Row> {
        match self {
            Original::Row(row) => Ok(row),
            Original::Bytes(_) | Original::Tape(_) => Err(io::Error::other("not a row")),
        }
    }
}

/// The bytes of a file that is one document: they are its content.
fn whole_file(page: &Page) -> Vec<u8> {
    match &page.content {
        Content::Html { bytes, .. } | Content::Text { bytes, .. } => bytes.clone(),
        Content::Unicode { text, .. } => text.clone().into_bytes(),
        Content::Features(_) => Vec::new(),
    }
}
