//! From files, directories, archives and streams to pages: which pages do these inputs hold?
//!
//! Four types meet here. [`open`] turns paths, globs and `-` into [`Inputs`]: what exists, in a
//! deterministic order. [`Inputs::pages`] streams them as [`Pages`], an iterator in input order of
//! either a [`Page`](firstcopy_text::Page) or a [`Reject`]: a record that could not be read, named
//! with its file, its place and a remedy. A bad record never ends the reading. [`for_each_ordered`]
//! does the same with the decoding and the caller's work spread over threads, results still in
//! input order. [`Progress`] counts along the way. [`rewrite()`] copies inputs in their own formats without
//! the documents that the caller drops.
//!
//! No document is ever held that is larger than [`ReadOptions::max_document_size`], compressed or
//! not; the number of documents in one stream is unlimited.
//!
//! ```
//! use firstcopy_input::{ReadOptions, open};
//!
//! let folder = tempfile::tempdir()?;
//! let posts = folder.path().join("posts.jsonl");
//! std::fs::write(&posts, "{\"id\": 7, \"text\": \"who wrote this first?\"}\nnot json\n")?;
//!
//! let inputs = open(&[posts.display().to_string()], ReadOptions::default())?;
//! let progress = inputs.progress();
//! let (pages, rejects): (Vec<_>, Vec<_>) = inputs.pages().partition(Result::is_ok);
//!
//! assert_eq!(pages[0].as_ref().unwrap().id, "7");
//! assert_eq!(rejects[0].as_ref().unwrap_err().record, "line 2");
//! assert_eq!((progress.pages(), progress.rejects()), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod column;
mod compression;
mod date;
mod detect;
mod draft;
mod error;
mod headers;
mod html;
mod http;
mod jsonl;
mod lines;
mod nested;
mod options;
mod pages;
mod parallel;
mod parquet;
mod place;
mod progress;
mod record;
mod rewrite;
mod source;
mod tape;
mod text;
mod walk;
mod warc;
mod whole;
mod window;

pub use date::parse as parse_date;
pub use error::{InputError, Reject};
pub use jsonl::record;
pub use options::{Format, Keys, ReadOptions};
pub use pages::{Inputs, Pages, open};
pub use parallel::{for_each_ordered, for_each_part};
pub use progress::Progress;
pub use rewrite::{ColumnKind, Fate, RewriteError, Rewritten, Target, rewrite};
