//! WARC: which pages does this archive hold? Responses, resources and conversions of versions 1.0 and 1.1.
//! A record that is damaged or lies about its length is a reject; the reading goes on at the next one that begins.

use std::io;
use std::sync::Arc;

use firstcopy_text::{Content, Page};
use memchr::memmem;

use crate::compression::Stream;
use crate::date;
use crate::error::Reject;
use crate::headers::{Headers, MediaType, head_length};
use crate::http::ResponseHead;
use crate::options::ReadOptions;
use crate::place::{At, Place};
use crate::progress::Skip;
use crate::record::{Decoded, Layout, Raw, Reader, Record, Setting, broken, too_large};
use crate::tape::Tape;
use crate::window::Window;

/// The longest head of a record or of a response: far beyond what servers send.
const LONGEST_HEAD: usize = 64 * 1024;
/// What every record begins with, and how many bytes tell it from a mention in a text.
const BEGINNING: &[u8] = b"WARC/1.";
const BEGINNING_LINE: usize = BEGINNING.len() + 3;
/// What every record ends with.
const END: &[u8] = b"\r\n\r\n";

/// Cuts an archive into records.
pub(crate) struct Archive {
    window: Window,
    number: u64,
    url: Option<Arc<str>>,
    /// An error met while looking ahead: it belongs to the next record.
    ahead: Option<io::Error>,
    originals: bool,
    setting: Setting,
}

/// What one record gave.
enum Step {
    Capture(Box<Capture>),
    Passed(Skip),
    End,
}

/// Why a record could not be cut.
struct Trouble(String);

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble(broken(&error))
    }
}

impl Reader for Archive {
    fn next_record(&mut self) -> Option<Result<Record, Reject>> {
        let step = self.step();
        let original = std::mem::take(self.window.tape());
        let raw = match step {
            Ok(Step::End) => return None,
            Ok(Step::Passed(skip)) => Raw::Passed(Box::new(Passed { skip, original })),
            Ok(Step::Capture(mut capture)) => {
                capture.original = original;
                Raw::Capture(capture)
            }
            Err(Trouble(reason)) => {
                let reject = Reject::at(&self.place(), reason);
                self.find_record();
                return Some(Err(reject));
            }
        };
        Some(Ok(Record { place: self.place(), raw }))
    }

    fn layout(&self) -> Layout {
        Layout::Archive
    }

    fn keep_originals(&mut self) {
        self.originals = true;
    }
}

impl Archive {
    pub(crate) fn new(stream: Stream, setting: Setting) -> Self {
        Archive { window: Window::new(stream), number: 0, url: None, ahead: None, originals: false, setting }
    }

    fn place(&self) -> Place {
        Place::new(&self.setting.file, At::Record(self.number, self.url.clone()))
    }

    /// Reads one record: its head, then as much of its block as is wanted.
    fn step(&mut self) -> Result<Step, Trouble> {
        self.url = None;
        if let Some(error) = self.ahead.take() {
            self.number += 1;
            return Err(error.into());
        }
        if !self.begins()? {
            return Ok(Step::End);
        }
        self.begin_original();
        let head = self.head()?;
        let url = head.get("warc-target-uri").map(|uri| uri.trim_matches(['<', '>']));
        self.url = url.filter(|url| !url.is_empty()).map(Into::into);
        let length = head.get("content-length").and_then(|length| length.parse::<u64>().ok());
        let length =
            length.ok_or_else(|| Trouble("no valid Content-Length: fetch the archive again".to_owned()))?;
        match head.get("warc-type").map(str::to_ascii_lowercase).as_deref() {
            Some("response") => self.response(&head, length),
            Some("resource" | "conversion") => self.resource(&head, length),
            _ => self.pass(length, Skip::RecordType),
        }
    }

    fn begin_original(&mut self) {
        let options = &self.setting.options;
        if self.originals {
            *self.window.tape() = Tape::begin(options.max_document_size, options.temp_dir.as_deref());
        }
    }

