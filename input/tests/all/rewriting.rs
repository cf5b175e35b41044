//! Copies of inputs: the documents that stay, read again, are the original ones, whatever lies between them.

use std::path::PathBuf;

use firstcopy_input::{ColumnKind, Fate, ReadOptions, Rewritten, Target, open, rewrite};
use firstcopy_text::Page;
use parquet::basic::Compression;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::{Folder, Item, gzip, limited, read, say, zstd};
use crate::warcs::{page, record, record_of_length, response};
use crate::{anything, parquets};

pub type Files<'a> = [(&'a str, Vec<u8>)];

/// A folder with the inputs under `in` and a place for copies beside it.
pub fn folder_of(files: &Files) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("in")).unwrap();
    for (name, bytes) in files {
        folder.file(&format!("in/{name}"), bytes);
    }
    folder
}

pub fn input(folder: &Folder) -> Vec<String> {
    vec![folder.path("in").display().to_string()]
}

/// Copies `in` to `to` and gives the counts and the rejects.
pub fn copy(
    folder: &Folder,
    to: &str,
    options: &ReadOptions,
    decide: impl FnMut(u64, &Page) -> Fate,
) -> (Rewritten, Vec<String>) {
    let inputs = open(&input(folder), options.clone()).unwrap();
    let mut rejects = Vec::new();
    let columns = [("cluster", ColumnKind::Integer), ("duplicate_of", ColumnKind::Text)];
    let target = Target::Folder(folder.path(to));
    let columns = if to.starts_with("annotated") { &columns[..] } else { &[] };
    let done =
        rewrite(inputs, &target, columns, decide, |reject| rejects.push(format!("REJECT {reject}"))).unwrap();
    (done, rejects)
}

/// The pages of a directory, without what depends on their place.
fn pages(directory: PathBuf, options: &ReadOptions) -> Vec<Item> {
    let path = directory.display().to_string();
    let mut items = if directory.exists() { read(&[&path], options.clone()) } else { Vec::new() };
    for page in items.iter_mut().flatten() {
        if page.id.starts_with(&path) {
            page.id = "its place".to_owned();
        }
    }
    items
}

