//! The path of a page: bytes, core text, tokens, segments, shingles, features, sketch, digest. One function, read downwards.

use crate::core_text::CoreText;
use crate::decode::{Decoded, decode_html, decode_text};
use crate::extract::{Extracted, extract};
use crate::features::{FeatureMaker, FeatureRule, Features};
use crate::language::tell_language;
use crate::likeness::{KEYS, KeyMaker, Weights, Words};
use crate::page::{Content, Feature, Page};
use crate::rabin::Rabin;
use crate::readable::unreadable;
use crate::seed::Seed;
use crate::segments::{Digest, Segment, SegmentRules};
use crate::shingles::{ShingleSet, Shingler};
use crate::sketch::LevelSketch;
use crate::tokens::{MAX_TEXT, Tokens};
use std::borrow::Cow;
use std::ops::Range;

/// What features depend on, besides the seed. Documents of different parameters do not compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// w: tokens of a shingle (broder-1997: 10).
    pub shingle_words: usize,
    /// The groups of minima (lee-2008: 6 of 14, 2 must agree).
    pub features: FeatureRule,
    /// How the same minima are grouped into the keys that find candidates, unless phrases do.
    pub candidates: FeatureRule,
    /// Whether candidates are found by phrases, to be compared by their words.
    pub by_likeness: bool,
    /// Where sentences end (sakurai-2009).
    pub segments: SegmentRules,
    /// Normalised characters below which a segment is left out of the digest (sakurai-2009: 5).
    pub min_segment_chars: usize,
    /// Takes texts as ready words: split at white space, and nothing else done.
    pub ready_words: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            shingle_words: 10,
            features: FeatureRule::default(),
            candidates: FeatureRule::nominating(0.8, FeatureRule::default().minima()),
            by_likeness: false,
            segments: SegmentRules::default(),
            min_segment_chars: 5,
            ready_words: false,
        }
    }
}

/// The keys of ready-made features where texts have phrases: as many minima, one by one.
const SINGLE_MINIMA: FeatureRule = FeatureRule { groups: KEYS, group_size: 1, needed: 2 };

/// Turns pages into documents, all under the same parameters and seed.
#[derive(Debug, Clone)]
pub struct Analyzer {
    parameters: Parameters,
    shingler: Shingler,
    features: FeatureMaker,
    segment_rabin: Rabin,
    key_maker: KeyMaker,
    weights: Weights,
}

/// A page and everything that is computed from it.
#[derive(Debug, Clone)]
pub struct Document {
    /// The page's id.
    pub id: String,
    /// Where it was published: as the sender said, else as the page declares.
    pub url: Option<String>,
    /// Its title: as the sender said, else as the page declares.
    pub title: Option<String>,
    /// Its author: as the sender said, else as the page declares.
    pub author: Option<String>,
    /// When it was created, in Unix seconds: as the sender said, else as the page declares.
    pub created_at: Option<i64>,
    /// The language of the core text (BCP 47): as the page declares, unless the script of the text contradicts it.
    pub language: Option<String>,
    /// The encoding its bytes were read as; none for ready-made features.
    pub encoding: Option<&'static str>,
    /// What a reader came for.
    pub core: CoreText,
    /// The share of the page's dense text that the core text holds, from 0 to 1; 1 for plain text and without text.
    pub kept_share: f32,
    /// All dense text of the page, where the core text holds too little of it to stand for the page.
    pub full: Option<CoreText>,
    /// Why the page is no text, if it is none: nothing can be said about it.
    pub unreadable: Option<&'static str>,
    /// The canonical words of the core text.
    pub tokens: Tokens,
    /// The words as they are compared; none if candidates are not found by phrases.
    pub words: Words,
    /// The sentences and blocks of the core text.
    pub segments: Vec<Segment>,
    /// The set of shingles, or of ready-made features.
    pub shingles: ShingleSet,
    /// The features of the store-time check.
    pub features: Features,
    /// The keys by which an index finds documents that may resemble it.
    pub candidate_keys: Features,
    /// The sample that estimates resemblance and containment (V_i).
    pub sketch: LevelSketch,
    /// The segment fingerprints in order.
    pub digest: Digest,
    /// Fingerprints of the content as a whole.
    pub whole: WholeContent,
    /// Whatever else its sender said.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// What was cut, mended or contradictory.
    pub warnings: Vec<String>,
}