    /// Moves to the first byte of the next record; false at the end of the archive.
    fn begins(&mut self) -> Result<bool, Trouble> {
        loop {
            let ahead = self.window.look(1).inspect_err(|_| self.number += 1)?;
            let blank = ahead.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            match (ahead.len(), blank) {
                (0, _) => return Ok(false),
                (_, 0) => break,
                _ => self.window.consume(blank),
            }
        }
        self.number += 1;
        match self.window.look(BEGINNING.len())?.starts_with(BEGINNING) {
            true => Ok(true),
            false => Err(Trouble("not a WARC/1.0 or 1.1 record: fetch the archive again".to_owned())),
        }
    }

    fn head(&mut self) -> Result<Headers, Trouble> {
        loop {
            let ahead = self.window.ahead();
            if let Some(length) = head_length(ahead) {
                let headers = Headers::parse(&ahead[..length]);
                self.window.consume(length);
                return Ok(headers);
            }
            let endless = ahead.len() > LONGEST_HEAD;
            if endless || self.window.look_further()? == 0 {
                self.window.consume(BEGINNING.len());
                let what = if endless { "the head is endless" } else { "the archive ends inside the head" };
                return Err(Trouble(format!("{what}: fetch the archive again")));
            }
        }
    }

    /// An archived response: only pages that arrived well, in HTML or plain text.
    fn response(&mut self, head: &Headers, length: u64) -> Result<Step, Trouble> {
        let wanted = length.min(LONGEST_HEAD as u64) as usize;
        let block = self.window.look(wanted)?;
        let Some((http, begin)) = ResponseHead::parse(&block[..block.len().min(wanted)]) else {
            let is_http = head.get("content-type").is_none_or(|found| found.starts_with("application/http"));
            return match is_http && length > 0 {
                true => Err(Trouble("no valid HTTP head: fetch the page again".to_owned())),
                false => self.pass(length, Skip::MediaType),
            };
        };
        let media = http.media_type();
        if !(200..300).contains(&http.status) {
            return self.pass(length, Skip::Status);
        }
        if media.as_ref().is_some_and(|media| !media.is_html() && !media.is_text()) {
            return self.pass(length, Skip::MediaType);
        }
        self.window.consume(begin);
        let body = self.block(length - begin as u64)?;
        let capture = Capture::new(head, self.url.clone(), Some(http), media, body);
        Ok(Step::Capture(Box::new(capture)))
    }

    /// A resource fetched without HTTP, or the text that another tool made of a page.
    fn resource(&mut self, head: &Headers, length: u64) -> Result<Step, Trouble> {
        let media = head.get("content-type").map(MediaType::parse);
        if media.as_ref().is_some_and(|media| !media.is_html() && !media.is_text()) {
            return self.pass(length, Skip::MediaType);
        }
        let body = self.block(length)?;
        let capture = Capture::new(head, self.url.clone(), None, media, body);
        Ok(Step::Capture(Box::new(capture)))
    }

    /// Reads a block that must be whole and followed by another record or the end.
    fn block(&mut self, length: u64) -> Result<Vec<u8>, Trouble> {
        let limit = self.setting.options.max_document_size;
        if length > limit {
            return Err(Trouble(too_large("page", limit)));
        }
        let mut body = Vec::new();
        self.window.read(length as usize, &mut body)?;
        let whole = body.len() as u64 == length;
        if whole && self.ends_well() {
            // The next record passes over whatever line ends are really there.
            self.window.tape().keep(END);
            return Ok(body);
        }
        self.window.give_back(&body);
        let what = if whole { "its Content-Length is wrong" } else { "the archive ends inside it" };
        Err(Trouble(format!("{what}: fetch the archive again")))
    }

    /// True when the two line ends that close a record follow, or at least another record or the end of the archive.
    fn ends_well(&mut self) -> bool {
        let mut count = END.len() + BEGINNING.len();
        loop {
            let ahead = match self.window.look(count) {
                Ok(ahead) => ahead,
                Err(error) => {
                    self.ahead = Some(error);
                    return true;
                }
            };
            if ahead.starts_with(END) {
                return true;
            }
            let blank = ahead.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let rest = &ahead[blank..];
            if rest.len() >= BEGINNING.len() || ahead.len() < count {
                return rest.is_empty() || rest.starts_with(BEGINNING);
            }
            count = blank + BEGINNING.len();
        }
    }

