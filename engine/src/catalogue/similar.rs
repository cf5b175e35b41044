//! Which stored documents resemble, contain or are contained in this one? (broder-1997, on the fly) Shingles find them, and by
//! likeness the keys of the store-time check do, too; their words say what the given document is to each of them.

use super::Catalogue;
use super::probe::{COMMON, Enough, MOST_HOLDERS, Probe, Probed, Sharing};
use crate::content::{compared_words, stands_for_page};
use crate::error::{EngineError, Result};
use crate::verdict::{rfc3339, verdict_name};
use firstcopy_store::Document;
use firstcopy_text::Page;
use firstcopy_text::likeness::{CopyRelation, Likeness, Words, compare, may_be_copies, needed_keys};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashSet;

/// What is enough to be called similar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarQuestion {
    /// The least resemblance.
    pub min_resemblance: f64,
    /// The least containment, of either in the other.
    pub min_containment: f64,
    /// What is enough by words, whatever the shingles say.
    pub min_likeness: MinLikeness,
    /// Whether every value is counted from the texts, not only those that a sample cannot decide.
    pub exact: bool,
    /// The most documents in the answer.
    pub limit: usize,
}

impl Default for SimilarQuestion {
    fn default() -> Self {
        SimilarQuestion {
            min_resemblance: 0.5,
            min_containment: 0.9,
            min_likeness: MinLikeness::default(),
            exact: false,
            limit: 100,
        }
    }
}

/// The documents that are similar by their words.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum MinLikeness {
    /// Those that are copies or excerpts by the rule of the data directory, either way, besides what shares enough shingles. None
    /// if the policy of the directory does not compare words.
    #[default]
    OfDirectory,
    /// Only those of this likeness or more.
    AtLeast(f64),
    /// None: shingles alone decide.
    Ignored,
}

impl MinLikeness {
    /// Chooses by what a user asked for: a likeness, or resemblance and containment alone, or neither.
    pub fn of(min_likeness: Option<f64>, asks_by_shingles: bool) -> Self {
        match min_likeness {
            Some(least) => MinLikeness::AtLeast(least),
            None if asks_by_shingles => MinLikeness::Ignored,
            None => MinLikeness::OfDirectory,
        }
    }
}

/// The resemblance from which on documents are looked at when likeness alone decides: every changed word changes ten shingles.
const FEW_SHINGLES: f64 = 0.05;
/// Documents that are compared because of shared keys, besides those found by shingles: those that share most first.
const MOST_TRIED: usize = 1024;
/// Documents of which the rows are read for that.
const MOST_LOOKED_AT: usize = 16 * MOST_TRIED;

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
    /// Sampled shingles that were not looked up, because very many documents have them: more may be similar.
    pub ignored_shingles: usize,
    /// Sampled shingles of the document that was asked about.
    pub sampled_shingles: usize,
    /// Documents that share keys with it and were not compared, because very many do: more may be similar.
    pub not_compared: usize,
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
    /// Whether its core text stands for its page.
    is_whole: bool,
    words: Words,
    /// The keys by which copies are found; none if words do not decide.
    keys: Vec<u64>,
}

/// A stored document that was found.
struct SimilarMatch {
    document: Document,
    sharing: Sharing,
    /// How alike the words are, if it was found by these.
    compared: Option<Likeness>,
}

impl Catalogue {
    /// Finds what is similar to a page, stored or not. Fails if the page is no text.
    pub fn similar(&self, page: Page, question: &SimilarQuestion) -> Result<SimilarAnswer> {
        let document = self.analyzer.document(page);
        if let Some(format) = document.unreadable {
            return Err(EngineError::Unreadable { id: document.id, format });
        }
        let probe = Probe::new(&document.shingles);
        let probed = self.probe_thoroughly(&probe, question.enough())?;
        let stored = self.store().by_id(&document.id)?;
        // A page that is stored as it is is not asked for itself.
        let itself = stored.filter(|stored| stored.identical == document.whole.identical);
        let given = Given {
            number: itself.map(|stored| stored.number),
            identical: document.whole.identical,
            lexical: document.whole.lexical,
            is_whole: document.full.is_none(),
            words: self.analyzer.words(document.compared_text()),
            keys: self.keys_by_likeness(document.candidate_keys.0),
            id: document.id,
        };
        self.answer(&given, &probe, &probed, question)
    }

    /// What is similar to a stored document; none if there is no such document.
    pub fn similar_to(&self, id_or_url: &str, question: &SimilarQuestion) -> Result<Option<SimilarAnswer>> {
        let Some(document) = self.named(id_or_url)? else { return Ok(None) };
        let probe = self.probe_of(document.content, &document.id)?;
        let mut probed = self.probe_thoroughly(&probe, question.enough())?;
        self.add_group(&document, &probe, question.enough(), &mut probed)?;
        let given = Given {
            number: Some(document.number),
            identical: document.identical,
            lexical: document.lexical,
            is_whole: stands_for_page(&document),
            words: self.words_of(&document)?,
            keys: self.keys_by_likeness(document.keys),
            id: document.id,
        };
        self.answer(&given, &probe, &probed, question).map(Some)
    }

    /// The keys of a document, if the postings hold such keys.
    fn keys_by_likeness(&self, keys: Vec<u64>) -> Vec<u64> {
        if self.analyzer.is_by_likeness() { keys } else { Vec::new() }
    }

