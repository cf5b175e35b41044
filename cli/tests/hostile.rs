//! What strangers send: each input is answered within 1 GiB of memory with a message that names file, record and remedy,
//! and whatever stands after it is still read.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use support::{Folder, Run};

const GOOD: (&str, &[u8]) = ("zz-good.html", b"<p>A good page after all of this.");

/// Inspects with and without `--strict`: both print the documents of these ids, and name every one of these troubles.
#[track_caller]
fn check(folder: &Folder, inputs: &str, ids: &[&str], troubles: &[&str]) -> Run {
    let run = folder.run(&format!("inspect --json {inputs}"), "");
    let strict = folder.run(&format!("inspect --json --strict {inputs}"), "");
    let documents = run.json();
    let found: Vec<&str> = documents.iter().map(|document| document["id"].as_str().unwrap()).collect();
    assert_eq!(found, ids, "{}", run.stderr);
    assert_eq!(strict.stdout, run.stdout);
    for trouble in troubles {
        let lines = run.stderr.lines().filter(|line| line == &format!("firstcopy: {trouble}"));
        assert_eq!(lines.count(), 1, "{trouble}\nin\n{}", run.stderr);
    }
    assert!(!run.stderr.contains("internal error") && !run.stderr.contains("panicked"), "{}", run.stderr);
    assert_eq!((run.code, strict.code), (Some(0), Some(if troubles.is_empty() { 0 } else { 3 })));
    run
}

#[test]
fn a_hundred_thousand_nested_elements() {
    let page = format!("{}deep down here", "<div>".repeat(100_000));
    let folder = Folder::with(&[("deep.html", page.as_bytes()), GOOD]);
    let run = check(&folder, "deep.html zz-good.html", &["deep.html", "zz-good.html"], &[]);
    assert_eq!(run.json()[0]["core_text"], "deep down here");
}

#[test]
fn a_page_of_50_megabytes() {
    let page = format!("<p>{}", "who wrote this first? ".repeat(50_000_000 / 22));
    let folder = Folder::with(&[("big.html", page.as_bytes()), GOOD]);
    let trouble = "big.html: the file is larger than 16 MiB: raise --max-document-size to read it";
    check(&folder, "big.html zz-good.html", &["zz-good.html"], &[trouble]);
    let raised = "--max-document-size 64MiB big.html zz-good.html";
    check(&folder, raised, &["big.html", "zz-good.html"], &[]);
}

#[test]
fn a_lone_surrogate() {
    let lines = r#"{"id": "lone", "text": "before \ud800 after"}
{"id": "next", "text": "goes on"}"#;
    let folder = Folder::with(&[("posts.jsonl", lines)]);
    let run = check(&folder, "posts.jsonl", &["lone", "next"], &[]);
    let document = &run.json()[0];
    assert_eq!(document["core_text"], "before \u{fffd} after");
    let warning = "a lone surrogate (\\ud800 to \\udfff) was replaced by U+FFFD";
    assert_eq!(document["warnings"], serde_json::json!([warning]));
}

#[test]
fn nul_bytes() {
    let folder = Folder::with(&[
        ("nul.html", b"<p>zero \0 here</p>\0\0<p>and more text".as_slice()),
        (
            "nul.jsonl",
            b"{\"id\": \"raw\", \"text\": \"\0\"}\n{\"id\": \"escaped\", \"text\": \"a \\u0000 b\"}\n",
        ),
        ("nul.txt", b"one\0two\0\0three"),
        ("nul", b"one\0two\0\0three"),
        GOOD,
    ]);
    check(
        &folder,
        "nul.html nul.jsonl nul.txt nul zz-good.html",
        &["nul.html", "escaped", "nul.txt", "zz-good.html"],
        &[
            "nul.jsonl: line 1: not valid JSON (control character (\\u0000-\\u001F) found while parsing a string, \
             column 23): mend or remove the record",
            "nul: binary data, not html, text, jsonl, parquet or warc: convert it, or say --format",
        ],
    );
}

fn gzip(blocks: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    blocks.into_iter().for_each(|block| encoder.write_all(block.as_ref()).unwrap());
    encoder.finish().unwrap()
}

