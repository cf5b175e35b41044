//! From the bytes of a page to its features: pure, deterministic, cannot fail on any bytes.

mod extract;
mod page;

pub use extract::{CoreText, Extracted, Extractor, extract, extractor, extractors};
pub use page::{Content, Feature, Page};
