//! What came with a request: its bytes, undone gzip or zstd, never more than is allowed and never waited for without end.
//! Decompression goes on step by step: whatever a small body would become, only a little of it is there at a time.

use crate::pace::Pace;
use crate::problem::Problem;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use flate2::write::MultiGzDecoder;
use http_body_util::BodyExt;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, SemaphorePermit};
use zstd::stream::raw::{DParameter, Decoder as Zstd, Operation};

/// Bytes that are decompressed at a time.
const STEP: usize = 64 << 10;
/// How many times as large as what was sent a body may become, beyond its first `most` bytes: text becomes ten times, posts
/// that are copies of each other some hundred.
const MOST_RATIO: u64 = 1000;
/// The window that a zstd body may ask for, as a power of two: what RFC 9659 allows. Otherwise a few bytes could ask for
/// 128 MiB.
const WINDOW: u32 = 23;
/// Bytes of a place in the room that all bodies share.
pub const UNIT: usize = 64 << 10;

/// The whole body of a request, plain. All bodies that are being read share a room; there is none left when too many large
/// ones come at once.
pub async fn whole(
    body: Body,
    headers: &HeaderMap,
    most: usize,
    patience: Duration,
    room: &Semaphore,
) -> Result<Vec<u8>, Problem> {
    let mut pieces = Pieces::new(body, headers, most, patience)?;
    let (mut all, mut held) = (Vec::new(), Vec::new());
    while let Some(piece) = pieces.next().await? {
        if all.len() + piece.len() > most || pieces.received > most as u64 {
            return Err(too_large(most));
        }
        hold(room, &mut held, (all.len() + piece.len()).div_ceil(UNIT))?;
        all.extend_from_slice(&piece);
    }
    Ok(all)
}

/// Takes places in the room until there are enough.
fn hold<'a>(room: &'a Semaphore, held: &mut Vec<SemaphorePermit<'a>>, wanted: usize) -> Result<(), Problem> {
    while held.len() < wanted {
        held.push(room.try_acquire().map_err(|_| Problem::overloaded())?);
    }
    Ok(())
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
    /// What has come and is not decoded yet.
    rest: Bytes,
    most: usize,
    patience: Duration,
    pace: Pace,
    /// Bytes that came.
    received: u64,
    /// Bytes that they became.
    plain: u64,
    is_done: bool,
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pieces").finish_non_exhaustive()
    }
}

impl Pieces {
    /// Reads a body as its headers say it is encoded.
    pub fn new(body: Body, headers: &HeaderMap, most: usize, patience: Duration) -> Result<Self, Problem> {
        Ok(Pieces {
            body,
            decoder: Decoder::of(headers)?,
            rest: Bytes::new(),
            most,
            patience,
            pace: Pace::default(),
            received: 0,
            plain: 0,
            is_done: false,
        })
    }

