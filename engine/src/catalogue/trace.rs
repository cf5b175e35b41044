//! Lost and found: where does the page of a url live now? (broder-1997)
//!
//! A page that sweeps no longer see has moved to the page that appeared after it was last seen and resembles it most,
//! provided that of all pages that went before the new one came, it is the one that the new one resembles most. What stood
//! beside the page while it was there is a copy, not the page at another place. A page that moved may have moved again.

use super::Catalogue;
use super::probe::Enough;
use crate::error::Result;
use crate::following::site;
use crate::verdict::rfc3339;
use firstcopy_store::{Document, Sighting};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Where a page went.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Trace {
    /// The url that was asked for.
    pub url: String,
    /// "here" (the latest sweep saw it), "moved", "gone" (and seen nowhere else), or "unswept": no sweep ever saw it, so
    /// that only dates tell.
    pub status: &'static str,
    /// Where it lives now.
    pub now: Option<String>,
    /// Its path through time, from the url that was asked for.
    pub path: Vec<TraceStep>,
    /// Copies that stand elsewhere now, and did not come from there.
    pub copies: Vec<String>,
}

/// A place where the page lived.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TraceStep {
    /// The document.
    pub id: String,
    /// The place.
    pub url: String,
    /// When it was first seen there: a sweep, or when it was created or received.
    pub first_seen: String,
    /// When it was last seen there.
    pub last_seen: String,
    /// Since when it is gone from there.
    pub gone_at: Option<String>,
    /// How much the text found here resembles that of the step before.
    pub resemblance: Option<f64>,
}

/// A page that moved: a line of a redirect map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
    /// When it was last seen there.
    pub last_seen: String,
    /// When it was first seen here.
    pub first_seen: String,
    /// The least resemblance on its way.
    pub resemblance: f64,
}

/// The least resemblance of a page before and after it moved. A few words changed in every sentence leave little
/// resemblance in ten-word shingles: of 10 % replaced, 0.2.
const ENOUGH: Enough = Enough { resemblance: 0.05, containment: f64::INFINITY, exact: true };
/// The same for a page that went to another site: among all pages of the web some resemble it a little by chance.
const ENOUGH_ELSEWHERE: f64 = 0.12;
/// Steps of resemblance that are told apart: what lies between is chance, and time and place say more.
const STEPS: f64 = 50.0;
/// What it is worth to stay on the same site: pages move within a site more often than strangers copy them that month,
/// and may be edited on the way (`firstcopy-bench accuracy --what trace`).
const AT_HOME: f64 = 0.3;
/// Places that a page is followed through.
const MOST_STEPS: usize = 100;

/// A document that may be where another one went, or where it came from.
#[derive(Debug)]
struct Relative {
    document: Document,
    seen: Sighting,
    resemblance: f64,
}

impl Catalogue {
    /// Where the page of a url lives now; none if no document has this url.
    pub fn trace(&self, url: &str) -> Result<Option<Trace>> {
        let mut documents = self.store().by_url(url)?;
        if documents.is_empty() {
            documents.extend(self.store().by_id(url)?);
        }
        // The latest page under this url: the others are its predecessors there.
        let Some(document) = documents.into_iter().max_by_key(|document| document.place) else {
            return Ok(None);
        };
        let Some(seen) = self.store().sighting(document.number)? else {
            return self.trace_by_dates(url, &document).map(Some);
        };
        let (steps, relatives) = self.path(&document, seen)?;
        let last_seen = relatives.last().map_or(seen, |last| last.seen);
        let is_here = last_seen.gone.is_none();
        let status = match (is_here, relatives.is_empty()) {
            (true, true) => "here",
            (true, false) => "moved",
            (false, _) => "gone",
        };
        let now = steps.last().filter(|_| is_here).map(|step| step.url.clone());
        let copies = if is_here { Vec::new() } else { self.copies_elsewhere(&document)? };
        Ok(Some(Trace { url: url.to_owned(), status, now, path: steps, copies }))
    }

    /// Every page that moved and lives somewhere now. `progress` is told how many pages were looked at.
    pub fn all_moved(&self, mut progress: impl FnMut(usize)) -> Result<Vec<Moved>> {
        let mut moved = Vec::new();
        for (done, seen) in self.store().gone()?.into_iter().enumerate() {
            if let Some(document) = self.store().by_number(seen.number)? {
                moved.extend(self.moved(&document, seen)?);
            }
            progress(done + 1);
        }
        Ok(moved)
    }

    pub(super) fn moved(&self, document: &Document, seen: Sighting) -> Result<Option<Moved>> {
        let (steps, relatives) = self.path(document, seen)?;
        let (Some(first), Some(last), Some(relative)) = (steps.first(), steps.last(), relatives.last())
        else {
            return Ok(None);
        };
        Ok(relative.seen.gone.is_none().then(|| Moved {
            from: first.url.clone(),
            to: last.url.clone(),
            last_seen: first.last_seen.clone(),
            first_seen: last.first_seen.clone(),
            resemblance: relatives.iter().map(|relative| relative.resemblance).fold(1.0, f64::min),
        }))
    }

