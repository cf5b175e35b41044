//! gaoya's 32-bit hasher as in `gaoya`, in its own index, with the bands that it chooses for the threshold.
//!
//! Its `SmallVecContainer` is what it advises where few documents are alike.

use std::hash::BuildHasher;

use firstcopy_peers::clustering::{Index, THRESHOLD, run};
use firstcopy_peers::{PERMUTATIONS, SHINGLE_WORDS};
use gaoya::minhash::{MinHashIndex, MinHasher, MinHasher32, SmallVecContainer, calculate_minhash_params};
use gaoya::text::whitespace_split;

struct Gaoya<B: BuildHasher> {
    hasher: MinHasher32<B>,
    index: MinHashIndex<u32, usize, SmallVecContainer<usize, 2>>,
}

impl<B: BuildHasher + Sync> Index for Gaoya<B> {
    type Signature = Vec<u32>;

    fn signature(&self, text: &str) -> anyhow::Result<Self::Signature> {
        let text = text.to_lowercase();
        let words: Vec<&str> = whitespace_split(&text).collect();
        Ok(self.hasher.create_signature(words.windows(SHINGLE_WORDS)))
    }

    fn insert(&mut self, first: usize, signatures: Vec<Self::Signature>) {
        self.index.par_bulk_insert((first..first + signatures.len()).collect(), signatures);
    }

    fn similar(&self, document: usize) -> Vec<usize> {
        self.index.query_by_id(&document).into_iter().copied().collect()
    }
}

fn main() -> anyhow::Result<()> {
    let (bands, rows) = calculate_minhash_params(THRESHOLD, PERMUTATIONS);
    run(Gaoya {
        hasher: MinHasher32::new(bands * rows),
        index: MinHashIndex::new_index(bands, rows, THRESHOLD),
    })
}
