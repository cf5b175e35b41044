//! JSON that does not keep to lines: where does each object end? An array of objects, or objects spread over lines.
//! Brackets are counted, not nested: no depth can overflow the stack, and no object beyond the limit is held.

use std::io;

use crate::compression::Stream;
use crate::error::Reject;
use crate::jsonl::JsonText;
use crate::place::{At, Place};
use crate::record::{Layout, Raw, Reader, Record, Setting, broken, too_large};

/// True when a file that may hold any JSON is not one object a line, as far as its beginning tells.
pub(crate) fn is_spread(head: &[u8]) -> bool {
    let head = first_item(head);
    let first_line = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
    let cut_short = first_line.len() == head.len();
    is_array(head) || (head.starts_with(b"{") && !cut_short && !first_line.trim_ascii().ends_with(b"}"))
}

/// True when a file begins as an array does.
pub(crate) fn is_array(head: &[u8]) -> bool {
    first_item(head).starts_with(b"[")
}

fn first_item(head: &[u8]) -> &[u8] {
    head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start()
}

/// Cuts a stream into its items.
pub(crate) struct JsonItems {
    stream: Stream,
    array: bool,
    item: u64,
    cut: Cut,
    setting: Setting,
}

/// Where the scan is.
#[derive(Default)]
struct Cut {
    begun: bool,
    in_array: bool,
    depth: u64,
    in_string: bool,
    escaped: bool,
    too_large: bool,
    item: Vec<u8>,
}

impl JsonItems {
    pub(crate) fn new(stream: Stream, array: bool, setting: Setting) -> Self {
        JsonItems { stream, array, item: 0, cut: Cut::default(), setting }
    }

    /// Scans to the end of the next item; nothing at the end of the stream.
    fn next_item(&mut self) -> io::Result<Option<Vec<u8>>> {
        let limit = usize::try_from(self.setting.options.max_document_size).unwrap_or(usize::MAX);
        loop {
            let buffer = match self.stream.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                other => other?,
            };
            if buffer.is_empty() {
                return self.cut.at_end();
            }
            let end = buffer.iter().position(|byte| self.cut.take(*byte, limit));
            let taken = end.map_or(buffer.len(), |at| at + 1);
            self.stream.consume(taken);
            if end.is_some() {
                return Ok(Some(std::mem::take(&mut self.cut.item)));
            }
        }
    }
}

impl Cut {
    /// Takes one byte; true when it ends an item.
    fn take(&mut self, byte: u8, limit: usize) -> bool {
        let outside = self.depth == 0 && !self.in_string;
        if outside && (byte.is_ascii_whitespace() || matches!(byte, b',' | 0xef | 0xbb | 0xbf)) {
            return !self.item.is_empty();
        }
        if outside && !self.begun && byte == b'[' {
            (self.begun, self.in_array) = (true, true);
            return false;
        }
        if outside && self.in_array && byte == b']' {
            return !self.item.is_empty();
        }
        self.begun = true;
        self.keep(byte, limit);
        self.follow(byte) && self.depth == 0
    }

    fn keep(&mut self, byte: u8, limit: usize) {
        self.too_large |= self.item.len() >= limit;
        if !self.too_large {
            self.item.push(byte);
        }
    }

    /// Follows strings and brackets; true at a closing one.
    fn follow(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            b'{' | b'[' if !self.in_string => self.depth += 1,
            b'}' | b']' if !self.in_string => {
                self.depth = self.depth.saturating_sub(1);
                return true;
            }
            _ => {}
        }
        false
    }

    fn at_end(&mut self) -> io::Result<Option<Vec<u8>>> {
        let rest = std::mem::take(self);
        match rest.item.is_empty() {
            true => Ok(None),
            false if rest.depth > 0 || rest.in_string => {
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file ends inside an item"))
            }
            false => Ok(Some(rest.item)),
        }
    }
}

impl Reader for JsonItems {
    fn next_record(&mut self) -> Option<Result<Record, Reject>> {
        let item = self.next_item().transpose()?;
        self.item += 1;
        let place = Place::new(&self.setting.file, At::Item(self.item));
        let too_big = std::mem::take(&mut self.cut.too_large);
        Some(match item {
            Ok(_) if too_big => {
                Err(Reject::at(&place, too_large("item", self.setting.options.max_document_size)))
            }
            Ok(bytes) => Ok(Record { place, raw: Raw::Json(JsonText(bytes)) }),
            Err(error) => {
                self.cut = Cut { begun: true, ..Cut::default() };
                Err(Reject::at(&place, broken(&error)))
            }
        })
    }
    fn layout(&self) -> Layout {
        if self.array { Layout::Array } else { Layout::Objects }
    }
}
