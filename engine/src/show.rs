//! What the store knows of one document: its verdict, original, copies, versions and history.

use crate::appeals::{Appeal, standing_appeal};
use crate::content::core_of;
use crate::error::{EngineError, Result};
use crate::reader::Reader;
use crate::verdict::{Verdict, rfc3339};
use firstcopy_store::{Document, HistoryEntry, Store, Version};
use serde::Serialize;

/// A document as `show` tells of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// Its verdict; of a deleted one, nothing but its id and history are left.
    #[serde(flatten)]
    pub verdict: Option<Verdict>,
    /// When it was deleted, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its language, as declared.
    pub language: Option<String>,
    /// Whatever else its sender said.
    pub metadata: Option<serde_json::Value>,
    /// Tokens of its core text.
    pub tokens: u32,
    /// Its core text.
    pub core_text: Option<String>,
    /// How many copies it has.
    pub copy_count: u64,
    /// The ids of its copies, in the order of arrival: the first of them, if not all were asked for.
    pub copies: Vec<String>,
    /// Its versions, the present one last.
    pub versions: Vec<ShownVersion>,
    /// When sweeps saw it; none if none ever did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sightings: Option<Sightings>,
    /// The verdicts it had before, oldest first.
    pub history: Vec<PastVerdict>,
    /// What editors decided about it, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub appeals: Vec<Appeal>,
}

/// When sweeps saw a document, in RFC 3339.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sightings {
    /// The first sweep that saw it.
    pub first_seen: String,
    /// The last sweep that saw it.
    pub last_seen: String,
    /// The sweep that missed it; none if the latest one saw it.
    pub gone_at: Option<String>,
    /// When it was gone and came back: the sweep that missed it, and the one that saw it again.
    pub absences: Vec<(String, String)>,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShownVersion {
    /// Which one.
    pub version: u32,
    /// When it was received, in RFC 3339.
    pub received_at: String,
    /// When it was created, as claimed, in RFC 3339.
    pub created_at: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// A verdict that is no longer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PastVerdict {
    /// When it ended, in RFC 3339.
    pub until: String,
    /// What ended it: "added", "edited", "deleted", "posted again", "declared" or "withdrawn".
    pub cause: String,
    /// The document that this happened to.
    pub cause_id: Option<String>,
    /// The version it was said of.
    pub version: u32,
    /// The verdict.
    pub verdict: Option<String>,
    /// The original.
    pub original: Option<String>,
    /// The reason.
    pub reason: Option<String>,
    /// The resemblance with the original.
    pub resemblance: Option<f64>,
}

impl Reader {
    /// All that is known of the document with this id or url; none if there never was one.
    pub fn show(&self, id_or_url: &str) -> Result<Option<Shown>> {
        self.show_with(id_or_url, usize::MAX)
    }

    /// The same with at most so many of its copies.
    pub fn show_with(&self, id_or_url: &str, most_copies: usize) -> Result<Option<Shown>> {
        match find(&self.store, id_or_url)? {
            Some(document) => self.shown(&document, most_copies).map(Some),
            None => self.shown_deleted(id_or_url),
        }
    }

    /// The verdicts of all documents, in the order in which their ids arrived.
    pub fn verdicts(&self) -> Result<Vec<Verdict>> {
        let documents = self.store.documents_after(0, u32::MAX)?;
        let place = |number: u32| documents.binary_search_by_key(&number, |document| document.number).ok();
        let original = |document: &Document| document.judgement.original.and_then(place);
        let verdict = |document: &Document| {
            let appeal = standing_appeal(&self.store, document)?;
            let original = original(document).map(|place| &documents[place]);
            Ok(Verdict { appeal, ..Verdict::of(document, original) })
        };
        documents.iter().map(verdict).collect()
    }

    fn shown(&self, document: &Document, most_copies: usize) -> Result<Shown> {
        let store = &self.store;
        let original = match document.judgement.original {
            Some(number) => store.by_number(number)?,
            None => None,
        };
        let most_copies = u32::try_from(most_copies).unwrap_or(u32::MAX);
        let copies = store.copies_after(document.number, 0, most_copies)?;
        let mut versions: Vec<ShownVersion> =
            store.versions(document.number)?.into_iter().map(version).collect();
        versions.push(version(Version {
            version: document.version,
            content: document.content,
            received_at: document.received_at,
            created_at: document.created_at,
            title: document.title.clone(),
        }));
        Ok(Shown {
            verdict: Some(Verdict {
                appeal: standing_appeal(store, document)?,
                ..Verdict::of(document, original.as_ref())
            }),
            deleted_at: None,
            title: document.title.clone(),
            author: document.author.clone(),
            language: document.language.clone(),
            metadata: document.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok()),
            tokens: document.tokens,
            core_text: self.core_text(document)?,
            copy_count: store.count_copies(document.number)?,
            copies: copies.into_iter().map(|copy| copy.id).collect(),
            versions,
            sightings: self.sightings(document.number)?,
            history: self.history(&document.id)?,
            appeals: self.appeals(&document.id)?,
        })
    }

    fn shown_deleted(&self, id: &str) -> Result<Option<Shown>> {
        let Some(tombstone) = self.store.tombstone(id)? else { return Ok(None) };
        Ok(Some(Shown {
            verdict: None,
            deleted_at: Some(rfc3339(tombstone.deleted_at)),
            title: None,
            author: None,
            language: None,
            metadata: None,
            tokens: 0,
            core_text: None,
            copy_count: 0,
            copies: Vec::new(),
            versions: Vec::new(),
            sightings: None,
            history: self.history(id)?,
            appeals: self.appeals(id)?,
        }))
    }

    fn core_text(&self, document: &Document) -> Result<Option<String>> {
        Ok(core_of(&self.store, document.content, &document.id)?.into_text())
    }

    pub(crate) fn sightings(&self, number: u32) -> Result<Option<Sightings>> {
        let Some(seen) = self.store.sighting(number)? else { return Ok(None) };
        let absences = self.store.absences(number)?.into_iter();
        Ok(Some(Sightings {
            first_seen: rfc3339(seen.first),
            last_seen: rfc3339(seen.last),
            gone_at: seen.gone.map(rfc3339),
            absences: absences.map(|absence| (rfc3339(absence.gone), rfc3339(absence.back))).collect(),
        }))
    }

    pub(crate) fn history(&self, id: &str) -> Result<Vec<PastVerdict>> {
        Ok(self.store.history(id)?.into_iter().map(past).collect())
    }
}

/// The document with this id, else the one with this url.
pub(crate) fn find(store: &Store, name: &str) -> Result<Option<Document>> {
    if let Some(document) = store.by_id(name)? {
        return Ok(Some(document));
    }
    let mut documents = store.by_url(name)?;
    if documents.len() > 1 {
        let ids = documents.into_iter().map(|document| document.id).collect();
        return Err(EngineError::Ambiguous { url: name.to_owned(), ids });
    }
    Ok(documents.pop())
}

pub(crate) fn version(version: Version) -> ShownVersion {
    ShownVersion {
        version: version.version,
        received_at: rfc3339(version.received_at),
        created_at: version.created_at.map(rfc3339),
        title: version.title,
    }
}

pub(crate) fn past(entry: HistoryEntry) -> PastVerdict {
    PastVerdict {
        until: rfc3339(entry.at),
        cause: entry.cause,
        cause_id: entry.cause_id,
        version: entry.version,
        verdict: entry.verdict,
        original: entry.original,
        reason: entry.reason,
        resemblance: entry.resemblance,
    }
}
