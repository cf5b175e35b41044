//! A page on its way to the writer: all that it alone tells, computed and packed; or, if its bytes are known already,
//! the page as it is.

use crate::content::{pack_core, pack_page, sizes};
use crate::timings::Clocks;
use firstcopy_store::{Absence, Sighting, StoredContent};
use firstcopy_text::{Analyzer, Content, Document, Page};

/// A page with everything computed that does not depend on other documents.
#[derive(Debug)]
pub struct Draft {
    pub(crate) body: Body,
    /// When it was received, if not now: an imported document was received before.
    pub(crate) received_at: Option<i64>,
    /// The sweep that saw it.
    pub(crate) sweep: Option<i64>,
    /// The sweeps that saw and missed it in the directory that it was exported from.
    pub(crate) seen: Option<Box<Seen>>,
}

/// When sweeps saw and missed a document.
#[derive(Debug)]
pub(crate) struct Seen {
    /// Of no document yet: its number is not known.
    pub(crate) sighting: Sighting,
    pub(crate) absences: Vec<Absence>,
}

/// What is known of a page.
#[derive(Debug)]
pub(crate) enum Body {
    /// Everything.
    Analyzed(Box<Analyzed>),
    /// When it was looked up, these bytes were stored under its id: nothing was computed.
    Recognised { page: Box<Page>, identical: u128 },
}

/// A page, computed and packed.
#[derive(Debug)]
pub(crate) struct Analyzed {
    pub(crate) document: Document,
    pub(crate) content: StoredContent,
}

impl Draft {
    pub(crate) fn of(body: Body) -> Self {
        Draft { body, received_at: None, sweep: None, seen: None }
    }

    /// The id of the page.
    pub fn id(&self) -> &str {
        match &self.body {
            Body::Analyzed(analyzed) => &analyzed.document.id,
            Body::Recognised { page, .. } => &page.id,
        }
    }

    /// About how many bytes wait with it.
    pub(crate) fn weight(&self) -> usize {
        match &self.body {
            Body::Analyzed(analyzed) => analyzed.weight(),
            Body::Recognised { page, .. } => page.content.len(),
        }
    }
}

impl Analyzed {
    /// Only followers need the digest.
    pub(crate) fn new(analyzer: &Analyzer, page: Page, is_followed: bool, clocks: &Clocks) -> Self {
        let packed = clocks.pack.time(|| pack_page(&page.content));
        let features = match &page.content {
            Content::Features(features) => Some(features.clone()),
            _ => None,
        };
        let document = clocks.extract.time(|| analyzer.read(page));
        let document = clocks.features.time(|| analyzer.measured(document));
        let document = match is_followed {
            true => clocks.features.time(|| analyzer.segmented(document)),
            false => document,
        };
        let core = clocks.pack.time(|| pack_core(&document, features.as_deref()));
        let sketch_sizes = sizes(&document.sketch);
        Analyzed { document, content: StoredContent { sketch_sizes, core, page: packed } }
    }

    fn weight(&self) -> usize {
        let page = self.content.page.as_ref().map_or(0, Vec::len);
        self.content.core.len() + page + 8 * self.document.shingles.len()
    }
}
