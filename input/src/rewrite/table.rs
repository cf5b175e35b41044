//! Parquet: the same columns without some rows. Values and levels are copied column by column as the file has them,
//! never through Arrow: no type is lost, and no more of a row group is held than a page of one column.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use arrow_schema::Schema;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, encode_arrow_schema, parquet_to_arrow_schema};
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::column::{AddedColumn, ColumnKind};
use super::original::Original;
use super::output::{Output, Packed};
use super::writer::{Fields, Finished, Lost, Writer};
use crate::parquet::{guarded, short};

/// Values copied at once: as many as the reader takes rows.
const ROWS_AT_ONCE: usize = 128;

/// Writes a table, row group by row group: a group's rows are known only when the next one begins.
pub(super) struct TableWriter {
    reader: SerializedFileReader<File>,
    writer: SerializedFileWriter<Packed<Output>>,
    /// The columns of the original that stay.
    leaves: Vec<usize>,
    added: Vec<AddedColumn>,
    group: usize,
    /// The rows of the group that stay, in order, and how many of them are annotated.
    rows: Vec<Range<usize>>,
    annotated: u64,
    lost: Vec<Lost>,
}

impl TableWriter {
    pub(super) fn new(
        file: &File,
        packed: Packed<Output>,
        columns: &[(&str, ColumnKind)],
    ) -> io::Result<Self> {
        let begin = || {
            let reader = SerializedFileReader::new(file.try_clone()?)?;
            let added: Vec<_> = columns.iter().map(|(name, kind)| AddedColumn::new(name, *kind)).collect();
            let metadata = reader.metadata();
            let properties = WriterProperties::builder()
                .set_compression(codec(metadata))
                .set_key_value_metadata(notes(metadata.file_metadata(), &added))
                .build();
            let original = metadata.file_metadata().schema_descr();
            let leaves = (0..original.num_columns())
                .filter(|leaf| !is_replaced(original.get_column_root(*leaf).name(), &added))
                .collect();
            let schema = schema(&original.root_schema_ptr(), &added)?;
            let writer = SerializedFileWriter::new(packed, schema, Arc::new(properties))?;
            let (rows, lost) = (Vec::new(), Vec::new());
            Ok(TableWriter { reader, writer, leaves, added, group: 0, rows, annotated: 0, lost })
        };
        guarded(begin).map_err(into_io)
    }

    fn add(&mut self, row: usize) {
        match self.rows.last_mut() {
            Some(run) if run.end == row => run.end += 1,
            _ => self.rows.push(row..row + 1),
        }
    }

    /// Writes the rows of the group that stay. A group once begun cannot be taken back, and damage that Arrow passes
    /// over may stop the copying: so all of it is read before.
    fn write_group(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let annotated = std::mem::take(&mut self.annotated);
        if rows.is_empty() {
            return Ok(());
        }
        if let Err(error) = guarded(|| self.read_group(&rows)) {
            let documents = rows.iter().map(|run| run.len() as u64).sum();
            let what = format!("row group {} can be read but not copied", self.group + 1);
            let reason = format!("{what} ({}): write the file again", short(&error));
            self.lost.push(Lost { documents, annotated, reason });
            self.added.iter_mut().for_each(AddedColumn::clear);
            return Ok(());
        }
        guarded(|| self.copy_group(&rows)).map_err(into_io)
    }

    fn read_group(&self, rows: &[Range<usize>]) -> Result<(), ParquetError> {
        let group = self.reader.get_row_group(self.group)?;
        self.leaves.iter().try_for_each(|leaf| copy_column(group.get_column_reader(*leaf)?, None, rows))
    }

    fn copy_group(&mut self, rows: &[Range<usize>]) -> Result<(), ParquetError> {
        let original = self.reader.get_row_group(self.group)?;
        let mut group = self.writer.next_row_group()?;
        for leaf in &self.leaves {
            let values = original.get_column_reader(*leaf)?;
            write_column(&mut group, |column| copy_column(values, Some(column), rows))?;
        }
        for added in &mut self.added {
            write_column(&mut group, |column| added.write(column))?;
        }
        group.close().map(drop)
    }
}

