//! Which columns does a table get? Nullable ones at its end, their values collected for one row group at a time.

use std::sync::Arc;

use arrow_schema::{DataType, Field};
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;
use parquet::schema::types::{Type, TypePtr};
use serde_json::Value;

use super::writer::Fields;

/// What a column that annotations add to Parquet files holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// Strings; of any other value its JSON.
    Text,
    /// Integers of 64 bits.
    Integer,
    /// Floating-point numbers of 64 bits.
    Float,
    /// True or false.
    Boolean,
}

/// A column that is added, with its values for the rows that wait to be written.
pub(super) struct AddedColumn {
    pub name: String,
    kind: ColumnKind,
    values: Values,
    /// 1 for a row that has a value, 0 for a null.
    present: Vec<i16>,
}

enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Float(Vec<f64>),
    Boolean(Vec<bool>),
}

impl AddedColumn {
    pub(super) fn new(name: &str, kind: ColumnKind) -> Self {
        AddedColumn { name: name.to_owned(), kind, values: Values::of(kind), present: Vec::new() }
    }

    /// Its type in the schema of the file.
    pub(super) fn parquet_type(&self) -> Result<TypePtr, ParquetError> {
        let (physical, logical) = match self.kind {
            ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnKind::Integer => (PhysicalType::INT64, None),
            ColumnKind::Float => (PhysicalType::DOUBLE, None),
            ColumnKind::Boolean => (PhysicalType::BOOLEAN, None),
        };
        let column = Type::primitive_type_builder(&self.name, physical).with_repetition(Repetition::OPTIONAL);
        column.with_logical_type(logical).build().map(Arc::new)
    }

    /// Its type in the Arrow schema that a file may carry.
    pub(super) fn arrow_field(&self) -> Field {
        let kind = match self.kind {
            ColumnKind::Text => DataType::Utf8,
            ColumnKind::Integer => DataType::Int64,
            ColumnKind::Float => DataType::Float64,
            ColumnKind::Boolean => DataType::Boolean,
        };
        Field::new(&self.name, kind, true)
    }

    /// Takes the value for one more row.
    pub(super) fn push(&mut self, fields: Option<&Fields>) {
        let value = fields.and_then(|fields| fields.get(&self.name));
        let taken = value.is_some_and(|value| self.values.push(value));
        self.present.push(taken.into());
    }

    /// Forgets the values collected.
    pub(super) fn clear(&mut self) {
        *self = AddedColumn::new(&self.name, self.kind);
    }

    /// Writes the values collected and begins anew.
    pub(super) fn write(&mut self, column: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = Some(&self.present[..]);
        match &self.values {
            Values::Text(values) => column.typed::<ByteArrayType>().write_batch(values, present, None)?,
            Values::Integer(values) => column.typed::<Int64Type>().write_batch(values, present, None)?,
            Values::Float(values) => column.typed::<DoubleType>().write_batch(values, present, None)?,
            Values::Boolean(values) => column.typed::<BoolType>().write_batch(values, present, None)?,
        };
        self.clear();
        Ok(())
    }
}

impl Values {
    fn of(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Text => Values::Text(Vec::new()),
            ColumnKind::Integer => Values::Integer(Vec::new()),
            ColumnKind::Float => Values::Float(Vec::new()),
            ColumnKind::Boolean => Values::Boolean(Vec::new()),
        }
    }

    /// Takes a value; false when it is null or of another kind.
    fn push(&mut self, value: &Value) -> bool {
        let taken = match self {
            Values::Text(values) => text(value).map(|text| values.push(text.as_str().into())),
            Values::Integer(values) => value.as_i64().map(|number| values.push(number)),
            Values::Float(values) => value.as_f64().map(|number| values.push(number)),
            Values::Boolean(values) => value.as_bool().map(|truth| values.push(truth)),
        };
        taken.is_some()
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
