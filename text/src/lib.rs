//! From the bytes of a page to its features: pure, deterministic, cannot fail on any bytes.

mod extract;
mod minima;
mod mix;
mod page;
mod rabin;
mod seed;
mod tokens;

pub use extract::{CoreText, Extracted, Extractor};
pub use minima::{Permutations, Simd};
pub use page::{Content, Feature, Page};
pub use rabin::{Polynomial, Rabin, RollingRabin};
pub use seed::Seed;
pub use tokens::{MAX_TEXT, Tokens};
