//! WARC: records as they were, each a gzip member or a zstd frame of its own, so that readers can still seek to one.
//! Added fields become header fields.

use std::io::{self, Read};

use serde_json::Value;

use super::original::Original;
use super::output::{Output, Packed};
use super::writer::{Fields, Finished, Writer};
use crate::compression::Packing;
use crate::headers::head_length;

/// What the names of added header fields begin with.
const PREFIX: &str = "WARC-Firstcopy";

/// Writes an archive.
pub(super) struct ArchiveWriter {
    output: Output,
    packing: Packing,
}

impl ArchiveWriter {
    pub(super) fn new(output: Output, packing: Packing) -> Self {
        ArchiveWriter { output, packing }
    }

    fn write_record(&mut self, mut record: impl Read) -> io::Result<()> {
        let mut member = Packed::new(&mut self.output, self.packing)?;
        io::copy(&mut record, &mut member)?;
        member.finish()?;
        Ok(())
    }
}

impl Writer for ArchiveWriter {
    fn write(&mut self, original: Original, fields: Option<&Fields>) -> io::Result<bool> {
        match fields {
            Some(fields) => self.write_record(&with_headers(&original.into_bytes()?, fields)[..])?,
            None => self.write_record(original.into_stream()?)?,
        }
        Ok(true)
    }

    fn finish(self: Box<Self>) -> io::Result<Finished> {
        Ok(self.output.into())
    }
}

/// The record with these fields at the end of its head, in place of any that it has of the same names.
fn with_headers(record: &[u8], fields: &Fields) -> Vec<u8> {
    let (head, block) = record.split_at(head_length(record).unwrap_or(0));
    let blank_line = if head.ends_with(b"\r\n") { 2 } else { 1 };
    let (lines, blank_line) = head.split_at(head.len().saturating_sub(blank_line));
    let added: Vec<(String, String)> = fields.iter().filter_map(header).collect();
    let mut text = without(lines, &added);
    for (name, value) in &added {
        text.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    [&text, blank_line, block].concat()
}

/// The lines of a head but for these fields, lines that continue them included.
fn without(lines: &[u8], fields: &[(String, String)]) -> Vec<u8> {
    let mut leaving_out = false;
    let mut kept = Vec::with_capacity(lines.len());
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        let continues = line.starts_with(b" ") || line.starts_with(b"\t");
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default().trim_ascii();
        leaving_out = match continues {
            true => leaving_out,
            false => fields.iter().any(|(found, _)| found.as_bytes().eq_ignore_ascii_case(name)),
        };
        if !leaving_out {
            kept.extend_from_slice(line);
        }
    }
    kept
}

/// A field as a header field; null says nothing.
fn header((name, value): (&String, &Value)) -> Option<(String, String)> {
    let value = match value {
        Value::Null => return None,
        Value::String(text) => text.replace(|letter: char| letter.is_control(), " "),
        other => other.to_string(),
    };
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    Some((words.fold(PREFIX.to_owned(), |name, word| format!("{name}-{}", capitalised(word))), value))
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_become_headers() {
        let check = |record: &str, fields: Value, expected: &str| {
            let text = with_headers(record.as_bytes(), fields.as_object().unwrap());
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        };
        check(
            "WARC/1.0\r\nContent-Length: 1\r\n\r\n\n\r\n\r\n",
            json!({"duplicate_of": "http://a/\r\nX: y", "size": 3, "none": null}),
            "WARC/1.0\r\nContent-Length: 1\r\nWARC-Firstcopy-Duplicate-Of: http://a/  X: y\r\n\
             WARC-Firstcopy-Size: 3\r\n\r\n\n\r\n\r\n",
        );
        check(
            "WARC/1.0\nwarc-firstcopy-a: 1\n 2\nB: 3\n 4\n\nblock",
            json!({"a": true}),
            "WARC/1.0\nB: 3\n 4\nWARC-Firstcopy-A: true\r\n\nblock",
        );
    }
}
