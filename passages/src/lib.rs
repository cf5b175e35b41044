//! Which parts of a page were taken from where?
//!
//! The sequence-preserving digest (sakurai-2009): sentences become fingerprints, a document's fingerprints in order are its
//! digest, and all digests stand in suffix arrays, in [`Part`]s. A [`SourceDatabase`] is a folder of parts with the documents;
//! a [`Finder`] looks a page's digest up in any [`Library`] of parts, and verifies, extends and weighs what it finds.
//!
//! ```
//! use firstcopy_passages::{Finder, Rule, SourceDatabase, SourceSettings, SourceWriter};
//! use firstcopy_text::{Content, Page};
//!
//! let folder = tempfile::tempdir()?;
//! let (path, settings) = (folder.path().join("sources"), SourceSettings::default());
//! let analyzer = settings.analyzer();
//! let digested = |id: &str, text: &str| {
//!     let page = Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
//!     analyzer.digest(page)
//! };
//! let poem = "山路を登りながら、こう考えた。智に働けば角が立つ。情に棹させば流される。意地を通せば窮屈だ。とかくに人の世は住みにくい。";
//! let mut writer = SourceWriter::build(&path, settings, 1 << 30)?;
//! writer.push(digested("草枕", poem))?;
//! writer.finish()?;
//!
//! let sources = SourceDatabase::open(&path)?;
//! let page = digested("blog", &format!("今日は晴れ。\n{poem}\nまた明日。"));
//! let copies = Finder::new(&sources, &analyzer, Rule::default()).copies(&page)?;
//! assert_eq!(copies.passages[0].source, "草枕");
//! assert_eq!(copies.passages[0].text, poem);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod align;
mod checked;
mod database;
mod digest_index;
mod documents;
mod error;
mod files;
mod finder;
mod found;
mod library;
mod merge;
mod part;
mod parts;
mod passage;
mod report;
mod search;
mod segmented;
mod suffixes;
mod weight;

pub use database::{FORMAT_VERSION, SourceDatabase, SourceSettings, SourceStatistics, SourceWriter};
pub use digest_index::DigestIndex;
pub use error::PassageError;
pub use finder::{Finder, Rule};
pub use library::{Library, Source};
pub use part::{Digests, Part};
pub use passage::{Copies, Kind, Passage};
pub use report::{ReportedPage, index_report, page_report};
pub use search::DocumentKey;
