//! Which documents hold these values, and how many of them each? Every value of a document is a place among runs.
//!
//! Values are the sampled shingles of a sketch, but that is not known here: any set of numbers will do.

mod listing;
#[cfg(test)]
mod measured;
#[cfg(test)]
mod tests;

use crate::IndexError;
use crate::runs::{Entry, Limits, Place, Purpose, Runs, spread};
use std::path::Path;

/// A million operations take 24 MB and their slots: some 10,000 documents of 100 values. With 4 parts a hundred million
/// entries lie in three runs at most, and were each written seven times; with 32 in two, written 23 times
/// (`docs/indexes.md`).
const LIMITS: Limits = Limits { operations: 1 << 20, merge_part: 4 };

/// An index from values to the numbers of the documents that hold them. It follows the outbox of the store as a
/// [`DuplicateIndex`](crate::DuplicateIndex) does, under the same contract: a lookup sees what was inserted and removed
/// before it, committed or not; after a crash it stands at a committed position; applying a change twice does no harm.
/// One process writes to a folder, any number of others may read beside it.
///
/// ```
/// use firstcopy_index::Postings;
///
/// let folder = tempfile::tempdir()?;
/// let mut postings = Postings::open(folder.path())?;
/// postings.insert(7, &[10, 20, 30]);
/// postings.insert(8, &[20, 30, 40]);
/// assert_eq!(postings.counts(&[10, 20, 99], 1000).counts, [(7, 2), (8, 1)]);
/// // What more than one document holds is left out:
/// let rare = postings.counts(&[10, 20, 99], 1);
/// assert_eq!((rare.counts, rare.ignored), (vec![(7, 1)], 1));
/// postings.commit(1)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Postings {
    runs: Runs,
}

/// Who holds values that were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// The documents that hold some of the values, ascending, each with how many.
    pub counts: Vec<(u32, u32)>,
    /// Values that too many documents hold: counted for none.
    pub ignored: usize,
}

/// What postings weigh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PostingsStatistics {
    /// Values of all documents, counted where they lie.
    pub entries: u64,
    /// Bytes on disk.
    pub bytes: u64,
}

impl Postings {
    /// Opens the postings of a folder, or makes empty ones there. What cannot be read is an error: whoever owns the store
    /// decides to delete the folder and rebuild.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        Self::open_within(folder, LIMITS)
    }

    fn open_within(folder: &Path, limits: Limits) -> Result<Self, IndexError> {
        Ok(Postings { runs: Runs::open(folder, Purpose::Postings, limits)? })
    }

    /// Opens the postings of a folder as they lie on the disk at this moment, while another process may be writing
    /// there. Changes can be applied and are seen by lookups, but stay in memory: nothing is ever written, and
    /// [`Self::flush`] does nothing. A folder without postings [is missing](IndexError::is_missing).
    pub fn open_to_read(folder: &Path) -> Result<Self, IndexError> {
        Ok(Postings { runs: Runs::open_to_read(folder, Purpose::Postings)? })
    }

    /// Adds values to a document. Those that it has already stay.
    pub fn insert(&mut self, number: u32, values: &[u64]) {
        self.push(number, values, false);
    }

    /// Removes values from a document. Those that it never had are no matter.
    pub fn remove(&mut self, number: u32, values: &[u64]) {
        self.push(number, values, true);
    }

    fn push(&mut self, number: u32, values: &[u64], removed: bool) {
        for &value in values {
            self.runs.push(Entry { place: place_of(value), number, removed });
        }
    }

    /// Counts for every document how many of these different values it holds. A value that more than `common` documents
    /// hold is ignored, and no more of them are looked at than it takes to know that.
    ///
    /// Values are shortened to 47 bits: among a hundred million, one in a million is mistaken for another.
    pub fn counts(&self, values: &[u64], common: usize) -> Counted {
        self.counts_unless(values, common, 0, |_| false)
    }

    /// Counts as [`Postings::counts`] does, unless the values that are ignored are missed: then those of them that fewest
    /// documents hold are counted, too, as long as these are no more than `most_holders` altogether.
    pub fn counts_unless(
        &self,
        values: &[u64],
        common: usize,
        most_holders: usize,
        are_missed: impl FnOnce(&[u64]) -> bool,
    ) -> Counted {
        let mut places: Vec<(Place, u64)> = values.iter().map(|&value| (place_of(value), value)).collect();
        // In order, as they lie in the runs.
        places.sort_unstable();
        places.dedup_by_key(|(place, _)| *place);
        let (mut numbers, mut heard) = (Vec::new(), Vec::new());
        let mut take = |place: Place, limit: usize| {
            let is_heard = listing::hear(self.runs.at(place), limit, &mut heard);
            if is_heard {
                numbers.extend(heard.iter().filter(|word| !word.removed).map(|word| word.number));
            }
            is_heard
        };
        places.retain(|&(place, _)| !take(place, common));
        let mut ignored = places.len();
        let ignored_values: Vec<u64> = places.iter().map(|&(_, value)| value).collect();
        if are_missed(&ignored_values) {
            places.sort_by_cached_key(|&(place, _)| self.runs.count_at(place));
            let mut left = most_holders;
            for (place, _) in places {
                let Some(rest) = left.checked_sub(self.runs.count_at(place)) else { break };
                left = rest;
                take(place, usize::MAX);
                ignored -= 1;
            }
        }
        numbers.sort_unstable();
        let counts = numbers.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect();
        Counted { counts, ignored }
    }

    /// Makes what was inserted and removed permanent, together with the position in the store's outbox.
    /// After a crash the postings stand at this or an earlier committed position.
    pub fn commit(&mut self, position: u64) -> Result<(), IndexError> {
        self.runs.commit(position)
    }

    /// Forgets what was inserted and removed since the last commit.
    pub fn rollback(&mut self) {
        self.runs.rollback();
    }

    /// The position of the last commit.
    pub fn position(&self) -> u64 {
        self.runs.position()
    }

    /// The position that a crash would leave: the outbox must be kept from there on.
    pub fn durable_position(&self) -> u64 {
        self.runs.durable_position()
    }

    /// Brings the durable position to the position.
    pub fn flush(&mut self) -> Result<(), IndexError> {
        self.runs.flush()
    }

    /// What they weigh. Reads them all, and notices if they are not what was written.
    pub fn statistics(&mut self) -> Result<PostingsStatistics, IndexError> {
        Ok(PostingsStatistics { entries: self.runs.count()?, bytes: self.runs.bytes()? })
    }
}

/// Where a value falls.
fn place_of(value: u64) -> Place {
    Place::in_upper_bits(spread(value))
}
