//! Tables: strings in every shape, dates, lists, nulls, binary pages, and damaged files.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array,
    Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray,
};
use firstcopy_input::{Format, ReadOptions};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};

use crate::support::{Folder, as_format, gzip, limited, read, read_bytes, read_counting, say};

pub fn table(columns: Vec<(&str, ArrayRef)>, compression: Compression, rows_a_group: usize) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(rows_a_group))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn plain(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    table(columns, Compression::UNCOMPRESSED, 1000)
}

pub fn numbered(rows: i64, compression: Compression) -> Vec<u8> {
    let texts: Vec<String> = (0..rows).map(|n| format!("text {n} {}", "x".repeat(50))).collect();
    let ids = Arc::new(Int64Array::from_iter_values(0..rows));
    table(vec![("id", ids), ("text", Arc::new(StringArray::from(texts)))], compression, 10)
}

#[test]
fn strings_in_every_shape() {
    let shapes: [ArrayRef; 5] = [
        Arc::new(StringArray::from(vec!["a", "b"])),
        Arc::new(LargeStringArray::from(vec!["a", "b"])),
        Arc::new(StringViewArray::from(vec!["a", "b"])),
        Arc::new(["a", "b"].into_iter().collect::<DictionaryArray<Int32Type>>()),
        Arc::new(BinaryArray::from(vec![b"a".as_slice(), b"b"])),
    ];
    for shape in shapes {
        let kind = shape.data_type().clone();
        let read = read_bytes("a.parquet", plain(vec![("text", shape)]), ReadOptions::default());
        let expected = ["a.parquet:row 1 = text a", "a.parquet:row 2 = text b"];
        assert_eq!(
            read.iter().map(|item| item.replace("(utf-8)", "")).collect::<Vec<_>>(),
            expected,
            "{kind}"
        );
    }
}

#[test]
fn fields_and_metadata() {
    let mut list = ListBuilder::new(Int64Builder::new());
    list.append_value([Some(1), None]);
    let inner: Vec<(Arc<arrow_schema::Field>, ArrayRef)> = vec![(
        Arc::new(arrow_schema::Field::new("k", arrow_schema::DataType::Boolean, true)),
        Arc::new(BooleanArray::from(vec![true])),
    )];
    let bytes = plain(vec![
        ("id", Arc::new(Int64Array::from(vec![7]))),
        ("url", Arc::new(StringArray::from(vec![None::<&str>]))),
        ("html", Arc::new(BinaryArray::from(vec![b"<p>\xb0\xa1".as_slice()]))),
        ("created_at", Arc::new(TimestampMicrosecondArray::from(vec![1_267_679_167_500_000]))),
        ("day", Arc::new(Date32Array::from(vec![14_672]))),
        ("score", Arc::new(Float64Array::from(vec![0.5]))),
        ("price", Arc::new(Decimal128Array::from(vec![1234]).with_precision_and_scale(10, 2).unwrap())),
        ("list", Arc::new(list.finish())),
        ("struct", Arc::new(StructArray::from(inner))),
    ]);
    let folder = Folder::new();
    let path = folder.file("a.parquet", bytes);
    let page = read(&[&path], ReadOptions::default()).remove(0).unwrap();
    assert_eq!(say(&Ok(page.clone())), r"7 = html <p>\xb0\xa1");
    assert_eq!((page.url, page.created_at), (None, Some(1_267_679_167)));
    assert_eq!(
        Value::Object(page.metadata),
        json!({"day": "2010-03-04", "score": 0.5, "price": "12.34", "list": [1, null], "struct": {"k": true}})
    );
}

#[test]
fn dates_and_features() {
    let mut list = ListBuilder::new(Int64Builder::new());
    list.append_value([Some(1), Some(2)]);
    let bytes = plain(vec![
        ("features", Arc::new(list.finish())),
        ("created_at", Arc::new(Date32Array::from(vec![1]))),
    ]);
    let folder = Folder::new();
    let path = folder.file("a.parquet", bytes);
    let page = read(&[&path], ReadOptions::default()).remove(0).unwrap();
    assert_eq!(say(&Ok(page.clone())), folder.root() + "/a.parquet:row 1 = features [1,2]");
    assert_eq!(page.created_at, Some(86_400));
}

#[test]
fn every_codec_in_order_over_row_groups() {
    let gzip = Compression::GZIP(Default::default());
    let zstd = Compression::ZSTD(Default::default());
    let brotli = Compression::BROTLI(Default::default());
    let folder = Folder::new();
    for codec in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW, gzip, zstd, brotli] {
        let path = folder.file("a.parquet", numbered(95, codec));
        let (items, progress) = read_counting(&[&path], ReadOptions::default());
        let ids: Vec<String> = items.into_iter().map(|item| item.unwrap().id).collect();
        assert_eq!(ids, (0..95).map(|n| n.to_string()).collect::<Vec<_>>(), "{codec}");
        assert!(progress.bytes_read() > 0 && Some(progress.bytes_read()) <= progress.total_bytes());
    }
}

#[test]
fn a_compressed_table_is_spooled() {
    let read = read_bytes("a.parquet.gz", gzip(numbered(3, Compression::SNAPPY)), ReadOptions::default());
    assert_eq!(read.len(), 3);
    assert!(read[2].starts_with("2 = text"));
}

#[test]
fn rows_that_are_no_pages() {
    let bytes = plain(vec![
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3]))),
        ("text", Arc::new(BinaryArray::from(vec![Some([b'x'; 2000].as_slice()), None, Some(b"x")]))),
    ]);
    assert_eq!(
        read_bytes("a.parquet", &bytes, limited(500)),
        [
            "REJECT a.parquet: row 1: the average row of its row group is larger than 500 bytes: raise --max-document-size to read it"
        ]
    );
    assert_eq!(
        read_bytes("a.parquet", bytes, limited(1500)),
        [
            "REJECT a.parquet: row 1: the row is larger than 1500 bytes: raise --max-document-size to read it",
            "REJECT a.parquet: row 2: neither `text`, `html` nor `features` among its keys (id): name the right one \
             with --text-key, --html-key or --features-key",
            "3 = text x",
        ]
    );
}

#[test]
fn damaged_tables() {
    let whole = numbered(95, Compression::SNAPPY);
    let cut = read_bytes("a.parquet", &whole[..whole.len() / 2], ReadOptions::default());
    assert_eq!(
        cut,
        [
            "REJECT a.parquet: not valid Parquet (Parquet error: Invalid Parquet file. Corrupt footer): write it again"
        ]
    );
    let garbled = read_bytes("a.parquet", b"PAR1\x01\x02\x03\x04PAR1", as_format(Format::Parquet));
    assert!(
        garbled.len() == 1 && garbled[0].starts_with("REJECT a.parquet: not valid Parquet ("),
        "{garbled:?}"
    );

    let mut holed = whole;
    holed[600..700].fill(0xff);
    let read = read_bytes("a.parquet", holed, ReadOptions::default());
    let rejects: Vec<&String> = read.iter().filter(|item| item.starts_with("REJECT")).collect();
    assert!(!rejects.is_empty() && rejects.len() < 4, "{rejects:?}");
    assert!(rejects[0].contains("damaged from here to the end of its row group ("), "{rejects:?}");
    assert!(read.last().unwrap().starts_with("94 = "), "the other row groups are read");
}
