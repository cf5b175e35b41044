//! Who holds a copy of this document, whole, contained or in part?

use super::Catalogue;
use super::probe::{Enough, Sharing};
use crate::error::Result;
use crate::following::site;
use crate::verdict::{rfc3339, verdict_name};
use firstcopy_store::Document;
use serde::Serialize;
use std::collections::HashSet;

/// Which holders are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HoldersQuestion {
    /// How much of the document a holder has at least.
    pub min_share: f64,
    /// How much of it those have at least that hold only passages.
    pub min_passage_share: f64,
    /// From which share on it is called contained.
    pub min_containment: f64,
    /// Only what was received from then on, in Unix seconds.
    pub since: Option<i64>,
}

impl Default for HoldersQuestion {
    fn default() -> Self {
        HoldersQuestion { min_share: 0.1, min_passage_share: 0.0, min_containment: 0.9, since: None }
    }
}

/// The holders of a document, and how many of its shingles were not looked up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HoldersAnswer {
    /// In the order of their dates.
    pub holders: Vec<Holder>,
    /// Sampled shingles of the document that were not looked up, because very many documents have them: more may hold it.
    pub ignored_shingles: usize,
    /// Sampled shingles of the document.
    pub sampled_shingles: usize,
}

/// Somebody who holds a copy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Holder {
    /// The holder's document.
    pub id: String,
    /// Where it is.
    pub url: Option<String>,
    /// Who published it.
    pub author: Option<String>,
    /// The host of its url.
    pub site: Option<String>,
    /// When it was created, as claimed.
    pub created_at: Option<String>,
    /// When it was received; none for one of a source database.
    pub received_at: Option<String>,
    /// Since when sweeps miss it; none if they do not.
    pub gone_at: Option<String>,
    /// "original", "duplicate", or "source" for one of a source database.
    pub verdict: &'static str,
    /// "whole" (both texts resemble), "contained" (almost all of the document stands in it) or "partial".
    pub holds: &'static str,
    /// How much of the document stands in it.
    pub containment: f64,
    /// How much both resemble; not known of one of a source database.
    pub resemblance: f64,
    /// The passages of the document that stand in it, if it was found by these: from and to, in characters of the
    /// document's core text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<(usize, usize)>,
}

impl Catalogue {
    /// Who holds a copy of a stored document, in the order of their dates; none if there is no such document.
    pub fn holders(&self, id_or_url: &str, question: &HoldersQuestion) -> Result<Option<HoldersAnswer>> {
        let Some(document) = self.named(id_or_url)? else { return Ok(None) };
        let whole = self.reader.settings()?.min_resemblance;
        let probe = self.probe_of(document.content, &document.id)?;
        let enough = Enough { resemblance: whole, containment: question.min_share, exact: true };
        let probed = self.probe_thoroughly(&probe, enough)?;
        let mut holders = self.present(&probed, Some(document.number))?;
        let found: HashSet<u32> = holders.iter().map(|(holder, _)| holder.number).collect();
        for member in self.group(&document)? {
            if !found.contains(&member.number) {
                let anything = Enough { resemblance: 0.0, containment: 0.0, exact: true };
                let sharing = self.sharing_exactly(&probe, member.content, member.number, anything)?;
                holders.extend(sharing.map(|sharing| (member, sharing)));
            }
        }
        holders.retain(|(holder, sharing)| {
            let is_enough = sharing.a_in_b.value >= question.min_share || sharing.resemblance.value >= whole;
            is_enough && question.since.is_none_or(|since| holder.received_at >= since)
        });
        let known: HashSet<u32> =
            [document.number].into_iter().chain(holders.iter().map(|(holder, _)| holder.number)).collect();
        let mut said = self.stored_passage_holders(&document, &probe, &known, question)?;
        for (holder, sharing) in holders {
            let more = self.holder(&holder, &sharing, whole, question)?;
            said.push((holder, more));
        }
        said.sort_by_key(|(holder, _)| holder.place);
        Ok(Some(HoldersAnswer {
            holders: said.into_iter().map(|(_, holder)| holder).collect(),
            ignored_shingles: probed.ignored,
            sampled_shingles: probed.sampled,
        }))
    }

    pub(super) fn holder(
        &self,
        holder: &Document,
        sharing: &Sharing,
        whole: f64,
        question: &HoldersQuestion,
    ) -> Result<Holder> {
        Ok(Holder {
            holds: match () {
                () if sharing.resemblance.value >= whole => "whole",
                () if sharing.a_in_b.value >= question.min_containment => "contained",
                () => "partial",
            },
            containment: sharing.a_in_b.value,
            resemblance: sharing.resemblance.value,
            ..self.said_of(holder)?
        })
    }

    /// What is said of a holder, whatever it holds.
    pub(super) fn said_of(&self, holder: &Document) -> Result<Holder> {
        let sighting = self.store().sighting(holder.number)?;
        Ok(Holder {
            id: holder.id.clone(),
            url: holder.url.clone(),
            author: holder.author.clone(),
            site: holder.url.as_deref().map(|url| site(url).to_owned()),
            created_at: holder.created_at.map(rfc3339),
            received_at: Some(rfc3339(holder.received_at)),
            gone_at: sighting.and_then(|sighting| sighting.gone).map(rfc3339),
            verdict: verdict_name(holder.judgement.original),
            holds: "partial",
            containment: 0.0,
            resemblance: 0.0,
            passages: Vec::new(),
        })
    }
}