    /// A text that very many others copied has common shingles only; its verdict knows them.
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
        let found: HashSet<u32> = probed.sharing.iter().map(|sharing| sharing.document).collect();
        for member in self.group(document)? {
            if !found.contains(&member.number) {
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

    fn answer(
        &self,
        given: &Given,
        probe: &Probe,
        probed: &Probed,
        question: &SimilarQuestion,
    ) -> Result<SimilarAnswer> {
        let min_likeness = self.reader.settings()?.min_likeness;
        let by_shingles = self.present(probed, given.number)?.into_iter();
        let mut found: Vec<SimilarMatch> = by_shingles
            .map(|(document, sharing)| SimilarMatch { document, sharing, compared: None })
            .collect();
        let mut not_compared = 0;
        match question.min_likeness {
            MinLikeness::OfDirectory => {
                let is_enough =
                    |relation: CopyRelation, _: f64| relation.is_copy() || relation == CopyRelation::Extended;
                not_compared = self.add_alike(given, probe, min_likeness, is_enough, &mut found)?;
            }
            MinLikeness::AtLeast(least) => {
                let is_enough = |_: CopyRelation, likeness: f64| likeness >= least;
                not_compared = self.add_alike(given, probe, least, is_enough, &mut found)?;
                for found in &mut found {
                    found.compared = Some(self.compare_words(given, &found.document)?);
                }
                found.retain(|found| {
                    found.compared.as_ref().is_some_and(|compared| compared.likeness >= least)
                });
            }
            MinLikeness::Ignored => {}
        }
        found.sort_by(|a, b| {
            nearness(b).total_cmp(&nearness(a)).then(a.document.number.cmp(&b.document.number))
        });
        let total = found.len();
        let similar =
            found.into_iter().take(question.limit).map(|SimilarMatch { document, sharing, compared }| {
                let (document, sharing) = (&document, &sharing);
                let compared = compared.map_or_else(|| self.compare_words(given, document), Ok)?;
                let relation =
                    exact_relation(given, document).unwrap_or_else(|| compared.relation(min_likeness));
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
            not_compared,
        })
    }

    /// Adds the documents that share keys with the given one and are enough like it by their words. Returns how many share keys
    /// and were not looked at.
    fn add_alike(
        &self,
        given: &Given,
        probe: &Probe,
        min_likeness: f64,
        is_enough: impl Fn(CopyRelation, f64) -> bool,
        found: &mut Vec<SimilarMatch>,
    ) -> Result<usize> {
        let mut known: HashSet<u32> = found.iter().map(|found| found.document.number).collect();
        known.extend(given.number);
        let weight = given.words.total_weight();
        let counted = self
            .postings
            .counts_unless(&given.keys, COMMON, MOST_HOLDERS, |ignored| 2 * ignored.len() > given.keys.len());
        let mut holders = counted.counts;
        holders.retain(|&(_, keys)| keys as usize + counted.ignored >= needed_keys(0, 0));
        holders.sort_unstable_by_key(|&(content, keys)| (Reverse(keys), content));
        let mut tried = 0;
        for (place, &(content, keys)) in holders.iter().enumerate().take(MOST_LOOKED_AT) {
            if tried == MOST_TRIED {
                return Ok(holders.len() - place);
            }
            // Keys that too many documents hold may be in common, too.
            let keys = keys as usize + counted.ignored;
            let Some(owner) = self.store().content_owner(content)? else { continue };
            if known.contains(&owner.document) {
                continue;
            }
            let Some(document) = self.store().by_number(owner.document)? else { continue };
            let may_be_alike = document.content == content
                && document.weight > 0
                && may_be_copies(u64::from(document.weight), weight, keys, min_likeness);
            if !may_be_alike || !known.insert(document.number) {
                continue;
            }
            tried += 1;
            let compared = self.compare_words(given, &document)?;
            let relation = compared.relation(min_likeness);
            if is_enough(relation, compared.likeness) {
                let overlap = self.overlap(probe, content, document.number)?;
                let sharing = Sharing::exactly(content, document.number, overlap);
                found.push(SimilarMatch { document, sharing, compared: Some(compared) });
            }
        }
        Ok(holders.len().saturating_sub(MOST_LOOKED_AT))
    }

    /// Aligns the words of a stored document, as the earlier one, with those of the given one.
    fn compare_words(&self, given: &Given, document: &Document) -> Result<Likeness> {
        if exact_relation(given, document).is_some() {
            return Ok(Likeness::of_same_words());
        }
        Ok(compare(&self.words_of(document)?, &given.words))
    }

    /// The words of a stored document; none if it has ready-made features instead.
    fn words_of(&self, document: &Document) -> Result<Words> {
        compared_words(self.store(), &self.analyzer, document)
    }
}

/// The relation of documents that are equal word for word; none if they are not.
fn exact_relation(given: &Given, document: &Document) -> Option<CopyRelation> {
    let is_identical = document.identical == given.identical;
    let are_whole = given.is_whole && stands_for_page(document);
    let is_same = document.shingles > 0 && document.lexical == given.lexical && (are_whole || is_identical);
    is_same.then_some(if is_identical { CopyRelation::Identical } else { CopyRelation::SameWords })
}

impl SimilarQuestion {
    fn enough(&self) -> Enough {
        let resemblance = match self.min_likeness {
            MinLikeness::AtLeast(_) => self.min_resemblance.min(FEW_SHINGLES),
            MinLikeness::OfDirectory | MinLikeness::Ignored => self.min_resemblance,
        };
        Enough { resemblance, containment: self.min_containment, exact: self.exact }
    }
}

/// Resemblance, or likeness if that is known and larger, first; containment where that is equal: one number that sorts so.
fn nearness(found: &SimilarMatch) -> f64 {
    let Sharing { resemblance, a_in_b, b_in_a, .. } = found.sharing;
    let likeness = found.compared.as_ref().map_or(0.0, |compared| compared.likeness);
    1000.0 * resemblance.value.max(likeness) + a_in_b.value.max(b_in_a.value)
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
