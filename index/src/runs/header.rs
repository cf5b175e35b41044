//! What does the head of a run file say, and does the rest of the file agree with it?
//!
//! Everything that could lead a read astray (lengths, offsets, checksums of header and directory) is checked here, once.
//! The layout is in `docs/formats.md`.

use super::entry::{PLACE_BITS, PREFIX_BITS};
use super::manifest::{NamedRun, long, word};
use super::purpose::Purpose;
use super::{FORMAT_VERSION, check_version};

const MAGIC: [u8; 8] = *b"FCRUN\0\0\0";
pub(super) const HEADER_BYTES: usize = 64;
pub(super) const ENTRY_BYTES: usize = 8;
pub(super) const OFFSET_BYTES: usize = 4;

/// The head of a run file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// The directory has 2^bits buckets.
    pub bucket_bits: u32,
    pub named: NamedRun,
    pub entries_checksum: u32,
    pub directory_checksum: u32,
}

impl Header {
    /// Reads the header of a file and makes sure that no read of the rest can be led outside.
    pub fn of_file(file: &[u8], named: NamedRun, purpose: Purpose) -> Result<Self, String> {
        let bytes = file.first_chunk().ok_or("the run is cut off")?;
        let header = Header::decode(bytes, purpose)?;
        if header.named != named {
            return Err("this is another run than the manifest names".to_owned());
        }
        if header.file_bytes() != Some(file.len() as u64) {
            return Err("the run has another length than its header says".to_owned());
        }
        header.check_directory(&file[header.directory_start()..])?;
        Ok(header)
    }

    pub fn encode(&self, purpose: Purpose) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        let mut put =
            |offset: usize, value: &[u8]| bytes[offset..offset + value.len()].copy_from_slice(value);
        let [first, second] = purpose.words();
        put(0, &MAGIC);
        put(8, &FORMAT_VERSION.to_le_bytes());
        put(12, &self.bucket_bits.to_le_bytes());
        put(16, &first.to_le_bytes());
        put(20, &second.to_le_bytes());
        put(24, &self.named.generation.to_le_bytes());
        put(32, &self.named.entries.to_le_bytes());
        put(40, &self.entries_checksum.to_le_bytes());
        put(44, &self.directory_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..60]);
        bytes[60..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8; HEADER_BYTES], purpose: Purpose) -> Result<Self, String> {
        if bytes[..8] != MAGIC {
            return Err("this is no run of an index".to_owned());
        }
        check_version(word(bytes, 8))?;
        if crc32fast::hash(&bytes[..60]) != word(bytes, 60) {
            return Err("the checksum of the header is wrong".to_owned());
        }
        purpose.check([word(bytes, 16), word(bytes, 20)])?;
        Ok(Header {
            bucket_bits: word(bytes, 12),
            named: NamedRun { generation: long(bytes, 24), entries: long(bytes, 32) },
            entries_checksum: word(bytes, 40),
            directory_checksum: word(bytes, 44),
        })
    }

    /// Entries of the run.
    pub fn entries(&self) -> usize {
        self.named.entries as usize
    }

    /// Where the directory begins: behind the entries.
    pub fn directory_start(&self) -> usize {
        HEADER_BYTES + ENTRY_BYTES * self.entries()
    }

    /// How long a file with this header is; nothing if it cannot exist.
    fn file_bytes(&self) -> Option<u64> {
        let possible =
            (PREFIX_BITS..=32).contains(&self.bucket_bits) && u32::try_from(self.named.entries).is_ok();
        let directory = OFFSET_BYTES as u64 * ((1u64 << self.bucket_bits.min(32)) + 1);
        possible.then_some(HEADER_BYTES as u64 + ENTRY_BYTES as u64 * self.named.entries + directory)
    }

    fn check_directory(&self, directory: &[u8]) -> Result<(), String> {
        if crc32fast::hash(directory) != self.directory_checksum {
            return Err("the checksum of the directory is wrong".to_owned());
        }
        let offsets = || directory.as_chunks().0.iter().map(|offset| u32::from_le_bytes(*offset));
        if !offsets().is_sorted() || offsets().next_back().map(u64::from) != Some(self.named.entries) {
            return Err("the directory points outside the run".to_owned());
        }
        Ok(())
    }
}

/// How many bits choose the bucket of a run with up to so many entries.
pub(super) fn bucket_bits(entries: usize, purpose: Purpose) -> u32 {
    (entries / purpose.entries_a_bucket()).max(1).ilog2().clamp(PREFIX_BITS, 32.min(PLACE_BITS))
}
