//! A page on its way to the writer: all that it alone tells, computed and packed.

use crate::content::{pack_core, pack_page};
use crate::timings::Clocks;
use firstcopy_store::StoredContent;
use firstcopy_text::{Analyzer, Content, Document, Page};

/// A page with everything computed that does not depend on other documents.
#[derive(Debug)]
pub struct Draft {
    pub(crate) document: Document,
    pub(crate) content: StoredContent,
    /// When it was received, if not now: an imported document was received before.
    pub(crate) received_at: Option<i64>,
}

impl Draft {
    pub(crate) fn new(analyzer: &Analyzer, page: Page, clocks: &Clocks) -> Self {
        let packed = clocks.pack.time(|| pack_page(&page.content));
        let features = match &page.content {
            Content::Features(features) => Some(features.clone()),
            _ => None,
        };
        let document = clocks.extract.time(|| analyzer.read(page));
        let document = clocks.features.time(|| analyzer.measured(document));
        let core = clocks.pack.time(|| pack_core(&document, features.as_deref()));
        Draft { document, content: StoredContent { core, page: packed }, received_at: None }
    }

    /// The id of the page.
    pub fn id(&self) -> &str {
        &self.document.id
    }

    /// About how many bytes wait with it.
    pub(crate) fn weight(&self) -> usize {
        let page = self.content.page.as_ref().map_or(0, Vec::len);
        self.content.core.len() + page + 8 * self.document.shingles.len()
    }
}
