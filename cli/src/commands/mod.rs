//! One file a command: its arguments, its help, its output. The logic is elsewhere.

pub mod add;
pub mod backup;
pub mod check;
pub mod cluster;
pub mod clusters;
pub mod compare;
pub mod completions;
pub mod copies;
pub mod dedup;
pub mod delete;
pub mod export;
pub mod holders;
pub mod import;
pub mod inspect;
pub mod man;
pub mod recluster;
pub mod reindex;
pub mod search;
pub mod serve;
pub mod show;
pub mod similar;
pub mod sources;
pub mod stats;
pub mod trace;
pub mod verify;
