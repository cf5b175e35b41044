//! What is stored and what is asked: a few real documents, any number of made ones, and near copies of the real ones.

use crate::CommonArguments;
use crate::data::texts;
use firstcopy_text::{Analyzer, Content, Document, Page, Parameters, Seed};

/// Real documents, and queries for them (lee-2010: 1,000 stored documents).
pub const REAL_DOCUMENTS: usize = 1000;
/// Words of a query that differ from its document (lee-2010: 1 to 5).
const MOST_REPLACED_WORDS: usize = 5;
/// Bytes that hold enough documents in every language.
const BYTES_A_LANGUAGE: usize = 16 << 20;
/// Languages that part their words by spaces, so that a word can be replaced without a dictionary.
const LANGUAGES: [&str; 2] = ["en", "ko"];

/// Which keys of a document an index is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// The six features, two of which must agree (lee-2008).
    Features,
    /// The keys of the default policy, one of which must agree.
    Candidates,
}

/// Real documents and the queries made from them, in the same order.
pub struct Real {
    documents: Vec<Document>,
    queries: Vec<Document>,
}

impl Real {
    /// Reads and analyses them; says whether they are real.
    pub fn read(arguments: &CommonArguments) -> Self {
        let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        let document =
            |text: String| analyzer.document(Page { content: Content::text(text), ..Page::default() });
        let mut random = Random(1);
        let originals: Vec<String> =
            LANGUAGES.into_iter().flat_map(|one| originals(arguments, one)).collect();
        let queries = originals.iter().map(|text| document(edited(text, &mut random))).collect();
        Real { documents: originals.into_iter().map(document).collect(), queries }
    }

    /// The keys of the real documents, which are stored under the first numbers.
    pub fn stored(&self, keys: Keys) -> impl Iterator<Item = &[u64]> {
        self.documents.iter().map(move |document| keys.of(document))
    }

    /// The keys of the queries.
    pub fn asked(&self, keys: Keys) -> impl Iterator<Item = &[u64]> {
        self.queries.iter().map(move |document| keys.of(document))
    }
}

impl Keys {
    fn of(self, document: &Document) -> &[u64] {
        match self {
            Keys::Features => &document.features.0,
            Keys::Candidates => &document.candidate_keys.0,
        }
    }
}

fn originals(arguments: &CommonArguments, language: &str) -> Vec<String> {
    let wanted = REAL_DOCUMENTS / LANGUAGES.len();
    let (mut texts, origin) = texts(&arguments.data, language, BYTES_A_LANGUAGE);
    texts.retain(|text| text.split_whitespace().count() > 2 * MOST_REPLACED_WORDS);
    texts.truncate(wanted);
    eprintln!("{language}: {} {origin} documents of {wanted}", texts.len());
    texts
}

/// The text with one to five of its words, anywhere, replaced by others.
fn edited(text: &str, random: &mut Random) -> String {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    for _ in 0..=random.below(MOST_REPLACED_WORDS) {
        let place = random.below(words.len());
        words[place] = format!("word{}", random.below(1_000_000));
    }
    words.join(" ")
}

/// The keys of a made document: the same for the same number, unlike those of any other.
pub fn made_keys(number: u64, keys: usize) -> impl Iterator<Item = u64> {
    let mut random = Random(number << 8);
    (0..keys).map(move |_| random.next())
}

/// SplitMix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
