//! Parquet: which page is this row? Row group by row group, a few rows at a time; a damaged group is a reject.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use firstcopy_text::Page;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;

use crate::column;
use crate::compression::Stream;
use crate::draft::Draft;
use crate::error::Reject;
use crate::options::{Keys, ReadOptions, Role};
use crate::place::{At, Place};
use crate::record::{Decoded, Layout, Raw, Reader, Record, Setting, broken, too_large};
use crate::source::whole;

/// Rows decoded together hold about this many bytes, going by the average of their row group.
const BATCH_BYTES: i64 = 4 * 1024 * 1024;
/// … and are few, for a dictionary makes long texts that repeat look short.
const MOST_ROWS: i64 = 128;

/// The rows of a Parquet file.
struct Rows {
    file: Arc<File>,
    /// Its bytes have been counted while they were spooled.
    spooled: bool,
    metadata: ArrowReaderMetadata,
    next_group: usize,
    group: Option<ParquetRecordBatchReader>,
    /// Rows before the current group, and before the current batch.
    group_start: u64,
    batch_start: u64,
    /// Rows of the current group in its batches so far.
    taken: usize,
    batch: Option<(Arc<Batch>, usize)>,
    setting: Setting,
}

/// Opens a file that can be sought in.
pub(crate) fn reader(file: File, setting: Setting) -> Result<Box<dyn Reader>, Reject> {
    rows(file, false, setting)
}

fn rows(file: File, spooled: bool, setting: Setting) -> Result<Box<dyn Reader>, Reject> {
    // The file's own types without the writer's Arrow hints: fewer shapes of strings, and hints can be wrong.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = guarded(|| ArrowReaderMetadata::load(&file, options))
        .map_err(|error| whole(&setting, format!("not valid Parquet ({}): write it again", short(&error))))?;
    Ok(Box::new(Rows {
        file: Arc::new(file),
        spooled,
        metadata,
        next_group: 0,
        group: None,
        group_start: 0,
        batch_start: 0,
        taken: 0,
        batch: None,
        setting,
    }))
}

/// Spools a stream to a temporary file first: Parquet has its table of contents at the end.
pub(crate) fn spooled_reader(
    head: &[u8],
    mut stream: Stream,
    setting: Setting,
) -> Result<Box<dyn Reader>, Reject> {
    if !head.starts_with(b"PAR1") {
        return Err(whole(&setting, "not valid Parquet (it does not begin with PAR1): check the format"));
    }
    let spool = |stream: &mut Stream| -> io::Result<File> {
        let mut file = match &setting.options.temp_dir {
            Some(directory) => tempfile::tempfile_in(directory)?,
            None => tempfile::tempfile()?,
        };
        io::copy(stream, &mut file)?;
        Ok(file)
    };
    let file = spool(&mut stream).map_err(|error| whole(&setting, broken(&error)))?;
    rows(file, true, setting)
}

impl Rows {
    fn next_batch(&mut self) -> Option<Result<(), Reject>> {
        loop {
            if let Some(batch) = self.read_batch() {
                return Some(self.accept(batch));
            }
            if self.next_group == self.metadata.metadata().num_row_groups() {
                return None;
            }
            if let Err(reason) = self.open_group() {
                return Some(Err(self.reject(reason)));
            }
        }
    }

    fn read_batch(&mut self) -> Option<Result<RecordBatch, ParquetError>> {
        let group = self.group.as_mut()?;
        guarded(|| group.next().transpose().map_err(ParquetError::from)).transpose()
    }

    fn accept(&mut self, batch: Result<RecordBatch, ParquetError>) -> Result<(), Reject> {
        match batch {
            Ok(batch) => {
                let position = (self.next_group - 1, self.taken);
                self.taken += batch.num_rows();
                let batch = Batch::new(&batch, &self.setting.options.keys, position);
                self.batch = Some((Arc::new(batch), 0));
                Ok(())
            }
            Err(error) => {
                self.group = None;
                Err(self.reject(damaged(&error)))
            }
        }
    }

