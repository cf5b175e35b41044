//! Directories of anything: what is no document is left out and counted, what was named itself is rejected.

use firstcopy_input::ReadOptions;

use crate::support::{Folder, gzip, read_bytes, read_counting, say};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

fn noise() -> Vec<u8> {
    (0..4096_u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect()
}

#[test]
fn a_directory_of_mixed_junk() {
    let folder = Folder::new();
    for (name, bytes) in [
        ("sub/page.html", b"<p>page".as_slice()),
        ("sub/style.css", b"p {}"),
        ("a.png", PNG),
        ("image-without-a-name", PNG),
        ("lies.html", PNG),
        ("program", b"\x7fELF\x02\x01\x01\0"),
        ("noise", &noise()),
        ("empty", b""),
        (".hidden.html", b"<p>"),
        (".git/config.txt", b"x"),
        ("z.txt", b"text"),
        ("bad.jsonl", b"{"),
        ("bad.parquet", b"PAR1 and nothing else"),
        ("bad.warc.gz", &gzip("WARC/1.0\r\n")),
        ("noise.gz", &[&[0x1f, 0x8b, 8], noise().as_slice()].concat()),
    ] {
        folder.file(name, bytes);
    }
    let (items, progress) = read_counting(&[&folder.root()], ReadOptions::default());
    let read: Vec<String> = items.iter().map(|item| folder.relative(&say(item))).collect();
    assert_eq!(
        read,
        [
            "REJECT bad.jsonl: line 1: not valid JSON (EOF while parsing an object, column 1): mend or remove the record",
            "REJECT bad.parquet: not valid Parquet (Parquet error: Invalid Parquet file. Corrupt footer): write it again",
            "REJECT bad.warc.gz: record 1: the archive ends inside the head: fetch the archive again",
            "REJECT noise.gz: cannot be read (the gzip stream is damaged: corrupt deflate stream): fetch or copy the file again",
            "sub/page.html = html <p>page",
            "z.txt = text text",
        ]
    );
    assert_eq!((progress.pages(), progress.rejects(), progress.skipped()), (2, 4, 9));
    assert_eq!(
        progress.skipped_by_reason(),
        [
            ("hidden files and directories", 2),
            ("files in a directory that are no documents", 6),
            ("empty files of no known format", 1)
        ]
    );
}

#[test]
fn junk_that_was_named_itself() {
    let check = |name: &str, bytes: &[u8], what: &str| {
        let expected = format!(
            "REJECT {name}: {what}, not html, text, jsonl, parquet or warc: convert it, or say --format"
        );
        assert_eq!(read_bytes(name, bytes, ReadOptions::default()), [expected]);
    };
    check("a.png", PNG, "a PNG image");
    check("noise", &noise(), "binary data");
    check("a.zip", b"PK\x03\x04", "a ZIP file");
    check("a.jsonl.bz2", b"BZh91AY", "a bzip2 file");
}
