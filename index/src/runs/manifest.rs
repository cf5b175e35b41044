//! Which runs make the index, and how far did it get? A small file, replaced as a whole.

use super::FORMAT_VERSION;
use super::files::{MANIFEST, write_whole};
use super::purpose::Purpose;
use crate::IndexError;
use std::fs;
use std::io::Write;
use std::path::Path;

const MAGIC: [u8; 8] = *b"FCINDEX\0";
const HEADER_BYTES: usize = 32;
const RUN_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 4;

/// A run as the manifest names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NamedRun {
    pub generation: u64,
    pub entries: u64,
}

/// The position, and the runs that hold everything up to it, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub position: u64,
    pub runs: Vec<NamedRun>,
}

impl Manifest {
    /// Reads the manifest of a folder; none if there is none.
    pub fn read(folder: &Path, purpose: Purpose) -> Result<Option<Self>, IndexError> {
        let path = folder.join(MANIFEST);
        match fs::read(&path) {
            Ok(bytes) => {
                decode(&bytes, purpose).map(Some).map_err(|reason| IndexError::damaged(&path, reason))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(IndexError::io(&path)(error)),
        }
    }

    /// From now on this is the manifest, whatever happens.
    pub fn write(&self, folder: &Path, purpose: Purpose) -> Result<(), IndexError> {
        write_whole(folder, MANIFEST, |file| file.write_all(&self.encode(purpose)))?;
        Ok(())
    }

    fn encode(&self, purpose: Purpose) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let [first, second] = purpose.words();
        for word in [FORMAT_VERSION, first, second, self.runs.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.position.to_le_bytes());
        for run in &self.runs {
            bytes.extend(run.generation.to_le_bytes());
            bytes.extend(run.entries.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

fn decode(bytes: &[u8], purpose: Purpose) -> Result<Manifest, String> {
    let (header, rest) = bytes.split_first_chunk::<HEADER_BYTES>().ok_or("the manifest is cut off")?;
    let (named, checksum) = rest.split_last_chunk::<CHECKSUM_BYTES>().ok_or("the manifest is cut off")?;
    if header[..8] != MAGIC {
        return Err("this is no manifest of an index".to_owned());
    }
    super::check_version(word(header, 8))?;
    if crc32fast::hash(&bytes[..bytes.len() - CHECKSUM_BYTES]) != u32::from_le_bytes(*checksum) {
        return Err("the checksum of the manifest is wrong".to_owned());
    }
    purpose.check([word(header, 12), word(header, 16)])?;
    if named.len() != word(header, 20) as usize * RUN_BYTES {
        return Err("the manifest names another number of runs than it holds".to_owned());
    }
    let runs = named.as_chunks::<RUN_BYTES>().0.iter();
    let runs = runs.map(|run| NamedRun { generation: long(run, 0), entries: long(run, 8) });
    Ok(Manifest { position: long(header, 24), runs: runs.collect() })
}

/// The four bytes at an offset that the caller knows to be inside.
pub(super) fn word(bytes: &[u8], offset: usize) -> u32 {
    bytes[offset..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The eight bytes at an offset that the caller knows to be inside.
pub(super) fn long(bytes: &[u8], offset: usize) -> u64 {
    bytes[offset..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    const PURPOSE: Purpose = Purpose::Duplicates(Rule { keys: 6, needed: 2 });

    fn manifest() -> Manifest {
        let run = |generation| NamedRun { generation, entries: 5 };
        Manifest { position: 7, runs: vec![run(4), run(1)] }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(decode(&manifest().encode(PURPOSE), PURPOSE), Ok(manifest()));
    }

    #[test]
    fn any_flipped_bit_and_any_cut_is_noticed() {
        let bytes = manifest().encode(PURPOSE);
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&flipped, PURPOSE).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length], PURPOSE).is_err(), "{length} bytes");
        }
    }
}