    /// The places of a page, and the documents after the first.
    fn path(&self, document: &Document, seen: Sighting) -> Result<(Vec<TraceStep>, Vec<Relative>)> {
        let mut steps = vec![step(document, seen, None)];
        let mut relatives: Vec<Relative> = Vec::new();
        let (mut at, mut seen_at) = (document.clone(), seen);
        while seen_at.gone.is_some()
            && steps.len() < MOST_STEPS
            && let Some(next) = self.successor(&at, seen_at)?
        {
            steps.push(step(&next.document, next.seen, Some(next.resemblance)));
            (at, seen_at) = (next.document.clone(), next.seen);
            relatives.push(next);
        }
        Ok((steps, relatives))
    }

    /// Where a page that is gone went.
    fn successor(&self, document: &Document, seen: Sighting) -> Result<Option<Relative>> {
        let came_after = |other: &Sighting| (other.first > seen.last).then(|| other.first - seen.last);
        for next in self.relatives(document, document.content, came_after)? {
            let first_content = self.store().contents_of(next.document.number)?.first().copied();
            let content = first_content.unwrap_or(next.document.content);
            let went_before = |other: &Sighting| {
                let is_before = other.gone.is_some() && other.last < next.seen.first;
                is_before.then(|| next.seen.first - other.last)
            };
            let best = self.relatives(&next.document, content, went_before)?.into_iter().next();
            if best.is_none_or(|best| best.document.number == document.number) {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Swept documents with a url that resemble a content of this one in any version: the most similar first, of these
    /// the nearest in time, of these the least strange. `distance` is none for those that cannot be.
    fn relatives(
        &self,
        document: &Document,
        content: u32,
        distance: impl Fn(&Sighting) -> Option<i64>,
    ) -> Result<Vec<Relative>> {
        let probed = self.probe(&self.probe_of(content, &document.id)?, ENOUGH)?;
        let mut best: BTreeMap<u32, f64> = BTreeMap::new();
        for sharing in probed.sharing.iter().filter(|sharing| sharing.document != document.number) {
            let nearest = best.entry(sharing.document).or_default();
            *nearest = nearest.max(sharing.resemblance.value);
        }
        let mut relatives = Vec::new();
        for (number, resemblance) in best {
            let Some(seen) = self.store().sighting(number)? else { continue };
            let Some(distance) = distance(&seen) else { continue };
            let other = self.store().by_number(number)?.filter(|other| other.url.is_some());
            let Some(other) = other else { continue };
            let is_home = is_neighbour(document, &other);
            if resemblance < if is_home { ENOUGH.resemblance } else { ENOUGH_ELSEWHERE } {
                continue;
            }
            let nearness = resemblance + if is_home { AT_HOME } else { 0.0 };
            let nearness = Reverse((nearness * STEPS).round() as u32);
            let rank = (nearness, distance, strangeness(document, &other), number);
            relatives.push((rank, Relative { document: other, seen, resemblance }));
        }
        relatives.sort_by_key(|(rank, _)| *rank);
        Ok(relatives.into_iter().map(|(_, relative)| relative).collect())
    }

    /// Present copies of a page that is gone: those that its verdict knows.
    fn copies_elsewhere(&self, document: &Document) -> Result<Vec<String>> {
        let mut urls = Vec::new();
        for member in self.group(document)? {
            let is_gone = self.store().sighting(member.number)?.is_some_and(|seen| seen.gone.is_some());
            urls.extend(member.url.filter(|_| !is_gone));
        }
        Ok(urls)
    }

    /// Without sweeps nobody knows what is gone: the newest url of those that resemble it is the best guess.
    fn trace_by_dates(&self, url: &str, document: &Document) -> Result<Trace> {
        let probe = self.probe_of(document.content, &document.id)?;
        let enough = Enough { resemblance: 0.5, containment: f64::INFINITY, exact: true };
        let mut found = self.present(&self.probe(&probe, enough)?, Some(document.number))?;
        found.retain(|(other, _)| other.place > document.place && other.url.is_some());
        found.sort_by_key(|(other, _)| other.place);
        let dated = |document: &Document| Sighting {
            number: document.number,
            first: document.place.judged_at,
            last: document.received_at,
            gone: None,
        };
        let mut path = vec![step(document, dated(document), None)];
        path.extend(
            found.iter().map(|(other, sharing)| step(other, dated(other), Some(sharing.resemblance.value))),
        );
        let now = path.last().map(|step| step.url.clone());
        Ok(Trace { url: url.to_owned(), status: "unswept", now, path, copies: Vec::new() })
    }
}

/// Whether two documents are of the same site.
fn is_neighbour(a: &Document, b: &Document) -> bool {
    let site = |document: &Document| document.url.as_deref().map(|url| site(url).to_owned());
    site(a).is_some_and(|of_a| site(b) == Some(of_a))
}

/// Of two equally similar pages the less strange one is the better guess: the same title, author.
fn strangeness(a: &Document, b: &Document) -> usize {
    usize::from(a.title != b.title) + usize::from(a.author != b.author)
}

fn step(document: &Document, seen: Sighting, resemblance: Option<f64>) -> TraceStep {
    TraceStep {
        id: document.id.clone(),
        url: document.url.clone().unwrap_or_else(|| document.id.clone()),
        first_seen: rfc3339(seen.first),
        last_seen: rfc3339(seen.last),
        gone_at: seen.gone.map(rfc3339),
        resemblance,
    }
}
