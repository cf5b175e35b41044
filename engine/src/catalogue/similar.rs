//! Which stored documents resemble, contain or are contained in this one? (broder-1997, on the fly) Shingles find them, and
//! their words tell what the given document is to each of them.

use super::Catalogue;
use super::probe::{Enough, Probe, Probed, Sharing};
use crate::content::{Core, core_of};
use crate::error::{EngineError, Result};
use crate::verdict::{rfc3339, verdict_name};
use firstcopy_store::Document;
use firstcopy_text::Page;
use firstcopy_text::likeness::{CopyRelation, Likeness, Words, compare};
use serde::Serialize;

/// What is enough to be called similar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarQuestion {
    /// The least resemblance.
    pub min_resemblance: f64,
    /// The least containment, of either in the other.
    pub min_containment: f64,
    /// Whether every value is counted from the texts, not only those that a sample cannot decide.
    pub exact: bool,
    /// The most documents in the answer.
    pub limit: usize,
}

impl Default for SimilarQuestion {
    fn default() -> Self {
        SimilarQuestion { min_resemblance: 0.5, min_containment: 0.9, exact: false, limit: 100 }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SimilarAnswer {
    /// The document that was asked about.
    pub id: String,
    /// The most similar first.
    pub similar: Vec<SimilarDocument>,
    /// How many there are in all.
    pub total: usize,
    /// Sampled shingles that were not looked up, because more than 1,000 documents have them.
    pub ignored_shingles: usize,
    /// Sampled shingles of the document that was asked about.
    pub sampled_shingles: usize,
}

/// A stored document (B) and what it shares with the one that was asked about (A).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SimilarDocument {
    /// The stored document.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// When it was created, as claimed.
    pub created_at: Option<String>,
    /// When it was received.
    pub received_at: String,
    /// "original" or "duplicate".
    pub verdict: &'static str,
    /// The relation of A to it by their words, as in a verdict, whichever is older.
    #[serde(rename = "relation")]
    pub copy_relation: CopyRelation,
    /// How much alike the two are, from 0 to 1.
    pub likeness: f64,
    /// The share of the words of A that it has.
    pub covered: f64,
    /// The share of its words that A has.
    pub original_covered: f64,
    /// Whether it has the words of A but other numbers and names: a page of the same template.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub template: bool,
    /// How their shingles overlap: "resembles", "contains" (A is in it) or "contained" (it is in A).
    #[serde(rename = "overlap")]
    pub relation: &'static str,
    /// |A ∩ B| / |A ∪ B|.
    pub resemblance: f64,
    /// The ends of its 95 % interval.
    pub resemblance_low: f64,
    #[allow(missing_docs, reason = "the other end")]
    pub resemblance_high: f64,
    /// |A ∩ B| / |A|: how much of A stands in it.
    pub containment_a_in_b: f64,
    /// The ends of its 95 % interval.
    pub containment_a_in_b_low: f64,
    #[allow(missing_docs, reason = "the other end")]
    pub containment_a_in_b_high: f64,
    /// |A ∩ B| / |B|: how much of it stands in A.
    pub containment_b_in_a: f64,
    /// The ends of its 95 % interval.
    pub containment_b_in_a_low: f64,
    #[allow(missing_docs, reason = "the other end")]
    pub containment_b_in_a_high: f64,
    /// Whether the values were counted from the texts, not estimated from samples.
    pub exact: bool,
}

/// The document that is asked about.
struct Given {
    id: String,
    /// The document number if it is stored as it is: a document is not compared with itself.
    number: Option<u32>,
    identical: u128,
    lexical: u128,
    words: Words,
}

impl Catalogue {
    /// Finds what is similar to a page, stored or not. Fails if the page is no text.
    pub fn similar(&self, page: Page, question: &SimilarQuestion) -> Result<SimilarAnswer> {
        let document = self.analyzer.document(page);
        if let Some(format) = document.unreadable {
            return Err(EngineError::Unreadable { id: document.id, format });
        }
        let probed = self.probe(&Probe::new(&document.shingles), question.enough())?;
        let stored = self.store().by_id(&document.id)?;
        // A page that is stored as it is is not asked for itself.
        let itself = stored.filter(|stored| stored.identical == document.whole.identical);
        let given = Given {
            number: itself.map(|stored| stored.number),
            identical: document.whole.identical,
            lexical: document.whole.lexical,
            words: self.analyzer.words(&document.core),
            id: document.id,
        };
        self.answer(&given, &probed, question)
    }

    /// What is similar to a stored document; none if there is no such document.
    pub fn similar_to(&self, id_or_url: &str, question: &SimilarQuestion) -> Result<Option<SimilarAnswer>> {
        let Some(document) = self.named(id_or_url)? else { return Ok(None) };
        let probe = self.probe_of(document.content, &document.id)?;
        let mut probed = self.probe(&probe, question.enough())?;
        self.add_group(&document, &probe, question.enough(), &mut probed)?;
        let given = Given {
            number: Some(document.number),
            identical: document.identical,
            lexical: document.lexical,
            words: self.words_of(&document)?,
            id: document.id,
        };
        self.answer(&given, &probed, question).map(Some)
    }

