//! Phase 3, its files: pairs with their counts, in sorted runs that are merged into one. A run is a sequence of
//! differences and counts, seven bits a byte, after the number of common keys that they come from.

use crate::bytes::{VarintReader, put_varint};
use crate::digits;
use crate::error::{ClusterError, Result};
use crate::files::Draft;
use crate::tournament::{ENDED, Tournament};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Two documents, the lower number first, and how many keys they were paired by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub a: u32,
    pub b: u32,
    pub count: u32,
}

impl Pair {
    pub fn pack(a: u32, b: u32) -> u64 {
        u64::from(a) << 32 | u64::from(b)
    }

    fn packed(self) -> u64 {
        Self::pack(self.a, self.b)
    }

    fn unpack(packed: u64, count: u32) -> Self {
        Pair { a: (packed >> 32) as u32, b: packed as u32, count }
    }
}

/// Writes pairs in ascending order.
pub(crate) struct PairWriter {
    draft: Draft,
    block: Vec<u8>,
    last: u64,
}

/// Bytes that are written at a time.
const BLOCK: usize = 1 << 16;

impl PairWriter {
    /// Begins a file of pairs that come from so many common keys, among others.
    pub fn create(path: &Path, common_keys: u64) -> Result<Self> {
        let mut writer = PairWriter { draft: Draft::create(path)?, block: Vec::new(), last: 0 };
        put_varint(&mut writer.block, common_keys);
        Ok(writer)
    }

    pub fn put(&mut self, pair: Pair) -> Result<()> {
        put_varint(&mut self.block, pair.packed() - self.last);
        put_varint(&mut self.block, u64::from(pair.count));
        self.last = pair.packed();
        if self.block.len() < BLOCK { Ok(()) } else { self.write_block() }
    }

    fn write_block(&mut self) -> Result<()> {
        self.draft.write(&self.block)?;
        self.block.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        self.write_block()?;
        self.draft.finish()
    }
}

/// Sorts packed pairs and writes them as a run, each once with its count. Leaves no pairs; `room` is to sort in.
pub(crate) fn write_run(
    path: &Path,
    common_keys: u64,
    pairs: &mut Vec<u64>,
    room: &mut Vec<u64>,
) -> Result<()> {
    digits::sort(pairs, room);
    let mut writer = PairWriter::create(path, common_keys)?;
    for same in pairs.chunk_by(|a, b| a == b) {
        writer.put(Pair::unpack(same[0], same.len() as u32))?;
    }
    pairs.clear();
    writer.finish()
}

/// Reads pairs in ascending order.
#[derive(Debug)]
pub(crate) struct PairReader {
    numbers: VarintReader<File>,
    path: PathBuf,
    last: u64,
    pub common_keys: u64,
}

impl PairReader {
    pub fn open(path: &Path) -> Result<Self> {
        let wrong = ClusterError::io(path);
        let mut numbers = VarintReader::new(File::open(path).map_err(&wrong)?);
        let common_keys = numbers.next().map_err(wrong)?.ok_or_else(|| ClusterError::damaged(path))?;
        Ok(PairReader { numbers, path: path.to_owned(), last: 0, common_keys })
    }

    pub fn next(&mut self) -> Result<Option<Pair>> {
        let wrong = ClusterError::io(&self.path);
        let Some(difference) = self.numbers.next().map_err(&wrong)? else { return Ok(None) };
        let count = self.numbers.next().map_err(&wrong)?;
        let damaged = || ClusterError::damaged(&self.path);
        self.last = self.last.checked_add(difference).ok_or_else(damaged)?;
        Ok(Some(Pair::unpack(self.last, count.ok_or_else(damaged)? as u32)))
    }
}

/// The pairs of many runs in ascending order, each once with the sum of its counts.
#[derive(Debug)]
pub(crate) struct Merge {
    runs: Vec<PairReader>,
    /// The packed pairs that stand first in the runs, and their counts.
    heads: Tournament,
    counts: Vec<u32>,
}

impl Merge {
    pub fn open(runs: &[PathBuf]) -> Result<Self> {
        let mut runs: Vec<PairReader> =
            runs.iter().map(|path| PairReader::open(path)).collect::<Result<_>>()?;
        let heads: Vec<(u64, u32)> = runs.iter_mut().map(next_head).collect::<Result<_>>()?;
        let counts = heads.iter().map(|&(_, count)| count).collect();
        Ok(Merge { runs, heads: Tournament::new(heads.into_iter().map(|(packed, _)| packed)), counts })
    }

    /// The common keys of all runs.
    pub fn common_keys(&self) -> u64 {
        self.runs.iter().map(|run| run.common_keys).sum()
    }

    pub fn next(&mut self) -> Result<Option<Pair>> {
        let Some(lowest) = self.heads.lowest() else { return Ok(None) };
        let mut count = 0u32;
        while let Some(head) = self.heads.lowest().filter(|head| head.value == lowest.value) {
            let run = head.sequence as usize;
            count = count.saturating_add(self.counts[run]);
            let (packed, next_count) = next_head(&mut self.runs[run])?;
            self.counts[run] = next_count;
            self.heads.replace(head.sequence, packed);
        }
        Ok(Some(Pair::unpack(lowest.value, count)))
    }
}

/// The next pair of a run, packed, and its count. No pair is as high as what stands for the end: it would be of one
/// document with itself.
fn next_head(run: &mut PairReader) -> Result<(u64, u32)> {
    Ok(run.next()?.map_or((ENDED, 0), |pair| (pair.packed(), pair.count)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn merged_runs_count_all_pairs(runs in prop::collection::vec(prop::collection::vec((0u32..9, 0u32..9), 0..30), 0..5)) {
            let folder = tempfile::tempdir().unwrap();
            let mut expected: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            let mut paths = Vec::new();
            for (number, run) in runs.iter().enumerate() {
                run.iter().for_each(|&pair| *expected.entry(pair).or_default() += 1);
                paths.push(folder.path().join(number.to_string()));
                write_run(&paths[number], 1, &mut run.iter().map(|&(a, b)| Pair::pack(a, b)).collect(), &mut Vec::new()).unwrap();
            }
            let mut merge = Merge::open(&paths).unwrap();
            prop_assert_eq!(merge.common_keys(), runs.len() as u64);
            let merged: Vec<_> = std::iter::from_fn(|| merge.next().unwrap()).map(|pair| ((pair.a, pair.b), pair.count)).collect();
            prop_assert_eq!(merged, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
