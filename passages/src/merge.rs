//! Several parts become one, in the order of their documents: their suffixes are merged, not sorted again.

use crate::checked::Checksummed;
use crate::part::{Part, Suffix, write_part};
use crate::suffixes::{DEPTH, END};
use std::cmp::Ordering;
use std::io::{self, Write};

/// Writes one part with the documents of all.
pub(crate) fn merge(parts: &[&Part], to: impl Write) -> io::Result<()> {
    let owners: Vec<u64> = parts
        .iter()
        .flat_map(|part| (0..part.documents() as u32).map(|document| part.owner(document)))
        .collect();
    let mut file = Checksummed::new(to);
    write_part(&mut file, Symbols::new(parts), Suffixes::new(parts), &owners)?;
    file.finish()?.flush()
}

/// All symbols, part after part.
struct Symbols<'a> {
    parts: &'a [&'a Part],
    place: usize,
    left: usize,
}

impl<'a> Symbols<'a> {
    fn new(parts: &'a [&'a Part]) -> Self {
        Symbols { parts, place: 0, left: parts.iter().map(|part| part.symbols()).sum() }
    }
}

impl Iterator for Symbols<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.parts.first()?.symbols() == self.place {
            (self.parts, self.place) = (&self.parts[1..], 0);
        }
        let symbol = self.parts.first()?.symbol(self.place);
        self.place += 1;
        self.left -= 1;
        Some(symbol)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Symbols<'_> {}

/// All suffixes in order, each with its new place.
struct Suffixes<'a> {
    heads: Vec<Head<'a>>,
}

/// The next suffix of a part.
struct Head<'a> {
    part: &'a Part,
    /// Symbols of the parts before.
    before: usize,
    rank: usize,
    place: usize,
    symbol: u32,
}

impl<'a> Suffixes<'a> {
    fn new(parts: &[&'a Part]) -> Self {
        let mut before = 0;
        let mut heads = Vec::new();
        for part in parts {
            heads.extend(Head::at(part, before, 0));
            before += part.symbols();
        }
        Suffixes { heads }
    }
}

impl<'a> Head<'a> {
    fn at(part: &'a Part, before: usize, rank: usize) -> Option<Self> {
        (rank < part.segments() as usize).then(|| {
            let place = part.suffix(rank);
            Head { part, before, rank, place, symbol: part.symbol(place) }
        })
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.symbol.cmp(&other.symbol).then_with(|| self.compare_behind(other))
    }

    /// Equal first symbols: what comes behind decides, and at last the order of the documents.
    fn compare_behind(&self, other: &Self) -> Ordering {
        for behind in 1..DEPTH {
            let (a, b) = (self.part.symbol(self.place + behind), other.part.symbol(other.place + behind));
            if a != b {
                return a.cmp(&b);
            }
            if a == END {
                break;
            }
        }
        self.before.cmp(&other.before)
    }
}

impl Iterator for Suffixes<'_> {
    type Item = Suffix;

    fn next(&mut self) -> Option<Suffix> {
        let (least, head) = self.heads.iter().enumerate().min_by(|(_, a), (_, b)| a.compare(b))?;
        let place = (head.before + head.place) as u32;
        // A larger part has fewer bits to spare: what is left of the length is the same.
        let suffix = Suffix { place, symbol: head.symbol, length: head.part.length(head.rank) };
        match Head::at(head.part, head.before, head.rank + 1) {
            Some(next) => self.heads[least] = next,
            None => drop(self.heads.remove(least)),
        }
        Some(suffix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Digests;
    use crate::part::tests::digest;
    use proptest::prelude::*;

    fn written(documents: &[(Vec<u32>, u64)]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        let mut digests = Digests::default();
        documents.iter().for_each(|(document, owner)| digests.push(&digest(document), *owner));
        digests.write(std::fs::File::create(&path).unwrap()).unwrap();
        (folder, path)
    }

    /// Parts with the same long texts: compared as deep as is needed, and no deeper.
    #[test]
    fn long_texts_in_all_parts() {
        let plain: Vec<u32> = (1..30_000).collect();
        let repeated = vec![7; 30_000];
        let periodic: Vec<u32> = (0..30_000).map(|number| 1 + number % 3).collect();
        let with = |mut text: Vec<u32>, last: u32| {
            text.push(last);
            text
        };
        let parts = [
            vec![(plain.clone(), 1), (repeated.clone(), 2), (periodic.clone(), 3)],
            vec![(with(repeated, 9), 4), (plain, 5)],
            vec![(with(periodic, 2), 6)],
        ];
        let files: Vec<_> = parts.iter().map(|documents| written(documents)).collect();
        let opened: Vec<Part> = files.iter().map(|(_, path)| Part::open(path).unwrap()).collect();
        let mut merged = Vec::new();
        merge(&opened.iter().collect::<Vec<_>>(), &mut merged).unwrap();
        let (_folder, at_once) = written(&parts.concat());
        assert!(merged == std::fs::read(at_once).unwrap());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn merged_is_as_if_sorted_at_once(parts in prop::collection::vec(prop::collection::vec((prop::collection::vec(1u32..5, 0..20), any::<u64>()), 0..6), 1..4)) {
            let files: Vec<_> = parts.iter().map(|documents| written(documents)).collect();
            let opened: Vec<Part> = files.iter().map(|(_, path)| Part::open(path).unwrap()).collect();
            let mut merged = Vec::new();
            merge(&opened.iter().collect::<Vec<_>>(), &mut merged).unwrap();
            let (_folder, at_once) = written(&parts.concat());
            prop_assert_eq!(merged, std::fs::read(at_once).unwrap());
        }
    }
}
