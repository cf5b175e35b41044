//! The `firstcopy` command.

fn main() {}
