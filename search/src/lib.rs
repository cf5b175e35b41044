//! Which documents speak of these words?
//!
//! A [`SearchIndex`] holds what is searched of documents under their numbers and follows the outbox of the store: every
//! commit carries the position it stands for, and what was not committed is forgotten. It can be deleted and rebuilt at
//! any time. A [`Searcher`] sees one commit and answers a [`Query`]; a [`snippet`] shows where in a text it matches.
//! Nothing is stored here: whoever asks has the store. Stores, verdicts and followers are not known here.
//!
//! ```
//! use firstcopy_search::{Ask, Entry, Query, SearchIndex};
//!
//! let folder = tempfile::tempdir()?;
//! let mut index = SearchIndex::open(folder.path())?;
//! index.put(&Entry { number: 7, text: "우리 학교급식은 맛있다", ..Entry::default() })?;
//! index.commit(1)?;
//! let found = index.searcher().search(&Query::parse("학교 급식을")?, &Ask::default())?;
//! assert_eq!(found.hits[0].number, 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod collector;
mod cursor;
mod directory;
mod error;
mod index;
mod intake;
mod query;
mod schema;
mod searcher;
mod snippet;
mod terms;
mod tokenizer;

pub use cursor::Cursor;
pub use error::{QueryError, SearchError};
pub use index::{SearchIndex, SearchStatistics};
pub use query::Query;
pub use schema::{Entry, MAX_INDEXED_TEXT};
pub use searcher::{Ask, Found, Hit, Searcher, Sort};
pub use snippet::{Snippet, snippet};
