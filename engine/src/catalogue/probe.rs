//! Which stored contents share enough with a text? Sampled shingles nominate, the samples estimate, and the texts
//! themselves decide wherever a sample cannot.

use super::Catalogue;
use crate::content::{Core, core_of};
use crate::error::Result;
use firstcopy_index::Counted;
use firstcopy_store::{ContentOwner, Document};
use firstcopy_text::{Confidence, Estimate, LevelSketch, MAX_LEVEL, Overlap, SampledOverlap, ShingleSet};

/// A shingle in more contents than this is machine-made noise (broder-1997), as long as nobody asks for a text that is made of
/// such shingles.
pub(super) const COMMON: usize = 1000;
/// Holders of more common shingles that are looked up for a question, altogether: all shingles of a text of 120 words that
/// 35,000 contents have.
pub(super) const MOST_HOLDERS: usize = 1 << 22;

/// The part of a share that its sample has at least: shares of samples vary.
const ENOUGH_SAMPLED: f64 = 0.8;

/// Counts the values that are sampled at a level.
fn count_at_level(values: &[u64], level: u32) -> usize {
    values.iter().filter(|value| value.trailing_zeros() >= level).count()
}

/// A text that is looked for.
#[derive(Debug)]
pub(super) struct Probe {
    sketch: LevelSketch,
    sizes: Vec<usize>,
    sorted: Vec<u64>,
}

/// What is enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enough {
    pub(super) resemblance: f64,
    pub(super) containment: f64,
    /// Whether every value is counted from the texts.
    pub(super) exact: bool,
}

/// A stored content that shares enough with a probe: A is the probe, B the content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sharing {
    pub(super) content: u32,
    pub(super) document: u32,
    pub(super) resemblance: Estimate,
    pub(super) a_in_b: Estimate,
    pub(super) b_in_a: Estimate,
    /// Whether the values were counted from the texts.
    pub(super) exact: bool,
}

impl Sharing {
    /// The values as counted from the texts.
    pub(super) fn exactly(content: u32, document: u32, overlap: Overlap) -> Self {
        let exactly = |value: f64| Estimate { value, low: value, high: value };
        Sharing {
            content,
            document,
            resemblance: exactly(overlap.resemblance()),
            a_in_b: exactly(overlap.containment_a_in_b()),
            b_in_a: exactly(overlap.containment_b_in_a()),
            exact: true,
        }
    }
}

/// What was found, and what was not looked at.
#[derive(Debug)]
pub(super) struct Probed {
    pub(super) sharing: Vec<Sharing>,
    /// Sampled shingles that too many documents have.
    pub(super) ignored: usize,
    /// Sampled shingles in all.
    pub(super) sampled: usize,
}

impl Probe {
    pub(super) fn new(shingles: &ShingleSet) -> Self {
        let sketch = LevelSketch::new(shingles);
        Probe { sizes: sketch.sizes(), sorted: shingles.sorted(), sketch }
    }

    /// How many sampled shingles it has at a level.
    fn size_at(&self, level: u32) -> usize {
        at_level(&self.sizes, level).unwrap_or(0)
    }
}

/// Of sizes from some level up to the highest, the one at a level.
fn at_level<T: Copy>(sizes: &[T], level: u32) -> Option<T> {
    let from_the_end = MAX_LEVEL.checked_sub(level)? as usize;
    sizes.len().checked_sub(from_the_end + 1).and_then(|place| sizes.get(place)).copied()
}

impl Enough {
    /// Whether the ends of the intervals that `end` takes reach far enough.
    fn reached(self, overlap: SampledOverlap, end: fn(Estimate) -> f64) -> bool {
        let cautious = Confidence::Cautious;
        end(overlap.resemblance(cautious)) >= self.resemblance
            || end(overlap.containment_a_in_b(cautious)) >= self.containment
            || end(overlap.containment_b_in_a(cautious)) >= self.containment
    }

    fn reached_by(self, overlap: Overlap) -> bool {
        overlap.common > 0
            && (overlap.resemblance() >= self.resemblance
                || overlap.containment_a_in_b() >= self.containment
                || overlap.containment_b_in_a() >= self.containment)
    }
}

impl Catalogue {
    /// The probe of a stored content.
    pub(super) fn probe_of(&self, content: u32, id: &str) -> Result<Probe> {
        let core = core_of(self.store(), content, id)?;
        Ok(Probe::new(&core.shingles(&self.analyzer)))
    }

