//! Every post judged as it is stored: nothing lost, one original. The boundary that commands and services call.
//!
//! An [`Engine`] holds a data directory. [`Engine::analyze`] computes all that a page alone tells (pure, on as many
//! threads as there are), [`Engine::submit`] hands the [`Draft`] to the one writer, which judges and commits it together
//! with whatever else is waiting and answers with a [`Verdict`]. [`Engine::add`] is both. Whatever was answered is
//! committed and synced.
//!
//! ```
//! use firstcopy_engine::{Engine, OpenOptions};
//! use firstcopy_text::{Content, Page};
//!
//! let folder = tempfile::tempdir()?;
//! let engine = Engine::open(&folder.path().join("data"), OpenOptions::default())?;
//! let post = |id: &str, text: &str| Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
//!
//! let first = engine.add(post("a", "Who wrote this first? Judged as it is stored, and the original is named."))?;
//! let again = engine.add(post("b", "WHO wrote this first? judged as it is stored and the original is named"))?;
//! assert!(first.is_original());
//! assert_eq!((again.original.as_deref(), again.reason.as_str()), (Some("a"), "lexical"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod appeals;
mod backup;
mod catalogue;
mod content;
mod draft;
mod engine;
mod error;
mod export;
mod following;
mod groups;
mod indexes;
mod ingest;
mod judge;
mod matching;
mod news;
mod open;
mod outline;
mod passages;
mod profiles;
mod reader;
mod reindex;
mod settings;
mod show;
mod summary;
mod sweep;
mod timings;
mod verdict;
mod verify;
mod versions;
mod writer;

pub use appeals::{Appeal, Decision};
pub use catalogue::{
    Catalogue, CopyName, GroupHolders, Held, Hit, Holder, HoldersAnswer, HoldersQuestion, MinLikeness, Moved,
    MovedPages, SearchAnswer, SearchQuestion, SimilarAnswer, SimilarDocument, SimilarQuestion, Trace,
    TraceStep,
};
pub use draft::{Condition, Draft, Request};
pub use engine::{Engine, Statistics};
pub use error::EngineError;
pub use export::Exported;
pub use firstcopy_index::IndexKind;
pub use firstcopy_search::{QueryError, SearchError, Sort};
pub use firstcopy_store::{Change, Standing, State};
pub use following::{Follower, Lag, Progress};
pub use groups::{Group, GroupPage, Groups, Member, Spread};
pub use news::forget_follower;
pub use open::OpenOptions;
pub use outline::{Ended, Outline, VersionText};
pub use passages::PassageSeeker;
pub use reader::Reader;
pub use reindex::Reindexed;
pub use settings::{Policy, Settings, Wanted};
pub use show::{PastVerdict, Shown, ShownVersion, Sightings};
pub use summary::{percent, quotation_in_words};
pub use timings::{Latencies, Timings};
pub use verdict::{Changed, Nearest, Verdict};
pub use verify::Verification;
pub use versions::{DatedText, StoredVersions};
pub use writer::Ticket;
