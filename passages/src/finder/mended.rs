//! Sentences that were broken: put together again and looked up.

use super::{LOOKED_AROUND, NEAR_MISS, NEAR_MISSES, Search};
use crate::error::Result;
use crate::found::Found;
use crate::library::Library;
use crate::part::Segment;
use crate::search::DocumentKey;
use std::ops::Range;

impl<L: Library> Search<'_, '_, L> {
    /// Where nothing was found, sentences may have been broken: the same, put together again, may stand in a source.
    pub(super) fn look_across_breaks(&mut self, found: &mut Vec<Found>) -> Result<()> {
        let page = self.page.clone();
        let mut covered = vec![false; page.document.segments.len()];
        found.iter().for_each(|found| covered[page.segments_in(&found.page)].fill(true));
        for segments in page.mended() {
            if covered[segments.clone()].contains(&true) {
                continue;
            }
            let place = page.segments(&segments);
            let tokens = page.tokens(&segments);
            let (fingerprint, length) =
                self.finder.analyzer.segment_fingerprint(&page.document.tokens, tokens);
            for key_and_place in self.places_of(Segment::new(fingerprint, length), place.len()) {
                let passage = self.mended_passage(key_and_place, &place)?;
                if let Some(passage) = passage.filter(|found| self.is_passage(found)) {
                    covered[page.segments_in(&passage.page)].fill(true);
                    found.push(passage);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The first few places of a segment of so many bytes in the sources, if it is worth a look.
    fn places_of(&self, sought: Segment, bytes: usize) -> Vec<(DocumentKey, usize)> {
        let parts = self.finder.library.parts();
        let ranks: Vec<Range<usize>> = parts.iter().flat_map(|part| part.ranks_of(&[sought])).collect();
        let occurrences = ranks.iter().map(Range::len).sum();
        let least = self.finder.rule.min_segments as f64 * NEAR_MISS;
        if occurrences == 0 || self.finder.weights.of(bytes, occurrences) < least {
            return Vec::new();
        }
        let places = parts.iter().zip(ranks).enumerate().flat_map(|(number, (part, ranks))| {
            ranks.map(move |rank| {
                let place = part.suffix(rank);
                (DocumentKey { part: number, document: part.document(place) }, place)
            })
        });
        let mut places: Vec<_> =
            places.filter(|(key, _)| self.is_allowed(*key, 0)).take(LOOKED_AROUND).collect();
        places.sort_by_key(|(key, place)| {
            let owner = parts[key.part].owner(key.document);
            (self.finder.library.created_at(owner, *key), *key, *place)
        });
        places.truncate(NEAR_MISSES);
        places
    }

    /// A sentence that was put together, and what is around it.
    fn mended_passage(
        &mut self,
        (key, place): (DocumentKey, usize),
        page: &Range<usize>,
    ) -> Result<Option<Found>> {
        let Some(known) = self.source(key, place)? else { return Ok(None) };
        let Some(text) = known.text() else { return Ok(None) };
        let document = text.document;
        let segment = place - known.first_symbol;
        if segment >= document.digest.segments.len()
            || text.bytes[text.segment(segment)] != self.page.bytes[page.clone()]
        {
            return Ok(None);
        }
        Ok(Some(self.weighed(key, known.clone(), page.clone(), text.segment(segment), &text)))
    }
}
