//! Documents beyond the limit, however they come: passed over, named, never held.

use std::time::{Duration, Instant};

use firstcopy_input::ReadOptions;

use crate::support::{gzip, gzip_with_zeros, limited, read_bytes};

const GIB: usize = 1 << 30;

fn quickly<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    result
}

#[test]
fn a_page_of_a_gibibyte_of_zeros() {
    let bomb = gzip_with_zeros(b"<p>", GIB, b"");
    assert!(bomb.len() < 10 << 20);
    let read = quickly(|| read_bytes("a.html.gz", &bomb, ReadOptions::default()));
    assert_eq!(
        read,
        ["REJECT a.html.gz: the file is larger than 16 MiB: raise --max-document-size to read it"]
    );
}

#[test]
fn a_line_of_a_gibibyte_of_zeros() {
    let bomb = gzip_with_zeros(b"{\"text\":\"a\"}\n", GIB, b"\n{\"text\":\"b\"}\n");
    let read =
        quickly(|| read_bytes("a.jsonl.gz", [bomb, gzip("{\"text\":\"c\"}")].concat(), limited(1 << 20)));
    assert_eq!(
        read,
        [
            "a.jsonl.gz:1 = text(utf-8) a",
            "REJECT a.jsonl.gz: line 2: the line is larger than 1 MiB: raise --max-document-size to read it",
            "a.jsonl.gz:3 = text(utf-8) b",
            "a.jsonl.gz:4 = text(utf-8) c",
        ]
    );
}

#[test]
fn the_limit_is_exact() {
    assert_eq!(read_bytes("a.txt", "abcd", limited(4)), ["a.txt = text abcd"]);
    assert_eq!(
        read_bytes("a.txt", "abcde", limited(4)),
        ["REJECT a.txt: the file is larger than 4 bytes: raise --max-document-size to read it"]
    );
    let line = "{\"text\":\"x\"}";
    assert_eq!(read_bytes("a.jsonl", line, limited(12)), ["a.jsonl:1 = text(utf-8) x"]);
    assert_eq!(read_bytes("a.jsonl", format!("{line} \n"), limited(12)).len(), 1);
}

#[test]
fn a_stream_of_good_documents_may_be_any_length() {
    let line = format!("{{\"text\":\"{}\"}}\n", "a".repeat(4000));
    let read = read_bytes("a.jsonl.gz", gzip(line.repeat(1000)), limited(5000));
    assert_eq!(read.len(), 1000);
    assert!(read.iter().all(|item| item.ends_with("4000 bytes")));
}
