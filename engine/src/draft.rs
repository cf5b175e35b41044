//! A page on its way to the writer: all that it alone tells, computed and packed; or, if its bytes are known already,
//! the page as it is.

use crate::appeals::Decision;
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
    /// What an editor declared it to be in the directory that it was exported from.
    pub(crate) appeal: Option<Box<Decision>>,
    /// What must be so, or nothing is stored.
    pub(crate) condition: Condition,
    /// The request that brought it, if that must be carried out only once.
    pub(crate) request: Option<Request>,
}

/// What a client says must be so before something is changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    #[default]
    Anything,
    /// The document is there.
    Present,
    /// There is no document of this id.
    Absent,
    /// The document has this version.
    Version(u32),
}

impl Condition {
    /// Whether what is stored is as it must be.
    pub(crate) fn holds(self, version: Option<u32>) -> bool {
        match self {
            Condition::Anything => true,
            Condition::Present => version.is_some(),
            Condition::Absent => version.is_none(),
            Condition::Version(expected) => version == Some(expected),
        }
    }
}

/// A request that must be carried out only once, however often it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The client's key for it.
    pub key: Vec<u8>,
    /// What it asks for: another fingerprint under the same key is a mistake of the client.
    pub fingerprint: Vec<u8>,
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
        Draft {
            body,
            received_at: None,
            sweep: None,
            seen: None,
            appeal: None,
            condition: Condition::Anything,
            request: None,
        }
    }

    /// The same, stored only if something is so.
    pub fn on_condition(self, condition: Condition) -> Self {
        Draft { condition, ..self }
    }

    /// The same, stored only once for a request.
    pub fn once(self, request: Request) -> Self {
        Draft { request: Some(request), ..self }
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
