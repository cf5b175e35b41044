//! Which documents of a whole collection are copies of each other? Broder's four phases, on files, in bounded memory.
//!
//! A [`Sketcher`] turns a page into what is kept of it, on any thread; a [`Collection`] takes these in input order and
//! writes them into a work folder, piece by piece. [`Collection::cluster`] then sorts, pairs, verifies and joins, and
//! writes the clusters. By [`Policy::Likeness`] documents are compared by their words and not by their shingles.
//! [`Collection::begin`] goes on where a run was cut off, [`recluster`] joins anew with another
//! threshold or policy, and [`Lookup`] answers from the files alone.
//!
//! ```
//! use firstcopy_cluster::{Collection, Settings, Sketcher, Unwatched};
//! use firstcopy_text::{Content, Page};
//!
//! let folder = tempfile::tempdir()?;
//! let settings = Settings::default();
//! let sketcher = Sketcher::new(&settings);
//! let mut collection = Collection::begin(folder.path(), &settings, Vec::new())?;
//! for (id, text) in [("a", "who wrote this first?"), ("b", "Who wrote this first!"), ("c", "nobody knows")] {
//!     let page = Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
//!     collection.push(sketcher.sketch(page))?;
//! }
//! let report = collection.cluster(&Default::default(), &Unwatched)?;
//! assert_eq!((report.documents, report.clusters, report.duplicates), (3, 1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod choice;
mod collection;
mod digits;
mod edges;
mod equal;
mod error;
mod expand;
mod files;
mod frequent;
mod join;
mod learning;
mod lookup;
mod manifest;
mod members;
mod output;
mod pairs;
mod parallel;
mod phases;
mod piece;
mod postings;
mod report;
mod samples;
mod settings;
mod sketching;
mod table;
mod tournament;
mod watch;
mod words;

pub use choice::{Choice, Choices, Keep};
pub use collection::{Collection, Resources, choices, recluster};
pub use error::ClusterError;
pub use lookup::{Found, Lookup, Name};
pub use manifest::InputFile;
pub use report::{PhaseReport, Report};
pub use settings::{Joining, Linkage, Method, OutputFormat, Policy, Settings, Verify};
pub use sketching::{Sketched, Sketcher};
pub use watch::{Unwatched, Watch};
