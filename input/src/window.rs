//! What comes next in this stream? A look ahead of any length, for formats that must find their footing again.

use std::io::{self, Read};

use crate::compression::Stream;
use crate::tape::Tape;

/// One look at the stream.
const STEP: usize = 64 * 1024;

/// A stream that can be looked into without being consumed, and that takes bytes back.
pub(crate) struct Window {
    stream: Stream,
    ahead: Vec<u8>,
    start: usize,
    /// Bytes that came from the stream, and bytes that were given back.
    received: u64,
    given_back: u64,
    /// Keeps what is consumed.
    tape: Tape,
}

/// How often, on average, a byte may be given back: a hostile stream must not be read over and over.
const MOST_TIMES_BACK: u64 = 4;

impl Window {
    pub(crate) fn new(stream: Stream) -> Self {
        Window { stream, ahead: Vec::new(), start: 0, received: 0, given_back: 0, tape: Tape::default() }
    }

    /// What is consumed from now on.
    pub(crate) fn tape(&mut self) -> &mut Tape {
        &mut self.tape
    }

    /// What has been looked at and not consumed.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.ahead[self.start..]
    }

    /// Looks at `count` bytes, or fewer at the end of the stream.
    pub(crate) fn look(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.ahead().len() < count {
            if self.look_further()? == 0 {
                break;
            }
        }
        Ok(self.ahead())
    }

    /// Looks at some more bytes and says how many, none at the end of the stream.
    pub(crate) fn look_further(&mut self) -> io::Result<usize> {
        self.ahead.drain(..self.start);
        self.start = 0;
        let known = self.ahead.len();
        self.ahead.resize(known + STEP, 0);
        let result = self.stream.read(&mut self.ahead[known..]);
        let count = result.as_ref().map_or(0, |count| *count);
        self.ahead.truncate(known + count);
        self.received += count as u64;
        result
    }

    /// Consumes what has been looked at.
    pub(crate) fn consume(&mut self, count: usize) {
        let end = self.ahead.len().min(self.start + count);
        self.tape.keep(&self.ahead[self.start..end]);
        self.start = end;
    }

    /// Reads `count` bytes into `bytes`; fewer at the end of the stream.
    pub(crate) fn read(&mut self, count: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let known = self.ahead().len().min(count);
        bytes.extend_from_slice(&self.ahead()[..known]);
        self.consume(known);
        let before = bytes.len();
        self.received += (&mut self.stream).take((count - known) as u64).read_to_end(bytes)? as u64;
        self.tape.keep(&bytes[before..]);
        Ok(())
    }

    /// Gives bytes back, to be read again; drops them when that has happened too often.
    pub(crate) fn give_back(&mut self, bytes: &[u8]) {
        self.given_back += bytes.len() as u64;
        if self.given_back <= self.received.saturating_mul(MOST_TIMES_BACK) {
            self.ahead.splice(..self.start, bytes.iter().copied());
            self.start = 0;
        }
    }

    /// Consumes all that has been looked at.
    pub(crate) fn forget(&mut self) {
        self.consume(self.ahead().len());
    }
}
