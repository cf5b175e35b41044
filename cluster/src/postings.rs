//! Phase 3, first half: all documents of one key side by side. The keys of a bucket are read from every piece, sorted, and
//! told key by key.

use crate::bytes::extend_u64s;
use crate::digits;
use crate::error::{ClusterError, Result};
use crate::expand::Ranked;
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
            if !ends.is_sorted() || places.size != size {
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

    /// Tells every key of a bucket that two or more of the ranked documents have, with their ranks ascending. The buckets
    /// may be told on many threads, each with a room of its own.
    pub fn tell(
        &self,
        bucket: usize,
        documents: &Ranked,
        room: &mut Room,
        mut hear: impl FnMut(&[u32]) -> Result<()>,
    ) -> Result<()> {
        let Room { bytes, postings, sorting, ranks } = room;
        postings.clear();
        for (places, ends) in &self.pieces {
            let start = if bucket == 0 { 0 } else { ends[bucket - 1] };
            let length = 8 * (ends[bucket] - start) as usize;
            places.read(8 * (BUCKETS as u64 + start), length, bytes)?;
            extend_u64s(bytes, postings);
        }
        postings.retain_mut(|posting| {
            let rank = documents.rank(*posting as u32);
            *posting = *posting >> 32 << 32 | u64::from(rank.unwrap_or_default());
            rank.is_some()
        });
        digits::sort(postings, sorting);
        for run in postings.chunk_by(|a, b| a >> 32 == b >> 32) {
            if run.len() > 1 {
                ranks.clear();
                ranks.extend(run.iter().map(|&posting| posting as u32));
                ranks.dedup();
                if ranks.len() > 1 {
                    hear(ranks)?;
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
    ranks: Vec<u32>,
}
