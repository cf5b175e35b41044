//! txtfp, as its documentation advises for deduplication: default canonicaliser, word shingles, XXH3.

use firstcopy_peers::{PERMUTATIONS, Peer, SHINGLE_WORDS, run};
use txtfp::{Canonicalizer, Fingerprinter, MinHashFingerprinter, ShingleTokenizer, Tokenizer, WordTokenizer};

struct Txtfp(MinHashFingerprinter<ShingleTokenizer<WordTokenizer>, PERMUTATIONS>);

impl Peer for Txtfp {
    fn minimum(&mut self, text: &str) -> u64 {
        // Only a text without a single word is an error; it has no minimum.
        self.0.fingerprint(text).map_or(u64::MAX, |signature| signature.hashes[PERMUTATIONS - 1])
    }

    fn shingles(&self, text: &str) -> usize {
        let mut shingles = 0;
        let canonical = self.0.canonicalizer().canonicalize(text);
        self.0.tokenizer().for_each_token(&canonical, &mut |_| shingles += 1);
        shingles
    }
}

fn main() -> anyhow::Result<()> {
    let tokenizer = ShingleTokenizer { k: SHINGLE_WORDS, inner: WordTokenizer };
    run(Txtfp(MinHashFingerprinter::new(Canonicalizer::default(), tokenizer)))
}
