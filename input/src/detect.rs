//! What format is this? Told by the name and by the first bytes; a strong mark in the bytes wins over the name.

use std::path::Path;

use crate::options::Format;

/// What a file seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something that holds documents.
    Documents(Format),
    /// Nothing at all.
    Empty,
    /// Something else, as a user would call it.
    Other(&'static str),
}

/// Tells what a file holds from its name and its first bytes (after decompression).
pub(crate) fn kind(name: &str, head: &[u8]) -> Kind {
    let marked = by_mark(head);
    let named = by_name(name);
    match (marked, named) {
        (Some(kind), _) => kind,
        (None, Some(format)) => Kind::Documents(format),
        (None, None) => by_content(head),
    }
}

/// The part of a site that is no page: read as text only when named itself.
pub(crate) fn is_asset(name: &str) -> bool {
    const ASSETS: [&str; 6] = ["css", "js", "mjs", "map", "svg", "wasm"];
    extension(name).is_some_and(|found| ASSETS.contains(&found.as_str()))
}

/// True for names that promise one object a line.
pub(crate) fn promises_lines(name: &str) -> bool {
    extension(name).is_some_and(|found| found == "jsonl" || found == "ndjson")
}

fn by_name(name: &str) -> Option<Format> {
    match extension(name)?.as_str() {
        "html" | "htm" | "xhtml" => Some(Format::Html),
        "txt" | "text" | "md" => Some(Format::Text),
        "jsonl" | "ndjson" | "json" => Some(Format::Jsonl),
        "parquet" | "pq" => Some(Format::Parquet),
        "warc" | "wet" => Some(Format::Warc),
        _ => None,
    }
}

/// The last extension that is not a compression's.
fn extension(name: &str) -> Option<String> {
    let file = Path::new(name).file_name()?.to_string_lossy().to_ascii_lowercase();
    let bare = [".gz", ".zst", ".zstd"].iter().find_map(|end| file.strip_suffix(end)).unwrap_or(&file);
    bare.rsplit_once('.').map(|(_, end)| end.to_owned())
}

/// First bytes that leave no doubt.
const MARKS: [(&[u8], Kind); 16] = [
    (b"PAR1", Kind::Documents(Format::Parquet)),
    (b"WARC/", Kind::Documents(Format::Warc)),
    (b"\x89PNG\r\n\x1a\n", Kind::Other("a PNG image")),
    (b"\xff\xd8\xff", Kind::Other("a JPEG image")),
    (b"GIF8", Kind::Other("a GIF image")),
    (b"\x7fELF", Kind::Other("a program")),
    (b"MZ\x90", Kind::Other("a program")),
    (b"%PDF-", Kind::Other("a PDF file")),
    (b"PK\x03\x04", Kind::Other("a ZIP file")),
    (b"BZh", Kind::Other("a bzip2 file")),
    (b"\xfd7zXZ\0", Kind::Other("an xz file")),
    (b"\x1f\x8b", Kind::Other("a gzip file inside another compression")),
    (b"(\xb5/\xfd", Kind::Other("a zstd file inside another compression")),
    (b"SQLite format 3\0", Kind::Other("a SQLite database")),
    (b"wOF", Kind::Other("a font")),
    (b"RIFF", Kind::Other("a RIFF file")),
];

fn by_mark(head: &[u8]) -> Option<Kind> {
    MARKS.iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, kind)| *kind)
}

fn by_content(head: &[u8]) -> Kind {
    let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start();
    match text {
        _ if head.is_empty() => Kind::Empty,
        [b'{', ..] => Kind::Documents(Format::Jsonl),
        [b'[', rest @ ..] if rest.trim_ascii_start().starts_with(b"{") => Kind::Documents(Format::Jsonl),
        [b'<', next, ..] if next.is_ascii_alphabetic() || matches!(next, b'!' | b'?') => {
            Kind::Documents(Format::Html)
        }
        _ if is_text(head) => Kind::Documents(Format::Text),
        _ => Kind::Other("binary data"),
    }
}

/// Text in any charset has next to no control characters; UTF-16 says so by its mark.
fn is_text(head: &[u8]) -> bool {
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return true;
    }
    let is_control = |byte: &&u8| **byte < 0x20 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    let controls = head.iter().filter(is_control).count();
    !head.contains(&0) && controls * 50 <= head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_name_and_content() {
        let cases: [(&str, &[u8], Kind); 20] = [
            ("a.html", b"plain", Kind::Documents(Format::Html)),
            ("a.HTM.GZ", b"", Kind::Documents(Format::Html)),
            ("dir.d/a.txt", b"<html>", Kind::Documents(Format::Text)),
            ("a.ndjson.zst", b"", Kind::Documents(Format::Jsonl)),
            ("a.json", b"[", Kind::Documents(Format::Jsonl)),
            ("a.pq", b"", Kind::Documents(Format::Parquet)),
            ("CC.warc.wet.gz", b"", Kind::Documents(Format::Warc)),
            ("a.html", b"PAR1\x15", Kind::Documents(Format::Parquet)),
            ("a.txt", b"\x89PNG\r\n\x1a\n", Kind::Other("a PNG image")),
            ("-", b" \n{\"id\":1}", Kind::Documents(Format::Jsonl)),
            ("-", b"[ {\"id\":1}]", Kind::Documents(Format::Jsonl)),
            ("-", b"[1] a footnote", Kind::Documents(Format::Text)),
            ("-", b"WARC/1.0\r\n", Kind::Documents(Format::Warc)),
            ("page", b"\xef\xbb\xbf<!DOCTYPE html>", Kind::Documents(Format::Html)),
            ("page", b"< 5 apples", Kind::Documents(Format::Text)),
            ("a.d/README", b"\xb0\xa1\xb3\xaa\r\n", Kind::Documents(Format::Text)),
            ("utf16", b"\xff\xfea\0", Kind::Documents(Format::Text)),
            ("x", b"ab\0cd", Kind::Other("binary data")),
            ("x", b"", Kind::Empty),
            ("x.bin", b"\x01\x02\x03\x04 abc", Kind::Other("binary data")),
        ];
        for (name, head, expected) in cases {
            assert_eq!(kind(name, head), expected, "{name} {head:?}");
        }
        assert!(is_asset("site/style.css") && !is_asset("site/page"));
        assert!(promises_lines("a.jsonl.gz") && !promises_lines("a.json"));
    }
}