/// Copies the files, every pattern of drops once: numbers, rejects, counts and what is read again must agree.
fn check(files: &Files, options: &ReadOptions) {
    let patterns: [fn(u64) -> bool; 5] =
        [|_| false, |_| true, |number| number % 2 == 0, |number| number % 2 == 1, |number| number % 3 != 1];
    let folder = folder_of(files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let originals = pages(folder.path("in"), options);
    let original_rejects: Vec<String> =
        read(&[&input(&folder)[0]], options.clone()).iter().filter(|item| item.is_err()).map(say).collect();
    let originals: Vec<Page> = originals.into_iter().flatten().collect();
    for (at, drops) in patterns.into_iter().enumerate() {
        let mut asked = Vec::new();
        let (done, rejects) = copy(&folder, &format!("out{at}"), options, |number, page| {
            asked.push((number, page.content.clone()));
            if drops(number) { Fate::Drop } else { Fate::Keep }
        });
        let contents = originals.iter().map(|page| page.content.clone());
        assert_eq!(asked, (0..).zip(contents).collect::<Vec<_>>(), "{names:?}");
        let lost = originals.len() as u64 - done.kept - done.dropped;
        if lost > 0 {
            assert!(rejects.last().unwrap().contains("can be read but not copied"), "{names:?}: {rejects:?}");
            continue;
        }
        assert_eq!(rejects, original_rejects, "{names:?}");

        let stay =
            (0..).zip(&originals).filter(|(number, _)| !drops(*number)).map(|(_, page)| Ok(page.clone()));
        let stay: Vec<Item> = stay.collect();
        assert_eq!(pages(folder.path(&format!("out{at}")), options), stay, "{names:?}, pattern {at}");
        let expected = (stay.len() as u64, rejects.len() as u64);
        assert_eq!((done.kept, done.rejected), expected, "{names:?}, pattern {at}");
    }
    check_annotated(&folder, originals, options);
}

/// The same pages again, but for the fields that were added.
fn check_annotated(folder: &Folder, originals: Vec<Page>, options: &ReadOptions) {
    let (done, _) = copy(folder, "annotated", options, |_, _| {
        Fate::Annotate(fields(json!({"cluster": 7, "duplicate_of": "x"})))
    });
    assert_eq!(done.annotated + done.not_annotated, done.kept);
    if done.kept < originals.len() as u64 {
        return;
    }
    // Added fields may carry a document over the limit that the originals were read with.
    let items =
        pages(folder.path("annotated"), &ReadOptions { format: options.format, ..ReadOptions::default() });
    let mut again: Vec<Page> = items.into_iter().flatten().collect();
    for page in &mut again {
        page.metadata.shift_remove("cluster");
        page.metadata.shift_remove("duplicate_of");
    }
    assert_eq!(again, originals);
}

/// The file plain and in both compressions.
fn packings(name: &str, bytes: Vec<u8>) -> [(String, Vec<u8>); 3] {
    [
        (name.to_owned(), bytes.clone()),
        (format!("{name}.gz"), gzip(&bytes)),
        (format!("{name}.zst"), zstd(&bytes)),
    ]
}

const LINES: &[u8] = b"\xef\xbb\xbf{\"id\":1,\"text\":\"a\"}\n\n{\"text\":\"b\"}\r\nnot json\n  \t\n{\"id\":3,\"nothing\":0}\n\
    {\"text\":\"\xff\"}\n [1]\n{\"text\":\"\\ud800\", \"n\": 1.10e400}\n{\"id\":12345678901234567890123,\"html\":\"<p>\"}\n\
    {\"text\":\"a line that is longer than the limit of eighty bytes, as it goes on and on and on and on\"}\n\
    {\"features\":[1,\"x\"]}\n{\"text\":\"\"}\n{\"text\":\"the end\"}";

fn mixed_archive() -> Vec<u8> {
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>lies";
    let video = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n";
    [
        record("warcinfo", "", "", b"software: x"),
        page("http://a/"),
        record("request", "http://a/", "", b"GET / HTTP/1.1\r\n\r\n"),
        record_of_length("response", "http://lies/", "", http, 7),
        response("http://gzip/", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &gzip("<p>zip")),
        response("http://damaged/", "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", b"\x1f\x8b\x08zz"),
        record("response", "http://moved/", "", b"HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n"),
        response("http://video/", "Content-Type: video/mp4\r\n", &[7; 5000]),
        b"what is this?\r\n\r\n".to_vec(),
        response("http://large/", "Content-Type: text/html\r\n", &[b'x'; 5000]),
        response("http://untyped/", "", b"  <html>"),
        response("http://untyped-data/", "", b"\x01\x02"),
        record("conversion", "", "Content-Type: text/plain\r\n", "\n가\r\n\r\n".as_bytes()),
        record_of_length("response", "http://long-video/", "", video, 50_000_000_000),
        b"WARC/1.0\nWARC-Type: resource\nWARC-Target-URI: http://lf/\nContent-Type: text/html\nContent-Length: 3\n\n<p>\n"
            .to_vec(),
        page("http://b/")[..page("http://b/").len() - 4].to_vec(),
        page("http://c/"),
        record("revisit", "http://a/", "", b""),
    ]
    .concat()
}

fn mixed_files() -> Vec<(&'static str, Vec<u8>)> {
    let array =
        b"[{\"id\":1,\"text\":\"a]}\\\"\"},\n 17 , {\"id\":2,\"text\":\"b\"},{\"x\":1}\n,{\"text\":\"c\"}]\n";
    let objects = b"{\n \"text\": \"a\", \"x\": [1,\n{}]\n}\n{\"text\":\"b\"}\n{\"text\": \"c\"\n,\"y\":{}}\n{\"text\":\n\"d\"}";
    vec![
        ("lines.jsonl", LINES.to_vec()),
        ("lines.json", b"{\"text\":\"a\"}\n{\"text\":\"b\"}\n".to_vec()),
        ("array.json", array.to_vec()),
        ("objects.json", objects.to_vec()),
        ("pretty.json", b"{\n  \"text\": \"a\"\n}".to_vec()),
        ("empty.json", b"[]".to_vec()),
        ("archive.warc", mixed_archive()),
        ("table.parquet", parquets::numbered(25, Compression::SNAPPY)),
        ("page.html", b"<p>\xb0\xa1".to_vec()),
        ("text.txt", b"words\0".to_vec()),
        ("empty.txt", Vec::new()),
        ("without-a-name", b"<!doctype html>".to_vec()),
        ("style.css", b"p {}".to_vec()),
        ("image", b"\x89PNG\r\n\x1a\n".to_vec()),
        ("cut.parquet", b"PAR1\x01\x02".to_vec()),
    ]
}

#[test]
fn every_format_in_every_compression() {
    let options = limited(2000);
    for (name, bytes) in mixed_files() {
        for (name, bytes) in packings(name, bytes) {
            check(&[(&name, bytes)], &options);
        }
    }
}

#[test]
fn lines_beyond_the_limit() {
    check(&[("a.jsonl", LINES.to_vec())], &limited(80));
}

#[test]
fn all_formats_in_one_directory() {
    let files: Vec<_> = mixed_files().into_iter().flat_map(|(name, bytes)| packings(name, bytes)).collect();
    let files: Vec<_> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    check(&files, &limited(2000));
}

#[test]
fn what_is_kept_keeps_its_bytes_and_its_compression() {
    let check =
        |name: &str, bytes: &[u8], expected: &[u8]| {
            for (name, bytes) in packings(name, bytes.to_vec()) {
                let folder = folder_of(&[(&name, bytes.clone())]);
                copy(&folder, "out", &ReadOptions::default(), |number, _| {
                    if number == 0 { Fate::Drop } else { Fate::Keep }
                });
                let copied = std::fs::read(folder.path(&format!("out/{name}"))).unwrap();
                let expected = if name.ends_with(".gz") || name.ends_with(".zst") {
                    assert_eq!(copied[..4], bytes[..4], "{name}");
                    let unpacked = if name.ends_with(".gz") {
                        ungzip(&copied)
                    } else {
                        zstd::decode_all(&copied[..]).unwrap()
                    };
                    assert_eq!(unpacked, expected, "{name}");
                    continue;
                } else {
                    expected
                };
                assert_eq!(copied, expected, "{name}");
            }
        };
    check(
        "a.jsonl",
        b"{\"text\":\"a\"}\n\n {\"text\" : 1.0,\"text\":\"b\"} \r\n{\"text\":\"c\"}",
        b" {\"text\" : 1.0,\"text\":\"b\"} \r\n{\"text\":\"c\"}\n",
    );
    check(
        "a.json",
        b"[{\"text\":\"a\"},{\"text\" :\"b\"}, {\"text\":\"c\"} ]",
        b"[\n{\"text\" :\"b\"},\n{\"text\":\"c\"}\n]\n",
    );
    check("b.json", b"[{\"text\":\"a\"}]", b"[]\n");
    check("c.json", b"{\n\"text\":\"a\"}\n{\"text\":\n\"b\"}", b"{\"text\":\n\"b\"}\n");
    check(
        "d.json",
        b"{\n\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":\n\"c\"}",
        b"{\"text\":\"b\"}\n{\"text\": \"c\"}\n",
    );
}

pub fn ungzip(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::bufread::MultiGzDecoder::new(bytes), &mut plain).unwrap();
    plain
}

