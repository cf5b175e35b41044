//! The answer: original or duplicate, of which document, and why.

use crate::appeals::Appeal;
use crate::judge::NearestMatch;
use firstcopy_passages::Passage;
use firstcopy_store::{Document, Judgement};
use firstcopy_text::likeness::CopyRelation;
use serde::Serialize;

/// What is said about a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// The document.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// The answer in one sentence: how much of it is in which earlier document.
    pub summary: String,
    /// "original" or "duplicate".
    pub verdict: &'static str,
    /// The id of its original.
    pub original: Option<String>,
    /// Where its original was published.
    pub original_url: Option<String>,
    /// Features it shares with its original, of six.
    pub shared_features: u32,
    /// Its resemblance with the original, counted from the two texts.
    pub resemblance: f64,
    /// The lower end of its interval: the same, because it is counted and not estimated.
    pub resemblance_low: f64,
    /// The upper end of its interval.
    pub resemblance_high: f64,
    /// How much of it is contained in the original.
    pub containment: f64,
    /// Why it is a duplicate: "identical", "lexical" (the same words), "likeness", "resemblance", "features"; "none" if it is
    /// an original.
    pub reason: String,
    /// The relation to its original or, if it is one itself, to the closest earlier document.
    pub relation: CopyRelation,
    /// How much alike the two are, from 0 to 1.
    pub likeness: f64,
    /// The share of its words that the other document has.
    pub covered: f64,
    /// The share of the other document's words that it has.
    pub original_covered: f64,
    /// The closest earlier document, also of an original; none if no earlier one has anything in common with it.
    pub nearest: Option<Nearest>,
    /// Whether it has the words of another document but other numbers and names: a page of the same template.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub template: bool,
    /// The share of the page's dense text that was read.
    pub read_share: f64,
    /// "declared" if it names the original as its source, "same_author" if both have one author.
    pub attribution: Option<String>,
    /// Whether its claimed date was too early to be believed.
    pub backdated: bool,
    /// When this version was received, in RFC 3339.
    pub received_at: String,
    /// When it was created, as claimed, in RFC 3339.
    pub created_at: Option<String>,
    /// 1, and one more for every other content under the same id.
    pub version: u32,
    /// Whether the same content was there already, so that nothing was stored.
    pub unchanged: bool,
    /// Whether the sweep that saw it found it again after others had missed it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reappeared: bool,
    /// Other documents whose verdict changed because of this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Changed>,
    /// What was cut, mended or contradictory.
    pub warnings: Vec<String>,
    /// Why it is an original whatever it matches, if an editor declared it to be one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appeal: Option<Appeal>,
    /// The share of it that was copied: the words that the closest earlier document has or, if passages were asked for, what is
    /// in them.
    pub copied_share: Option<f64>,
    /// Those passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<Vec<Passage>>,
}

/// The closest earlier document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Nearest {
    /// The document.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// When it was created, else received, in RFC 3339.
    pub date: String,
    /// How much alike the two are, from 0 to 1.
    pub likeness: f64,
}

/// A document whose verdict changed because of another one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Changed {
    /// The document.
    pub id: String,
    /// Its verdict now.
    pub verdict: &'static str,
    /// Its original now.
    pub original: Option<String>,
}

impl Verdict {
    /// Whether it is the first of its kind.
    pub fn is_original(&self) -> bool {
        self.original.is_none()
    }

    /// What the store says of a document and, if it has one, of its original.
    pub(crate) fn of(document: &Document, original: Option<&Document>) -> Self {
        let judgement = &document.judgement;
        Verdict {
            id: document.id.clone(),
            url: document.url.clone(),
            summary: String::new(),
            verdict: verdict_name(judgement.original),
            original: original.map(|original| original.id.clone()),
            original_url: original.and_then(|original| original.url.clone()),
            shared_features: judgement.shared_features,
            resemblance: judgement.resemblance,
            resemblance_low: judgement.resemblance,
            resemblance_high: judgement.resemblance,
            containment: judgement.containment,
            reason: judgement.reason.clone(),
            relation: relation_of(judgement),
            likeness: judgement.likeness,
            covered: judgement.covered,
            original_covered: judgement.original_covered,
            nearest: original.map(|original| Nearest::of(original, judgement.likeness)),
            template: false,
            read_share: document.kept_share,
            attribution: judgement.attribution.clone(),
            backdated: document.backdated,
            received_at: rfc3339(document.received_at),
            created_at: document.created_at.map(rfc3339),
            version: document.version,
            unchanged: false,
            reappeared: false,
            changed: Vec::new(),
            warnings: document.warnings.clone(),
            appeal: None,
            copied_share: judgement.relation.is_some().then_some(judgement.covered),
            passages: None,
        }
        .summarized(false)
    }
}

impl Verdict {
    /// Adds what the closest earlier document of an original is to it.
    pub(crate) fn with_nearest(self, nearest: Option<&NearestMatch>) -> Self {
        let Some(NearestMatch { document, words }) = nearest.filter(|_| self.is_original()) else {
            return self.summarized(false);
        };
        Verdict {
            relation: words.relation,
            likeness: words.likeness,
            covered: words.covered,
            original_covered: words.original_covered,
            nearest: Some(Nearest::of(document, words.likeness)),
            template: words.is_template,
            copied_share: Some(words.covered),
            ..self
        }
        .summarized(false)
    }
}

impl Nearest {
    pub(crate) fn of(document: &Document, likeness: f64) -> Self {
        Nearest {
            id: document.id.clone(),
            url: document.url.clone(),
            title: document.title.clone(),
            date: rfc3339(document.created_at.unwrap_or(document.received_at)),
            likeness,
        }
    }
}

/// The relation of a document to its original. Policies that compare no words give only what is certain.
fn relation_of(judgement: &Judgement) -> CopyRelation {
    let known = judgement.relation.as_deref().and_then(CopyRelation::from_name);
    known.unwrap_or(match judgement.reason.as_str() {
        "identical" => CopyRelation::Identical,
        "lexical" => CopyRelation::SameWords,
        "none" => CopyRelation::None,
        _ => CopyRelation::Edited,
    })
}

/// The word for a document with or without an original.
pub(crate) fn verdict_name(original: Option<u32>) -> &'static str {
    if original.is_some() { "duplicate" } else { "original" }
}

/// A time as users read it; one that no calendar has is shown as its seconds.
pub(crate) fn rfc3339(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map_or_else(|_| seconds.to_string(), |time| time.to_string())
}
