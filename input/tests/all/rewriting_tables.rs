//! Copies of Parquet files: the same schema and the same values of every type, also those that Arrow has no word for.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int64Array, LargeStringArray, RecordBatch, StringArray,
    StructArray,
};
use arrow_schema::{DataType, Field};
use firstcopy_input::{ColumnKind, Fate, ReadOptions, Target, open, rewrite};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArrayType, FixedLenByteArrayType, Int32Type as Int32, Int96, Int96Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::printer::print_schema;
use serde_json::{Map, Value, json};

use crate::parquets::{numbered, table};
use crate::rewriting::{copy, fields, folder_of, input};
use crate::support::{Folder, read};

fn opened(folder: &Folder, path: &str) -> SerializedFileReader<std::fs::File> {
    SerializedFileReader::new(std::fs::File::open(folder.path(path)).unwrap()).unwrap()
}

/// Schema, notes, codec and the rows of each group.
fn facts(folder: &Folder, path: &str) -> (String, Option<Vec<KeyValue>>, Compression, Vec<i64>) {
    let reader = opened(folder, path);
    let metadata = reader.metadata();
    let mut schema = Vec::new();
    print_schema(&mut schema, metadata.file_metadata().schema());
    (
        String::from_utf8(schema).unwrap(),
        metadata.file_metadata().key_value_metadata().cloned(),
        metadata.row_group(0).column(0).compression(),
        metadata.row_groups().iter().map(|group| group.num_rows()).collect(),
    )
}

