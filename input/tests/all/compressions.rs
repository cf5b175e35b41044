//! Gzip and zstd, told by their first bytes whatever the name says, in one piece and in many.

use firstcopy_input::ReadOptions;

use crate::support::{gzip, read_bytes, zstd};

const A: &str = "{\"text\":\"a\"}\n";
const B: &str = "{\"text\":\"b\"}\n";

fn check(name: &str, bytes: Vec<u8>) {
    let expected = ["1 = text(utf-8) a", "2 = text(utf-8) b"].map(|item| format!("{name}:{item}"));
    assert_eq!(read_bytes(name, bytes, ReadOptions::default()), expected, "{name}");
}

#[test]
fn members_and_frames() {
    let skippable = [&[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0], b"abc".as_slice()].concat();
    check("one.jsonl.gz", gzip([A, B].concat()));
    check("members.jsonl.gz", [gzip(A), gzip(B)].concat());
    check("in-the-middle-of-a-line.jsonl.gz", [gzip(&A[..5]), gzip([&A[5..], B].concat())].concat());
    check("empty-member.jsonl.gz", [gzip(A), gzip(""), gzip(B)].concat());
    check("padded.jsonl.gz", [gzip(A), gzip(B), vec![0; 600]].concat());
    check("one.jsonl.zst", zstd([A, B].concat()));
    check("frames.jsonl.zst", [zstd(A), zstd(B)].concat());
    check("skippable.jsonl.zst", [skippable.clone(), zstd(A), skippable, zstd(B)].concat());
    check("not-what-it-says.jsonl.zst", gzip([A, B].concat()));
    check("without-a-hint", gzip([A, B].concat()));
    check("plain-after-all.jsonl.gz", [A, B].concat().into_bytes());
}

#[test]
fn whole_files() {
    assert_eq!(read_bytes("a.html.gz", gzip("<p>"), ReadOptions::default()), ["a.html.gz = html <p>"]);
    assert_eq!(read_bytes("a.txt.zst", zstd("words"), ReadOptions::default()), ["a.txt.zst = text words"]);
    assert_eq!(
        read_bytes("a.gz", gzip(gzip("twice")), ReadOptions::default()),
        ["REJECT a.gz: a gzip file inside another compression, not html, text, jsonl, parquet or warc: \
          convert it, or say --format"]
    );
}
