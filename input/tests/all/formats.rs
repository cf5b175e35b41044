//! Files of every format, told by name, by content, and by what the user says.

use firstcopy_input::{Format, ReadOptions};

use crate::support::{as_format, read_bytes};

#[test]
fn by_name_and_content() {
    let check = |name: &str, bytes: &[u8], expected: &[&str]| {
        assert_eq!(read_bytes(name, bytes, ReadOptions::default()), expected, "{name}");
    };
    check("a.html", b"<p>hi", &["a.html = html <p>hi"]);
    check("a.txt", b"<p>hi\0there", &["a.txt = text <p>hi\\x00there"]);
    check("b.txt", b"", &["b.txt = text "]);
    check("a.jsonl", b"{\"text\":\"hi\"}", &["a.jsonl:1 = text(utf-8) hi"]);
    check("a.ndjson", b"", &[]);
    check("page", b"<!doctype html><p>hi", &["page = html <!doctype html><p>hi"]);
    check("notes", b"plain words", &["notes = text plain words"]);
    check("posts", b"{\"id\":1,\"html\":\"<p>\"}\n", &["1 = html(utf-8) <p>"]);
    check("empty", b"", &[]);
}

#[test]
fn by_what_the_user_says() {
    let bytes = b"{\"text\":\"hi\"}";
    let shown = r#"{\"text\":\"hi\"}"#;
    assert_eq!(read_bytes("a.jsonl", bytes, as_format(Format::Text)), [format!("a.jsonl = text {shown}")]);
    assert_eq!(read_bytes("a.dat", bytes, as_format(Format::Html)), [format!("a.dat = html {shown}")]);
    assert_eq!(read_bytes("a.dat", bytes, as_format(Format::Jsonl)), ["a.dat:1 = text(utf-8) hi"]);
    assert_eq!(
        read_bytes("a.dat", bytes, as_format(Format::Parquet)),
        ["REJECT a.dat: not valid Parquet (it does not begin with PAR1): check the format"]
    );
    assert_eq!(
        read_bytes("a.dat", bytes, as_format(Format::Warc)),
        ["REJECT a.dat: record 1: not a WARC/1.0 or 1.1 record: fetch the archive again"]
    );
}

#[test]
fn names_of_formats() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
    }
    assert_eq!(
        "csv".parse::<Format>().unwrap_err().to_string(),
        "csv: no such format: use html, text, jsonl, parquet or warc"
    );
}
