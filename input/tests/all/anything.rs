//! Any bytes in any format: the reading ends, nothing panics, and what is whole before the damage is read.

use firstcopy_input::{Format, ReadOptions};
use parquet::basic::Compression;
use proptest::prelude::*;

use crate::support::{gzip, read_bytes, zstd};
use crate::{parquets, warcs};

fn check(name: &str, bytes: &[u8], format: Option<Format>) -> Result<(), TestCaseError> {
    let options = ReadOptions { format, max_document_size: 10_000, ..ReadOptions::default() };
    for item in read_bytes(name, bytes, options) {
        prop_assert!(!item.contains("internal error"), "{item}");
    }
    Ok(())
}

/// Good files of every kind, to be damaged.
pub fn fixtures() -> Vec<(&'static str, Vec<u8>)> {
    let lines = (0..50).map(|n| format!("{{\"id\":{n},\"text\":\"text {n}\"}}\n")).collect::<String>();
    let archive: Vec<Vec<u8>> = (0..10).map(|n| warcs::page(&format!("http://a/{n}"))).collect();
    vec![
        ("a.jsonl", lines.clone().into_bytes()),
        ("a.json", format!("[{}]", lines.trim().replace('\n', ",")).into_bytes()),
        ("a.jsonl.gz", gzip(&lines)),
        ("a.jsonl.zst", zstd(&lines)),
        ("a.warc", archive.concat()),
        ("a.warc.gz", archive.iter().flat_map(gzip).collect()),
        ("a.parquet", parquets::numbered(40, Compression::SNAPPY)),
        ("b.parquet", parquets::numbered(40, Compression::ZSTD(Default::default()))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000), at in 0_usize..5) {
        check("a", &bytes, Some(Format::ALL[at]))?;
        check("a", &bytes, None)?;
    }

    #[test]
    fn random_bytes_after_a_magic_number(bytes in prop::collection::vec(any::<u8>(), 0..500), at in 0_usize..7) {
        let magic: [&[u8]; 7] = [
            b"\x1f\x8b\x08", b"(\xb5/\xfd", b"PAR1", b"WARC/1.0\r\n", b"{\"text\":", b"[{", b"\x50\x2a\x4d\x18",
        ];
        check("a", &[magic[at], &bytes].concat(), None)?;
    }

    #[test]
    fn damaged_files(
        at in 0_usize..8,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (name, mut bytes) = fixtures().swap_remove(at);
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        check(name, &bytes, None)?;
    }
}
