//! How a content is packed for the store: what is judged of it, and the page itself where that says more.
//! The bytes are described in docs/formats.md.

use crate::error::{EngineError, Result as EngineResult};
use firstcopy_store::{Document as StoredDocument, Store, StoredContent};
use firstcopy_text::likeness::Words;
use firstcopy_text::{Analyzer, Content, CoreText, Document, Feature, LevelSketch, Page, ShingleSet};
use std::cell::RefCell;
use zstd::bulk::{Compressor, Decompressor};

/// The quickest level: packing is a tenth of the work on a post, and level 3 takes half as much again for a few per cent.
const LEVEL: i32 = 1;

/// What is judged of a content.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Core {
    /// A core text.
    Text(CoreText),
    /// Ready-made features.
    Features(Vec<Feature>),
}

impl Core {
    /// The set of shingles, or of what stands in their place.
    pub(crate) fn shingles(&self, analyzer: &Analyzer) -> ShingleSet {
        match self {
            Core::Text(core) => analyzer.shingles(core),
            Core::Features(features) => analyzer.shingles_of_features(features),
        }
    }

    /// The sample that followers keep.
    pub(crate) fn sketch(&self, analyzer: &Analyzer) -> LevelSketch {
        LevelSketch::new(&self.shingles(analyzer))
    }

    /// The text, where there is one.
    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Core::Text(core) => Some(core.text),
            Core::Features(_) => None,
        }
    }
}

/// How large a sketch is at every level, as the store keeps it.
pub(crate) fn sizes(sketch: &LevelSketch) -> Vec<u64> {
    sketch.sizes().into_iter().map(|size| size as u64).collect()
}

/// What is judged of a stored content; `id` is the document's, for the error.
pub(crate) fn core_of(store: &Store, content: u32, id: &str) -> EngineResult<Core> {
    let wrong = |reason: String| EngineError::Content { id: id.to_owned(), reason };
    let packed = store.core(content)?.ok_or_else(|| wrong("it is missing".to_owned()))?;
    unpack_core(&packed).map_err(wrong)
}

/// Whether the core text of a stored document stands for its page. If not, all dense text of the page is compared.
pub(crate) fn stands_for_page(document: &StoredDocument) -> bool {
    firstcopy_text::stands_for_page(document.kept_share, || document.tokens as usize)
}

/// Reads the words by which a stored document is compared; none if it has ready-made features instead.
pub(crate) fn compared_words(
    store: &Store,
    analyzer: &Analyzer,
    document: &StoredDocument,
) -> EngineResult<Words> {
    if !stands_for_page(document) {
        return Ok(analyzer.words(read_page(store, analyzer, document)?.compared_text()));
    }
    Ok(match core_of(store, document.content, &document.id)? {
        Core::Text(core) => analyzer.words(&core),
        Core::Features(_) => Words::default(),
    })
}

/// Reads the page of a stored document again, as it was received.
pub(crate) fn read_page(
    store: &Store,
    analyzer: &Analyzer,
    document: &StoredDocument,
) -> EngineResult<Document> {
    let wrong = |reason: String| EngineError::Content { id: document.id.clone(), reason };
    let stored = store.content(document.content)?.ok_or_else(|| wrong("it is missing".to_owned()))?;
    let content = unpack_content(&stored).map_err(wrong)?;
    Ok(analyzer.read(Page { content, ..Page::default() }))
}

const TEXT: u8 = b'c';
const FEATURES: u8 = b'f';
const HTML_BYTES: u8 = b'h';
const HTML_UNICODE: u8 = b'u';
const TEXT_BYTES: u8 = b't';

