//! Whom does a document hold that was just stored, whole, contained or in part? The other way round of `holders`: asked of the
//! holder, about originals before it.

use super::Catalogue;
use super::holders::HoldersQuestion;
use super::passage_holders::by_source;
use super::probe::{Enough, Probe, Sharing};
use crate::content::{Core, core_of};
use crate::error::Result;
use crate::passages::{Stored, Who};
use firstcopy_passages::{Finder, Passage, Rule};
use firstcopy_store::Document;
use serde::Serialize;

/// Whatever is shared, however little.
const ANYTHING: Enough = Enough { resemblance: 0.0, containment: 0.0, exact: true };

/// An original that a later document holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Held {
    /// The original.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// "whole" (both texts resemble), "contained" (almost all of it stands in the holder) or "partial".
    pub holds: &'static str,
    /// How much of it stands in the holder.
    pub containment: f64,
    /// How much both resemble.
    pub resemblance: f64,
    /// The passages of it that stand in the holder, if it was found by these: from and to, in characters of its core text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<(usize, usize)>,
}

impl Catalogue {
    /// The originals that a content of a document holds, the one it holds most of first, at most so many. What its version
    /// before this one held already is left out: it is no news. Nothing if the document has another content by now.
    pub fn newly_held(&self, id: &str, content: u32, most: usize) -> Result<Vec<Held>> {
        let Some(document) = self.store().by_id(id)?.filter(|document| document.content == content) else {
            return Ok(Vec::new());
        };
        let whole = self.reader.settings()?.min_resemblance;
        let probe = self.probe_of(document.content, &document.id)?;
        let before = self.probe_before(&document)?;
        let mut held = Vec::new();
        for (original, sharing) in self.originals_in(&document, &probe, whole)? {
            if held.len() < most && !self.was_held(before.as_ref(), &original, whole)? {
                held.push(said_of(&original, &sharing, whole));
            }
        }
        let room = most.saturating_sub(held.len());
        let partly = self.passages_in(&document, &probe, before.as_ref(), &held, room)?;
        held.extend(partly);
        Ok(held)
    }

    /// The probe of the version that a document had before this one.
    fn probe_before(&self, document: &Document) -> Result<Option<Probe>> {
        let Some(version) = self.store().versions(document.number)?.pop() else { return Ok(None) };
        self.probe_of(version.content, &document.id).map(Some)
    }

    /// Originals before a document that it holds whole, or almost; the one of which it has most first.
    fn originals_in(
        &self,
        document: &Document,
        probe: &Probe,
        whole: f64,
    ) -> Result<Vec<(Document, Sharing)>> {
        let mut found = self.present(&self.probe(probe, enough(whole))?, Some(document.number))?;
        // A text that more than a thousand others copied has common shingles only; its verdict knows whose they are.
        if let Some(number) = document.judgement.original
            && !found.iter().any(|(known, _)| known.number == number)
            && let Some(original) = self.store().by_number(number)?
        {
            let sharing = self.sharing_exactly(probe, original.content, number, ANYTHING)?;
            found.extend(sharing.map(|sharing| (original, sharing)));
        }
        found.retain(|(other, sharing)| is_before(other, document) && is_held(sharing, whole));
        found.sort_by(|(a, x), (b, y)| y.b_in_a.value.total_cmp(&x.b_in_a.value).then(a.place.cmp(&b.place)));
        Ok(found)
    }

    /// Originals before a document of which it has passages only.
    fn passages_in(
        &self,
        document: &Document,
        probe: &Probe,
        before: Option<&Probe>,
        known: &[Held],
        most: usize,
    ) -> Result<Vec<Held>> {
        let Core::Text(core) = core_of(self.store(), document.content, &document.id)? else {
            return Ok(Vec::new());
        };
        let page = firstcopy_text::Document { id: document.id.clone(), core, ..Default::default() };
        let originals = Stored::new(&self.digests, self.store(), Who::OriginalsBefore(document.content));
        // Of several who have a passage only the first is named: the others have it from there.
        let finder = Finder::new(&originals, &self.analyzer, Rule::default());
        let copies = finder.copies(&self.analyzer.digested(page))?;
        let mut held = Vec::new();
        for (id, passages) in by_source(&copies) {
            let original = self.store().by_id(id)?.filter(|original| is_before(original, document));
            let Some(original) = original.filter(|_| !known.iter().any(|known| known.id == id)) else {
                continue;
            };
            if held.len() == most || self.shares(before, &original)? {
                continue;
            }
            let sharing = self.sharing_exactly(probe, original.content, original.number, ANYTHING)?;
            held.push(Held {
                id: original.id,
                url: original.url,
                author: original.author,
                holds: "partial",
                containment: sharing.map_or(0.0, |sharing| sharing.b_in_a.value),
                resemblance: sharing.map_or(0.0, |sharing| sharing.resemblance.value),
                passages: places(&passages),
            });
        }
        Ok(held)
    }

    fn was_held(&self, before: Option<&Probe>, original: &Document, whole: f64) -> Result<bool> {
        let Some(before) = before else { return Ok(false) };
        let sharing = self.sharing_exactly(before, original.content, original.number, enough(whole))?;
        Ok(sharing.is_some_and(|sharing| is_held(&sharing, whole)))
    }

    fn shares(&self, before: Option<&Probe>, original: &Document) -> Result<bool> {
        let Some(before) = before else { return Ok(false) };
        Ok(self.sharing_exactly(before, original.content, original.number, ANYTHING)?.is_some())
    }
}

/// What is looked for by shingles: all of an original, or almost. Less is found by passages, which tell who was first with them.
/// Where a sample is sure, it is believed: every document that is stored is asked about.
fn enough(whole: f64) -> Enough {
    Enough { resemblance: whole, containment: HoldersQuestion::default().min_containment, exact: false }
}

fn is_held(sharing: &Sharing, whole: f64) -> bool {
    sharing.b_in_a.value >= HoldersQuestion::default().min_containment || sharing.resemblance.value >= whole
}

fn is_before(other: &Document, document: &Document) -> bool {
    other.judgement.original.is_none() && other.place < document.place
}

fn said_of(original: &Document, sharing: &Sharing, whole: f64) -> Held {
    Held {
        id: original.id.clone(),
        url: original.url.clone(),
        author: original.author.clone(),
        holds: if sharing.resemblance.value >= whole { "whole" } else { "contained" },
        containment: sharing.b_in_a.value,
        resemblance: sharing.resemblance.value,
        passages: Vec::new(),
    }
}

fn places(passages: &[&Passage]) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> =
        passages.iter().filter_map(|passage| Some((passage.source_start?, passage.source_end?))).collect();
    places.sort_unstable();
    places
}