impl Writer for TableWriter {
    fn write(&mut self, original: Original, fields: Option<&Fields>) -> io::Result<bool> {
        let (group, row) = original.into_row()?.position();
        if group != self.group {
            self.write_group()?;
            self.group = group;
        }
        self.add(row);
        self.annotated += u64::from(fields.is_some());
        self.added.iter_mut().for_each(|column| column.push(fields));
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> io::Result<Finished> {
        self.write_group()?;
        let TableWriter { writer, lost, .. } = *self;
        let packed = guarded(|| writer.into_inner()).map_err(into_io)?;
        Ok(Finished { output: Some(packed.finish()?), lost })
    }
}

/// The codec of the first column chunk, unless there is none or nobody can write it.
fn codec(metadata: &ParquetMetaData) -> Compression {
    let first = metadata.row_groups().first().and_then(|group| group.columns().first());
    match first.map(|chunk| chunk.compression()) {
        None | Some(Compression::LZO) => Compression::ZSTD(Default::default()),
        Some(codec) => codec,
    }
}

/// What the file says about itself. The Arrow schema in it must name the added columns, or readers refuse the file.
fn notes(metadata: &FileMetaData, added: &[AddedColumn]) -> Option<Vec<KeyValue>> {
    let notes = metadata.key_value_metadata()?;
    let is_schema = |note: &KeyValue| note.key == ARROW_SCHEMA_META_KEY;
    if added.is_empty() || !notes.iter().any(is_schema) {
        return Some(notes.clone());
    }
    let schema = guarded(|| parquet_to_arrow_schema(metadata.schema_descr(), Some(notes))).ok();
    let schema = schema.map(|schema| encode_arrow_schema(&arrow_schema(&schema, added)));
    let schema = schema.map(|schema| KeyValue::new(ARROW_SCHEMA_META_KEY.to_owned(), schema));
    Some(notes.iter().filter(|note| !is_schema(note)).cloned().chain(schema).collect())
}

fn arrow_schema(original: &Schema, added: &[AddedColumn]) -> Schema {
    let stay = original.fields().iter().filter(|field| !is_replaced(field.name(), added)).cloned();
    let added = added.iter().map(|column| Arc::new(column.arrow_field()));
    Schema::new_with_metadata(stay.chain(added).collect::<Vec<_>>(), original.metadata().clone())
}

fn schema(original: &TypePtr, added: &[AddedColumn]) -> Result<TypePtr, ParquetError> {
    if added.is_empty() {
        return Ok(original.clone());
    }
    let stay = original.get_fields().iter().filter(|field| !is_replaced(field.name(), added)).cloned();
    let mut fields: Vec<TypePtr> = stay.collect();
    for column in added {
        fields.push(column.parquet_type()?);
    }
    Type::group_type_builder(original.name()).with_fields(fields).build().map(Arc::new)
}

fn is_replaced(name: &str, added: &[AddedColumn]) -> bool {
    added.iter().any(|column| column.name == name)
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Packed<Output>>,
    write: impl FnOnce(&mut SerializedColumnWriter<'_>) -> Result<(), ParquetError>,
) -> Result<(), ParquetError> {
    let column = group.next_column()?;
    let mut column = column.ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?;
    write(&mut column)?;
    column.close()
}

/// Copies these rows of a column; with nowhere to copy to they are only read.
fn copy_column(
    from: ColumnReader,
    to: Option<&mut SerializedColumnWriter<'_>>,
    rows: &[Range<usize>],
) -> Result<(), ParquetError> {
    match from {
        ColumnReader::BoolColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::Int32ColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::Int64ColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::Int96ColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::FloatColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::DoubleColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::ByteArrayColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
        ColumnReader::FixedLenByteArrayColumnReader(from) => {
            copy_values(from, to.map(SerializedColumnWriter::typed), rows)
        }
    }
}

fn copy_values<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    mut to: Option<&mut ColumnWriterImpl<'_, T>>,
    rows: &[Range<usize>],
) -> Result<(), ParquetError> {
    let mut at = 0;
    for run in rows {
        at += from.skip_records(run.start - at)?;
        while at < run.end {
            let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
            let wanted = ROWS_AT_ONCE.min(run.end - at);
            let (read, _, _) =
                from.read_records(wanted, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
            if read == 0 {
                return Err(ParquetError::EOF("a column is shorter than others".to_owned()));
            }
            if let Some(to) = &mut to {
                to.write_batch(&values, levels(&definitions), levels(&repetitions))?;
            }
            at += read;
        }
    }
    Ok(())
}

/// A column that cannot be null or repeated has no levels.
fn levels(levels: &[i16]) -> Option<&[i16]> {
    (!levels.is_empty()).then_some(levels)
}

/// What the system said, when that is behind it: a full disk must be recognised.
fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::new(io::ErrorKind::InvalidData, other),
        },
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}
