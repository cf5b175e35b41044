//! Which pages do the inputs hold? The sources one after the other, records in order, bad ones passed on as rejects.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use firstcopy_text::Page;

use crate::error::{InputError, Reject};
use crate::options::ReadOptions;
use crate::place::{At, Place};
use crate::progress::Progress;
use crate::record::Record;
use crate::source::{self, Opened};
use crate::walk::{self, Source};

/// Finds what the paths name: files, directories (recursive, sorted, without hidden entries), globs, `-` for stdin.
///
/// # Errors
/// A path that names nothing, or a glob that matches nothing. Whatever is wrong inside the files is a [`Reject`].
pub fn open(paths: &[String], options: ReadOptions) -> Result<Inputs, InputError> {
    let found = walk::find(paths)?;
    let progress = Progress::new(found.total_bytes);
    found.skipped.iter().for_each(|skip| progress.skip(*skip));
    Ok(Inputs { sources: found.sources.into(), options: Arc::new(options), progress: Arc::new(progress) })
}

/// What is to be read, in order; nothing is opened yet.
#[derive(Debug)]
pub struct Inputs {
    pub(crate) sources: VecDeque<Source>,
    pub(crate) options: Arc<ReadOptions>,
    pub(crate) progress: Arc<Progress>,
}

impl Inputs {
    /// The number of files and streams to read.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// True when there is nothing to read, as in an empty directory.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// What the files and streams are called, in the order in which they are read.
    pub fn names(&self) -> Vec<String> {
        self.sources.iter().map(Source::name).collect()
    }

    /// The counters, to be watched while the pages are read.
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// The pages, streamed in input order.
    pub fn pages(self) -> Pages {
        Pages {
            records: Records {
                sources: self.sources,
                options: self.options,
                progress: self.progress,
                current: None,
            },
        }
    }
}

/// The pages of the inputs, in input order; a reject stands where its record stood.
#[derive(Debug)]
pub struct Pages {
    pub(crate) records: Records,
}

impl Iterator for Pages {
    type Item = Result<Page, Reject>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let decoded = match self.records.next()? {
                Ok(record) => decode(record, &self.records.options, &self.records.progress),
                Err(reject) => Some(Err(reject)),
            };
            if decoded.is_some() {
                return decoded;
            }
        }
    }
}

/// Decodes a record; a failure of the decoder is a reject of that record.
pub(crate) fn decode(
    record: Record,
    options: &ReadOptions,
    progress: &Progress,
) -> Option<Result<Page, Reject>> {
    let place = record.place.clone();
    catch_unwind(AssertUnwindSafe(|| record.decode(options, progress))).unwrap_or_else(|panic| {
        progress.reject();
        Some(Err(Reject::at(&place, failure(&*panic))))
    })
}

/// The reason of a record on which the program itself failed.
pub(crate) fn failure(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let first = text.lines().next().unwrap_or_default();
    format!("an internal error ({first}): please report it with this record")
}

/// The undecoded records of the inputs, in order.
pub(crate) struct Records {
    pub sources: VecDeque<Source>,
    pub options: Arc<ReadOptions>,
    pub progress: Arc<Progress>,
    pub current: Option<Current>,
}

/// The source that is being read.
pub(crate) struct Current {
    file: Arc<str>,
    pub opened: Opened,
}

impl Records {
    /// True when the next record may have to be waited for.
    pub(crate) fn is_drained(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.opened.reader.is_drained())
    }

    /// Reads on in the open source; nothing at its end. A reader that fails is not asked again.
    pub(crate) fn next_in_source(&mut self) -> Option<Result<Record, Reject>> {
        let mut current = self.current.take()?;
        let record = match catch_unwind(AssertUnwindSafe(|| current.opened.reader.next_record())) {
            Ok(None) => return None,
            Ok(Some(record)) => {
                self.current = Some(current);
                record
            }
            Err(panic) => Err(failed(&current.file, &*panic)),
        };
        Some(record.inspect_err(|_| self.progress.reject()))
    }

    /// Begins with a source; there is no current one afterwards if it holds no documents.
    pub(crate) fn open(&mut self, source: Source) -> Result<(), Reject> {
        let file: Arc<str> = source.name().into();
        let opened = catch_unwind(AssertUnwindSafe(|| source::open(source, &self.options, &self.progress)));
        let opened = opened.unwrap_or_else(|panic| Err(failed(&file, &*panic)));
        let opened = opened.inspect_err(|_| self.progress.reject())?;
        self.current = opened.map(|opened| Current { file, opened });
        Ok(())
    }
}

/// The reject of a file on which the program itself failed.
fn failed(file: &Arc<str>, panic: &(dyn std::any::Any + Send)) -> Reject {
    Reject::at(&Place::new(file, At::File), failure(panic))
}

impl Iterator for Records {
    type Item = Result<Record, Reject>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.next_in_source() {
                return Some(record);
            }
            let source = self.sources.pop_front()?;
            if let Err(reject) = self.open(source) {
                return Some(Err(reject));
            }
        }
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Records").field("sources", &self.sources).finish_non_exhaustive()
    }
}
