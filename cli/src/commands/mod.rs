//! One file a command: its arguments, its help, its output. The logic is elsewhere.

pub mod compare;
pub mod completions;
pub mod inspect;
pub mod man;
pub mod serve;
