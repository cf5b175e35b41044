//! gaoya's 32-bit hasher (the default width of its index) over windows of its own words.
//!
//! The windows are hashed in place: gaoya's `shingle_tokens` would allocate a string for each.

use std::hash::BuildHasher;

use firstcopy_peers::{PERMUTATIONS, Peer, SHINGLE_WORDS, run};
use gaoya::minhash::{MinHasher, MinHasher32};
use gaoya::text::whitespace_split;

struct Gaoya<B: BuildHasher>(MinHasher32<B>);

impl<B: BuildHasher> Peer for Gaoya<B> {
    fn minimum(&mut self, text: &str) -> u64 {
        let text = text.to_lowercase();
        let words: Vec<&str> = whitespace_split(&text).collect();
        let signature = self.0.create_signature(words.windows(SHINGLE_WORDS));
        u64::from(signature[PERMUTATIONS - 1])
    }

    fn shingles(&self, text: &str) -> usize {
        (whitespace_split(text).count() + 1).saturating_sub(SHINGLE_WORDS)
    }
}

fn main() -> anyhow::Result<()> {
    run(Gaoya(MinHasher32::new(PERMUTATIONS)))
}