/// The page as received, packed; none where the core text is the page.
pub(crate) fn pack_page(content: &Content) -> Option<Vec<u8>> {
    let (kind, charset, bytes) = match content {
        Content::Html { bytes, charset } => (HTML_BYTES, charset.as_deref(), bytes.as_slice()),
        Content::Unicode { text, is_html: true } => (HTML_UNICODE, None, text.as_bytes()),
        Content::Text { bytes, charset } if !is_plain(bytes) => {
            (TEXT_BYTES, charset.as_deref(), bytes.as_slice())
        }
        Content::Text { .. } | Content::Unicode { .. } | Content::Features(_) => return None,
    };
    let charset = charset.filter(|charset| charset.len() < 256).unwrap_or_default();
    let mut plain = vec![kind, charset.len() as u8];
    plain.extend_from_slice(charset.as_bytes());
    plain.extend_from_slice(bytes);
    Some(compressed(&plain))
}

/// Whether decoding such bytes gives them back: a byte order mark is dropped, and zeros may be a half of UTF-16.
fn is_plain(bytes: &[u8]) -> bool {
    !bytes.starts_with(b"\xef\xbb\xbf") && !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok()
}

/// Packs what is judged.
pub(crate) fn pack_core(document: &Document, features: Option<&[Feature]>) -> Vec<u8> {
    let mut plain = Vec::with_capacity(document.core.text.len() + 64);
    if let Some(features) = features {
        plain.push(FEATURES);
        // Strings and integers always can be written.
        plain.extend(serde_json::to_vec(features).unwrap_or_default());
    } else {
        plain.push(TEXT);
        put_number(&mut plain, document.core.block_starts.len());
        let mut last = 0;
        for &start in &document.core.block_starts {
            put_number(&mut plain, start - last);
            last = start;
        }
        plain.extend_from_slice(document.core.text.as_bytes());
    }
    compressed(&plain)
}

/// Unpacks what is judged.
pub(crate) fn unpack_core(packed: &[u8]) -> Result<Core, String> {
    let plain = decompressed(packed)?;
    match plain.split_first() {
        Some((&TEXT, rest)) => {
            unpack_text(rest).map(Core::Text).ok_or_else(|| "the core text is damaged".to_owned())
        }
        Some((&FEATURES, rest)) => {
            serde_json::from_slice(rest).map(Core::Features).map_err(|error| error.to_string())
        }
        _ => Err("of a kind that this firstcopy does not know".to_owned()),
    }
}

/// The content as it was received, as far as it was kept.
pub(crate) fn unpack_content(stored: &StoredContent) -> Result<Content, String> {
    let Some(page) = &stored.page else {
        return Ok(match unpack_core(&stored.core)? {
            Core::Text(core) => Content::text(core.text),
            Core::Features(features) => Content::Features(features),
        });
    };
    let plain = decompressed(page)?;
    let damaged = || "the page is damaged".to_owned();
    let [kind, length, rest @ ..] = plain.as_slice() else { return Err(damaged()) };
    let (charset, bytes) = rest.split_at_checked(usize::from(*length)).ok_or_else(damaged)?;
    let charset = std::str::from_utf8(charset).ok().filter(|charset| !charset.is_empty()).map(str::to_owned);
    match *kind {
        HTML_BYTES => Ok(Content::Html { bytes: bytes.to_vec(), charset }),
        TEXT_BYTES => Ok(Content::Text { bytes: bytes.to_vec(), charset }),
        HTML_UNICODE => String::from_utf8(bytes.to_vec()).map(Content::html).map_err(|_| damaged()),
        _ => Err(damaged()),
    }
}

fn unpack_text(mut rest: &[u8]) -> Option<CoreText> {
    let count = take_number(&mut rest)?;
    let mut block_starts = Vec::with_capacity(count.min(rest.len()));
    let mut last = 0;
    for _ in 0..count {
        last += take_number(&mut rest)?;
        block_starts.push(last);
    }
    let text = String::from_utf8(rest.to_vec()).ok()?;
    let sound = block_starts.iter().all(|&start| text.is_char_boundary(start));
    sound.then_some(CoreText { text, block_starts })
}

/// Seven bits a byte, low ones first; the high bit says that more follow.
fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<usize> {
    let (mut number, mut shift) = (0usize, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
        if byte < 0x80 {
            return (shift <= 35).then_some(number);
        }
    }
}

