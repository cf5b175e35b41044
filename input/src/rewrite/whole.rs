//! HTML and plain text: a file that is one document, copied or left out. Neither has a place for fields.

use std::io::{self, Write};

use super::original::Original;
use super::output::{Output, Packed};
use super::writer::{Fields, Finished, Writer};

/// Writes one document.
pub(super) struct WholeWriter {
    packed: Packed<Output>,
    written: bool,
}

impl WholeWriter {
    pub(super) fn new(packed: Packed<Output>) -> Self {
        WholeWriter { packed, written: false }
    }
}

impl Writer for WholeWriter {
    fn write(&mut self, original: Original, _: Option<&Fields>) -> io::Result<bool> {
        self.written = true;
        self.packed.write_all(&original.into_bytes()?)?;
        Ok(false)
    }

    fn finish(self: Box<Self>) -> io::Result<Finished> {
        match self.written {
            true => self.packed.finish().map(Finished::from),
            false => Ok(Finished { output: None, lost: Vec::new() }),
        }
    }
}
