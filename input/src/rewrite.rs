//! Which documents stay? Copies inputs record by record: the same format, the same compression, without the documents
//! that the caller drops. Cutting and decoding are those of [`Pages`](crate::Pages), so the numbers agree.

mod archive;
mod column;
mod error;
mod fields;
mod json;
mod original;
mod output;
mod table;
mod target;
mod whole;
mod writer;

use std::collections::VecDeque;
use std::io;

use firstcopy_text::Page;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::Reject;
use crate::pages::{Inputs, Records, decode};
use crate::record::Record;
use crate::source::Opened;
use crate::walk::Source;

pub use column::ColumnKind;
pub use error::RewriteError;
use original::Original;
use output::Output;
pub use target::Target;
use writer::{Finished, Writer};

/// What becomes of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// It is copied as it is.
    Keep,
    /// It is left out.
    Drop,
    /// It is copied with these fields added; existing ones of the same name are replaced.
    Annotate(Map<String, Value>),
}

/// What was copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Rewritten {
    /// Documents that were written, with fields added or not.
    pub kept: u64,
    /// Documents that were left out.
    pub dropped: u64,
    /// Those of the kept ones that fields were added to.
    pub annotated: u64,
    /// Those of the kept ones that should have got fields and have no place for them: HTML and plain text.
    pub not_annotated: u64,
    /// Records that are no documents and were copied as they are: requests, redirects and images in web archives.
    pub other_records: u64,
    /// Records that could not be read and were left out.
    pub rejected: u64,
    /// Files written.
    pub files: u64,
    /// Bytes written, after compression.
    pub bytes: u64,
}

/// Copies inputs to `target`, document by document.
///
/// `decide` is asked for every document, with its number and its page: numbers count from 0 over all inputs, exactly
/// as [`Inputs::pages`] gives pages that are `Ok`. What `pages` gives as a [`Reject`] is left out and told to `reject`.
/// Files of a directory that hold no documents are not copied.
///
/// - JSON: lines and items stay byte for byte, added fields are spliced in. Blank lines are left out.
/// - Parquet: schema, values, row groups, file metadata and the codec of the first column chunk stay. `columns` are
///   the fields that annotations may add: nullable columns at the end, in every Parquet file, in place of columns of
///   the same name. A value of another kind is null, a field that is not among `columns` is left out.
///   A damaged row group may be readable and yet not copyable: after its file it is told as one reject.
/// - WARC: every record stays byte for byte, and is a gzip member or a zstd frame of its own. Added fields are header
///   fields, `WARC-Firstcopy-Duplicate-Of: …` for `duplicate_of`.
/// - HTML, plain text: a file is copied or not; it has no place for added fields.
///
/// No document is held that is larger than [`max_document_size`](crate::ReadOptions::max_document_size); of a Parquet
/// file, one page of a column and the added fields of one row group. Every file gets its name only when it is whole.
///
/// # Errors
/// Before anything is written: an output that exists, that is an input, or that two inputs would be written to.
/// Later: an output that cannot be written; the files finished before stay.
pub fn rewrite(
    inputs: Inputs,
    target: &Target,
    columns: &[(&str, ColumnKind)],
    decide: impl FnMut(u64, &Page) -> Fate,
    reject: impl FnMut(&Reject),
) -> Result<Rewritten, RewriteError> {
    target.check(&inputs.sources)?;
    let Inputs { sources, options, progress } = inputs;
    let records = Records { sources: VecDeque::new(), options, progress, current: None };
    let mut copying =
        Copying { records, target, columns, decide, reject, next_number: 0, done: Rewritten::default() };
    sources.into_iter().try_for_each(|source| copying.copy_source(source))?;
    Ok(copying.done)
}

/// A run: what is read, who is asked, and what has been done.
struct Copying<'a, D, R> {
    records: Records,
    target: &'a Target,
    columns: &'a [(&'a str, ColumnKind)],
    decide: D,
    reject: R,
    next_number: u64,
    done: Rewritten,
}

impl<D: FnMut(u64, &Page) -> Fate, R: FnMut(&Reject)> Copying<'_, D, R> {
    fn copy_source(&mut self, source: Source) -> Result<(), RewriteError> {
        let (name, planned) = (source.name(), self.target.path(&source));
        if let Err(reject) = self.records.open(source) {
            self.leave_out(&reject);
            return Ok(());
        }
        let Some(current) = &mut self.records.current else { return Ok(()) };
        let Opened { reader, packing } = &mut current.opened;
        reader.keep_originals();
        let layout = reader.layout();
        let path = planned.unwrap_or_else(|| self.target.stdin_path(&layout, *packing));
        let wrong = RewriteError::write(&path);
        let output = Output::create(&path)?;
        let mut writer = writer::open(layout, *packing, output, self.columns).map_err(&wrong)?;
        while let Some(item) = self.records.next_in_source() {
            self.copy_record(item, &mut *writer).map_err(&wrong)?;
        }
        self.finish(name, writer.finish().map_err(&wrong)?)
    }

    fn copy_record(&mut self, item: Result<Record, Reject>, writer: &mut dyn Writer) -> io::Result<()> {
        let mut record = match item {
            Ok(record) => record,
            Err(reject) => {
                self.leave_out(&reject);
                return Ok(());
            }
        };
        let original = Original::take(&mut record);
        match decode(record, &self.records.options, &self.records.progress) {
            Some(Ok(page)) => self.copy_document(original, &page, writer)?,
            Some(Err(reject)) => self.leave_out(&reject),
            None => self.copy_other(original, writer)?,
        }
        Ok(())
    }

    fn copy_other(&mut self, original: Original, writer: &mut dyn Writer) -> io::Result<()> {
        writer.write(original, None)?;
        self.done.other_records += 1;
        Ok(())
    }

    fn copy_document(&mut self, original: Original, page: &Page, writer: &mut dyn Writer) -> io::Result<()> {
        let number = self.next_number;
        self.next_number += 1;
        let fields = match (self.decide)(number, page) {
            Fate::Drop => {
                self.done.dropped += 1;
                return Ok(());
            }
            Fate::Keep => None,
            Fate::Annotate(fields) => Some(fields),
        };
        let took_fields = writer.write(original, fields.as_ref())?;
        self.done.kept += 1;
        match (fields.is_some(), took_fields) {
            (true, true) => self.done.annotated += 1,
            (true, false) => self.done.not_annotated += 1,
            (false, _) => {}
        }
        Ok(())
    }

    fn leave_out(&mut self, reject: &Reject) {
        self.done.rejected += 1;
        (self.reject)(reject);
    }

    fn finish(&mut self, input: String, finished: Finished) -> Result<(), RewriteError> {
        for lost in finished.lost {
            self.done.kept -= lost.documents;
            self.done.annotated -= lost.annotated;
            self.leave_out(&Reject { file: input.clone(), record: String::new(), reason: lost.reason });
        }
        if let Some(output) = finished.output {
            self.done.bytes += output.finish()?;
            self.done.files += 1;
        }
        Ok(())
    }
}
