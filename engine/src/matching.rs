//! When is one document a copy of another? Pure: the answer depends on the two contents alone, and not on when it is asked.

use crate::content::stands_for_page;
use crate::settings::{Policy, Settings};
use firstcopy_store::Document;
use firstcopy_text::Overlap;
use firstcopy_text::likeness::{CopyRelation, Likeness, WeightClass, WeightRule, may_be_copies, shared_keys};
use std::sync::Arc;

/// Below so many tokens, or so many different shingles, features say little: a few common phrases share them.
const FEW_TOKENS: u32 = 30;
const FEW_SHINGLES: u32 = 20;

/// How a document matches an earlier one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Match {
    pub(crate) shared_features: u32,
    pub(crate) resemblance: f64,
    /// Of the first in the second.
    pub(crate) containment: f64,
    pub(crate) reason: &'static str,
    pub(crate) words: Option<WordMatch>,
}

/// How the words of a document match those of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WordMatch {
    pub(crate) relation: CopyRelation,
    pub(crate) likeness: f64,
    /// The share of the document's words that the earlier one has.
    pub(crate) covered: f64,
    /// The share of the earlier one's words that the document has.
    pub(crate) original_covered: f64,
    /// Whether only other facts keep the two from being the same text.
    pub(crate) is_template: bool,
}

impl WordMatch {
    /// The same words.
    fn exact(relation: CopyRelation) -> Self {
        WordMatch { relation, likeness: 1.0, covered: 1.0, original_covered: 1.0, is_template: false }
    }
}

/// The rule of a data directory.
#[derive(Debug, Clone)]
pub(crate) struct Matcher {
    policy: Policy,
    min_resemblance: f64,
    min_likeness: f64,
    duplicates: Vec<CopyRelation>,
    needed_keys: usize,
    weight_rule: Arc<WeightRule>,
}

impl Matcher {
    pub(crate) fn new(settings: &Settings) -> Self {
        let needed_keys = settings.rule().needed;
        let weight_rule = match settings.policy {
            Policy::Likeness => WeightRule::new(settings.min_likeness),
            Policy::Resemblance | Policy::Paper => WeightRule::uniform(needed_keys),
        };
        Matcher {
            policy: settings.policy,
            min_resemblance: settings.min_resemblance,
            min_likeness: settings.min_likeness,
            duplicates: settings.duplicates.clone(),
            needed_keys,
            weight_rule: Arc::new(weight_rule),
        }
    }

    /// Whether words decide.
    pub(crate) fn is_by_likeness(&self) -> bool {
        self.policy == Policy::Likeness
    }

    /// Whether words decide about these two: ready-made features have none.
    pub(crate) fn compares_words(&self, a: &Document, b: &Document) -> bool {
        self.is_by_likeness() && a.weight > 0 && b.weight > 0
    }

    /// Matches documents that are equal word for word: no text needs to be compared. An empty document matches nothing. By
    /// likeness, pages of which the core text is too little must be equal byte for byte.
    pub(crate) fn exact(&self, a: &Document, b: &Document) -> Option<Match> {
        let is_identical = a.identical == b.identical;
        let are_whole = !self.is_by_likeness() || stands_for_page(a) && stands_for_page(b);
        let same = a.shingles > 0 && a.lexical == b.lexical && (are_whole || is_identical);
        let (reason, relation) = match is_identical {
            true => ("identical", CopyRelation::Identical),
            false => ("lexical", CopyRelation::SameWords),
        };
        let is_duplicate = same && (!self.is_by_likeness() || self.duplicates.contains(&relation));
        is_duplicate.then_some(Match {
            shared_features: a.features.len() as u32,
            resemblance: 1.0,
            containment: 1.0,
            reason,
            words: self.is_by_likeness().then(|| WordMatch::exact(relation)),
        })
    }

    /// Returns the fewest keys that documents of two weight classes share if one is a copy of the other. Never too many.
    pub(crate) fn least_keys(&self, one: WeightClass, other: WeightClass) -> usize {
        self.weight_rule.least_keys(one, other)
    }

