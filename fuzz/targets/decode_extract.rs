//! Any bytes as a page: decoded, extracted and analysed, as markup and as text, with sound core texts and no panic.

#![no_main]

use firstcopy_text::{
    Analyzer, Content, CoreText, Document, Page, Parameters, Seed, decode_html, extract, extractors,
};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static ANALYZER: LazyLock<Analyzer> = LazyLock::new(|| Analyzer::new(Parameters::default(), &Seed::PUBLIC));

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode_html(bytes, None);
    let core = extract(&decoded.text).core;
    for extractor in extractors() {
        check_core(&extractor.extract(&decoded.text).core);
    }
    let html = document(Content::Html { bytes: bytes.to_vec(), charset: None });
    assert_eq!(html.core, core, "a document's core text is the page's");
    check_document(&html);
    check_document(&document(Content::Text { bytes: bytes.to_vec(), charset: None }));
});

fn document(content: Content) -> Document {
    ANALYZER.document(Page { content, ..Page::default() })
}

fn check_core(core: &CoreText) {
    assert!(core.block_starts.is_sorted_by(|a, b| a < b), "blocks ascend: {:?}", core.block_starts);
    for &start in &core.block_starts {
        assert!(start < core.text.len() && core.text.is_char_boundary(start), "a block starts at {start}");
    }
    for block in core.blocks() {
        assert!(!core.text[block.clone()].trim().is_empty(), "an empty block at {block:?}");
    }
}

fn check_document(document: &Document) {
    check_core(&document.core);
    let mut end = 0;
    for segment in &document.segments {
        assert!(segment.place.start >= end, "{:?} after {end}", segment.place);
        assert!(document.core.text.get(segment.place.clone()).is_some(), "{:?}", segment.place);
        end = segment.place.end;
    }
    let covered: usize = document.segments.iter().map(|segment| segment.tokens.len()).sum();
    assert_eq!(covered, document.tokens.len(), "every token is in a segment");
}