    /// The next piece; none at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        loop {
            let piece = self.decoder.step(&mut self.rest).map_err(broken)?;
            if !piece.is_empty() {
                self.plain += piece.len() as u64;
                if self.plain > self.most as u64 + MOST_RATIO * self.received {
                    return Err(too_large(self.most));
                }
                // Others have their turn between two steps, however much is still to be decoded.
                tokio::task::consume_budget().await;
                return Ok(Some(piece));
            }
            if !self.rest.is_empty() {
                continue;
            }
            if self.is_done {
                return Ok(None);
            }
            match self.frame().await? {
                Some(data) => self.rest = data,
                None => {
                    self.is_done = true;
                    self.decoder.finish().map_err(broken)?;
                }
            }
        }
    }

    /// What comes next, if it comes in time; none at the end.
    async fn frame(&mut self) -> Result<Option<Bytes>, Problem> {
        loop {
            let start = Instant::now();
            self.pace.wait(start);
            let left = self.patience.saturating_sub(self.pace.behind(start));
            let frame = tokio::time::timeout(left, self.body.frame()).await.map_err(|_| {
                Problem::new(StatusCode::REQUEST_TIMEOUT, "the body comes too slowly: send it again")
            })?;
            let Some(frame) = frame else { return Ok(None) };
            let frame = frame.map_err(|_| Problem::bad("the body was cut off: send it again"))?;
            if let Ok(data) = frame.into_data() {
                self.pace.moved(data.len(), Instant::now());
                self.received += data.len() as u64;
                if !data.is_empty() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

enum Decoder {
    Plain,
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Zstd { decoder: Box<Zstd<'static>>, is_whole: bool },
}

impl Decoder {
    fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let unknown = || {
            let detail = "the body is encoded in a way that is not known: send it plain, gzip or zstd";
            Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).of_field("Content-Encoding")
        };
        let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
        let encoding = encodings.next().map_or(Ok("identity"), |value| value.to_str());
        if encodings.next().is_some() {
            return Err(unknown());
        }
        match encoding.map(|name| name.trim().to_ascii_lowercase()).as_deref() {
            Ok("identity" | "") => Ok(Decoder::Plain),
            Ok("gzip" | "x-gzip") => Ok(Decoder::Gzip(Box::new(MultiGzDecoder::new(Vec::new())))),
            Ok("zstd") => Decoder::zstd().map_err(broken),
            _ => Err(unknown()),
        }
    }

    fn zstd() -> io::Result<Self> {
        let mut decoder = Zstd::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW))?;
        Ok(Decoder::Zstd { decoder: Box::new(decoder), is_whole: true })
    }

    /// Decodes a step's worth of what has come, and takes it off. Nothing, if more must come first.
    fn step(&mut self, rest: &mut Bytes) -> io::Result<Vec<u8>> {
        match self {
            Decoder::Plain => Ok(std::mem::take(rest).into()),
            Decoder::Gzip(decoder) => {
                // A write takes no more than what fills its buffer, and hands on what the one before it made.
                while !rest.is_empty() && decoder.get_ref().len() < STEP {
                    let taken = decoder.write(rest)?;
                    let _ = rest.split_to(taken);
                }
                if rest.is_empty() {
                    decoder.flush()?;
                }
                Ok(std::mem::take(decoder.get_mut()))
            }
            Decoder::Zstd { decoder, is_whole } => {
                let mut piece = vec![0; STEP];
                let done = decoder.run_on_buffers(rest, &mut piece)?;
                if done.bytes_read > 0 || done.bytes_written > 0 {
                    *is_whole = done.remaining == 0;
                }
                let _ = rest.split_to(done.bytes_read);
                piece.truncate(done.bytes_written);
                Ok(piece)
            }
        }
    }

    /// Says whether all has come.
    fn finish(&mut self) -> io::Result<()> {
        match self {
            Decoder::Plain => Ok(()),
            Decoder::Gzip(decoder) => decoder.try_finish(),
            Decoder::Zstd { is_whole: true, .. } => Ok(()),
            Decoder::Zstd { .. } => {
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends before its last frame does"))
            }
        }
    }
}

