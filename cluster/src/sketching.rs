//! Phase 1, of one page: what is kept of it. Pure: runs on any thread, in any order.

use crate::settings::{Method, Settings, Verify};
use firstcopy_text::{
    Analyzer, Document, FeatureRule, Features, LevelSketch, MAX_LEVEL, MODULUS, ModSketch, Page, Parameters,
    Permutations, Rabin, Seed, ShingleSet,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Minima by which documents that share a very frequent shingle are told apart: two of a resemblance of 0.5 agree in
/// none with probability 1 in 256.
pub(crate) const MINIMA: usize = 8;

/// Values of a sketch that make one super-shingle. Of 700 words 28 are sampled: 25 runs of 4, one of which agrees almost
/// certainly at a resemblance of 0.9, and with 0.8 at 0.5.
const RUN: usize = 4;

/// Turns pages into what is kept of them, all under the same settings and a public seed: batches are reproducible.
#[derive(Debug)]
pub struct Sketcher {
    analyzer: Analyzer,
    minima: Permutations,
    rabin: Rabin,
    method: Method,
    verify: Verify,
}

/// What is kept of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Sketched {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    pub(crate) created_at: Option<i64>,
    /// Of the bytes.
    pub(crate) identical: u64,
    /// Of the tokens.
    pub(crate) lexical: u128,
    /// Of the set of shingles.
    pub(crate) set: u128,
    /// Different shingles.
    pub(crate) shingles: u32,
    /// Of the sample: one in 2^level.
    pub(crate) level: u8,
    pub(crate) minima: [u16; MINIMA],
    /// What resemblance is counted from.
    pub(crate) sample: Vec<u32>,
    /// What nominates pairs: the upper 40 bits count.
    pub(crate) keys: Vec<u64>,
    /// Bytes of the core text.
    pub(crate) text_bytes: u32,
}

impl Sketched {
    /// As a document of a reference, which is older than whatever is compared with it.
    pub fn of_reference(self) -> Self {
        Sketched { created_at: Some(i64::MIN + 1), ..self }
    }
}

impl Sketcher {
    /// Draws what the settings need.
    pub fn new(settings: &Settings) -> Self {
        let parameters = Parameters {
            shingle_words: settings.shingle_words,
            candidates: FeatureRule::default(),
            ..Parameters::default()
        };
        Sketcher {
            analyzer: Analyzer::new(parameters, &Seed::PUBLIC),
            minima: Permutations::new(MINIMA, &Seed::PUBLIC),
            rabin: Rabin::new(64, &Seed::PUBLIC, "super-shingles"),
            method: settings.method,
            verify: settings.verify,
        }
    }

    /// What is kept of a page. A page on which the program itself fails is kept as an empty one.
    pub fn sketch(&self, page: Page) -> Sketched {
        let (id, url, created_at) = (page.id.clone(), page.url.clone(), page.created_at);
        catch_unwind(AssertUnwindSafe(|| self.sketched(page))).unwrap_or_else(|_| {
            let document = Document { id, url, created_at, ..Document::default() };
            self.kept(self.analyzer.shingled(document))
        })
    }

    fn sketched(&self, page: Page) -> Sketched {
        let read = self.analyzer.read(page);
        self.kept(match self.method {
            Method::Features => self.analyzer.measured(read),
            Method::Sketch | Method::SuperShingle => self.analyzer.shingled(read),
        })
    }

    fn kept(&self, document: Document) -> Sketched {
        let shingles = &document.shingles;
        let (level, sample) = match self.verify {
            Verify::Exact => (0, shingles.as_slice().iter().map(|&value| value as u32).collect()),
            Verify::Sketch => {
                let sketch = LevelSketch::new(shingles);
                (sketch.level() as u8, sketch.values().iter().map(|&value| value as u32).collect())
            }
        };
        Sketched {
            identical: document.whole.identical as u64,
            lexical: document.whole.lexical,
            set: fingerprint_of_set(shingles),
            shingles: shingles.len() as u32,
            level,
            minima: self.minima(shingles),
            sample,
            keys: self.keys(&document),
            text_bytes: document.core.text.len() as u32,
            id: document.id,
            url: document.url,
            created_at: document.created_at,
        }
    }

    fn minima(&self, shingles: &ShingleSet) -> [u16; MINIMA] {
        let minima = self.minima.minima(shingles.as_slice());
        // The upper bits of a minimum are zeros.
        std::array::from_fn(|slot| minima[slot] as u16)
    }

    fn keys(&self, document: &Document) -> Vec<u64> {
        match self.method {
            Method::Sketch => {
                let level = level_of_keys(document.shingles.len() as u32);
                let all = document.shingles.as_slice().iter().copied();
                all.filter(|shingle| shingle.trailing_zeros() >= level).collect()
            }
            Method::SuperShingle => {
                ModSketch::new(&document.shingles, MODULUS).super_shingles(RUN, &self.rabin)
            }
            Method::Features => self.pairs_of_features(&document.features),
        }
    }

    /// Two of six features agree exactly if one of their fifteen pairs does.
    fn pairs_of_features(&self, Features(features): &Features) -> Vec<u64> {
        let mut keys = Vec::new();
        for (i, first) in features.iter().enumerate() {
            for (j, second) in features.iter().enumerate().skip(i + 1) {
                let bytes: Vec<u8> = [(6 * i + j) as u64, *first, *second]
                    .iter()
                    .flat_map(|word| word.to_be_bytes())
                    .collect();
                keys.push(self.rabin.fingerprint(&bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
        }
        keys
    }
}

/// Equal for equal sets, in whatever order their shingles come. Whoever relies on it compares the sets.
fn fingerprint_of_set(shingles: &ShingleSet) -> u128 {
    let (mut sum, mut product_sum) = (0u64, 0u64);
    for &value in shingles.as_slice() {
        sum = sum.wrapping_add(value);
        product_sum = product_sum.wrapping_add(value.wrapping_mul(value | 1));
    }
    u128::from(sum) << 64 | u128::from(product_sum)
}

/// The level of the keys of a document with so many shingles: one above that of its sketch, which leaves 50 to 100 keys
/// (all, if there are fewer than 100 shingles; more, from 1,600 on). They only nominate.
pub(crate) fn level_of_keys(shingles: u32) -> u32 {
    let level = LevelSketch::level_for(shingles as usize);
    if shingles < 100 { 0 } else { (level + 1).min(MAX_LEVEL) }
}
