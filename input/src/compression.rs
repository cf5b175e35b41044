//! What lies inside this stream? Gzip and zstd told by their first bytes and taken off, all others as they are.
//! After an error the stream goes on where it can (the next gzip member) and otherwise ends: it never repeats.

use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};

use flate2::bufread::GzDecoder;
use memchr::memchr;

/// A stream of decompressed bytes.
pub(crate) type Stream = Box<dyn BufRead + Send>;

/// How a stream is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// A stream with its compression taken off.
pub(crate) struct Unpacked {
    /// Its first bytes.
    pub head: Vec<u8>,
    pub stream: Stream,
    pub packing: Packing,
}

/// Large enough that a system call is rare, small enough for the second-level cache.
const BUFFER: usize = 256 * 1024;
/// As much of the beginning as formats are told by.
pub(crate) const HEAD: usize = 4096;
/// The least of the beginning that is waited for: the longest magic number.
const MAGIC: usize = 8;
const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Takes the compression off, and gives the first bytes of what is inside.
pub(crate) fn open(raw: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let peeked = Peeked::new(raw);
    if peeked.head.starts_with(&GZIP_MAGIC) {
        let members = GzipMembers::new(BufReader::with_capacity(BUFFER, peeked));
        return Ok(unpacked(members, Packing::Gzip));
    }
    if is_zstd(&peeked.head) {
        let frames = zstd::stream::read::Decoder::with_buffer(BufReader::with_capacity(BUFFER, peeked))?;
        return Ok(unpacked(Fused::new(frames), Packing::Zstd));
    }
    let head = peeked.head.clone();
    let stream = Box::new(BufReader::with_capacity(BUFFER, Fused::new(peeked)));
    Ok(Unpacked { head, stream, packing: Packing::Plain })
}

fn unpacked(inside: impl Read + Send + 'static, packing: Packing) -> Unpacked {
    let peeked = Peeked::new(inside);
    let head = peeked.head.clone();
    Unpacked { head, stream: Box::new(BufReader::with_capacity(BUFFER, peeked)), packing }
}

/// A frame, or one of the sixteen skippable frames that some writers begin with.
fn is_zstd(head: &[u8]) -> bool {
    head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
        || matches!(head, [first, 0x2a, 0x4d, 0x18, ..] if (0x50..=0x5f).contains(first))
}

/// A reader whose first bytes have been looked at. An error met on the way comes after them, when they are read.
struct Peeked<R> {
    head: Vec<u8>,
    given: usize,
    error: Option<io::Error>,
    inner: R,
}

impl<R: Read> Peeked<R> {
    /// Waits for the first few bytes only, so that a slow pipe is not held up.
    fn new(mut inner: R) -> Self {
        let mut head = vec![0; HEAD];
        let mut filled = 0;
        let mut met = None;
        while filled < MAGIC && met.is_none() {
            match inner.read(&mut head[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => met = Some(error),
            }
        }
        head.truncate(filled);
        Peeked { head, given: 0, error: met, inner }
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.head.len() {
            return self.error.take().map_or_else(|| self.inner.read(buffer), Err);
        }
        let count = (&self.head[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

/// A reader that ends after its first error.
struct Fused<R> {
    inner: Option<R>,
}

impl<R> Fused<R> {
    fn new(inner: R) -> Self {
        Fused { inner: Some(inner) }
    }
}

impl<R: Read> Read for Fused<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(inner) = &mut self.inner else { return Ok(0) };
        let result = inner.read(buffer);
        if matches!(&result, Err(error) if error.kind() != io::ErrorKind::Interrupted) {
            self.inner = None;
        }
        result
    }
}

type Member<R> = GzDecoder<Chain<Cursor<&'static [u8]>, R>>;

/// Gzip members one after the other; a damaged one is an error once, then the next one follows.
struct GzipMembers<R> {
    state: GzipState<R>,
}

enum GzipState<R> {
    Inside(Box<Member<R>>),
    Between(R),
    Lost(R),
    Ended,
}

impl<R: BufRead> GzipMembers<R> {
    fn new(inner: R) -> Self {
        GzipMembers { state: GzipState::Inside(Box::new(member(&[], inner))) }
    }
}

fn member<R: BufRead>(magic: &'static [u8], rest: R) -> Member<R> {
    GzDecoder::new(Cursor::new(magic).chain(rest))
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, GzipState::Ended) {
                GzipState::Inside(mut inside) => match inside.read(buffer) {
                    Ok(0) => self.state = GzipState::Between(inside.into_inner().into_inner().1),
                    Ok(count) => {
                        self.state = GzipState::Inside(inside);
                        return Ok(count);
                    }
                    Err(error) => {
                        self.state = GzipState::Lost(inside.into_inner().into_inner().1);
                        return Err(damaged(&error));
                    }
                },
                GzipState::Between(mut rest) => match skip_padding(&mut rest)? {
                    None => return Ok(0),
                    Some(0x1f) => self.state = GzipState::Inside(Box::new(member(&[], rest))),
                    Some(_) => {
                        self.state = GzipState::Lost(rest);
                        return Err(io::Error::other("what follows a gzip member is not gzip"));
                    }
                },
                GzipState::Lost(mut rest) => {
                    if !find_member(&mut rest)? {
                        return Ok(0);
                    }
                    self.state = GzipState::Inside(Box::new(member(&GZIP_MAGIC, rest)));
                }
                GzipState::Ended => return Ok(0),
            }
        }
    }
}

fn damaged(error: &io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the gzip stream ends in the middle"),
        kind => io::Error::new(kind, format!("the gzip stream is damaged: {error}")),
    }
}

/// The first byte that is no padding: some writers fill the last block with zeros.
fn skip_padding(rest: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let buffer = rest.fill_buf()?;
        let length = buffer.len();
        match buffer.iter().position(|byte| *byte != 0) {
            Some(at) => {
                let byte = buffer[at];
                rest.consume(at);
                return Ok(Some(byte));
            }
            None if length == 0 => return Ok(None),
            None => rest.consume(length),
        }
    }
}

/// Moves behind the next magic number, if there is one.
fn find_member(rest: &mut impl BufRead) -> io::Result<bool> {
    let mut matched = 0;
    loop {
        let buffer = rest.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let byte = buffer[0];
        if byte == GZIP_MAGIC[matched] {
            rest.consume(1);
            matched += 1;
            if matched == GZIP_MAGIC.len() {
                return Ok(true);
            }
        } else if matched > 0 {
            matched = 0;
        } else {
            let ahead = memchr(GZIP_MAGIC[0], buffer).unwrap_or(buffer.len());
            rest.consume(ahead);
        }
    }
}