pub fn fields(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// What an annotation gives to every other document.
fn annotate(number: u64, _: &Page) -> Fate {
    match number % 2 {
        0 => Fate::Annotate(fields(json!({"cluster": number, "duplicate_of": format!("가 {number}")}))),
        _ => Fate::Keep,
    }
}

#[test]
fn fields_are_added() {
    let check = |name: &str, bytes: &[u8], expected: &[Value]| {
        for (name, bytes) in packings(name, bytes.to_vec()) {
            let folder = folder_of(&[(&name, bytes)]);
            let (done, _) = copy(&folder, "annotated", &ReadOptions::default(), annotate);
            let found: Vec<Value> = pages(folder.path("annotated"), &ReadOptions::default())
                .into_iter()
                .map(|item| Value::Object(item.unwrap().metadata))
                .collect();
            assert_eq!(found, expected, "{name}");
            assert_eq!((done.annotated, done.not_annotated), (2, 0), "{name}");
        }
    };
    let added = [
        json!({"x": 1, "cluster": 0, "duplicate_of": "가 0"}),
        json!({"x": 2}),
        json!({"x": 3, "cluster": 2, "duplicate_of": "가 2"}),
    ];
    let lines = b"{\"x\":1,\"text\":\"a\"}\n{\"text\":\"b\",\"x\":2}\n{\"text\":\"c\",\"x\":3}";
    check("a.jsonl", lines, &added);
    check(
        "a.json",
        &[b"[", &lines[..].split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b","[..])[..], b"]"]
            .concat(),
        &added,
    );
    check("b.json", &[b"\n{\n\"x\":1,\"text\":\"a\"}", &lines[18..]].concat(), &added);
}

#[test]
fn whole_files_have_no_place_for_fields() {
    let folder =
        folder_of(&[("a.html", b"<p>a".to_vec()), ("b.txt", b"b".to_vec()), ("c.txt.gz", gzip("c"))]);
    let (done, _) = copy(&folder, "annotated", &ReadOptions::default(), annotate);
    assert_eq!((done.kept, done.annotated, done.not_annotated), (3, 0, 2));
    assert_eq!(std::fs::read(folder.path("annotated/a.html")).unwrap(), b"<p>a");
    assert_eq!(
        (done.files, done.bytes),
        (3, 5 + std::fs::metadata(folder.path("annotated/c.txt.gz")).unwrap().len())
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files(
        at in 0_usize..8,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (name, mut bytes) = anything::fixtures().swap_remove(at);
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        // The numbers must go on rightly in the next file.
        check(&[(name, bytes), ("z.jsonl", LINES.to_vec())], &limited(10_000));
    }

    #[test]
    fn lines_of_any_kind(kinds in prop::collection::vec(0_usize..7, 0..30)) {
        let line = |(number, kind): (usize, &usize)| match kind {
            0 => String::new(),
            1 => "   ".to_owned(),
            2 => "{\"text\":".to_owned(),
            3 => format!("{{\"id\":{number},\"nothing\":1}}"),
            4 => format!("{{\"id\":{number},\"text\":\"{}\"}}", "long".repeat(100)),
            _ => format!("{{\"id\":{number},\"text\":\"text {number}\"}}"),
        };
        let lines: Vec<String> = kinds.iter().enumerate().map(line).collect();
        check(&[("a.jsonl", lines.join("\n").into_bytes())], &limited(300));
        check(&[("a.jsonl.gz", gzip(lines.join("\r\n")))], &limited(300));
    }
}
