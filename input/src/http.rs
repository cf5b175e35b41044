//! What did the server send? An archived HTTP response to the bytes of its page: status, media type, chunks, encodings.
//! Servers and crawlers lie: an encoding that the body plainly does not have is taken as already undone.

use std::io::{Cursor, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use crate::headers::{Headers, MediaType, head_length};
use crate::record::too_large;

/// More encodings on top of each other than any server uses.
const MOST_ENCODINGS: usize = 4;

/// The head of a response.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResponseHead {
    pub status: u16,
    pub headers: Headers,
}

impl ResponseHead {
    /// Splits the head off a response and says how long it is; nothing if it does not begin as one.
    pub(crate) fn parse(response: &[u8]) -> Option<(Self, usize)> {
        if !response.starts_with(b"HTTP/") {
            return None;
        }
        let length = head_length(response)?;
        let status_line = response.split(|byte| *byte == b'\n').next()?;
        let status = std::str::from_utf8(status_line.split(|byte| *byte == b' ').nth(1)?).ok()?;
        let head = ResponseHead {
            status: status.trim().parse().ok()?,
            headers: Headers::parse(&response[..length]),
        };
        Some((head, length))
    }

    pub(crate) fn media_type(&self) -> Option<MediaType> {
        self.headers.get("content-type").map(MediaType::parse)
    }

    /// Takes chunks and encodings off a body, never beyond the limit. The second value warns of what was mended.
    pub(crate) fn decode(
        &self,
        body: Vec<u8>,
        limit: u64,
        cut: bool,
    ) -> Result<(Vec<u8>, Vec<String>), String> {
        let mut warnings = Vec::new();
        let chunked = self.headers.list("transfer-encoding").iter().any(|coding| coding == "chunked");
        let mut body = if chunked { unchunk(body, cut, &mut warnings)? } else { body };
        let encodings = self.headers.list("content-encoding");
        if encodings.len() > MOST_ENCODINGS {
            return Err(format!(
                "{} content encodings on top of each other: fetch the page again",
                encodings.len()
            ));
        }
        for encoding in encodings.iter().rev() {
            body = unencode(body, encoding, limit, cut, &mut warnings)?;
        }
        Ok((body, warnings))
    }
}

/// Joins the chunks; a body that does not begin with a chunk's size has been joined already.
fn unchunk(body: Vec<u8>, cut: bool, warnings: &mut Vec<String>) -> Result<Vec<u8>, String> {
    if chunk_size(&body).is_none() {
        return Ok(body);
    }
    let mut joined = Vec::with_capacity(body.len());
    let mut rest = body.as_slice();
    loop {
        let (size, begin) = match chunk_size(rest) {
            Some((0, _)) => return Ok(joined),
            Some(found) => found,
            None => return ends_early(joined, cut, warnings, "the chunked body"),
        };
        let chunk = &rest[begin..];
        if chunk.len() < size {
            joined.extend_from_slice(chunk);
            return ends_early(joined, cut, warnings, "the chunked body");
        }
        joined.extend_from_slice(&chunk[..size]);
        rest = chunk[size..]
            .strip_prefix(b"\r\n")
            .or(chunk[size..].strip_prefix(b"\n"))
            .unwrap_or(&chunk[size..]);
    }
}

/// The size of a chunk and the length of the line that gives it.
fn chunk_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let line_end = memchr::memchr(b'\n', &bytes[..bytes.len().min(1024)])?;
    let line = std::str::from_utf8(&bytes[..line_end]).ok()?;
    let digits = line.split(';').next()?.trim();
    usize::from_str_radix(digits, 16).ok().map(|size| (size, line_end + 1))
}

/// A body that the crawler itself cut short is kept as far as it goes.
fn ends_early(part: Vec<u8>, cut: bool, warnings: &mut Vec<String>, what: &str) -> Result<Vec<u8>, String> {
    if !cut {
        return Err(format!("{what} is damaged or ends early: fetch the page again"));
    }
    warnings.push(format!("{what} was cut short when it was archived"));
    Ok(part)
}

fn unencode(
    body: Vec<u8>,
    encoding: &str,
    limit: u64,
    cut: bool,
    warnings: &mut Vec<String>,
) -> Result<Vec<u8>, String> {
    let plain = match encoding {
        "gzip" | "x-gzip" => {
            body.starts_with(&[0x1f, 0x8b]).then(|| bounded(MultiGzDecoder::new(&body[..]), limit))
        }
        "deflate" if is_zlib(&body) => Some(bounded(ZlibDecoder::new(&body[..]), limit)),
        "deflate" => Some(bounded(DeflateDecoder::new(&body[..]), limit)),
        "br" => Some(bounded(brotli_decompressor::Decompressor::new(Cursor::new(&body), 4096), limit)),
        "zstd" => body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]).then(|| unzstd(&body, limit)),
        "identity" | "none" | "utf-8" => None,
        other => return Err(format!("the content encoding {other} is not known: fetch the page without it")),
    };
    match plain {
        None => Ok(body),
        Some(Unencoded::Whole(plain)) => Ok(plain),
        Some(Unencoded::TooLarge) => Err(too_large("page", limit)),
        Some(Unencoded::Broken(_)) if looks_plain(&body) => {
            warnings.push(format!("the content encoding {encoding} was declared but not used"));
            Ok(body)
        }
        Some(Unencoded::Broken(part)) => ends_early(part, cut, warnings, &format!("the {encoding} body")),
    }
}

enum Unencoded {
    Whole(Vec<u8>),
    /// As far as it could be read.
    Broken(Vec<u8>),
    TooLarge,
}

fn bounded(stream: impl Read, limit: u64) -> Unencoded {
    let mut plain = Vec::new();
    let result = stream.take(limit.saturating_add(1)).read_to_end(&mut plain);
    match result {
        _ if plain.len() as u64 > limit => Unencoded::TooLarge,
        Ok(_) => Unencoded::Whole(plain),
        Err(_) => Unencoded::Broken(plain),
    }
}

fn unzstd(body: &[u8], limit: u64) -> Unencoded {
    zstd::stream::read::Decoder::with_buffer(body)
        .map_or_else(|_| Unencoded::Broken(Vec::new()), |stream| bounded(stream, limit))
}

/// Deflate should come in a zlib wrapping and often does not.
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [first, second, ..] if first & 0x0f == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31))
}

fn looks_plain(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<") && !body.contains(&0)
}
