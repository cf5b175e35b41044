//! What of a document fits a page? All that `show` tells, but of versions and history only the latest, and of copies their
//! number: a document with a hundred thousand copies is told of as quickly as one with ten.

use crate::appeals::{Appeal, standing_appeal};
use crate::content::core_of;
use crate::error::Result;
use crate::groups::{Member, member};
use crate::reader::Reader;
use crate::show::{PastVerdict, ShownVersion, Sightings, find, past, version};
use crate::verdict::{Verdict, rfc3339};
use firstcopy_store::{Document, Version};

/// A document in bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Its verdict.
    pub verdict: Verdict,
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
    /// The time it is judged by, in Unix seconds, or would be if no editor had declared anything.
    pub at: i64,
    /// The same in RFC 3339.
    pub judged_at: String,
    /// Its original, if it is not one itself.
    pub original: Option<Member>,
    /// How many copies it has.
    pub copies: u64,
    /// The latest versions, the present one last.
    pub versions: Vec<ShownVersion>,
    /// How many versions there are in all.
    pub version_count: u64,
    /// When sweeps saw it; none if none ever did.
    pub sightings: Option<Sightings>,
    /// The latest verdicts that are no longer, oldest first.
    pub history: Vec<PastVerdict>,
    /// What editors decided about it, oldest first.
    pub appeals: Vec<Appeal>,
}

/// A document that is no longer.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// When it was deleted, in RFC 3339.
    pub deleted_at: String,
    /// The latest verdicts it had, oldest first.
    pub history: Vec<PastVerdict>,
}

/// The text of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionText {
    /// The document.
    pub id: String,
    /// Its language, as declared.
    pub language: Option<String>,
    /// Which version.
    pub version: u32,
    /// Whether it is the present one.
    pub is_present: bool,
    /// The core text; none of ready-made features.
    pub text: Option<String>,
}

impl Reader {
    /// What is known of the document with this id or url, of versions and history at most so many. None if there is none.
    pub fn outline(&self, id_or_url: &str, most: u32) -> Result<Option<Outline>> {
        match find(&self.store, id_or_url)? {
            Some(document) => self.outlined(&document, most).map(Some),
            None => Ok(None),
        }
    }

    fn outlined(&self, document: &Document, most: u32) -> Result<Outline> {
        let store = &self.store;
        let original = match document.judgement.original {
            Some(number) => store.by_number(number)?,
            None => None,
        };
        let first = match document.judgement.original {
            Some(number) => store.listed(number)?.map(member),
            None => None,
        };
        let (mut versions, earlier) = store.latest_versions(document.number, most.saturating_sub(1))?;
        versions.push(present(document));
        let at = document.natural_judged_at.unwrap_or(document.place.judged_at);
        Ok(Outline {
            verdict: Verdict {
                appeal: standing_appeal(store, document)?,
                ..Verdict::of(document, original.as_ref())
            },
            title: document.title.clone(),
            author: document.author.clone(),
            language: document.language.clone(),
            metadata: document.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok()),
            tokens: document.tokens,
            at,
            judged_at: rfc3339(at),
            original: first,
            copies: store.count_copies(document.number)?,
            versions: versions.into_iter().map(version).collect(),
            version_count: earlier + 1,
            sightings: self.sightings(document.number)?,
            history: self.latest_history(&document.id, most)?,
            appeals: self.appeals(&document.id)?,
        })
    }

    /// What is left of a document that was deleted; none if none was.
    pub fn ended(&self, id: &str, most: u32) -> Result<Option<Ended>> {
        let Some(tombstone) = self.store.tombstone(id)? else { return Ok(None) };
        let history = self.latest_history(id, most)?;
        Ok(Some(Ended { deleted_at: rfc3339(tombstone.deleted_at), history }))
    }

    fn latest_history(&self, id: &str, most: u32) -> Result<Vec<PastVerdict>> {
        Ok(self.store.latest_history(id, most)?.into_iter().map(past).collect())
    }

    /// The text that a document has now, or had in one of its versions. None if there is no such document or version.
    pub fn version_text(&self, id_or_url: &str, version: Option<u32>) -> Result<Option<VersionText>> {
        let Some(document) = find(&self.store, id_or_url)? else { return Ok(None) };
        let version = version.unwrap_or(document.version);
        let is_present = version == document.version;
        let content = match is_present {
            true => Some(document.content),
            false => self.store.content_of_version(document.number, version)?,
        };
        let Some(content) = content else { return Ok(None) };
        let text = core_of(&self.store, content, &document.id)?.into_text();
        Ok(Some(VersionText { id: document.id, language: document.language, version, is_present, text }))
    }
}

fn present(document: &Document) -> Version {
    Version {
        version: document.version,
        content: document.content,
        received_at: document.received_at,
        created_at: document.created_at,
        title: document.title.clone(),
    }
}
