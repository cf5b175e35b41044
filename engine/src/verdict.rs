//! The answer: original or duplicate, of which document, and why.

use crate::appeals::Appeal;
use firstcopy_passages::Passage;
use firstcopy_store::Document;
use serde::Serialize;

/// What is said about a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Verdict {
    /// The document.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
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
    /// "identical", "lexical", "resemblance", "features" or "none".
    pub reason: String,
    /// "same_author" or "declared", if the sender stands to the original so.
    pub relation: Option<String>,
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
    /// The share of it that is in passages copied from documents stored before it, or from a source database; none if
    /// that was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_share: Option<f64>,
    /// Those passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passages: Option<Vec<Passage>>,
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
            verdict: verdict_name(judgement.original),
            original: original.map(|original| original.id.clone()),
            original_url: original.and_then(|original| original.url.clone()),
            shared_features: judgement.shared_features,
            resemblance: judgement.resemblance,
            resemblance_low: judgement.resemblance,
            resemblance_high: judgement.resemblance,
            containment: judgement.containment,
            reason: judgement.reason.clone(),
            relation: judgement.relation.clone(),
            backdated: document.backdated,
            received_at: rfc3339(document.received_at),
            created_at: document.created_at.map(rfc3339),
            version: document.version,
            unchanged: false,
            reappeared: false,
            changed: Vec::new(),
            warnings: document.warnings.clone(),
            appeal: None,
            copied_share: None,
            passages: None,
        }
    }
}

/// The word for a document with or without an original.
pub(crate) fn verdict_name(original: Option<u32>) -> &'static str {
    if original.is_some() { "duplicate" } else { "original" }
}

/// A time as users read it; one that no calendar has is shown as its seconds.
pub(crate) fn rfc3339(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map_or_else(|_| seconds.to_string(), |time| time.to_string())
}
