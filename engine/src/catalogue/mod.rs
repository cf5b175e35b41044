//! Questions about what is stored, asked beside whoever writes: search, who resembles, who holds copies, where a page
//! went. Changes nothing.

mod copied;
mod group_holders;
mod held;
mod holders;
mod moves;
mod open;
mod passage_holders;
mod probe;
mod search;
mod similar;
mod taken;
mod trace;
mod verify;

pub use group_holders::GroupHolders;
pub use held::Held;
pub use holders::{Holder, HoldersAnswer, HoldersQuestion};
pub use moves::MovedPages;
pub use search::{CopyName, Hit, SearchAnswer, SearchQuestion};
pub use similar::{MinLikeness, SimilarAnswer, SimilarDocument, SimilarQuestion};
pub use trace::{Moved, Trace, TraceStep};

use crate::error::Result;
use crate::passages::OwnDigests;
use crate::reader::Reader;
use firstcopy_index::Postings;
use firstcopy_search::Searcher;
use firstcopy_store::{Document, Store};
use firstcopy_text::Analyzer;

/// A data directory opened to be asked.
#[derive(Debug)]
pub struct Catalogue {
    reader: Reader,
    analyzer: Analyzer,
    /// What is searched.
    originals: Searcher,
    /// What is searched too when all is asked for.
    copies: Searcher,
    postings: Postings,
    digests: OwnDigests,
}

impl Catalogue {
    /// The store, to read from.
    fn store(&self) -> &Store {
        &self.reader.store
    }

    /// The stored document with this id, else the one with this url.
    fn named(&self, id_or_url: &str) -> Result<Option<Document>> {
        crate::show::find(self.store(), id_or_url)
    }
}
