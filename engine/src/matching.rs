//! When is one document a copy of another? Pure: the answer depends on the two contents alone, and is the same both ways.

use crate::settings::{Policy, Settings};
use firstcopy_store::Document;
use firstcopy_text::Overlap;

/// Below so many tokens, or so many different shingles, features say little: a few common phrases share them.
const FEW_TOKENS: u32 = 30;
const FEW_SHINGLES: u32 = 20;

/// How two documents match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Match {
    pub(crate) shared_features: u32,
    pub(crate) resemblance: f64,
    /// Of the first in the second.
    pub(crate) containment: f64,
    pub(crate) reason: &'static str,
}

/// The rule of a data directory.
#[derive(Debug, Clone)]
pub(crate) struct Matcher {
    policy: Policy,
    min_resemblance: f64,
    needed_keys: usize,
}

impl Matcher {
    pub(crate) fn new(settings: &Settings) -> Self {
        Matcher {
            policy: settings.policy,
            min_resemblance: settings.min_resemblance,
            needed_keys: settings.rule().needed,
        }
    }

    /// Equal word for word: no text needs to be compared. An empty document is never a copy of anything.
    pub(crate) fn exact(&self, a: &Document, b: &Document) -> Option<Match> {
        let same = a.shingles > 0 && a.lexical == b.lexical;
        let reason = if a.identical == b.identical { "identical" } else { "lexical" };
        same.then_some(Match {
            shared_features: a.features.len() as u32,
            resemblance: 1.0,
            containment: 1.0,
            reason,
        })
    }

    /// Whether the two share enough keys to be compared at all. An index may nominate a few more.
    pub(crate) fn nominates(&self, a: &Document, b: &Document) -> bool {
        shared(&a.keys, &b.keys) >= self.needed_keys
    }

    /// What the overlap of their shingles makes of two documents that are not equal.
    pub(crate) fn compare(&self, a: &Document, b: &Document, overlap: Overlap) -> Option<Match> {
        let (shared_features, resemblance) = (shared(&a.features, &b.features), overlap.resemblance());
        let by_features = self.policy == Policy::Paper && tells_much(a) && tells_much(b);
        let (is_copy, reason) = if by_features {
            (shared_features >= self.needed_keys && overlap.common > 0, "features")
        } else {
            (resemblance >= self.min_resemblance, "resemblance")
        };
        is_copy.then_some(Match {
            shared_features: shared_features as u32,
            resemblance,
            containment: overlap.containment_a_in_b(),
            reason,
        })
    }
}

/// Whether a document is long and varied enough for its features to decide.
fn tells_much(document: &Document) -> bool {
    // Ready-made features have no tokens.
    let long = document.tokens == 0 || document.tokens >= FEW_TOKENS;
    long && document.shingles >= FEW_SHINGLES
}

fn shared(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(tokens: u32, shingles: u32, lexical: u128, keys: &[u64]) -> Document {
        Document {
            tokens,
            shingles,
            lexical,
            keys: keys.to_vec(),
            features: keys.to_vec(),
            ..Document::default()
        }
    }

    fn matcher(policy: Policy) -> Matcher {
        Matcher::new(&Settings { policy, ..Settings::default() })
    }

    #[test]
    fn an_empty_document_is_a_copy_of_nothing() {
        let empty = document(0, 0, 7, &[]);
        assert_eq!(matcher(Policy::Resemblance).exact(&empty, &empty), None);
    }

    #[test]
    fn features_decide_only_for_long_and_varied_documents() {
        let overlap = Overlap { a: 30, b: 30, common: 10 };
        let reason = |policy, a: &Document, b: &Document| {
            matcher(policy).compare(a, b, overlap).map(|found| (found.reason, found.shared_features))
        };
        let long = document(40, 30, 1, &[1, 2, 3]);
        let other = document(40, 30, 2, &[1, 2, 4]);
        assert_eq!(reason(Policy::Paper, &long, &other), Some(("features", 2)));
        assert_eq!(reason(Policy::Resemblance, &long, &other), None);
        for short in [document(29, 20, 3, &[1, 2, 3]), document(1000, 19, 3, &[1, 2, 3])] {
            assert_eq!(reason(Policy::Paper, &long, &short), None);
            assert_eq!(reason(Policy::Paper, &short, &long), None);
        }
        let same = Overlap { a: 10, b: 10, common: 9 };
        let short = document(19, 10, 3, &[1]);
        let found = matcher(Policy::Paper).compare(&short, &short, same).unwrap();
        assert_eq!((found.reason, found.resemblance), ("resemblance", 9.0 / 11.0));
    }
}
