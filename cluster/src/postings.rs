//! Phase 3, first half: all documents of one key side by side. The keys of a bucket are read from every piece, sorted, and
//! told key by key.

use crate::bytes::extend_u64s;
use crate::error::{ClusterError, Result};
use crate::files::Places;
use crate::piece::{BUCKETS, PieceFiles};

/// The keys of all pieces.
#[derive(Debug)]
pub(crate) struct Postings {
    pieces: Vec<(Places, Vec<u64>)>,
}

impl Postings {
    pub fn open(pieces: &[PieceFiles]) -> Result<Self> {
        let open = |piece: &PieceFiles| {
            let places = Places::open(&piece.keys)?;
            let (mut bytes, mut ends) = (Vec::new(), Vec::new());
            places.read(0, 8 * BUCKETS, &mut bytes)?;
            extend_u64s(&bytes, &mut ends);
            let size = 8 * BUCKETS as u64 + 8 * ends.last().copied().unwrap_or(0);
            if !ends.is_sorted() || places.size()? != size {
                return Err(ClusterError::damaged(&piece.keys));
            }
            Ok((places, ends))
        };
        Ok(Postings { pieces: pieces.iter().map(open).collect::<Result<_>>()? })
    }

    /// How many keys all documents have.
    pub fn len(&self) -> u64 {
        self.pieces.iter().map(|(_, ends)| ends.last().copied().unwrap_or(0)).sum()
    }

    /// Tells every key of a bucket that two or more of the chosen documents have, with these documents ascending. The
    /// buckets may be told on many threads; `postings` and `documents` are room to work in.
    pub fn tell(
        &self,
        bucket: usize,
        is_chosen: impl Fn(u32) -> bool,
        room: &mut Room,
        mut hear: impl FnMut(&[u32]) -> Result<()>,
    ) -> Result<()> {
        let Room { bytes, postings, sorting, documents } = room;
        postings.clear();
        for (places, ends) in &self.pieces {
            let start = if bucket == 0 { 0 } else { ends[bucket - 1] };
            let length = 8 * (ends[bucket] - start) as usize;
            places.read(8 * (BUCKETS as u64 + start), length, bytes)?;
            extend_u64s(bytes, postings);
        }
        postings.retain(|&posting| is_chosen(posting as u32));
        sort_by_key(postings, sorting);
        for run in postings.chunk_by(|a, b| a >> 32 == b >> 32) {
            if run.len() > 1 {
                documents.clear();
                documents.extend(run.iter().map(|&posting| posting as u32));
                documents.dedup();
                if documents.len() > 1 {
                    hear(documents)?;
                }
            }
        }
        Ok(())
    }
}

/// Room to work in, of one thread.
#[derive(Debug, Default)]
pub(crate) struct Room {
    bytes: Vec<u8>,
    postings: Vec<u64>,
    sorting: Vec<u64>,
    documents: Vec<u32>,
}

/// Bits that are sorted by at a time: tables of this size stay in the first-level cache.
const DIGIT: u32 = 11;

/// Sorts postings by their keys, the upper halves, digit by digit. Those of one key stay in the order of their documents,
/// in which they come.
fn sort_by_key(postings: &mut Vec<u64>, other: &mut Vec<u64>) {
    const DIGITS: usize = 1 << DIGIT;
    other.clear();
    other.resize(postings.len(), 0);
    for shift in [32, 32 + DIGIT, 32 + 2 * DIGIT] {
        let digit = |posting: u64| (posting >> shift) as usize % DIGITS;
        let mut starts = [0u32; DIGITS];
        postings.iter().for_each(|&posting| starts[digit(posting)] += 1);
        let mut start = 0;
        for place in &mut starts {
            (*place, start) = (start, start + *place);
        }
        for &posting in postings.iter() {
            let place = &mut starts[digit(posting)];
            other[*place as usize] = posting;
            *place += 1;
        }
        std::mem::swap(postings, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_sort_as_comparing_does(keys in prop::collection::vec(any::<u32>(), 0..3000)) {
            let mut postings: Vec<u64> = keys.iter().zip(0u64..).map(|(&key, number)| (u64::from(key % 50_000_000) << 32) | (number / 2)).collect();
            let mut sorted = postings.clone();
            sorted.sort();
            sort_by_key(&mut postings, &mut Vec::new());
            prop_assert_eq!(postings, sorted);
        }
    }
}