impl Default for Document {
    fn default() -> Self {
        Document {
            id: String::new(),
            url: None,
            title: None,
            author: None,
            created_at: None,
            language: None,
            encoding: None,
            core: CoreText::default(),
            kept_share: 1.0,
            full: None,
            unreadable: None,
            tokens: Tokens::default(),
            words: Words::default(),
            segments: Vec::new(),
            shingles: ShingleSet::default(),
            features: Features::default(),
            candidate_keys: Features::default(),
            sketch: LevelSketch::default(),
            digest: Digest::default(),
            whole: WholeContent::default(),
            metadata: serde_json::Map::new(),
            warnings: Vec::new(),
        }
    }
}

impl Document {
    /// The text whose words are compared: the core text, or all dense text of a page of which that holds too little. Two pages
    /// that share a notice are not copies of each other.
    pub fn compared_text(&self) -> &CoreText {
        self.full.as_ref().unwrap_or(&self.core)
    }
}

/// Fingerprints of the content as a whole: three degrees of being the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct WholeContent {
    /// Of the bytes as received.
    pub identical: u128,
    /// Of the sequence of tokens: equal up to markup, frame, case, width, punctuation and spacing.
    /// Ready-made features have no tokens: theirs is that of the bytes.
    pub lexical: u128,
    /// Of the sketch: equal as far as estimates can tell.
    pub shingle_equivalent: u128,
}

impl Analyzer {
    /// Draws what the parameters need from the seed.
    pub fn new(parameters: Parameters, seed: &Seed) -> Self {
        Analyzer {
            shingler: Shingler::new(Rabin::new(64, seed, "shingles"), parameters.shingle_words),
            features: FeatureMaker::new(parameters.features, seed),
            segment_rabin: Rabin::new(32, seed, "segments"),
            key_maker: KeyMaker::new(seed),
            weights: Weights::default(),
            parameters,
        }
    }

    /// Whether candidates are found by phrases, to be compared by their words.
    pub fn is_by_likeness(&self) -> bool {
        self.parameters.by_likeness
    }

    /// Replaces the weights of words.
    pub fn with_weights(self, weights: Weights) -> Self {
        Analyzer { weights, ..self }
    }

    /// Computes everything from a page. Cannot fail: what cannot be read is replaced and said in the warnings.
    pub fn document(&self, page: Page) -> Document {
        self.segmented(self.measured(self.read(page)))
    }

    /// The first half of the path: decodes a page and drops its frame.
    pub fn read(&self, page: Page) -> Document {
        let identical = page.content.fingerprint();
        let document = self.read_text(page);
        Document { whole: WholeContent { identical, ..document.whole }, ..document }
    }

    /// Reads without the fingerprint of the bytes.
    fn read_text(&self, page: Page) -> Document {
        let mut document = match &page.content {
            Content::Html { bytes, charset } => of_html(bytes, decode_html(bytes, charset.as_deref())),
            Content::Text { bytes, charset } => of_text(bytes, decode_text(bytes, charset.as_deref())),
            Content::Unicode { text, is_html: true } => of_html(text.as_bytes(), Decoded::unicode(text)),
            Content::Unicode { text, is_html: false } => of_text(text.as_bytes(), Decoded::unicode(text)),
            Content::Features(features) => self.of_features(features),
        };
        document.metadata = page.metadata;
        document.warnings.splice(0..0, page.warnings);
        document.id = page.id;
        document.url = page.url.or(document.url);
        document.title = page.title.or(document.title);
        document.author = page.author.or(document.author);
        document.created_at = page.created_at.or(document.created_at);
        document
    }

    /// The second half: all that the core text, or ready-made features in its place, tell of the document as a whole. A
    /// document that was read from a store is measured the same way.
    pub fn measured(&self, document: Document) -> Document {
        let document = self.sketched(document);
        let minima = self.features.minima(&document.shingles);
        let features = self.features.grouped(&minima, self.parameters.features);
        let words =
            if self.parameters.by_likeness { self.words(document.compared_text()) } else { Words::default() };
        let candidate_keys = match self.parameters.by_likeness {
            false => self.features.grouped(&minima, self.parameters.candidates),
            true if words.is_empty() => self.features.grouped(&minima, SINGLE_MINIMA),
            true => Features(self.key_maker.keys(&words)),
        };
        Document { features, candidate_keys, words, ..document }
    }

