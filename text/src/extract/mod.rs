//! From markup to core text: what a reader came for, without the frame around it.

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

/// Finds the core text by the default extractor.
pub fn extract(html: &str) -> Extracted {
    Extracted { core: CoreText::of_plain_text(html), ..Extracted::default() }
}
