//! Parquet: which page is this row? Row group by row group, a few rows at a time; a damaged group is a reject.

use std::fs::File;
use std::io;
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
use crate::jsonl::broken;
use crate::options::{Keys, ReadOptions, Role};
use crate::place::{At, Place};
use crate::record::{Decoded, Raw, Reader, Record, Setting, too_large};
use crate::source::whole;

/// Rows decoded together hold about this many bytes, going by the average of their row group.
const BATCH_BYTES: i64 = 4 * 1024 * 1024;
const MOST_ROWS: i64 = 1024;

/// The rows of a Parquet file.
struct Rows {
    file: File,
    /// Its bytes have been counted while they were spooled.
    spooled: bool,
    metadata: ArrowReaderMetadata,
    next_group: usize,
    group: Option<ParquetRecordBatchReader>,
    /// Rows before the current group, and before the current batch.
    group_start: u64,
    batch_start: u64,
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
    let metadata = ArrowReaderMetadata::load(&file, options)
        .map_err(|error| whole(&setting, format!("not valid Parquet ({}): write it again", short(&error))))?;
    Ok(Box::new(Rows {
        file,
        spooled,
        metadata,
        next_group: 0,
        group: None,
        group_start: 0,
        batch_start: 0,
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
        let mut file = tempfile::tempfile()?;
        io::copy(stream, &mut file)?;
        Ok(file)
    };
    let file = spool(&mut stream).map_err(|error| whole(&setting, broken(&error)))?;
    rows(file, true, setting)
}

impl Rows {
    fn next_batch(&mut self) -> Option<Result<(), Reject>> {
        loop {
            if let Some(batch) = self.group.as_mut().and_then(Iterator::next) {
                return Some(self.accept(batch.map_err(ParquetError::from)));
            }
            if self.next_group == self.metadata.metadata().num_row_groups() {
                return None;
            }
            if let Err(error) = self.open_group() {
                return Some(Err(self.reject(&error)));
            }
        }
    }

    fn accept(&mut self, batch: Result<RecordBatch, ParquetError>) -> Result<(), Reject> {
        match batch {
            Ok(batch) => {
                let batch = Batch::new(&batch, &self.setting.options.keys);
                self.batch = Some((Arc::new(batch), 0));
                Ok(())
            }
            Err(error) => {
                self.group = None;
                Err(self.reject(&error))
            }
        }
    }

    fn open_group(&mut self) -> Result<(), ParquetError> {
        let group = self.next_group;
        self.next_group += 1;
        self.batch_start = self.group_start;
        let facts = self.metadata.metadata().row_group(group);
        let row_bytes = facts.total_byte_size() / facts.num_rows().max(1);
        let rows_at_once = (BATCH_BYTES / row_bytes.max(1)).clamp(1, MOST_ROWS);
        self.group_start += facts.num_rows().max(0).unsigned_abs();
        if !self.spooled {
            // By row group, for they are not read in order.
            self.setting.progress.read(facts.compressed_size().max(0).unsigned_abs());
        }
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(self.file.try_clone()?, self.metadata.clone());
        let reader = builder.with_row_groups(vec![group]).with_batch_size(rows_at_once as usize).build()?;
        self.group = Some(reader);
        Ok(())
    }

    fn reject(&self, error: &ParquetError) -> Reject {
        let place = Place::new(&self.setting.file, At::Row(self.batch_start + 1));
        let reason =
            format!("damaged from here to the end of its row group ({}): write it again", short(error));
        Reject::at(&place, reason)
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
}

/// Some rows, column by column.
#[derive(Debug)]
struct Batch {
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
    fn new(batch: &RecordBatch, keys: &Keys) -> Self {
        let fields = batch.schema_ref().fields().iter().zip(batch.columns());
        let columns = fields.map(|(field, values)| Column {
            key: field.name().clone(),
            role: keys.role(field.name()),
            values: values.clone(),
        });
        let (rows, bytes) = (batch.num_rows(), batch.get_array_memory_size());
        Batch { rows, row_bytes: bytes / rows.max(1), columns: columns.collect() }
    }
}

/// One row, not yet decoded.
#[derive(Debug)]
pub(crate) struct Row {
    batch: Arc<Batch>,
    row: usize,
}

impl Row {
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
        draft.finish(&options.keys, place)
    }
}

/// The first line of what the library says.
fn short(error: &ParquetError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
