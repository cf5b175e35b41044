//! How much of two texts is the same, in numbers and in one sentence. Knows texts only, no collection.

pub(crate) use firstcopy_engine::percent;
use firstcopy_text::Tokens;
use firstcopy_text::likeness::{CopyRelation, Likeness, Weights, Words, compare};
use serde::Serialize;
use utoipa::ToSchema;

/// The share of copied words from which on a text is never called new or different.
pub(crate) const MUCH_COPIED: f64 = 0.2;

/// The relation of B, the later text, to A by their words.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct WordComparison {
    /// The answer in one sentence, with one percentage.
    pub(crate) summary: String,
    /// How much alike the two are, from 0 to 1.
    pub(crate) likeness: f64,
    /// The share of the words of A that B has.
    pub(crate) covered_a: f64,
    /// The share of the words of B that A has.
    pub(crate) covered_b: f64,
    /// The relation of B to A.
    pub(crate) relation: CopyRelation,
    /// Whether both have the same words but other numbers and names: pages of one template.
    pub(crate) template: bool,
}

impl WordComparison {
    /// Compares two texts, given the likeness from which on they are the same text with changes.
    pub(crate) fn of_texts(a: &str, b: &str, min_likeness: f64) -> Self {
        let exact = have_same_tokens(a, b).then_some(CopyRelation::SameWords);
        Self::of_words(&words(a), &words(b), exact, min_likeness)
    }

    /// Compares the words of two texts. `exact` is their relation if they are known to be equal.
    pub(crate) fn of_words(a: &Words, b: &Words, exact: Option<CopyRelation>, min_likeness: f64) -> Self {
        let compared = match exact {
            Some(_) => Likeness::of_same_words(),
            None => compare(a, b),
        };
        let relation = exact.unwrap_or_else(|| compared.relation(min_likeness));
        let measured = WordComparison {
            summary: String::new(),
            likeness: compared.likeness,
            covered_a: compared.covered_a,
            covered_b: compared.covered_b,
            relation,
            template: !relation.is_copy() && compared.is_template(min_likeness),
        };
        WordComparison { summary: measured.sentence(), ..measured }
    }

    /// Describes two sets of ready-made features, which have no words, by their resemblance.
    pub(crate) fn of_features(resemblance: f64, is_identical: bool) -> Self {
        let relation = if is_identical { CopyRelation::Identical } else { CopyRelation::None };
        let share = f64::from(u8::from(is_identical));
        WordComparison {
            summary: format!("{} of the features of both are the same.", percent(resemblance)),
            likeness: share,
            covered_a: share,
            covered_b: share,
            relation,
            template: false,
        }
    }

    fn sentence(&self) -> String {
        let same = percent(self.same_words());
        match self.relation {
            CopyRelation::Identical => format!("{same} of the words are the same: the same bytes."),
            CopyRelation::SameWords => format!(
                "{same} of the words are the same: at most markup, case, width, punctuation or spacing differ."
            ),
            CopyRelation::Edited => format!("{same} of the words are the same: the same text with changes."),
            CopyRelation::Excerpt => {
                format!("{} of the words of B are in A: B is an excerpt of A.", percent(self.covered_b))
            }
            CopyRelation::Extended => {
                format!("{} of the words of A are in B, which adds text of its own.", percent(self.covered_a))
            }
            _ if self.template => format!(
                "{same} of the words are the same, but numbers and names differ: pages of one template."
            ),
            CopyRelation::Quotes => format!("{}: they have passages in common.", self.larger_share()),
            CopyRelation::None if self.covered_a.max(self.covered_b) >= MUCH_COPIED => {
                format!("{}.", self.larger_share())
            }
            CopyRelation::None => format!("{same} of the words are the same: different texts."),
        }
    }

    /// Names the text of which the other has more.
    fn larger_share(&self) -> String {
        match self.covered_a > self.covered_b {
            true => format!("{} of the words of A are in B", percent(self.covered_a)),
            false => format!("{} of the words of B are in A", percent(self.covered_b)),
        }
    }

    /// The words that are the same, as a share of the words of both.
    fn same_words(&self) -> f64 {
        match self.covered_a + self.covered_b {
            0.0 => 0.0,
            sum => 2.0 * self.covered_a * self.covered_b / sum,
        }
    }
}

/// The words of a text as they are compared.
fn words(text: &str) -> Words {
    Words::of(text, &Weights::default())
}

/// Whether two texts are equal up to markup, case, width, punctuation and spacing. Never true of nothing.
fn have_same_tokens(a: &str, b: &str) -> bool {
    let (a, b) = (Tokens::of(a), Tokens::of(b));
    let is_same = |place: usize| a.canonical(place..place + 1) == b.canonical(place..place + 1);
    !a.is_empty() && a.len() == b.len() && (0..a.len()).all(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use firstcopy_text::likeness::MIN_LIKENESS;

    const POST: &str = "Our village bakery closes at the end of the month after forty years. The owner says flour, \
        energy and rent have doubled, and it is hard to find anyone who starts work at three in the morning. Neighbours \
        collected signatures, the mayor promised a meeting, and a retired teacher offered to bake rye bread on Saturdays.";

    #[track_caller]
    fn check(a: &str, b: &str, relation: CopyRelation, sentence: &str) {
        let compared = WordComparison::of_texts(a, b, MIN_LIKENESS);
        assert_eq!(compared.relation, relation, "{compared:?}");
        assert!(compared.summary.contains(sentence), "{compared:?}");
        assert_eq!(compared.summary.matches('%').count(), 1, "{compared:?}");
    }

    #[test]
    fn sentences_follow_relations() {
        check(
            POST,
            &POST.to_uppercase(),
            CopyRelation::SameWords,
            "100 % of the words are the same: at most",
        );
        check(POST, &POST.replace("village", "little"), CopyRelation::Edited, "the same text with changes.");
        let (first, rest) = POST.split_once(". ").unwrap();
        check(POST, rest, CopyRelation::Edited, "the same text with changes.");
        let long = format!("{POST} {}", POST.replace(' ', "x "));
        check(&long, POST, CopyRelation::Excerpt, "100 % of the words of B are in A: B is an excerpt");
        check(POST, &long, CopyRelation::Extended, "100 % of the words of A are in B");
        let other = "A completely different text about trains that were late again because of snow.";
        check(
            POST,
            &format!("{first}. {other} {other}"),
            CopyRelation::Quotes,
            "they have passages in common",
        );
        check(POST, other, CopyRelation::None, "different texts");
        check(POST, "", CopyRelation::None, "0 % of the words are the same: different texts");
    }

    #[test]
    fn much_in_common_is_never_called_different() {
        for likeness in [0.2, 0.5, 0.79, 0.94] {
            let shares = Likeness {
                likeness,
                in_common: likeness,
                covered_a: likeness,
                covered_b: likeness,
                ..Likeness::default()
            };
            for relation in [shares.relation(MIN_LIKENESS), CopyRelation::None] {
                let compared = WordComparison {
                    summary: String::new(),
                    likeness,
                    covered_a: likeness,
                    covered_b: likeness,
                    relation,
                    template: false,
                };
                assert!(!compared.sentence().contains("different"), "{}", compared.sentence());
            }
        }
    }
}
