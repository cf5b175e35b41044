//! The `firstcopy-bench` command.

fn main() {}
