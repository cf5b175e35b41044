//! Where does a line end? Lines of any stream, none longer than the limit ever held.

use std::io;

use memchr::memchr;

use crate::compression::Stream;

/// The lines of a stream, cut but not looked into.
pub(crate) struct Lines {
    stream: Stream,
    limit: usize,
    drained: bool,
}

/// What stands between two line ends.
pub(crate) enum Line {
    /// The line without its end.
    Whole(Vec<u8>),
    /// A line longer than the limit, passed over.
    TooLong,
    /// A line that the stream broke off in.
    Broken(io::Error),
}

impl Lines {
    pub(crate) fn new(stream: Stream, limit: u64) -> Self {
        Lines { stream, limit: usize::try_from(limit).unwrap_or(usize::MAX), drained: false }
    }

    /// True when the next line may have to be waited for.
    pub(crate) fn is_drained(&self) -> bool {
        self.drained
    }

    pub(crate) fn next_line(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        let mut too_long = false;
        loop {
            let buffer = match self.stream.fill_buf() {
                Ok([]) if too_long => return Some(Line::TooLong),
                Ok([]) => return (!line.is_empty()).then_some(Line::Whole(line)),
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Some(Line::Broken(error)),
            };
            let end = memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= line.len() + part.len() > self.limit;
            if too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.drained = taken == buffer.len();
            self.stream.consume(taken);
            if end.is_some() {
                return Some(if too_long { Line::TooLong } else { Line::Whole(line) });
            }
        }
    }
}