    /// All contents, present and earlier ones, that share enough with a probe.
    pub(super) fn probe(&self, probe: &Probe, enough: Enough) -> Result<Probed> {
        self.find_sharing(probe, enough, self.postings.counts(probe.sketch.values(), COMMON))
    }

    /// Finds all contents that share enough with a probe; common shingles are looked up, too, where the rare ones cannot find
    /// all contents that resemble the probe or hold it.
    pub(super) fn probe_thoroughly(&self, probe: &Probe, enough: Enough) -> Result<Probed> {
        let values = probe.sketch.values();
        // What shares enough has that part of the values, of all or, if it is a longer text, of those of a higher level.
        let needed = ENOUGH_SAMPLED * enough.resemblance.min(enough.containment).min(1.0);
        let are_missed = |ignored: &[u64]| {
            (0..=MAX_LEVEL).any(|level| {
                let ignored = count_at_level(ignored, level);
                ignored > 0 && ignored as f64 >= needed * count_at_level(values, level) as f64
            })
        };
        self.find_sharing(
            probe,
            enough,
            self.postings.counts_unless(values, COMMON, MOST_HOLDERS, are_missed),
        )
    }

    fn find_sharing(&self, probe: &Probe, enough: Enough, counted: Counted) -> Result<Probed> {
        let mut sharing = Vec::new();
        for (content, common) in counted.counts {
            // Forgotten since the postings got here.
            let Some(owner) = self.store().content_owner(content)? else { continue };
            sharing.extend(self.sharing(
                probe,
                content,
                &owner,
                (common as usize, counted.ignored),
                enough,
            )?);
        }
        Ok(Probed { sharing, ignored: counted.ignored, sampled: probe.sketch.values().len() })
    }

    fn sharing(
        &self,
        probe: &Probe,
        content: u32,
        owner: &ContentOwner,
        (common, ignored): (usize, usize),
        enough: Enough,
    ) -> Result<Option<Sharing>> {
        let other_level = MAX_LEVEL + 1 - owner.sketch_sizes.len().min(MAX_LEVEL as usize + 1) as u32;
        let level = probe.sketch.level().max(other_level);
        let size = at_level(&owner.sketch_sizes, level).unwrap_or(0) as usize;
        let overlap = |common| SampledOverlap::new(common, probe.size_at(level), size, level);
        // What was ignored may be in common too.
        if !enough.reached(overlap(common + ignored), |estimate| estimate.high) {
            return Ok(None);
        }
        if enough.exact || !enough.reached(overlap(common), |estimate| estimate.low) {
            return self.sharing_exactly(probe, content, owner.document, enough);
        }
        let (overlap, usual) = (overlap(common), Confidence::Usual);
        Ok(Some(Sharing {
            content,
            document: owner.document,
            resemblance: overlap.resemblance(usual),
            a_in_b: overlap.containment_a_in_b(usual),
            b_in_a: overlap.containment_b_in_a(usual),
            exact: level == 0,
        }))
    }

    /// The same, counted from the texts.
    pub(super) fn sharing_exactly(
        &self,
        probe: &Probe,
        content: u32,
        document: u32,
        enough: Enough,
    ) -> Result<Option<Sharing>> {
        let overlap = self.overlap(probe, content, document)?;
        Ok(enough.reached_by(overlap).then(|| Sharing::exactly(content, document, overlap)))
    }

    /// Counts the shingles that a probe and a stored content share, however few they are.
    pub(super) fn overlap(&self, probe: &Probe, content: u32, document: u32) -> Result<Overlap> {
        let core: Core = core_of(self.store(), content, &document.to_string())?;
        Ok(Overlap::of_sorted(&probe.sorted, &core.shingles(&self.analyzer).sorted()))
    }

    /// The documents whose present content shares enough, with what they share; not the one that is asked about.
    pub(super) fn present(&self, probed: &Probed, except: Option<u32>) -> Result<Vec<(Document, Sharing)>> {
        let mut present = Vec::new();
        for sharing in probed.sharing.iter().filter(|sharing| Some(sharing.document) != except) {
            let document = self.store().by_number(sharing.document)?;
            present.extend(
                document
                    .filter(|document| document.content == sharing.content)
                    .map(|document| (document, *sharing)),
            );
        }
        Ok(present)
    }
}
