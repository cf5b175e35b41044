//! Who holds a passage of this document, however little of it that is?

use super::Catalogue;
use super::holders::{Holder, HoldersQuestion};
use super::probe::{Enough, Probe};
use crate::content::{Core, core_of};
use crate::error::Result;
use crate::following::site;
use crate::passages::{Stored, Who};
use crate::verdict::rfc3339;
use firstcopy_passages::{Copies, Finder, Kind, Library, Passage, Rule, SourceDatabase};
use firstcopy_store::Document;
use firstcopy_text::Analyzer;
use std::collections::{BTreeMap, HashSet};

/// Every holder counts, not only the best.
const EVERYBODY: Rule = Rule { min_segments: 3, min_segment_chars: 5, weigh: true, all_sources: true };

impl Catalogue {
    /// Who of a source database holds passages of a stored document, in the order of their dates; none if there is no
    /// such document.
    pub fn holders_in(
        &self,
        sources: &SourceDatabase,
        id_or_url: &str,
        question: &HoldersQuestion,
    ) -> Result<Option<Vec<Holder>>> {
        let Some(document) = self.named(id_or_url)? else { return Ok(None) };
        let copies = self.copies_of(&document, sources, &sources.settings().analyzer())?;
        let mut holders: Vec<(Option<i64>, Holder)> = by_source(&copies)
            .into_values()
            .map(|passages| (passages[0].source_created_at, holder_in_sources(&passages, &copies)))
            .filter(|(created_at, holder)| {
                // Nobody received it: what is new is what was created since.
                let is_asked =
                    question.since.is_none_or(|since| created_at.is_some_and(|created| created >= since));
                is_asked && holder.containment >= question.min_passage_share
            })
            .collect();
        holders.sort_by(|(a, first), (b, second)| {
            (a.is_none(), a, &first.id).cmp(&(b.is_none(), b, &second.id))
        });
        Ok(Some(holders.into_iter().map(|(_, holder)| holder).collect()))
    }

    /// Stored documents that hold passages of another, besides those that are known to hold more of it.
    pub(super) fn stored_passage_holders(
        &self,
        document: &Document,
        probe: &Probe,
        known: &HashSet<u32>,
        question: &HoldersQuestion,
    ) -> Result<Vec<(Document, Holder)>> {
        let stored = Stored::new(&self.digests, self.store(), Who::Anybody);
        let copies = self.copies_of(document, &stored, &self.analyzer)?;
        let mut holders = Vec::new();
        for (id, passages) in by_source(&copies) {
            let Some(holder) = self.store().by_id(id)?.filter(|holder| !known.contains(&holder.number))
            else {
                continue;
            };
            let share = share_of(&passages, &copies);
            let is_asked = question.since.is_none_or(|since| holder.received_at >= since);
            if !is_asked || share < question.min_passage_share {
                continue;
            }
            let anything = Enough { resemblance: 0.0, containment: 0.0, exact: true };
            let sharing = self.sharing_exactly(probe, holder.content, holder.number, anything)?;
            let resemblance = sharing.map_or(0.0, |sharing| sharing.resemblance.value);
            let said = self.said_of(&holder)?;
            holders.push((
                holder,
                Holder {
                    holds: "partial",
                    containment: share,
                    resemblance,
                    passages: places(&passages),
                    ..said
                },
            ));
        }
        Ok(holders)
    }

    fn copies_of<L: Library>(&self, document: &Document, library: &L, analyzer: &Analyzer) -> Result<Copies> {
        let Core::Text(core) = core_of(self.store(), document.content, &document.id)? else {
            return Ok(Copies::default());
        };
        let page = analyzer.digested(firstcopy_text::Document {
            id: document.id.clone(),
            core,
            ..Default::default()
        });
        Ok(Finder::new(library, analyzer, EVERYBODY).copies(&page)?)
    }
}

pub(super) fn by_source(copies: &Copies) -> BTreeMap<&str, Vec<&Passage>> {
    let mut sources: BTreeMap<&str, Vec<&Passage>> = BTreeMap::new();
    for passage in &copies.passages {
        sources.entry(&passage.source).or_default().push(passage);
    }
    sources
}

fn places(passages: &[&Passage]) -> Vec<(usize, usize)> {
    passages.iter().map(|passage| (passage.start, passage.end)).collect()
}

/// What share of the document's letters these passages have.
fn share_of(passages: &[&Passage], copies: &Copies) -> f64 {
    copies.share_of(passages.iter().copied())
}

fn holder_in_sources(passages: &[&Passage], copies: &Copies) -> Holder {
    let first = passages[0];
    let kind = passages.iter().map(|passage| passage.kind).max();
    Holder {
        id: first.source.clone(),
        url: first.source_url.clone(),
        author: None,
        site: first.source_url.as_deref().map(|url| site(url).to_owned()),
        created_at: first.source_created_at.map(rfc3339),
        received_at: None,
        gone_at: None,
        verdict: "source",
        holds: match kind {
            Some(Kind::Whole) => "whole",
            _ if share_of(passages, copies) >= HoldersQuestion::default().min_containment => "contained",
            _ => "partial",
        },
        containment: share_of(passages, copies),
        resemblance: 0.0,
        passages: places(passages),
    }
}
