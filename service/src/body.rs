//! What came with a request: its bytes, undone gzip or zstd, never more than is allowed and never waited for without end.

use crate::problem::Problem;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use flate2::write::MultiGzDecoder;
use http_body_util::BodyExt;
use std::io::{self, Write};
use std::time::Duration;

/// The whole body of a request, plain.
pub async fn whole(
    body: Body,
    headers: &HeaderMap,
    most: usize,
    patience: Duration,
) -> Result<Vec<u8>, Problem> {
    let mut pieces = Pieces::new(body, headers, most, patience)?;
    let mut all = Vec::new();
    while let Some(piece) = pieces.next().await? {
        if all.len() + piece.len() > most {
            return Err(too_large(most));
        }
        all.extend_from_slice(&piece);
    }
    Ok(all)
}

fn too_large(most: usize) -> Problem {
    let detail =
        format!("more than {most} bytes, plain: send less, or many documents to /v1/documents/_bulk");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}

/// A body piece by piece, plain.
pub struct Pieces {
    body: Body,
    decoder: Decoder,
    patience: Duration,
    is_done: bool,
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pieces").finish_non_exhaustive()
    }
}

/// How much a piece may grow when it is decompressed before the next is read.
const MOST_OF_A_PIECE: usize = 64 << 20;

impl Pieces {
    /// Reads a body as its headers say it is encoded.
    pub fn new(body: Body, headers: &HeaderMap, most: usize, patience: Duration) -> Result<Self, Problem> {
        let room = Room { bytes: Vec::new(), most: most.clamp(1 << 16, MOST_OF_A_PIECE) };
        let encoding = headers.get(header::CONTENT_ENCODING).map_or(Ok("identity"), |value| value.to_str());
        let decoder = match encoding.map(str::trim) {
            Ok("identity" | "") => Decoder::Plain,
            Ok("gzip" | "x-gzip") => Decoder::Gzip(Box::new(MultiGzDecoder::new(room))),
            Ok("zstd") => Decoder::Zstd(Box::new(zstd::stream::write::Decoder::new(room).map_err(broken)?)),
            _ => {
                let detail = "the body is encoded in a way that is not known: send it plain, gzip or zstd";
                return Err(
                    Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).of_field("Content-Encoding")
                );
            }
        };
        Ok(Pieces { body, decoder, patience, is_done: false })
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        while !self.is_done {
            let frame = tokio::time::timeout(self.patience, self.body.frame()).await;
            let frame = frame.map_err(|_| {
                Problem::new(StatusCode::REQUEST_TIMEOUT, "the body stopped coming: send it again")
            })?;
            let piece = match frame {
                None => {
                    self.is_done = true;
                    self.decoder.finish()?
                }
                Some(Err(_)) => return Err(Problem::bad("the body was cut off: send it again")),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.decoder.take(&data)?,
                    Err(_) => continue,
                },
            };
            if !piece.is_empty() {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }
}

enum Decoder {
    Plain,
    Gzip(Box<MultiGzDecoder<Room>>),
    Zstd(Box<zstd::stream::write::Decoder<'static, Room>>),
}

impl Decoder {
    fn take(&mut self, data: &[u8]) -> Result<Vec<u8>, Problem> {
        match self {
            Decoder::Plain => Ok(data.to_vec()),
            Decoder::Gzip(decoder) => {
                decoder.write_all(data).and_then(|()| decoder.flush()).map_err(broken)?;
                Ok(std::mem::take(&mut decoder.get_mut().bytes))
            }
            Decoder::Zstd(decoder) => {
                decoder.write_all(data).and_then(|()| decoder.flush()).map_err(broken)?;
                Ok(std::mem::take(&mut decoder.get_mut().bytes))
            }
        }
    }

    fn finish(&mut self) -> Result<Vec<u8>, Problem> {
        match self {
            Decoder::Plain => Ok(Vec::new()),
            Decoder::Gzip(decoder) => {
                decoder.try_finish().map_err(broken)?;
                Ok(std::mem::take(&mut decoder.get_mut().bytes))
            }
            Decoder::Zstd(decoder) => Ok(std::mem::take(&mut decoder.get_mut().bytes)),
        }
    }
}

fn broken(error: io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::FileTooLarge => too_large(MOST_OF_A_PIECE),
        _ => Problem::bad(format!("the body cannot be decompressed: {error}")).of_field("Content-Encoding"),
    }
}

/// Where decompressed bytes go; more than fits is an error, so that a small body cannot become a large one.
struct Room {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