    /// A text that more than a thousand others copied has common shingles only; its verdict knows them.
    fn add_group(
        &self,
        document: &Document,
        probe: &Probe,
        enough: Enough,
        probed: &mut Probed,
    ) -> Result<()> {
        if probed.ignored == 0 {
            return Ok(());
        }
        for member in self.group(document)? {
            if !probed.sharing.iter().any(|sharing| sharing.document == member.number) {
                let sharing = self.sharing_exactly(probe, member.content, member.number, enough)?;
                probed.sharing.extend(sharing);
            }
        }
        Ok(())
    }

    /// The original of a document and all its copies, without the document itself, in the order of arrival.
    pub(super) fn group(&self, document: &Document) -> Result<Vec<Document>> {
        let original = document.judgement.original.unwrap_or(document.number);
        let mut members = Vec::new();
        for number in [original].into_iter().chain(self.store().copies(original)?) {
            if number != document.number {
                members.extend(self.store().by_number(number)?);
            }
        }
        Ok(members)
    }

    fn answer(&self, given: &Given, probed: &Probed, question: &SimilarQuestion) -> Result<SimilarAnswer> {
        let mut found = self.present(probed, given.number)?;
        found.sort_by(|(a, x), (b, y)| nearness(y).total_cmp(&nearness(x)).then(a.number.cmp(&b.number)));
        let total = found.len();
        let min_likeness = self.reader.settings()?.min_likeness;
        let similar = found.iter().take(question.limit).map(|(document, sharing)| {
            let compared = self.compare_words(given, document)?;
            let relation = exact_relation(given, document).unwrap_or_else(|| compared.relation(min_likeness));
            Ok(SimilarDocument {
                copy_relation: relation,
                template: !relation.is_copy() && compared.is_template(min_likeness),
                ..described(document, sharing, &compared)
            })
        });
        Ok(SimilarAnswer {
            id: given.id.clone(),
            similar: similar.collect::<Result<_>>()?,
            total,
            ignored_shingles: probed.ignored,
            sampled_shingles: probed.sampled,
        })
    }

    /// Aligns the words of a stored document, as the earlier one, with those of the given one.
    fn compare_words(&self, given: &Given, document: &Document) -> Result<Likeness> {
        if exact_relation(given, document).is_some() {
            return Ok(Likeness {
                likeness: 1.0,
                in_common: 1.0,
                covered_a: 1.0,
                covered_b: 1.0,
                ..Likeness::default()
            });
        }
        Ok(compare(&self.words_of(document)?, &given.words))
    }

    /// The words of a stored document; none if it has ready-made features instead.
    fn words_of(&self, document: &Document) -> Result<Words> {
        Ok(match core_of(self.store(), document.content, &document.id)? {
            Core::Text(core) => self.analyzer.words(&core),
            Core::Features(_) => Words::default(),
        })
    }
}

/// The relation of documents that are equal word for word; none if they are not.
fn exact_relation(given: &Given, document: &Document) -> Option<CopyRelation> {
    let is_same = document.shingles > 0 && document.lexical == given.lexical;
    let is_identical = document.identical == given.identical;
    is_same.then_some(if is_identical { CopyRelation::Identical } else { CopyRelation::SameWords })
}

impl SimilarQuestion {
    fn enough(&self) -> Enough {
        Enough { resemblance: self.min_resemblance, containment: self.min_containment, exact: self.exact }
    }
}

/// Resemblance first, containment where that is equal: one number that sorts so.
fn nearness(sharing: &Sharing) -> f64 {
    1000.0 * sharing.resemblance.value + sharing.a_in_b.value.max(sharing.b_in_a.value)
}

/// Describes a document by what it shares with the given one; the relation of their words is left open.
fn described(document: &Document, sharing: &Sharing, compared: &Likeness) -> SimilarDocument {
    let Sharing { resemblance, a_in_b, b_in_a, exact, .. } = *sharing;
    SimilarDocument {
        id: document.id.clone(),
        url: document.url.clone(),
        title: document.title.clone(),
        author: document.author.clone(),
        created_at: document.created_at.map(rfc3339),
        received_at: rfc3339(document.received_at),
        verdict: verdict_name(document.judgement.original),
        copy_relation: CopyRelation::default(),
        likeness: compared.likeness,
        covered: compared.covered_b,
        original_covered: compared.covered_a,
        template: false,
        relation: overlap_of(sharing),
        resemblance: resemblance.value,
        resemblance_low: resemblance.low,
        resemblance_high: resemblance.high,
        containment_a_in_b: a_in_b.value,
        containment_a_in_b_low: a_in_b.low,
        containment_a_in_b_high: a_in_b.high,
        containment_b_in_a: b_in_a.value,
        containment_b_in_a_low: b_in_a.low,
        containment_b_in_a_high: b_in_a.high,
        exact,
    }
}

/// A text that stands almost whole in one at least half as long again is contained in it.
fn overlap_of(sharing: &Sharing) -> &'static str {
    let (a, b) = (sharing.a_in_b.value, sharing.b_in_a.value);
    match () {
        () if a >= 0.9 && b < a / 1.5 => "contains",
        () if b >= 0.9 && a < b / 1.5 => "contained",
        () => "resembles",
    }
}
