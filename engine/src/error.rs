//! What can go wrong, and whose turn it is.

use firstcopy_index::IndexError;
use firstcopy_passages::PassageError;
use firstcopy_search::{QueryError, SearchError};
use firstcopy_store::StoreError;
use std::path::PathBuf;

/// Why the engine could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The store could not be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The duplicate index could not be used. It can be deleted: it is rebuilt from the store.
    #[error("the duplicate index failed (delete the folder and it is rebuilt): {0}")]
    Index(#[source] IndexError),
    /// The search index could not be used. It can be deleted: it is rebuilt from the store.
    #[error("the search index failed (delete the folder and it is rebuilt): {0}")]
    Search(#[source] SearchError),
    /// The digests, or a source database, could not be read or written.
    #[error(transparent)]
    Passages(#[from] PassageError),
    /// The followers could not catch up.
    #[error("search and similarity are behind what is stored, and catch up later: {0}")]
    Behind(String),
    /// A search cannot be understood.
    #[error(transparent)]
    Query(QueryError),
    /// The settings file cannot be read.
    #[error("{}: {reason}", path.display())]
    Settings {
        /// The settings file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Other parameters were asked for than the stored features were made with.
    #[error(
        "{}: stored with {stored}, asked for {wanted}: leave the parameter out, or recompute everything with `firstcopy reindex {flag}`",
        path.display()
    )]
    OtherParameters {
        /// The data directory.
        path: PathBuf,
        /// The parameter and its stored value.
        stored: String,
        /// The value asked for.
        wanted: String,
        /// The flag that makes `reindex` take it.
        flag: String,
    },
    /// The settings file was changed after features were made.
    #[error(
        "{}: says {file}, but the stored features were made with {stored}: change it back, or run `firstcopy reindex`",
        path.display()
    )]
    EditedSettings {
        /// The settings file.
        path: PathBuf,
        /// What the features were made with.
        stored: String,
        /// What the file says.
        file: String,
    },
    /// Writing was stopped after an error that may have left the disk in doubt.
    #[error(
        "writing has stopped, reading goes on: {0}. Look after the disk, then start again: nothing acknowledged is lost"
    )]
    Stopped(String),
    /// A page is no text: nothing can be said about it.
    #[error("{id}: could not be read: it is {format}, not text; send its text, or its HTML")]
    Unreadable {
        /// The page.
        id: String,
        /// The format found instead.
        format: &'static str,
    },
    /// Several documents have the same url.
    #[error("{url}: several documents have this url: name one by its id: {}", ids.join(", "))]
    Ambiguous {
        /// The url.
        url: String,
        /// Their ids.
        ids: Vec<String>,
    },
    /// What a client said must be so is not so.
    #[error("{}: look at it again", match version {
        Some(version) => format!("the document has version {version} now"),
        None => "there is no such document".to_owned(),
    })]
    OtherVersion {
        /// The version that is stored; none if there is no such document.
        version: Option<u32>,
    },
    /// A request came under the key of another one.
    #[error("another request was sent under this key within the last day: a key stands for one request")]
    OtherRequest,
    /// A request comes again whose document is gone.
    #[error("this request was carried out: it stored the document {id}, which was deleted since")]
    DeletedSince {
        /// The document.
        id: String,
    },
    /// An appeal lacks something.
    #[error("{field}: {problem}")]
    Appeal {
        /// What is wrong.
        field: &'static str,
        /// How it must be.
        problem: String,
    },
    /// A stored content cannot be unpacked.
    #[error(
        "document {id}: its stored content cannot be read ({reason}): run `firstcopy verify`, and bring it back from a backup"
    )]
    Content {
        /// Which document.
        id: String,
        /// What is wrong.
        reason: String,
    },
    /// A sweep cannot be merged.
    #[error("the sweep of {sweep} {reason}")]
    Sweep {
        /// Its date.
        sweep: String,
        /// Why.
        reason: String,
    },
    /// The place a backup or a new file should go to is taken.
    #[error("{}: already exists: name another place", .0.display())]
    Exists(PathBuf),
    /// A follower could not apply changes.
    #[error("follower {name}: {reason}")]
    Follower {
        /// Which one.
        name: String,
        /// What it said.
        reason: String,
    },
}

impl From<IndexError> for EngineError {
    /// A full disk is a full disk, whose file ever it was.
    fn from(error: IndexError) -> Self {
        match error.full_disk() {
            Some(path) => StoreError::DiskFull { path: path.to_owned(), reserve: 0 }.into(),
            None => EngineError::Index(error),
        }
    }
}

impl From<SearchError> for EngineError {
    fn from(error: SearchError) -> Self {
        EngineError::Search(error)
    }
}

impl EngineError {
    /// Whether only room is missing: the same write may be tried again once there is some.
    pub fn is_disk_full(&self) -> bool {
        matches!(self, EngineError::Store(error) if error.is_disk_full())
    }

    /// Whether what was asked is wrong, and not what it was asked of: nothing was changed, and others are not concerned.
    pub(crate) fn is_of_the_request(&self) -> bool {
        matches!(
            self,
            EngineError::Ambiguous { .. }
                | EngineError::Unreadable { .. }
                | EngineError::OtherVersion { .. }
                | EngineError::OtherRequest
                | EngineError::DeletedSince { .. }
        )
    }
}

/// What engine functions return.
pub(crate) type Result<T> = std::result::Result<T, EngineError>;