    /// Leaves a block out. A length beyond the limit is not believed: the next beginning is looked for instead.
    fn pass(&mut self, length: u64, skip: Skip) -> Result<Step, Trouble> {
        if length > self.setting.options.max_document_size {
            self.find_record();
            return Ok(Step::Passed(skip));
        }
        self.block(length).map(|_| Step::Passed(skip))
    }

    /// Moves to the next beginning of a record or to the end; damage on the way is part of the damage reported.
    fn find_record(&mut self) {
        loop {
            if let Some(at) = beginning(self.window.ahead()) {
                return self.window.consume(at);
            }
            let searched = self.window.ahead().len().saturating_sub(BEGINNING_LINE);
            self.window.consume(searched);
            match self.window.look_further() {
                Ok(0) => return self.window.forget(),
                Ok(_) => {}
                Err(_) => self.window.forget(),
            }
        }
    }
}

/// Where a record's first line stands: a version and the end of the line.
fn beginning(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, BEGINNING).find(|at| {
        let rest = &bytes[at + BEGINNING.len()..];
        matches!(rest, [b'0' | b'1', b'\r', b'\n', ..] | [b'0' | b'1', b'\n', ..])
    })
}

/// A record that is no document.
#[derive(Debug)]
pub(crate) struct Passed {
    pub skip: Skip,
    pub original: Tape,
}

/// One record that is to become a page, its encodings not yet undone.
#[derive(Debug)]
pub(crate) struct Capture {
    pub original: Tape,
    url: Option<Arc<str>>,
    record_id: Option<String>,
    date: Option<String>,
    /// The crawler cut the page short and says so.
    cut: bool,
    http: Option<ResponseHead>,
    media: Option<MediaType>,
    body: Vec<u8>,
}

impl Capture {
    fn new(
        head: &Headers,
        url: Option<Arc<str>>,
        http: Option<ResponseHead>,
        media: Option<MediaType>,
        body: Vec<u8>,
    ) -> Self {
        let own = |name| head.get(name).filter(|value| !value.is_empty()).map(str::to_owned);
        let (record_id, date) = (own("warc-record-id"), own("warc-date"));
        let cut = head.get("warc-truncated").is_some();
        Capture { original: Tape::default(), url, record_id, date, cut, http, media, body }
    }

    pub(crate) fn weight(&self) -> usize {
        self.body.len()
    }

    pub(crate) fn decode(self, options: &ReadOptions, place: &Place) -> Decoded {
        let unencoded = match &self.http {
            Some(http) => http.decode(self.body, options.max_document_size, self.cut),
            None => Ok((self.body, Vec::new())),
        };
        let (bytes, mut warnings) = match unencoded {
            Ok(unencoded) => unencoded,
            Err(reason) => return Decoded::Reject(reason),
        };
        let Some(content) = content(self.media, bytes) else { return Decoded::Skip(Skip::MediaType) };
        let created_at = self.date.as_deref().and_then(date::parse_text);
        if let (None, Some(date)) = (created_at, &self.date) {
            warnings.push(format!("WARC-Date {date:?} is not a date"));
        }
        let url = self.url.map(|url| url.to_string());
        let id = url.clone().or(self.record_id).unwrap_or_else(|| place.id());
        Decoded::Page(Box::new(Page { id, url, created_at, content, warnings, ..Page::default() }))
    }
}

/// What the media type says; without one, only what is plainly markup.
fn content(media: Option<MediaType>, bytes: Vec<u8>) -> Option<Content> {
    match media {
        Some(media) if media.is_text() => Some(Content::Text { bytes, charset: media.charset }),
        Some(media) => Some(Content::Html { bytes, charset: media.charset }),
        None => bytes.trim_ascii_start().starts_with(b"<").then_some(Content::Html { bytes, charset: None }),
    }
}
