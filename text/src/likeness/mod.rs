//! How much alike two texts are: the words that both have, in runs, wherever these stand.
//!
//! [`Words`] are the words of a text as they are compared, without notation. [`compare`] aligns those of two texts and
//! gives a [`Likeness`]; [`KeyMaker`] makes the keys by which an index finds texts that may be copies. The definition
//! is in `docs/likeness.md`.

mod ascii;
mod characters;
mod common_words;
mod gaps;
mod kanji_forms;
mod measure;
#[cfg(test)]
mod naive;
mod order;
mod pair_sketch;
mod phrases;
mod profile;
mod relation;
mod spellings;
mod tiles;
mod weight_class;
mod weights;
mod words;

pub use measure::{Likeness, compare};
pub use pair_sketch::PairSketch;
pub use phrases::{KEYS, KeyMaker, may_be_copies, needed_keys, shared_keys};
pub use profile::{TextSize, WordProfile, may_be_copy};
pub use relation::{CopyRelation, MIN_LIKENESS};
pub use weight_class::{WeightClass, WeightRule};
pub use weights::{WeightLearner, Weights};
pub use words::Words;