    /// The likeness below which profiles may rule out a candidate: none if relations make a duplicate that profiles say nothing
    /// about.
    pub(crate) fn profiled_likeness(&self) -> Option<f64> {
        let is_profiled = self.duplicates.iter().all(|relation| relation.is_copy());
        (self.is_by_likeness() && is_profiled).then_some(self.min_likeness)
    }

    /// The keys that a copy shares at the least. By likeness one is enough to name the closest document.
    pub(crate) fn preferred_keys(&self) -> usize {
        if self.is_by_likeness() { 2 } else { self.needed_keys }
    }

    /// Whether the two share enough keys to be compared at all. An index may nominate a few more.
    pub(crate) fn nominates(&self, a: &Document, b: &Document) -> bool {
        let shared = shared_keys(&a.keys, &b.keys);
        match self.policy {
            Policy::Likeness => {
                may_be_copies(u64::from(a.weight), u64::from(b.weight), shared, self.min_likeness)
            }
            Policy::Resemblance | Policy::Paper => shared >= self.needed_keys,
        }
    }

    /// Judges the likeness of an earlier document (first) and a later one (second).
    pub(crate) fn word_match(&self, likeness: &Likeness) -> WordMatch {
        WordMatch {
            relation: likeness.relation(self.min_likeness),
            likeness: likeness.likeness,
            covered: likeness.covered_b,
            original_covered: likeness.covered_a,
            is_template: likeness.is_template(self.min_likeness),
        }
    }

    /// Whether a relation makes a duplicate.
    pub(crate) fn is_duplicate(&self, relation: CopyRelation) -> bool {
        self.duplicates.contains(&relation)
    }

    /// Matches two documents by their words, given the overlap of their shingles to be told with the verdict.
    pub(crate) fn by_words(&self, a: &Document, b: &Document, words: WordMatch, overlap: Overlap) -> Match {
        Match {
            shared_features: shared_keys(&a.features, &b.features) as u32,
            resemblance: overlap.resemblance(),
            containment: overlap.containment_a_in_b(),
            reason: "likeness",
            words: Some(words),
        }
    }

    /// Matches two documents that are not equal by the overlap of their shingles.
    pub(crate) fn by_overlap(&self, a: &Document, b: &Document, overlap: Overlap) -> Option<Match> {
        let (shared_features, resemblance) = (shared_keys(&a.features, &b.features), overlap.resemblance());
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
            words: None,
        })
    }
}

/// Whether a document is long and varied enough for its features to decide.
fn tells_much(document: &Document) -> bool {
    // Ready-made features have no tokens.
    let long = document.tokens == 0 || document.tokens >= FEW_TOKENS;
    long && document.shingles >= FEW_SHINGLES
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
    fn empty_document_matches_nothing() {
        let empty = document(0, 0, 7, &[]);
        for policy in [Policy::Likeness, Policy::Resemblance, Policy::Paper] {
            assert_eq!(matcher(policy).exact(&empty, &empty), None);
        }
    }

    #[test]
    fn features_decide_only_for_long_and_varied_documents() {
        let overlap = Overlap { a: 30, b: 30, common: 10 };
        let reason = |policy, a: &Document, b: &Document| {
            matcher(policy).by_overlap(a, b, overlap).map(|found| (found.reason, found.shared_features))
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
        let found = matcher(Policy::Paper).by_overlap(&short, &short, same).unwrap();
        assert_eq!((found.reason, found.resemblance), ("resemblance", 9.0 / 11.0));
    }

    #[test]
    fn same_core_of_pages_of_which_little_was_kept_is_no_match() {
        let page =
            |identical, kept_share| Document { identical, kept_share, ..document(500, 490, 7, &[1, 2]) };
        let matches = |policy, a: &Document, b: &Document| matcher(policy).exact(a, b).is_some();
        let (notice, other_notice, whole) = (page(1, 0.2), page(2, 0.2), page(3, 1.0));
        assert!(!matches(Policy::Likeness, &notice, &other_notice));
        assert!(!matches(Policy::Likeness, &notice, &whole));
        assert!(matches(Policy::Likeness, &notice, &notice.clone()));
        assert!(matches(Policy::Likeness, &whole, &page(4, 1.0)));
        assert!(matches(Policy::Resemblance, &notice, &other_notice));
    }
}
