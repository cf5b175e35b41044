//! What passages are sought in: parts, and what is known of the documents in them.

use crate::error::Result;
use crate::part::Part;
use crate::search::DocumentKey;
use firstcopy_text::CoreText;
use std::sync::Arc;

/// A document that others may have copied from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// Its id.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// When it was created, in Unix seconds.
    pub created_at: Option<i64>,
    /// Its text, if it was kept: without it a passage cannot be verified, and has no place in the source.
    pub core: Option<CoreText>,
}

/// Parts with the documents in them.
pub trait Library {
    /// The parts.
    fn parts(&self) -> &[Arc<Part>];
    /// When a document was created, to tell the earlier of two; the number of the owner's is what was given for it.
    fn created_at(&self, owner: u64, key: DocumentKey) -> i64;
    /// The id of a document, if that is known without its text; else the document tells.
    fn id(&self, owner: u64, key: DocumentKey) -> Result<Option<String>> {
        let _ = (owner, key);
        Ok(None)
    }
    /// The document; none if it is no source any more.
    fn source(&self, owner: u64, key: DocumentKey) -> Result<Option<Source>>;
}
