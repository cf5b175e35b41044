//! The relation of a later text to an earlier one, in one word.

use super::measure::Likeness;
use serde::{Deserialize, Serialize};

/// The relation of a later text to an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum CopyRelation {
    /// The same bytes.
    Identical,
    /// The same words; markup, case, width, punctuation or spacing differ.
    SameWords,
    /// The same text with changes.
    Edited,
    /// Nearly all of it stands in the longer earlier text.
    Excerpt,
    /// The earlier text stands in it nearly whole, among other text.
    Extended,
    /// They have a passage in common.
    Quotes,
    /// They have nothing in common that is worth a word.
    #[default]
    None,
}

impl CopyRelation {
    /// All of them, from the closest to none.
    pub const ALL: [CopyRelation; 7] = [
        CopyRelation::Identical,
        CopyRelation::SameWords,
        CopyRelation::Edited,
        CopyRelation::Excerpt,
        CopyRelation::Extended,
        CopyRelation::Quotes,
        CopyRelation::None,
    ];

    /// The name in JSON and in the store.
    pub fn name(self) -> &'static str {
        match self {
            CopyRelation::Identical => "identical",
            CopyRelation::SameWords => "same_words",
            CopyRelation::Edited => "edited",
            CopyRelation::Excerpt => "excerpt",
            CopyRelation::Extended => "extended",
            CopyRelation::Quotes => "quotes",
            CopyRelation::None => "none",
        }
    }

    /// Parses a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|relation| relation.name() == name)
    }

    /// Whether a document of this relation to an earlier one is a duplicate by default.
    pub fn is_copy(self) -> bool {
        matches!(
            self,
            CopyRelation::Identical | CopyRelation::SameWords | CopyRelation::Edited | CopyRelation::Excerpt
        )
    }
}

/// The likeness from which on two texts are the same with changes.
pub const MIN_LIKENESS: f64 = 0.8;
/// The share of its words that an excerpt has from the longer text. At 0.90 two more pairs of en_trec that people call
/// different are excerpts; more words of its own than at 0.92 make an original that quotes.
pub(super) const EXCERPT: f64 = 0.92;
/// The share of an earlier text that stands in an extended one.
const EXTENDED: f64 = 0.9;
/// The weight of a run that is a quotation and no common phrase: some ten ordinary words.
const QUOTATION: u32 = 120;
/// The share of the words that makes a quotation of shorter runs.
const QUOTED_SHARE: f64 = 0.2;

impl Likeness {
    /// The relation of the second text to the first one, which is earlier, given the likeness from which on texts are the same.
    pub fn relation(&self, min_likeness: f64) -> CopyRelation {
        let is_shorter = self.covered_b > self.covered_a;
        if self.same_words {
            CopyRelation::SameWords
        } else if self.likeness >= min_likeness {
            CopyRelation::Edited
        } else if is_shorter && self.covered_b >= EXCERPT && !self.is_template(min_likeness) {
            CopyRelation::Excerpt
        } else if !is_shorter && self.covered_a >= EXTENDED && !self.is_template(min_likeness) {
            CopyRelation::Extended
        } else if self.heaviest_run >= QUOTATION || self.covered_b >= QUOTED_SHARE {
            CopyRelation::Quotes
        } else {
            CopyRelation::None
        }
    }

    /// Whether only other facts keep the two from being the same text: pages of one template.
    pub fn is_template(&self, min_likeness: f64) -> bool {
        self.contradictions > 0 && self.likeness < min_likeness && self.in_common >= min_likeness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(likeness: f64, covered_a: f64, covered_b: f64, heaviest_run: u32, expected: CopyRelation) {
        let measured = Likeness {
            likeness,
            in_common: likeness,
            covered_a,
            covered_b,
            heaviest_run,
            ..Likeness::default()
        };
        assert_eq!(measured.relation(MIN_LIKENESS), expected);
    }

    #[test]
    fn relations_follow_from_the_shares() {
        check(0.8, 0.8, 0.8, 500, CopyRelation::Edited);
        check(0.6, 0.4, 0.95, 500, CopyRelation::Excerpt);
        check(0.6, 0.95, 0.4, 500, CopyRelation::Extended);
        check(0.6, 0.6, 0.6, 500, CopyRelation::Quotes);
        check(0.1, 0.1, 0.1, 200, CopyRelation::Quotes);
        check(0.1, 0.1, 0.1, 60, CopyRelation::None);
        check(0.0, 0.0, 0.0, 0, CopyRelation::None);
    }

    #[test]
    fn names_are_read_back() {
        for relation in CopyRelation::ALL {
            assert_eq!(CopyRelation::from_name(relation.name()), Some(relation));
        }
        assert_eq!(CopyRelation::from_name("copy"), None);
    }
}