    /// Opens the next row group, unless its rows are plainly too large: a page of it would be held as a whole.
    fn open_group(&mut self) -> Result<(), String> {
        let facts = self.metadata.metadata().row_group(self.next_group);
        let row_bytes = (facts.total_byte_size() / facts.num_rows().max(1)).max(1);
        self.taken = 0;
        self.batch_start = self.group_start;
        self.group_start += facts.num_rows().max(0).unsigned_abs();
        if !self.spooled {
            // By row group, for they are not read in order.
            self.setting.progress.read(facts.compressed_size().max(0).unsigned_abs());
        }
        self.next_group += 1;
        let limit = self.setting.options.max_document_size;
        if row_bytes.unsigned_abs() > limit {
            return Err(too_large("average row of its row group", limit));
        }
        let rows_at_once = (BATCH_BYTES / row_bytes).clamp(1, MOST_ROWS) as usize;
        let reader = guarded(|| self.group_reader(self.next_group - 1, rows_at_once));
        self.group = Some(reader.map_err(|error| damaged(&error))?);
        Ok(())
    }

    fn group_reader(&self, group: usize, rows: usize) -> Result<ParquetRecordBatchReader, ParquetError> {
        let (file, metadata) = (self.file.try_clone()?, self.metadata.clone());
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        builder.with_row_groups(vec![group]).with_batch_size(rows).build()
    }

    fn reject(&self, reason: String) -> Reject {
        Reject::at(&Place::new(&self.setting.file, At::Row(self.batch_start + 1)), reason)
    }
}

impl Reader for Rows {
    fn next_record(&mut self) -> Option<Result<Record, Reject>> {
        loop {
            let Some((batch, row)) = &mut self.batch else {
                match self.next_batch()? {
                    Ok(()) => continue,
                    Err(reject) => return Some(Err(reject)),
                }
            };
            if *row < batch.rows {
                let raw = Raw::Row(Row { batch: batch.clone(), row: *row });
                *row += 1;
                self.batch_start += 1;
                return Some(Ok(Record {
                    place: Place::new(&self.setting.file, At::Row(self.batch_start)),
                    raw,
                }));
            }
            self.batch = None;
        }
    }

    fn layout(&self) -> Layout {
        Layout::Table(self.file.clone())
    }
}

/// Some rows, column by column.
#[derive(Debug)]
struct Batch {
    /// The row group, and the rows of it before these.
    position: (usize, usize),
    rows: usize,
    row_bytes: usize,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    key: String,
    role: Role,
    values: ArrayRef,
}

impl Batch {
    fn new(batch: &RecordBatch, keys: &Keys, position: (usize, usize)) -> Self {
        let fields = batch.schema_ref().fields().iter().zip(batch.columns());
        let columns = fields.map(|(field, values)| Column {
            key: field.name().clone(),
            role: keys.role(field.name()),
            values: values.clone(),
        });
        let (rows, bytes) = (batch.num_rows(), batch.get_array_memory_size());
        Batch { position, rows, row_bytes: bytes / rows.max(1), columns: columns.collect() }
    }
}

/// One row, not yet decoded.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    batch: Arc<Batch>,
    row: usize,
}

impl Row {
    /// The row group it stands in, and its place there, both counted from 0.
    pub(crate) fn position(&self) -> (usize, usize) {
        let (group, before) = self.batch.position;
        (group, before + self.row)
    }

    pub(crate) fn weight(&self) -> usize {
        self.batch.row_bytes
    }

    pub(crate) fn decode(&self, options: &ReadOptions, place: &Place) -> Decoded {
        self.page(options, place).into()
    }

    fn page(&self, options: &ReadOptions, place: &Place) -> Result<Page, String> {
        let mut draft = Draft::default();
        for column in &self.batch.columns {
            let body = matches!(column.role, Role::Text | Role::Html);
            match column::bytes(&column.values, self.row).filter(|_| body) {
                Some(bytes) if bytes.len() as u64 > options.max_document_size => {
                    return Err(too_large("row", options.max_document_size));
                }
                Some(bytes) => draft.set_bytes(column.role, bytes.to_vec()),
                None => draft.set(&options.keys, &column.key, column::value(&column.values, self.row)),
            }
        }
        draft.finish(options, place)
    }
}

/// The library panics on some damage; here that is an error like any other.
pub(crate) fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err(ParquetError::General("Invalid encoding".to_owned())))
}

fn damaged(error: &ParquetError) -> String {
    format!("damaged from here to the end of its row group ({}): write it again", short(error))
}

/// The first line of what the library says.
pub(crate) fn short(error: &ParquetError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
