//! From markup to core text: what a reader came for, without the frame around it.
//!
//! `tidy` makes the markup safe, `tree` parses it, `outline` measures it, `frame`, `choose`, `index` and
//! `prune` decide what belongs to the post, `blocks` writes it, `own_title` names it. Nothing here fails,
//! reads a file or a clock.

mod all_text;
mod blocks;
mod choose;
mod dates;
mod declared;
mod firstcopy;
mod frame;
mod index;
mod marks;
mod outline;
mod own_title;
mod prune;
mod scan;
mod tag;
mod tidy;
mod title;
mod tree;
mod weight;

/// The text of a page without its frame, cut into blocks.
///
/// `text` is the blocks joined by `\n`; a block may hold line breaks of its own (code, verse).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoreText {
    /// All blocks, joined by one line break each.
    pub text: String,
    /// Where each block starts in `text`, in bytes, ascending; a block ends before the line break that precedes the next.
    pub block_starts: Vec<usize>,
}

/// What an extractor finds in a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extracted {
    /// The core text.
    pub core: CoreText,
    /// The title of the post (not part of the core text).
    pub title: Option<String>,
    /// The address the page declares as its own.
    pub canonical_url: Option<String>,
    /// When the page says it was published, in Unix seconds.
    pub created_at: Option<i64>,
    /// Who the page says wrote it.
    pub author: Option<String>,
    /// The language the page declares (BCP 47, as written).
    pub language: Option<String>,
    /// What had to be cut or mended.
    pub warnings: Vec<String>,
}

/// One way of finding the core text of a page. Every extractor is total: any string gives a result.
pub trait Extractor: Sync {
    /// The name users choose it by.
    fn name(&self) -> &'static str;
    /// Finds the core text and what the page declares about itself.
    fn extract(&self, html: &str) -> Extracted;
}

/// Every extractor, the default first. A new one is a line here and a file beside this one.
const EXTRACTORS: &[&dyn Extractor] = &[&firstcopy::Firstcopy, &all_text::AllText];

/// Every extractor, the default first.
pub fn extractors() -> &'static [&'static dyn Extractor] {
    EXTRACTORS
}

/// The extractor of that name.
pub fn extractor(name: &str) -> Option<&'static dyn Extractor> {
    EXTRACTORS.iter().copied().find(|e| e.name() == name)
}

/// Finds the core text of a page with the default extractor.
pub fn extract(html: &str) -> Extracted {
    firstcopy::Firstcopy.extract(html)
}
