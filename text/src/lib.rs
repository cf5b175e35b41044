//! From the bytes of a page to its features: pure, deterministic, cannot fail on any bytes.
//!
//! An [`Analyzer`] turns a [`Page`] (bytes as received) into a [`Document`]: its [`CoreText`], [`Tokens`], segments,
//! [`ShingleSet`], [`Features`], sketch and [`Digest`]. Two documents are compared by [`Overlap`] (exactly) or by their
//! sketches ([`Estimate`]s). No files, no clocks, no randomness: whoever needs a secret [`Seed`] brings it.
//!
//! ```
//! use firstcopy_text::{Analyzer, Content, Overlap, Page, Parameters, Seed};
//!
//! let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
//! let document = |text: &str| analyzer.document(Page { content: Content::text(text), ..Page::default() });
//! let a = document("누가 이 글을 먼저 썼는가? 저장하는 순간에 판단하고, 원본의 이름을 밝히며, 복사본은 검색에서 뺀다.");
//! let b = document("누가 이 글을 먼저 썼는가! 저장하는 순간에 판단하고 원본의 이름을 밝히며 복사본은 검색에서 뺀다");
//! assert_eq!(Overlap::of(&a.shingles, &b.shingles).resemblance(), 1.0);
//! assert_eq!(a.features.shared(&b.features), 6);
//! ```

mod core_text;
mod decode;
mod distinct;
mod document;
mod estimate;
mod extract;
mod features;
mod language;
pub mod likeness;
mod minima;
mod mix;
mod page;
mod rabin;
mod readable;
mod relation;
mod room;
mod seed;
mod segments;
mod shingles;
mod sketch;
mod tokens;
mod vector;

pub use core_text::CoreText;
pub use decode::{Decoded, decode_html, decode_text};
pub use document::{Analyzer, Document, Parameters, WholeContent};
pub use estimate::{Confidence, Estimate};
pub use extract::{Extracted, Extractor, extract, extractors, stands_for_page};
pub use features::{FeatureMaker, FeatureRule, Features};
pub use minima::{Permutations, Simd};
pub use page::{Content, Feature, Page};
pub use rabin::{Polynomial, Rabin, RollingRabin};
pub use relation::Relation;
pub use room::Room;
pub use seed::Seed;
pub use segments::{Digest, Segment, SegmentRules};
pub use shingles::{Overlap, ShingleSet, Shingler};
pub use sketch::{LevelSketch, MAX_LEVEL, MODULUS, MinSketch, ModSketch, SampledOverlap};
pub use tokens::{MAX_TEXT, Tokens};