/// The values and levels of every column of every row group.
fn columns(folder: &Folder, path: &str) -> Vec<String> {
    let reader = opened(folder, path);
    let groups = (0..reader.num_row_groups()).map(|at| reader.get_row_group(at).unwrap());
    groups
        .flat_map(|group| {
            (0..group.num_columns())
                .map(|leaf| column(group.get_column_reader(leaf).unwrap()))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn column(reader: ColumnReader) -> String {
    macro_rules! all {
        ($reader:expr) => {{
            let (mut reader, mut values, mut definitions, mut repetitions) =
                ($reader, Vec::new(), Vec::new(), Vec::new());
            reader
                .read_records(usize::MAX, Some(&mut definitions), Some(&mut repetitions), &mut values)
                .unwrap();
            format!("{values:?} {definitions:?} {repetitions:?}")
        }};
    }
    match reader {
        ColumnReader::BoolColumnReader(reader) => all!(reader),
        ColumnReader::Int32ColumnReader(reader) => all!(reader),
        ColumnReader::Int64ColumnReader(reader) => all!(reader),
        ColumnReader::Int96ColumnReader(reader) => all!(reader),
        ColumnReader::FloatColumnReader(reader) => all!(reader),
        ColumnReader::DoubleColumnReader(reader) => all!(reader),
        ColumnReader::ByteArrayColumnReader(reader) => all!(reader),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => all!(reader),
    }
}

/// The rows as Arrow has them, with the types that the file's writer used.
fn rows(folder: &Folder, path: &str) -> Vec<RecordBatch> {
    let file = std::fs::File::open(folder.path(path)).unwrap();
    let batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    batches
        .map(Result::unwrap)
        .flat_map(|batch| (0..batch.num_rows()).map(move |row| batch.slice(row, 1)))
        .collect()
}

/// Lists, structs, nulls, dictionaries, large strings.
fn nested(rows: usize) -> Vec<(&'static str, ArrayRef)> {
    let mut lists = ListBuilder::new(Int64Builder::new());
    for row in 0..rows {
        match row % 4 {
            0 => lists.append_null(),
            length => {
                lists.append_value((0..length).map(|item| (item % 2 == 0).then_some((row + item) as i64)))
            }
        }
    }
    let flags: BooleanArray = (0..rows).map(|row| (row % 3 != 0).then_some(row % 2 == 0)).collect();
    let inner: (Arc<Field>, ArrayRef) = (Arc::new(Field::new("k", DataType::Boolean, true)), Arc::new(flags));
    let names: DictionaryArray<Int32Type> = (0..rows).map(|row| ["x", "y", "z"][row % 3]).collect();
    let texts: LargeStringArray =
        (0..rows).map(|row| (row % 5 != 3).then(|| format!("text {row}"))).collect();
    vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("text", Arc::new(texts)),
        ("list", Arc::new(lists.finish())),
        ("struct", Arc::new(StructArray::from(vec![inner]))),
        ("name", Arc::new(names)),
    ]
}

#[test]
fn schema_rows_and_codec_stay() {
    let gzip = Compression::GZIP(Default::default());
    let zstd = Compression::ZSTD(Default::default());
    for codec in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW, gzip, zstd] {
        let folder = folder_of(&[("a.parquet", table(nested(1000), codec, 300))]);
        let mut kept = Vec::new();
        copy(&folder, "out", &ReadOptions::default(), |number, page| {
            let drop = number % 3 == 0 || (300..500).contains(&number);
            if !drop {
                kept.push(page.id.parse::<usize>().unwrap());
            }
            if drop { Fate::Drop } else { Fate::Keep }
        });
        let original = rows(&folder, "in/a.parquet");
        let expected: Vec<RecordBatch> = kept.iter().map(|row| original[*row].clone()).collect();
        assert_eq!(rows(&folder, "out/a.parquet"), expected, "{codec}");
        let before = facts(&folder, "in/a.parquet");
        let after = facts(&folder, "out/a.parquet");
        assert_eq!((before.0, before.1, before.2), (after.0, after.1, after.2), "{codec}");
        let in_group = |group: usize| kept.iter().filter(|row| **row / 300 == group).count() as i64;
        assert_eq!(after.3, (0..4).map(in_group).filter(|rows| *rows > 0).collect::<Vec<_>>(), "{codec}");
    }
}

/// Timestamps of 96 bits, decimals in bytes, intervals, repeated fields: what only Parquet has.
fn unusual() -> Vec<u8> {
    let schema = "message unusual {
        REQUIRED BYTE_ARRAY text (JSON);
        OPTIONAL INT96 seen;
        REQUIRED BYTE_ARRAY price (DECIMAL(10,2));
        REQUIRED FIXED_LEN_BYTE_ARRAY (12) span (INTERVAL);
        REPEATED INT32 tags;
    }";
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(vec![KeyValue::new("pandas".to_owned(), "{}".to_owned())]))
        .build();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    macro_rules! column {
        ($kind:ty, $values:expr, $definitions:expr, $repetitions:expr) => {{
            let mut column = group.next_column().unwrap().unwrap();
            column.typed::<$kind>().write_batch(&$values, $definitions, $repetitions).unwrap();
            column.close().unwrap();
        }};
    }
    let far = Int96::from(vec![1, 2, 5_373_484]);
    column!(ByteArrayType, ["\"a\"", "\"b\"", "\"c\""].map(Into::into), None, None);
    column!(Int96Type, [far, Int96::from(vec![0, 0, 0])], Some(&[1, 0, 1]), None);
    column!(ByteArrayType, [vec![1_u8], vec![1, 2], vec![0, 0, 3]].map(Into::into), None, None);
    column!(
        FixedLenByteArrayType,
        [[1_u8; 12], [2; 12], [3; 12]].map(|span| span.to_vec().into()),
        None,
        None
    );
    column!(Int32, [7, 8, 9], Some(&[1, 1, 0, 1]), Some(&[0, 1, 0, 0]));
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn types_that_only_parquet_has_stay() {
    let folder = folder_of(&[("a.parquet", unusual())]);
    copy(&folder, "out", &ReadOptions::default(), |_, _| Fate::Keep);
    assert_eq!(facts(&folder, "out/a.parquet"), facts(&folder, "in/a.parquet"));
    assert_eq!(columns(&folder, "out/a.parquet"), columns(&folder, "in/a.parquet"));
    copy(
        &folder,
        "less",
        &ReadOptions::default(),
        |number, _| if number == 1 { Fate::Drop } else { Fate::Keep },
    );
    let less = columns(&folder, "less/a.parquet");
    assert!(less[1].ends_with("[1, 1] []") && less[4] == "[7, 8, 9] [1, 1, 1] [0, 1, 0]", "{less:?}");
}

