//! Phase 1, of one page: what is kept of it. Pure: runs on any thread, in any order.

use crate::bytes::as_bytes_u32;
use crate::settings::{Method, Settings, Verify};
use crate::words::WordSketcher;
use firstcopy_text::likeness::KEYS;
use firstcopy_text::{
    Analyzer, Content, Extracted, FeatureRule, Features, LevelSketch, MAX_LEVEL, MODULUS, ModSketch, Page,
    Parameters, Permutations, Rabin, Room, Seed, ShingleSet, decode_html, decode_text, extract,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

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
    /// If documents are compared by their words.
    words: Option<WordSketcher>,
    method: Method,
    verify: Verify,
    /// Rooms that nobody works in.
    rooms: Mutex<Vec<Room>>,
}

/// Bytes of a content from which on its room is not kept for the next one: it would hold that memory to the end.
const LARGE: usize = 1 << 20;

/// What is kept of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sketched {
    pub(crate) id: String,
    pub(crate) url: Option<String>,
    pub(crate) created_at: Option<i64>,
    /// Of the bytes.
    pub(crate) identical: u64,
    /// Of the tokens, or of the words as compared.
    pub(crate) lexical: u128,
    /// Of the set of shingles.
    pub(crate) set: u128,
    /// Different shingles, or the weight of the words.
    pub(crate) shingles: u32,
    /// Of the sample: one in 2^level. [`crate::words::WORDS_LEVEL`] if the sample holds words.
    pub(crate) level: u8,
    pub(crate) minima: [u16; MINIMA],
    /// The data that resemblance or likeness is computed from: a multiple of four bytes.
    pub(crate) sample: Vec<u8>,
    /// What nominates pairs: the upper 40 bits count.
    pub(crate) keys: Vec<u64>,
    /// The lowest 16 bits of every key of words; zeros for others.
    pub(crate) key_parts: [u16; KEYS],
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
            words: settings.joining.policy.compares_words().then(|| WordSketcher::new(&Seed::PUBLIC)),
            method: settings.method,
            verify: settings.verify,
            rooms: Mutex::default(),
        }
    }

    /// What is kept of a page. A page on which the program itself fails is kept as an empty one.
    pub fn sketch(&self, page: Page) -> Sketched {
        let Page { id, url, created_at, content, .. } = page;
        let mut room = self.rooms().pop().unwrap_or_default();
        let sketched = match catch_unwind(AssertUnwindSafe(|| self.sketched(&content, &mut room))) {
            Ok(sketched) => {
                self.rooms().extend(Some(room).filter(|_| content.len() < LARGE));
                sketched
            }
            Err(_) => self.of_text("", &mut Room::default()),
        };
        // What the sender says wins over what the page declares.
        Sketched { id, url: url.or(sketched.url), created_at: created_at.or(sketched.created_at), ..sketched }
    }

    fn rooms(&self) -> std::sync::MutexGuard<'_, Vec<Room>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sketched(&self, content: &Content, room: &mut Room) -> Sketched {
        let sketched = match content {
            Content::Html { bytes, charset } => {
                self.of_html(&decode_html(bytes, charset.as_deref()).text, room)
            }
            Content::Text { bytes, charset } => {
                self.of_text(&decode_text(bytes, charset.as_deref()).text, room)
            }
            Content::Unicode { text, is_html: true } => self.of_html(text, room),
            Content::Unicode { text, is_html: false } => self.of_text(text, room),
            Content::Features(features) => {
                // They have no words: equal are those of equal bytes.
                let lexical = content.quick_fingerprint();
                Sketched { lexical, ..self.of_shingles(&self.analyzer.shingles_of_features(features)) }
            }
        };
        Sketched { identical: content.quick_fingerprint() as u64, ..sketched }
    }

    fn of_html(&self, markup: &str, room: &mut Room) -> Sketched {
        let Extracted { core, full, canonical_url, created_at, .. } = extract(markup);
        let text_bytes = core.text.len() as u32;
        // Words stand for the whole page, as in the store-time check; shingles for the core text.
        let compared = full.filter(|_| self.words.is_some()).unwrap_or(core);
        Sketched { url: canonical_url, created_at, text_bytes, ..self.of_text(&compared.text, room) }
    }

    fn of_text(&self, text: &str, room: &mut Room) -> Sketched {
        if let Some(words) = &self.words {
            return Sketched { text_bytes: text.len() as u32, ..words.sketch(text) };
        }
        self.analyzer.shingle(text, room);
        Sketched {
            lexical: room.quick_fingerprint(),
            text_bytes: text.len() as u32,
            ..self.of_shingles(room.shingles())
        }
    }

    fn of_shingles(&self, shingles: &ShingleSet) -> Sketched {
        let (level, sample) = match self.verify {
            Verify::Exact => (0, low_halves(shingles.as_slice())),
            Verify::Sketch => {
                let sketch = LevelSketch::new(shingles);
                (sketch.level() as u8, low_halves(sketch.values()))
            }
        };
        Sketched {
            set: fingerprint_of_set(shingles),
            shingles: shingles.len() as u32,
            level,
            minima: self.minima(shingles),
            sample,
            keys: self.keys(shingles),
            ..Sketched::default()
        }
    }

    fn minima(&self, shingles: &ShingleSet) -> [u16; MINIMA] {
        let minima = self.minima.minima(shingles.as_slice());
        // The upper bits of a minimum are zeros.
        std::array::from_fn(|slot| minima[slot] as u16)
    }

    fn keys(&self, shingles: &ShingleSet) -> Vec<u64> {
        match self.method {
            Method::Sketch => multiples_of_power(shingles.as_slice(), level_of_keys(shingles.len() as u32)),
            Method::SuperShingle => ModSketch::new(shingles, MODULUS).super_shingles(RUN, &self.rabin),
            Method::Features => self.pairs_of_features(&self.analyzer.features(shingles)),
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

/// The values that end with so many zeros. Counted without a branch: which ones do is anybody's guess.
fn multiples_of_power(values: &[u64], zeros: u32) -> Vec<u64> {
    const TOGETHER: usize = 64;
    let mut multiples = Vec::with_capacity((values.len() >> zeros) + TOGETHER);
    for some in values.chunks(TOGETHER) {
        let (mut kept, mut count) = ([0; TOGETHER + 1], 0);
        for &value in some {
            kept[count] = value;
            count += usize::from(value & ((1 << zeros) - 1) == 0);
        }
        multiples.extend_from_slice(&kept[..count]);
    }
    multiples
}

/// The low halves of fingerprints, as bytes.
fn low_halves(fingerprints: &[u64]) -> Vec<u8> {
    as_bytes_u32(fingerprints.iter().map(|&fingerprint| fingerprint as u32))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn multiples_are_kept(values in prop::collection::vec(0u64..64, 0..200), zeros in 0u32..5) {
            let expected: Vec<u64> = values.iter().copied().filter(|value| value % (1 << zeros) == 0).collect();
            prop_assert_eq!(multiples_of_power(&values, zeros), expected);
        }
    }
}
