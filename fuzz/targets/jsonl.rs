//! Any bytes as JSON Lines (or a JSON array, or either compressed): pages and rejects, never a panic.

#![no_main]

use firstcopy_fuzz::check_input;
use firstcopy_input::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check_input(bytes, Format::Jsonl));
