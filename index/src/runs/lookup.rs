//! What do runs say about many places at once? In passes over all places and runs, so that their cache misses overlap.

use super::entry::{Place, Word, low_of, word_of};
use super::header::ENTRY_BYTES;
use super::run::{Run, bucket_of, entries_at};
use std::ops::Range;
use std::sync::Arc;

/// Runs that are looked at together: as many as there usually are (`writing.rs`).
const RUNS_AT_ONCE: usize = 2;
/// Entries that are compared without asking how many a bucket has. Half a cache line: a whole one would be two as a rule,
/// and takes a fifth more time (`firstcopy-bench indexes`).
const SIEVED: usize = 4;
/// Places that are looked up at a time: enough for their cache misses to overlap, few enough for registers and stack.
const PLACES_AT_ONCE: usize = 16;

/// What the first entries of as many buckets say.
#[derive(Default, Clone, Copy)]
struct Sieved {
    /// The buckets that may hold their places, a bit each.
    hopeful: u32,
    /// Of every bucket the entries that match, a bit each; from `LONG` on it must be read as a whole.
    matches: [u8; PLACES_AT_ONCE],
}

/// The bucket has more entries than were compared.
const LONG: u8 = 1 << SIEVED;

/// Where the entries of as many places are.
type Buckets = [Range<usize>; PLACES_AT_ONCE];

/// Tells what runs, given from the newest to the oldest, say about the places: first all directories are looked at, then
/// the entries.
pub(super) fn tell(runs: &[Arc<Run>], places: &[Place], mut hear: impl FnMut(Place, Word)) {
    for runs in runs.chunks(RUNS_AT_ONCE) {
        for places in places.chunks(PLACES_AT_ONCE) {
            let mut buckets = [const { [const { 0..0 }; PLACES_AT_ONCE] }; RUNS_AT_ONCE];
            let mut sieved = [Sieved::default(); RUNS_AT_ONCE];
            for (run, buckets) in runs.iter().zip(&mut buckets) {
                run.locate(places, buckets);
            }
            for ((run, buckets), sieved) in runs.iter().zip(&buckets).zip(&mut sieved) {
                *sieved = run.sieve(places, buckets);
            }
            for ((run, buckets), sieved) in runs.iter().zip(&buckets).zip(sieved) {
                run.read(places, buckets, sieved, &mut hear);
            }
        }
    }
}

impl Run {
    /// Where the buckets of some places are.
    fn locate(&self, places: &[Place], buckets: &mut Buckets) {
        let (directory, bits) = (self.directory(), self.bucket_bits());
        for (bucket, &place) in buckets.iter_mut().zip(places) {
            *bucket = bucket_of(directory, place.bucket(bits));
        }
    }

    /// What the first entries of the buckets say. All loads are independent and nothing branches on them, so that the
    /// processor waits for all of them at once.
    fn sieve(&self, places: &[Place], buckets: &Buckets) -> Sieved {
        let entries = self.entries();
        let mut sieved = Sieved::default();
        for (lane, (bucket, place)) in buckets.iter().zip(places).enumerate() {
            let matches = matches(entries, bucket, *place);
            sieved.matches[lane] = matches;
            sieved.hopeful |= u32::from(matches != 0) << lane;
        }
        sieved
    }

    /// Tells what the hopeful buckets say about their places.
    fn read(
        &self,
        places: &[Place],
        buckets: &Buckets,
        mut sieved: Sieved,
        hear: &mut impl FnMut(Place, Word),
    ) {
        while sieved.hopeful != 0 {
            let lane = sieved.hopeful.trailing_zeros() as usize;
            sieved.hopeful &= sieved.hopeful - 1;
            let mut bucket = buckets[lane].clone();
            if sieved.matches[lane] < LONG {
                // The last match is behind all entries that matter, the first is the first of them.
                bucket.end = bucket.end.min(bucket.start + sieved.matches[lane].ilog2() as usize + 1);
                bucket.start += sieved.matches[lane].trailing_zeros() as usize;
            }
            let place = places[lane];
            // The directory was checked when the run was opened, so every bucket is inside; an empty one is harmless.
            let bucket = self.entries().get(bucket).unwrap_or_default();
            entries_at(place, bucket).for_each(|packed| hear(place, word_of(packed)));
        }
    }
}

/// Which of the first entries of a bucket match a place. Always compares as many, whether they belong to the bucket or
/// not: what follows has other places, as a rule, and is not read afterwards.
fn matches(entries: &[[u8; ENTRY_BYTES]], bucket: &Range<usize>, place: Place) -> u8 {
    let Some(few) = entries.get(bucket.start..).and_then(|rest| rest.first_chunk::<SIEVED>()) else {
        return LONG;
    };
    let low = place.low();
    let mut matches = u8::from(bucket.len() > SIEVED) << SIEVED;
    for (i, packed) in few.iter().enumerate() {
        matches |= u8::from(low_of(u64::from_le_bytes(*packed)) == low) << i;
    }
    matches
}
