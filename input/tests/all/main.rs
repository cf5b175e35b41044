//! Every format, every compression, every kind of damage: one scenario a file, one binary to link.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on should panic")]

mod anything;
mod arrays;
mod bombs;
mod compressions;
mod damage;
mod formats;
mod http;
mod jsonl;
mod junk;
mod parallel;
mod parquets;
mod paths;
mod rewriting;
mod rewriting_archives;
mod rewriting_tables;
mod rewriting_targets;
mod stdin;
mod support;
mod warcs;