fn broken(error: io::Error) -> Problem {
    Problem::bad(format!("the body cannot be decompressed: {error}")).of_field("Content-Encoding")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    /// What becomes of a body that comes in pieces of a size, and the largest piece it became.
    fn read(encoding: &str, body: &[u8], at_once: usize, most: usize) -> (Result<u64, u16>, usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_ENCODING, encoding.parse().unwrap());
        let frames: Vec<Result<Bytes, io::Error>> =
            body.chunks(at_once).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
        let body = Body::from_stream(futures_util::stream::iter(frames));
        let mut pieces = Pieces::new(body, &headers, most, Duration::from_secs(5)).unwrap();
        let (mut total, mut largest) = (0, 0);
        runtime.block_on(async {
            loop {
                match pieces.next().await {
                    Ok(Some(piece)) => {
                        total += piece.len() as u64;
                        largest = largest.max(piece.len());
                    }
                    Ok(None) => return (Ok(total), largest),
                    Err(problem) => return (Err(problem.status().as_u16()), largest),
                }
            }
        })
    }

    #[test]
    fn whatever_the_pieces_the_whole_is_the_same() {
        let plain: Vec<u8> = (0..200_000u32).flat_map(|number| (number % 1000).to_le_bytes()).collect();
        let (gzipped, packed) = (gzip(&plain), zstd::encode_all(&plain[..], 3).unwrap());
        for at_once in [1, 7, 1000, 1 << 20] {
            for (encoding, body) in [("gzip", &gzipped), ("zstd", &packed), ("identity", &plain)] {
                let (read, _) = read(encoding, body, at_once, 1 << 30);
                assert_eq!(read, Ok(plain.len() as u64), "{encoding} {at_once}");
            }
        }
    }

    #[test]
    fn many_members_and_frames_are_one_body() {
        let gzipped: Vec<u8> = std::iter::repeat_n(gzip(b"abc"), 1000).flatten().collect();
        assert_eq!(read("gzip", &gzipped, 11, 1 << 20).0, Ok(3000));
        let packed: Vec<u8> =
            std::iter::repeat_n(zstd::encode_all(&b"abc"[..], 3).unwrap(), 1000).flatten().collect();
        assert_eq!(read("zstd", &packed, 11, 1 << 20).0, Ok(3000));
        // Members that hold nothing, and frames that are skipped, are no bytes at all.
        let empty: Vec<u8> = std::iter::repeat_n(gzip(b""), 1000).flatten().collect();
        assert_eq!(read("gzip", &empty, 4096, 1 << 20).0, Ok(0));
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0].repeat(1000);
        assert_eq!(read("zstd", &skipped, 13, 1 << 20).0, Ok(0));
    }

    /// A kilobyte that says it is sixteen gigabytes: frames of one repeated byte, four bytes for every 128 KiB.
    fn zstd_bomb(blocks: usize) -> Vec<u8> {
        // The magic number, no content size, a window of 128 KiB.
        let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 7 << 3];
        for block in 0..blocks {
            let is_last = u32::from(block + 1 == blocks);
            let head = ((128u32 << 10) << 3) | (1 << 1) | is_last;
            bomb.extend_from_slice(&head.to_le_bytes()[..3]);
            bomb.push(b'\n');
        }
        bomb
    }

    #[test]
    fn bombs_end_early_and_never_fill_the_memory() {
        assert_eq!(read("zstd", &zstd_bomb(100), 1000, 1 << 30).0, Ok(100 << 17), "it is a body of its kind");
        let bomb = zstd_bomb(250_000);
        let (read_of_it, largest) = read("zstd", &bomb, 1 << 20, 16 << 20);
        assert_eq!(read_of_it, Err(413));
        assert!(largest <= STEP, "{largest}");
        let bomb = gzip(&vec![b'\n'; 64 << 20]);
        let (read_of_it, largest) = read("gzip", &bomb, 1 << 20, 1 << 20);
        assert_eq!(read_of_it, Err(413));
        assert!(largest <= 2 * STEP, "{largest}");
    }

    #[test]
    fn large_windows_cut_ends_and_other_bytes_are_refused() {
        // A frame that asks for a window of 128 MiB.
        let greedy = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 0x01, 0x00, 0x00];
        assert_eq!(read("zstd", &greedy, 100, 1 << 20).0, Err(400));
        let plain = b"a body with some words in it".repeat(10);
        let (gzipped, packed) = (gzip(&plain), zstd::encode_all(&plain[..], 3).unwrap());
        for (encoding, body) in [("gzip", gzipped), ("zstd", packed)] {
            for length in 1..body.len() {
                assert_eq!(read(encoding, &body[..length], 100, 1 << 20).0, Err(400), "{encoding} {length}");
            }
            assert_eq!(read(encoding, b"something else altogether", 100, 1 << 20).0, Err(400));
        }
    }
}