#[test]
fn columns_are_added_and_replaced() {
    let mut original = nested(10);
    original.push(("cluster", Arc::new(StringArray::from(vec!["old"; 10]))));
    let folder = folder_of(&[("a.parquet", table(original, Compression::SNAPPY, 4))]);
    let kinds = [
        ("cluster", ColumnKind::Integer),
        ("of", ColumnKind::Text),
        ("score", ColumnKind::Float),
        ("first", ColumnKind::Boolean),
    ];
    let decide = |number, _: &_| match number {
        0 => Fate::Drop,
        1 => Fate::Keep,
        2 => {
            Fate::Annotate(fields(json!({"cluster": "wrong", "of": [1], "score": 1, "first": null, "x": 1})))
        }
        _ => Fate::Annotate(fields(json!({"cluster": number, "of": "가", "score": 0.5, "first": true}))),
    };
    let inputs = open(&input(&folder), ReadOptions::default()).unwrap();
    let done = rewrite(inputs, &Target::Folder(folder.path("out")), &kinds, decide, |_| {}).unwrap();
    assert_eq!((done.kept, done.annotated, done.dropped, done.rejected), (7, 6, 1, 2));

    let path = folder.path("out/a.parquet").display().to_string();
    let added = |page: firstcopy_text::Page| -> Value {
        let names = ["cluster", "of", "score", "first"].into_iter();
        Value::Object(names.map(|name| (name.to_owned(), page.metadata[name].clone())).collect::<Map<_, _>>())
    };
    let found: Vec<Value> =
        read(&[&path], ReadOptions::default()).into_iter().map(|item| added(item.unwrap())).collect();
    assert_eq!(found[0], json!({"cluster": null, "of": null, "score": null, "first": null}));
    assert_eq!(found[1], json!({"cluster": null, "of": "[1]", "score": 1.0, "first": null}));
    for (number, found) in (3..).zip(&found[2..]) {
        assert_eq!(*found, json!({"cluster": number, "of": "가", "score": 0.5, "first": true}));
    }
    // Readers that go by the Arrow schema in the file see the old types and the added columns.
    let schema = rows(&folder, "out/a.parquet")[0].schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, ["id", "text", "list", "struct", "name", "cluster", "of", "score", "first"]);
    assert_eq!(schema.field(1).data_type(), &DataType::LargeUtf8);
    assert!(matches!(schema.field(4).data_type(), DataType::Dictionary(_, _)));
}

#[test]
fn a_table_without_rows_stays_a_table() {
    let folder = folder_of(&[("a.parquet", numbered(25, Compression::SNAPPY))]);
    let (done, _) = copy(&folder, "out", &ReadOptions::default(), |_, _| Fate::Drop);
    assert_eq!((done.dropped, done.files), (25, 1));
    assert_eq!(opened(&folder, "out/a.parquet").num_row_groups(), 0);
    copy_of_copy(&folder);
}

/// A file without row groups has no codec to keep.
fn copy_of_copy(folder: &Folder) {
    let inputs = open(&[folder.path("out").display().to_string()], ReadOptions::default()).unwrap();
    let target = Target::File(folder.path("again.parquet"));
    let done = rewrite(inputs, &target, &[("a", ColumnKind::Text)], |_, _| Fate::Keep, |_| {}).unwrap();
    assert_eq!((done.kept, done.files), (0, 1));
    assert_eq!(opened(folder, "again.parquet").metadata().file_metadata().schema().get_fields().len(), 3);
}
