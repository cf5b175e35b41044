//! txtfp's fingerprints as in `txtfp`, in its own index, with the bands that it chooses for the threshold.

use firstcopy_peers::clustering::{Index, THRESHOLD, run};
use firstcopy_peers::{PERMUTATIONS, SHINGLE_WORDS};
use txtfp::{
    Canonicalizer, Fingerprinter, LshIndex, LshIndexBuilder, MinHashFingerprinter, MinHashSig,
    ShingleTokenizer, WordTokenizer,
};

struct Txtfp {
    fingerprinter: MinHashFingerprinter<ShingleTokenizer<WordTokenizer>, PERMUTATIONS>,
    index: LshIndex<PERMUTATIONS>,
}

impl Index for Txtfp {
    type Signature = MinHashSig<PERMUTATIONS>;

    fn signature(&self, text: &str) -> anyhow::Result<Self::Signature> {
        Ok(self.fingerprinter.fingerprint(text)?)
    }

    fn insert(&mut self, first: usize, signatures: Vec<Self::Signature>) {
        self.index.extend_par((first as u64..).zip(signatures));
    }

    fn similar(&self, document: usize) -> Vec<usize> {
        let signature = self.index.get(document as u64);
        let found = signature.map(|signature| self.index.query_with_threshold(signature, THRESHOLD as f32));
        found.into_iter().flatten().map(|other| other as usize).collect()
    }
}

fn main() -> anyhow::Result<()> {
    let tokenizer = ShingleTokenizer { k: SHINGLE_WORDS, inner: WordTokenizer };
    run(Txtfp {
        fingerprinter: MinHashFingerprinter::new(Canonicalizer::default(), tokenizer),
        index: LshIndexBuilder::for_threshold(THRESHOLD as f32, PERMUTATIONS)?.try_build()?,
    })
}
