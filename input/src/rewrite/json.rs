//! JSON: objects a line each, in an array, or one after the other. Their text stays as it was.

use std::borrow::Cow;
use std::io::{self, Write};

use super::fields;
use super::original::Original;
use super::output::{Output, Packed};
use super::writer::{Fields, Finished, Writer};
use crate::array;
use crate::compression::HEAD;

/// Writes JSON Lines.
pub(super) struct LinesWriter(Packed<Output>);

impl LinesWriter {
    pub(super) fn new(packed: Packed<Output>) -> Self {
        LinesWriter(packed)
    }
}

impl Writer for LinesWriter {
    fn write(&mut self, original: Original, fields: Option<&Fields>) -> io::Result<bool> {
        self.0.write_all(&object(original, fields)?)?;
        self.0.write_all(b"\n")?;
        Ok(true)
    }

    fn finish(self: Box<Self>) -> io::Result<Finished> {
        self.0.finish().map(Finished::from)
    }
}

/// Writes an array.
pub(super) struct ArrayWriter {
    packed: Packed<Output>,
    begun: bool,
}

impl ArrayWriter {
    pub(super) fn new(packed: Packed<Output>) -> Self {
        ArrayWriter { packed, begun: false }
    }
}

impl Writer for ArrayWriter {
    fn write(&mut self, original: Original, fields: Option<&Fields>) -> io::Result<bool> {
        self.packed.write_all(if self.begun { b",\n" } else { b"[\n" })?;
        self.begun = true;
        self.packed.write_all(&object(original, fields)?)?;
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> io::Result<Finished> {
        self.packed.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })?;
        self.packed.finish().map(Finished::from)
    }
}

/// Writes objects that are spread over lines.
pub(super) struct ObjectsWriter {
    packed: Packed<Output>,
    /// Whether the first object takes one line: then readers take all for JSON Lines, and every one must.
    lines: Option<bool>,
}

impl ObjectsWriter {
    pub(super) fn new(packed: Packed<Output>) -> Self {
        ObjectsWriter { packed, lines: None }
    }
}

impl Writer for ObjectsWriter {
    fn write(&mut self, original: Original, fields: Option<&Fields>) -> io::Result<bool> {
        let mut text = object(original, fields)?;
        text.push(b'\n');
        let lines = *self.lines.get_or_insert_with(|| !array::is_spread(&text[..text.len().min(HEAD)]));
        let text = if lines { on_one_line(&text) } else { Cow::Borrowed(&text[..]) };
        self.packed.write_all(&text)?;
        Ok(true)
    }

    fn finish(self: Box<Self>) -> io::Result<Finished> {
        self.packed.finish().map(Finished::from)
    }
}

fn object(original: Original, added: Option<&Fields>) -> io::Result<Vec<u8>> {
    let text = original.into_bytes()?;
    Ok(added.map(|added| fields::with(&text, added)).unwrap_or(text))
}

/// The line with the breaks inside taken out: in JSON they can only stand between values.
fn on_one_line(line: &[u8]) -> Cow<'_, [u8]> {
    let (end, inside) = match line.split_last() {
        Some((end, inside)) if inside.contains(&b'\n') => (*end, inside),
        _ => return Cow::Borrowed(line),
    };
    let joined = inside.iter().map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { *byte });
    Cow::Owned(joined.chain([end]).collect())
}
