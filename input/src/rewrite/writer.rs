//! Who writes this layout? One writer each, all behind one trait: the mirror image of the readers.

use std::io;

use serde_json::{Map, Value};

use super::archive::ArchiveWriter;
use super::column::ColumnKind;
use super::json::{ArrayWriter, LinesWriter, ObjectsWriter};
use super::original::Original;
use super::output::{Output, Packed};
use super::table::TableWriter;
use super::whole::WholeWriter;
use crate::compression::Packing;
use crate::record::Layout;

/// What an annotation adds.
pub(super) type Fields = Map<String, Value>;

/// Writes the records of one input again.
pub(super) trait Writer {
    /// Writes a record, with fields added if there are any; says whether there is a place for them.
    fn write(&mut self, original: Original, fields: Option<&Fields>) -> io::Result<bool>;

    /// Ends the file.
    fn finish(self: Box<Self>) -> io::Result<Finished>;
}

/// What was written.
pub(super) struct Finished {
    /// The complete file; nothing when none is to be left.
    pub output: Option<Output>,
    /// Documents that were taken and turned out damaged only when they were copied.
    pub lost: Vec<Lost>,
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Finished { output: Some(output), lost: Vec::new() }
    }
}

/// Documents that could not be copied, and why.
pub(super) struct Lost {
    pub documents: u64,
    pub annotated: u64,
    pub reason: String,
}

/// The registry: one line a layout.
pub(super) fn open(
    layout: Layout,
    packing: Packing,
    output: Output,
    columns: &[(&str, ColumnKind)],
) -> io::Result<Box<dyn Writer>> {
    let packed = |output| Packed::new(output, packing);
    Ok(match layout {
        Layout::Html | Layout::Text => Box::new(WholeWriter::new(packed(output)?)),
        Layout::Lines => Box::new(LinesWriter::new(packed(output)?)),
        Layout::Array => Box::new(ArrayWriter::new(packed(output)?)),
        Layout::Objects => Box::new(ObjectsWriter::new(packed(output)?)),
        Layout::Table(file) => Box::new(TableWriter::new(&file, packed(output)?, columns)?),
        Layout::Archive => Box::new(ArchiveWriter::new(output, packing)),
    })
}