    /// Returns the words of a text as they are compared: of [`Document::compared_text`].
    pub fn words(&self, core: &CoreText) -> Words {
        if self.parameters.ready_words {
            Words::of_ready_words(&core.text)
        } else {
            Words::of(&core.text, &self.weights)
        }
    }

    /// The same without what the store-time check alone needs: its features and keys.
    pub fn sketched(&self, document: Document) -> Document {
        let document = self.shingled(document);
        let sketch = LevelSketch::new(&document.shingles);
        let whole = WholeContent { shingle_equivalent: fingerprint_of_sketch(&sketch), ..document.whole };
        Document { sketch, whole, ..document }
    }

    /// The same without the sketch: tokens, shingles, and the fingerprint of the tokens.
    fn shingled(&self, document: Document) -> Document {
        let is_ready_made = !document.shingles.is_empty();
        let tokens = self.tokens(&document.core);
        let shingles = if is_ready_made { document.shingles } else { self.shingler.set(&tokens) };
        let identical = document.whole.identical;
        let lexical = if is_ready_made { identical } else { fingerprint_of_tokens(&tokens) };
        let whole = WholeContent { lexical, ..document.whole };
        let mut warnings = document.warnings;
        if document.core.text.len() > MAX_TEXT {
            warnings.push(format!("only the first {MAX_TEXT} bytes of the core text count"));
        }
        Document { tokens, shingles, whole, warnings, ..document }
    }

    /// What a page tells of its parts, and nothing of the whole: core text, tokens, segments and their digest.
    pub fn digest(&self, page: Page) -> Document {
        self.digested(self.read_text(page))
    }

    /// The same of a document that was read, here or from a store.
    pub fn digested(&self, document: Document) -> Document {
        self.segmented(Document { tokens: self.tokens(&document.core), ..document })
    }

    /// What a document with tokens tells of its parts: its segments and their digest.
    pub fn segmented(&self, document: Document) -> Document {
        let Document { core, tokens, .. } = &document;
        let segments = self.parameters.segments.segments(core, tokens);
        let digest = Digest::of(&segments, tokens, self.parameters.min_segment_chars, &self.segment_rabin);
        Document { segments, digest, ..document }
    }

    /// The fingerprint and the length that a digest has for a segment of these tokens.
    pub fn segment_fingerprint(&self, tokens: &Tokens, run: Range<usize>) -> (u32, u8) {
        let canonical = tokens.canonical(run);
        (self.segment_rabin.fingerprint(canonical) as u32, canonical.len() as u8)
    }

    /// A document of ready-made features.
    pub fn of_features(&self, features: &[Feature]) -> Document {
        Document { shingles: self.shingles_of_features(features), ..Document::default() }
    }

    /// The shingles of a core text, and nothing else.
    pub fn shingles(&self, core: &CoreText) -> ShingleSet {
        self.shingler.set(&self.tokens(core))
    }

    /// The set of ready-made features that stands in the place of shingles.
    pub fn shingles_of_features(&self, features: &[Feature]) -> ShingleSet {
        self.shingler.set_of_features(features)
    }

    fn tokens(&self, core: &CoreText) -> Tokens {
        let mut tokens = Tokens::default();
        self.read_tokens(&core.text, &mut tokens);
        tokens
    }

    /// Finds the tokens of a text in place of those of another.
    pub(crate) fn read_tokens(&self, text: &str, tokens: &mut Tokens) {
        if self.parameters.ready_words { *tokens = Tokens::of_words(text) } else { tokens.read(text) }
    }

    pub(crate) fn shingler(&self) -> &Shingler {
        &self.shingler
    }

    pub(crate) fn feature_maker(&self) -> &FeatureMaker {
        &self.features
    }
}

fn of_html(bytes: &[u8], decoded: Decoded<'_>) -> Document {
    let Extracted { core, kept_share, full, title, canonical_url, created_at, author, language, warnings } =
        extract(&decoded.text);
    Document {
        unreadable: unreadable(bytes, &decoded.text),
        language: tell_language(language.as_deref(), &core.text),
        core,
        kept_share,
        full,
        title,
        url: canonical_url,
        created_at,
        author,
        encoding: Some(decoded.encoding),
        warnings: [decoded.warnings, warnings].concat(),
        ..Document::default()
    }
}

fn of_text(bytes: &[u8], decoded: Decoded<'_>) -> Document {
    Document {
        unreadable: unreadable(bytes, &decoded.text),
        language: tell_language(None, &decoded.text),
        core: CoreText::of_plain_text(&decoded.text),
        encoding: Some(decoded.encoding),
        warnings: decoded.warnings,
        ..Document::default()
    }
}

