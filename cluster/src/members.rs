//! The list of members as Parquet: the same fields, some thousand rows at a time.

use crate::error::{ClusterError, Result};
use crate::files::Draft;
use crate::output::Member;
use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows of a batch.
const ROWS: usize = 8192;

/// A table that is being written.
pub(crate) struct MemberTable {
    writer: ArrowWriter<Draft>,
    path: PathBuf,
    id: StringBuilder,
    url: StringBuilder,
    cluster: UInt32Builder,
    cluster_size: UInt64Builder,
    original: StringBuilder,
    is_duplicate: BooleanBuilder,
    resemblance: Float64Builder,
    likeness: Float64Builder,
    relation: StringBuilder,
    /// Whether the last two are written.
    has_relations: bool,
    rows: usize,
}

fn schema(has_relations: bool) -> Schema {
    let field = |name: &str, kind, nullable| Field::new(name, kind, nullable);
    let mut fields = vec![
        field("id", DataType::Utf8, false),
        field("url", DataType::Utf8, true),
        field("cluster", DataType::UInt32, false),
        field("cluster_size", DataType::UInt64, false),
        field("original", DataType::Utf8, false),
        field("is_duplicate", DataType::Boolean, false),
        field("resemblance", DataType::Float64, false),
    ];
    if has_relations {
        fields.push(field("likeness", DataType::Float64, false));
        fields.push(field("relation", DataType::Utf8, false));
    }
    Schema::new(fields)
}

impl MemberTable {
    pub fn begin(draft: Draft, path: &Path, has_relations: bool) -> Result<Self> {
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        let writer = ArrowWriter::try_new(draft, Arc::new(schema(has_relations)), Some(properties))
            .map_err(|error| wrong(path, error))?;
        Ok(MemberTable {
            writer,
            path: path.to_owned(),
            id: StringBuilder::new(),
            url: StringBuilder::new(),
            cluster: UInt32Builder::new(),
            cluster_size: UInt64Builder::new(),
            original: StringBuilder::new(),
            is_duplicate: BooleanBuilder::new(),
            resemblance: Float64Builder::new(),
            likeness: Float64Builder::new(),
            relation: StringBuilder::new(),
            has_relations,
            rows: 0,
        })
    }

    pub fn put(&mut self, member: &Member<'_>) -> Result<()> {
        self.id.append_value(member.id);
        self.url.append_option(member.url);
        self.cluster.append_value(member.cluster);
        self.cluster_size.append_value(member.cluster_size as u64);
        self.original.append_value(member.original);
        self.is_duplicate.append_value(member.is_duplicate);
        self.resemblance.append_value(member.resemblance);
        if self.has_relations {
            self.likeness.append_value(member.likeness.unwrap_or_default());
            self.relation.append_value(member.relation.unwrap_or_default().name());
        }
        self.rows += 1;
        if self.rows == ROWS { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.cluster.finish()),
            Arc::new(self.cluster_size.finish()),
            Arc::new(self.original.finish()),
            Arc::new(self.is_duplicate.finish()),
            Arc::new(self.resemblance.finish()),
        ];
        if self.has_relations {
            columns.push(Arc::new(self.likeness.finish()));
            columns.push(Arc::new(self.relation.finish()));
        }
        self.rows = 0;
        let batch = RecordBatch::try_new(Arc::new(schema(self.has_relations)), columns)
            .map_err(|error| wrong(&self.path, ParquetError::from(error)))?;
        self.writer.write(&batch).map_err(|error| wrong(&self.path, error))
    }

    pub fn finish(mut self) -> Result<Draft> {
        self.write()?;
        self.writer.into_inner().map_err(|error| wrong(&self.path, error))
    }
}

fn wrong(path: &Path, error: ParquetError) -> ClusterError {
    ClusterError::io(path)(std::io::Error::other(error))
}
