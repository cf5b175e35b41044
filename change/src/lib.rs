//! How much did a page change, and how?
//!
//! A [`Comparison`] puts the words of two texts beside each other: which are common, and what became of every other word
//! ([`Kind`]): added, copied, dropped, shrunk, replaced, moved. An [`Account`] says all of it in
//! numbers and places, [`side_by_side`] shows it. The six [`Metric`]s of kwon-2007 measure it, each in a file of its own; 0
//! is no change, 1 as much as there can be. [`Histories`] tells what became
//! of many pages over time; their texts lie in a temporary file. No other files, no clocks.
//!
//! ```
//! use firstcopy_change::{Comparison, METRICS, Settings, Text};
//! use firstcopy_text::Tokens;
//!
//! let (before, after) = ("누가 이 글을 먼저 썼는가", "이 글을 누가 먼저 썼는가");
//! let (a, b) = (Tokens::of(before), Tokens::of(after));
//! let settings = Settings::default();
//! let comparison =
//!     Comparison::of(Text { text: before, tokens: &a }, Text { text: after, tokens: &b }, &settings);
//! assert_eq!(comparison.operations().moved, 1);
//! let ied = METRICS.iter().find(|metric| metric.name == "ied").unwrap();
//! assert_eq!(comparison.measure(ied), 0.15);
//! ```

mod account;
mod characters;
mod common;
mod comparison;
mod history;
mod idf;
mod metrics;
mod moves;
mod operations;
mod pieces;
mod side_by_side;
mod words;

pub use account::{Account, Change, Passage};
pub use common::{Run, common_words, longest_common};
pub use comparison::{Block, Comparison, Settings, Text};
pub use history::{
    Degree, Distribution, Histories, HistoryError, HistorySettings, INTERVAL_COLUMNS, Interval, Overall,
    PageHistory, PageMove, Period, Quartiles, ReportedHistory, Resources, State, Sweeps, Version,
    index_report, page_report, rfc3339,
};
pub use idf::Idf;
pub use metrics::{METRICS, Measures, Metric};
pub use operations::{Costs, Kind, Operations};
pub use pieces::{Piece, Side, pieces};
pub use side_by_side::{SIDES_SCRIPT, SIDES_STYLE, side_by_side, sides};
pub use words::Pair;
