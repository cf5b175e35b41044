//! The one durable truth: what was stored, what was said of it, and what followers still have to learn.
//!
//! A [`Directory`] is a data directory held by one writer: its lock, its secret seeds, its settings file. A [`Store`] is
//! the SQLite database in it: documents with their judgements, the contents of every version, tombstones, history, and
//! the outbox. Whatever is changed between [`Store::begin`] and [`Store::commit`] is committed and synced together.
//! No text is looked into here: contents, features and keys are bytes and numbers that others made.
//!
//! ```
//! use firstcopy_store::{Directory, Document, Store};
//!
//! let folder = tempfile::tempdir()?;
//! let directory = Directory::create(&folder.path().join("data"), [7; 32], "policy = \"paper\"\n")?;
//! let mut store = Store::create(&directory.database(), "policy = \"paper\"")?;
//! store.begin()?;
//! store.insert(&Document { number: 1, id: "post-1".to_owned(), content: 1, ..Document::default() })?;
//! store.commit()?;
//! assert_eq!(store.by_id("post-1")?.map(|document| document.number), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod appeals;
mod columns;
mod contents;
mod directory;
mod documents;
mod error;
mod groups;
mod history;
mod outbox;
mod record;
mod requests;
mod schema;
mod sightings;
mod space;
mod store;

pub use appeals::AppealEntry;
pub use contents::{ContentOwner, StoredContent};
pub use directory::Directory;
pub use error::StoreError;
pub use groups::Listed;
pub use history::{HistoryEntry, Tombstone};
pub use outbox::{Change, State};
pub use record::{Document, Judgement, Place, Standing, Version};
pub use requests::RequestEntry;
pub use schema::FORMAT_VERSION;
pub use sightings::{Absence, Sighting};
pub use space::free_bytes;
pub use store::{Counters, Counts, Store};
