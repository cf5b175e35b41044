//! How do pages change over time? Dated versions of many pages: how often, how much, how long they live, where they move.
//!
//! A [`Histories`] takes [`Version`]s in any order and keeps their texts in a temporary file. Once all are there,
//! [`Histories::tell`] goes through the pages in the order of their names, several at once, and hands over a [`PageHistory`]
//! each; at the end there is an [`Overall`]. [`index_report`] and [`page_report`] show both to people.

mod calendar;
mod collection;
mod error;
mod events;
mod fates;
mod moved;
mod ordered;
mod overall;
mod page;
mod rate;
mod report;
mod spool;
mod sums;
mod sweeps;
mod version;

pub use calendar::rfc3339;
pub use collection::{Histories, HistorySettings, Resources};
pub use error::HistoryError;
pub use moved::PageMove;
pub use overall::{Degree, Distribution, Overall, Period, Quartiles};
pub use page::{INTERVAL_COLUMNS, Interval, PageHistory};
pub use report::{ReportedHistory, index_report, page_report};
pub use sweeps::Sweeps;
pub use version::{State, Version};