fn fingerprint_of_tokens(tokens: &Tokens) -> u128 {
    fingerprint(|buffer| {
        buffer.reserve(tokens.len() + tokens.canonical(0..tokens.len()).len());
        // The lengths keep "ab c" and "a bc" apart; longer words than fit a byte take as many as they need.
        for length in tokens.canonical_lengths() {
            buffer.extend(std::iter::repeat_n(u8::MAX, length / 255));
            buffer.push((length % 255) as u8);
        }
        buffer.extend_from_slice(tokens.canonical(0..tokens.len()));
    })
}

fn fingerprint_of_sketch(sketch: &LevelSketch) -> u128 {
    fingerprint(|buffer| buffer.extend(sketch.values().iter().flat_map(|value| value.to_le_bytes())))
}

impl Content {
    /// Of the bytes as received: what tells an unchanged page before anything is computed from it.
    pub fn fingerprint(&self) -> u128 {
        truncated(blake3::hash(&self.bytes()))
    }

    /// The bytes as received; of ready-made features, whatever tells one set from another.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Content::Html { bytes, .. } | Content::Text { bytes, .. } => bytes.into(),
            Content::Unicode { text, .. } => text.as_bytes().into(),
            Content::Features(features) => {
                let mut features = features.clone();
                features.sort_unstable();
                features.dedup();
                format!("{features:?}").into_bytes().into()
            }
        }
    }
}

fn fingerprint(fill: impl FnOnce(&mut Vec<u8>)) -> u128 {
    let mut buffer = Vec::new();
    fill(&mut buffer);
    truncated(blake3::hash(&buffer))
}

/// 128 bits are enough: two of 10^15 documents coincide with a probability below 10^-8.
fn truncated(hash: blake3::Hash) -> u128 {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    u128::from_le_bytes(half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shingles::Overlap;

    fn document(content: Content) -> Document {
        Analyzer::new(Parameters::default(), &Seed::PUBLIC).document(Page {
            id: "x".to_owned(),
            content,
            ..Page::default()
        })
    }

    #[test]
    fn three_degrees_of_being_the_same() {
        let a = document(Content::text("One two three, four five six seven eight nine ten eleven."));
        let b = document(Content::text("one TWO three four-five six seven eight nine ten eleven"));
        let c = document(Content::text("one two three four five six seven eight nine ten twelve"));
        assert_ne!(a.whole.identical, b.whole.identical);
        assert_eq!(a.whole.lexical, b.whole.lexical);
        assert_eq!(a.whole.shingle_equivalent, b.whole.shingle_equivalent);
        assert_ne!(a.whole.lexical, c.whole.lexical);
        assert_eq!(a.features, b.features);
        assert_eq!(Overlap::of(&a.shingles, &c.shingles), Overlap { a: 2, b: 2, common: 1 });
    }

    #[test]
    fn what_the_sender_says_wins() {
        let page = Page {
            id: "7".to_owned(),
            title: Some("sent".to_owned()),
            created_at: Some(5),
            content: Content::html("<html lang=ko><title>declared</title><p>본문이다.</p>"),
            warnings: vec!["from the reader".to_owned()],
            ..Page::default()
        };
        let document = Analyzer::new(Parameters::default(), &Seed::PUBLIC).document(page);
        assert_eq!((document.title.as_deref(), document.created_at), (Some("sent"), Some(5)));
        assert_eq!(document.warnings, ["from the reader"]);
    }

    #[test]
    fn ready_made_features_have_features_and_a_sketch() {
        let list = |names: &[&str]| {
            Content::Features(names.iter().map(|name| Feature::Name((*name).to_owned())).collect())
        };
        let (a, b) = (document(list(&["x", "y"])), document(list(&["y", "x", "x"])));
        assert_eq!((a.shingles.len(), a.features.0.len(), a.tokens.len()), (2, 6, 0));
        assert_eq!((a.features.clone(), a.whole.identical), (b.features, b.whole.identical));
        assert_eq!(a.sketch, b.sketch);
    }

    #[test]
    fn nothing_has_no_features() {
        let empty = document(Content::text(""));
        assert!(empty.features.0.is_empty() && empty.shingles.is_empty() && empty.segments.is_empty());
    }
}
