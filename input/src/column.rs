//! What stands in this cell? Values of a table column as JSON, so that rows and lines make the same pages.
//! Only the types that Parquet itself has: the writer's Arrow hints (views, dictionaries, large offsets) are not read.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Decimal256Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, Time32MillisecondType, Time64MicrosecondType, Time64NanosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, StructArray};
use arrow_schema::{DataType, TimeUnit};
use serde_json::{Map, Value};

use crate::date;

/// The bytes of a cell of binary data; nothing for other types, and for nulls.
pub(crate) fn bytes(column: &dyn Array, row: usize) -> Option<&[u8]> {
    if column.is_null(row) {
        return None;
    }
    match column.data_type() {
        DataType::Binary => Some(column.as_binary::<i32>().value(row)),
        DataType::FixedSizeBinary(_) => Some(column.as_fixed_size_binary().value(row)),
        _ => None,
    }
}

/// A cell as JSON: dates as RFC 3339, binary data as text, decimals as their digits; null for types JSON has no word for.
pub(crate) fn value(column: &dyn Array, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    if let Some(bytes) = bytes(column, row) {
        return Value::String(String::from_utf8_lossy(bytes).into_owned());
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::List(_) => list(&*column.as_list::<i32>().value(row)),
        DataType::Struct(_) => object(column.as_struct(), row),
        DataType::Map(_, _) => list(&column.as_map().value(row)),
        DataType::Timestamp(unit, _) => moment(column, row, *unit),
        other => number(column, row, other),
    }
}

fn list(items: &dyn Array) -> Value {
    (0..items.len()).map(|row| value(items, row)).collect()
}

fn object(fields: &StructArray, row: usize) -> Value {
    let names = fields.column_names().into_iter().map(str::to_owned);
    let values = fields.columns().iter().map(|column| value(column, row));
    Value::Object(names.zip(values).collect::<Map<_, _>>())
}

fn moment(column: &dyn Array, row: usize, unit: TimeUnit) -> Value {
    let (ticks, a_second) = match unit {
        TimeUnit::Second => (cell::<TimestampSecondType>(column, row), 1),
        TimeUnit::Millisecond => (cell::<TimestampMillisecondType>(column, row), 1_000),
        TimeUnit::Microsecond => (cell::<TimestampMicrosecondType>(column, row), 1_000_000),
        TimeUnit::Nanosecond => (cell::<TimestampNanosecondType>(column, row), 1_000_000_000),
    };
    let rest = ticks.rem_euclid(a_second) * (1_000_000_000 / a_second);
    date::format(ticks.div_euclid(a_second), rest).into()
}

fn number(column: &dyn Array, row: usize, kind: &DataType) -> Value {
    match kind {
        DataType::Int8 => cell::<Int8Type>(column, row).into(),
        DataType::Int16 => cell::<Int16Type>(column, row).into(),
        DataType::Int32 => cell::<Int32Type>(column, row).into(),
        DataType::Int64 => cell::<Int64Type>(column, row).into(),
        DataType::UInt8 => cell::<UInt8Type>(column, row).into(),
        DataType::UInt16 => cell::<UInt16Type>(column, row).into(),
        DataType::UInt32 => cell::<UInt32Type>(column, row).into(),
        DataType::UInt64 => cell::<UInt64Type>(column, row).into(),
        DataType::Float16 => cell::<Float16Type>(column, row).to_f32().into(),
        DataType::Float32 => cell::<Float32Type>(column, row).into(),
        DataType::Float64 => cell::<Float64Type>(column, row).into(),
        DataType::Decimal128(_, _) => column.as_primitive::<Decimal128Type>().value_as_string(row).into(),
        DataType::Decimal256(_, _) => column.as_primitive::<Decimal256Type>().value_as_string(row).into(),
        DataType::Date32 => date::format_day(cell::<Date32Type>(column, row).into()).into(),
        DataType::Time32(TimeUnit::Millisecond) => cell::<Time32MillisecondType>(column, row).into(),
        DataType::Time64(TimeUnit::Microsecond) => cell::<Time64MicrosecondType>(column, row).into(),
        DataType::Time64(TimeUnit::Nanosecond) => cell::<Time64NanosecondType>(column, row).into(),
        _ => Value::Null,
    }
}

fn cell<T: ArrowPrimitiveType>(column: &dyn Array, row: usize) -> T::Native {
    column.as_primitive::<T>().value(row)
}