thread_local! {
    /// A compressor is a megabyte of tables: one a thread, not one a document.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// The length in four bytes, then a zstd frame with its checksum.
fn compressed(plain: &[u8]) -> Vec<u8> {
    let frame = COMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = new_compressor().ok();
        }
        slot.as_mut().and_then(|compressor| compressor.compress(plain).ok())
    });
    let mut packed = (plain.len() as u32).to_le_bytes().to_vec();
    match frame {
        Some(frame) => packed.extend(frame),
        // Compression fails only without memory for its tables; the text itself is worth more than its size.
        None => {
            packed = u32::MAX.to_le_bytes().to_vec();
            packed.extend_from_slice(plain);
        }
    }
    packed
}

fn new_compressor() -> std::io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.include_checksum(true)?;
    Ok(compressor)
}

fn decompressed(packed: &[u8]) -> Result<Vec<u8>, String> {
    let (length, frame) = packed.split_first_chunk::<4>().ok_or("too short")?;
    match u32::from_le_bytes(*length) {
        u32::MAX => Ok(frame.to_vec()),
        length => unpacked(frame, length as usize).map_err(|error| error.to_string()),
    }
}

fn unpacked(frame: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let mut decompressor = slot.take().map_or_else(Decompressor::new, Ok)?;
        let plain = decompressor.decompress(frame, length);
        *slot = Some(decompressor);
        plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use firstcopy_text::{Parameters, Seed};
    use proptest::prelude::*;

    #[track_caller]
    fn check(content: Content) {
        let page = pack_page(&content);
        let features = if let Content::Features(features) = &content { Some(features.clone()) } else { None };
        let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        let document = analyzer.document(Page { content: content.clone(), ..Page::default() });
        let stored =
            StoredContent { sketch_sizes: Vec::new(), core: pack_core(&document, features.as_deref()), page };
        match unpack_core(&stored.core).unwrap() {
            Core::Text(core) => assert_eq!(core, document.core),
            Core::Features(unpacked) => assert_eq!(Some(unpacked), features),
        }
        let received = |content: &Content| match content {
            Content::Text { bytes, .. } if is_plain(bytes) => {
                Content::text(String::from_utf8(bytes.clone()).unwrap())
            }
            other => other.clone(),
        };
        assert_eq!(unpack_content(&stored).unwrap(), received(&content));
    }

    #[test]
    fn contents_come_back() {
        check(Content::text(""));
        check(Content::text("한 줄\n\n두 줄"));
        check(Content::html("<p>하나</p><p>둘</p>"));
        check(Content::Html { bytes: b"<p>\xb0\xa1\xb3\xaa".to_vec(), charset: Some("euc-kr".to_owned()) });
        check(Content::Text { bytes: b"\xb0\xa1\xb3\xaa".to_vec(), charset: Some("euc-kr".to_owned()) });
        check(Content::Text { bytes: b"\xef\xbb\xbfbom".to_vec(), charset: None });
        check(Content::Text { bytes: b"\0h\0i".to_vec(), charset: None });
        check(Content::Features(vec![Feature::Number(-3), Feature::Name("x".to_owned())]));
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            check(Content::Text { bytes: bytes.clone(), charset: None });
            check(Content::Html { bytes, charset: None });
        }

        #[test]
        fn damage_is_an_error_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = unpack_core(&bytes);
            let _ = unpack_content(&StoredContent { sketch_sizes: Vec::new(), core: bytes.clone(), page: Some(bytes) });
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        let text = "the same text again and again ".repeat(20);
        let document = analyzer.document(Page { content: Content::text(text), ..Page::default() });
        let packed = pack_core(&document, None);
        for byte in 4..packed.len() {
            let mut damaged = packed.clone();
            damaged[byte] ^= 4;
            assert!(
                unpack_core(&damaged).is_err()
                    || unpack_core(&damaged).unwrap() == Core::Text(document.core.clone())
            );
        }
    }
}
