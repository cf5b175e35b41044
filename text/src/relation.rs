//! How two documents relate: the degrees of being the same, resemblance and containment, counted exactly.

use crate::document::Document;
use crate::shingles::Overlap;
use serde::Serialize;

/// How two documents relate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Relation {
    /// |A ∩ B| / |A ∪ B| over shingles.
    pub resemblance: f64,
    /// |A ∩ B| / |A|.
    pub containment_a_in_b: f64,
    /// |A ∩ B| / |B|.
    pub containment_b_in_a: f64,
    /// The same bytes.
    pub identical: bool,
    /// The same tokens: equal up to markup, frame, case, width, punctuation and spacing. Never true of nothing.
    pub lexical: bool,
    /// Tokens of A.
    pub words_a: usize,
    /// Tokens of B.
    pub words_b: usize,
}

impl Relation {
    /// Compares two documents of the same analyzer.
    pub fn of(a: &Document, b: &Document) -> Self {
        let overlap = Overlap::of(&a.shingles, &b.shingles);
        Relation {
            resemblance: overlap.resemblance(),
            containment_a_in_b: overlap.containment_a_in_b(),
            containment_b_in_a: overlap.containment_b_in_a(),
            identical: a.whole.identical == b.whole.identical,
            lexical: !a.tokens.is_empty() && a.whole.lexical == b.whole.lexical,
            words_a: a.tokens.len(),
            words_b: b.tokens.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analyzer, Content, Page, Parameters, Seed};

    #[track_caller]
    fn check(a: &str, b: &str, shingle_words: usize, expected: Relation) {
        let analyzer = Analyzer::new(Parameters { shingle_words, ..Parameters::default() }, &Seed::PUBLIC);
        let document =
            |text: &str| analyzer.document(Page { content: Content::text(text), ..Page::default() });
        assert_eq!(Relation::of(&document(a), &document(b)), expected);
    }

    #[test]
    fn equal_contained_and_empty_documents() {
        let same = Relation {
            resemblance: 1.0,
            containment_a_in_b: 1.0,
            containment_b_in_a: 1.0,
            identical: true,
            lexical: true,
            words_a: 6,
            words_b: 6,
        };
        // The example of broder-1997: "a rose is a rose is a rose" has three different 4-shingles.
        check("a rose is a rose is", "a rose is a rose is", 4, same);
        check("A rose is. A rose is?", "a rose is a rose is", 4, Relation { identical: false, ..same });
        let contained =
            Relation { resemblance: 0.6, containment_b_in_a: 0.6, identical: false, lexical: false, ..same };
        check("a b c d e f", "a b c d e f g h", 4, Relation { words_b: 8, ..contained });
        let nothing = Relation {
            resemblance: 0.0,
            containment_a_in_b: 0.0,
            containment_b_in_a: 0.0,
            identical: true,
            lexical: false,
            words_a: 0,
            words_b: 0,
        };
        check("", "", 10, nothing);
    }
}