#[test]
fn a_gigabyte_of_zeros_in_a_megabyte() {
    let mut bomb = gzip(std::iter::repeat_n(vec![0; 1 << 20], 1 << 10));
    assert!(bomb.len() < 2 << 20, "{}", bomb.len());
    bomb.extend(gzip(["\n{\"id\": \"after\", \"text\": \"still read\"}\n"]));
    let names = ["a.html.gz", "b.jsonl.gz", "c.warc.gz", "d.parquet.gz", "e.txt.gz", "f.gz"];
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, bomb.as_slice())).chain([GOOD]).collect();
    let inputs = format!("{} zz-good.html", names.join(" "));
    check(
        &Folder::with(&files),
        &inputs,
        &["after", "zz-good.html"],
        &[
            "a.html.gz: the file is larger than 16 MiB: raise --max-document-size to read it",
            "b.jsonl.gz: line 1: the line is larger than 16 MiB: raise --max-document-size to read it",
            "c.warc.gz: record 1: not a WARC/1.0 or 1.1 record: fetch the archive again",
            "d.parquet.gz: not valid Parquet (it does not begin with PAR1): check the format",
            "e.txt.gz: the file is larger than 16 MiB: raise --max-document-size to read it",
            "f.gz: binary data, not html, text, jsonl, parquet or warc: convert it, or say --format",
        ],
    );
}

#[test]
fn empty_files() {
    let files = ["empty", "empty.gz", "empty.html", "empty.jsonl", "empty.txt", "empty.warc"];
    let folder = Folder::with(&files.map(|name| (name, "")));
    let run = check(&folder, &files.join(" "), &["empty.html", "empty.txt"], &[]);
    assert!(run.stderr.contains("skipped empty files of no known format: 2"), "{}", run.stderr);
    let trouble = "empty.parquet: not valid Parquet";
    std::fs::write(folder.path().join("empty.parquet"), "").unwrap();
    let run = folder.run("inspect --json --strict empty.parquet", "");
    assert!(run.code == Some(3) && run.stderr.contains(trouble), "{run:?}");
}

#[test]
fn a_directory_of_mixed_junk() {
    let noise: Vec<u8> = (0..4096_u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect();
    let cut = &gzip(["<p>cut short"])[..12];
    let folder = Folder::with(&[
        ("junk/a.png", b"\x89PNG\r\n\x1a\n".as_slice()),
        ("junk/bad.jsonl", b"{\"id\": 1\n[]\n{\"id\": 2}\n{\"id\": \"good\", \"text\": \"read\"}\n"),
        ("junk/bad.parquet", b"PAR1 and nothing else"),
        ("junk/bad.warc", b"WARC/1.0\r\nContent-Length: many\r\n\r\n"),
        ("junk/cut.html.gz", cut),
        ("junk/deeper/noise", &noise),
        ("junk/deeper/style.css", b"p {}"),
        ("junk/empty", b""),
        ("junk/.hidden/page.html", b"<p>hidden"),
        ("junk/zz-good.html", GOOD.1),
    ]);
    let run = check(
        &folder,
        "junk",
        &["good", "junk/zz-good.html"],
        &[
            "junk/bad.jsonl: line 1: not valid JSON (EOF while parsing an object, column 8): mend or remove the record",
            "junk/bad.jsonl: line 2: not a JSON object: write one object a line, {\"id\": …, \"text\": …}",
            "junk/bad.jsonl: line 3: neither `text`, `html` nor `features` among its keys (id): name the right one with \
             --text-key, --html-key or --features-key",
            "junk/bad.parquet: not valid Parquet (Parquet error: Invalid Parquet file. Corrupt footer): write it again",
            "junk/bad.warc: record 1: no valid Content-Length: fetch the archive again",
            "junk/cut.html.gz: cannot be read (the gzip stream ends in the middle): fetch or copy the file again",
        ],
    );
    for skipped in [
        "skipped files in a directory that are no documents: 3",
        "skipped empty files of no known format: 1",
        "skipped hidden files and directories: 1",
    ] {
        assert!(run.stderr.contains(skipped), "{skipped} in {}", run.stderr);
    }
}
