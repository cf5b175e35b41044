//! What has been cut from a stream and not yet decoded? Cutting is serial, decoding runs where the work runs.

use std::fs::File;
use std::sync::Arc;

use firstcopy_text::Page;

use crate::error::Reject;
use crate::jsonl::JsonText;
use crate::options::ReadOptions;
use crate::parquet::Row;
use crate::place::Place;
use crate::progress::{Progress, Skip};
use crate::warc::{Capture, Passed};

/// A reader of one format: cuts a stream into records, in order, and survives whatever it finds.
pub(crate) trait Reader: Send {
    /// The next record; after a reject the reading goes on.
    fn next_record(&mut self) -> Option<Result<Record, Reject>>;

    /// True when the next record may have to be waited for.
    fn is_drained(&self) -> bool {
        false
    }

    /// How its records are laid out.
    fn layout(&self) -> Layout;

    /// From now on every record comes with the bytes it had, for whoever copies it.
    fn keep_originals(&mut self) {}
}

/// How the records of a source are laid out, as far as one must know to write them again.
#[derive(Debug, Clone)]
pub(crate) enum Layout {
    /// The whole file is one page.
    Html,
    /// The whole file is one text.
    Text,
    /// JSON objects, one a line.
    Lines,
    /// A JSON array of objects.
    Array,
    /// JSON objects one after the other.
    Objects,
    /// A Parquet file, to be sought in.
    Table(Arc<File>),
    /// A web archive.
    Archive,
}

/// What every reader is told about its source.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub file: Arc<str>,
    pub options: Arc<ReadOptions>,
    pub progress: Arc<Progress>,
}

/// One record as cut from its stream.
#[derive(Debug)]
pub(crate) struct Record {
    pub place: Place,
    pub raw: Raw,
}

/// The undecoded content of a record.
#[derive(Debug)]
pub(crate) enum Raw {
    Page(Box<Page>),
    Json(JsonText),
    Row(Row),
    Capture(Box<Capture>),
    Passed(Box<Passed>),
}

/// What a record turned out to be.
pub(crate) enum Decoded {
    Page(Box<Page>),
    Skip(Skip),
    /// The reason.
    Reject(String),
}

impl Record {
    /// About how many bytes it holds.
    pub(crate) fn weight(&self) -> usize {
        match &self.raw {
            Raw::Page(page) => page_weight(page),
            Raw::Json(json) => json.0.len(),
            Raw::Row(row) => row.weight(),
            Raw::Capture(capture) => capture.weight(),
            Raw::Passed(_) => 0,
        }
    }

    /// The page, counted; nothing for what is no document.
    pub(crate) fn decode(self, options: &ReadOptions, progress: &Progress) -> Option<Result<Page, Reject>> {
        let decoded = match self.raw {
            Raw::Page(page) => Decoded::Page(page),
            Raw::Json(json) => json.decode(options, &self.place),
            Raw::Row(row) => row.decode(options, &self.place),
            Raw::Capture(capture) => capture.decode(options, &self.place),
            Raw::Passed(passed) => Decoded::Skip(passed.skip),
        };
        match decoded {
            Decoded::Page(page) => {
                progress.page();
                Some(Ok(*page))
            }
            Decoded::Skip(skip) => {
                progress.skip(skip);
                None
            }
            Decoded::Reject(reason) => {
                progress.reject();
                Some(Err(Reject::at(&self.place, reason)))
            }
        }
    }
}

impl From<Result<Page, String>> for Decoded {
    fn from(result: Result<Page, String>) -> Self {
        match result {
            Ok(page) => Decoded::Page(Box::new(page)),
            Err(reason) => Decoded::Reject(reason),
        }
    }
}

fn page_weight(page: &Page) -> usize {
    use firstcopy_text::Content::{Features, Html, Text, Unicode};
    match &page.content {
        Html { bytes, .. } | Text { bytes, .. } => bytes.len(),
        Unicode { text, .. } => text.len(),
        Features(features) => features.len() * size_of::<firstcopy_text::Feature>(),
    }
}

/// The reason of a record that its stream broke off in.
pub(crate) fn broken(error: &std::io::Error) -> String {
    format!("cannot be read ({error}): fetch or copy the file again")
}

/// The reason of every document beyond the limit.
pub(crate) fn too_large(what: &str, limit: u64) -> String {
    format!("the {what} is larger than {}: raise --max-document-size to read it", readable(limit))
}

fn readable(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = UNITS.into_iter().find(|(size, _)| bytes >= *size && bytes.is_multiple_of(*size));
    unit.map_or_else(|| format!("{bytes} bytes"), |(size, name)| format!("{} {name}", bytes / size))
}
