//! Two texts around a passage they share: how far does it really reach? Compared by their normalised bytes, so that
//! spacing, width, case, symbols and where sentences were cut make no difference; small edits are bridged.

use std::borrow::Cow;
use std::ops::Range;

/// Bytes that must agree behind an edit: about ten words, or sixteen ideographs. With half as much, sentences of one form
/// and other numbers would be bridged as if they were edited.
const ANCHOR: usize = 48;
/// Bytes an edit may have on either side: a long sentence.
const EDIT: usize = 256;

/// What is compared, seen from one end of a passage outwards.
pub(crate) struct Outwards<'a> {
    /// Normalised bytes.
    pub bytes: Cow<'a, [u8]>,
    /// Where segments end in them, ascending.
    pub ends: Vec<usize>,
}

/// How far a passage reaches on both sides.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    pub page: usize,
    pub source: usize,
    /// How far both had to be looked at to know.
    pub seen: usize,
    /// What differs on the way, in the page and in the source.
    pub edits: Vec<(Range<usize>, Range<usize>)>,
}

/// A stretch that agrees byte for byte.
struct Stretch {
    page: usize,
    source: usize,
    length: usize,
}

/// Goes outwards as long as both agree, over edits, back to the last place where a segment ends.
/// `agreed` is how much of the passage is known already.
pub(crate) fn reach(page: &Outwards, source: &Outwards, agreed: usize) -> Reach {
    let mut stretches = agreeing_stretches(&page.bytes, &source.bytes, agreed);
    let end = |stretch: &Stretch| stretch.page.max(stretch.source) + stretch.length;
    let seen = stretches.last().map_or(0, end) + 2 * EDIT + ANCHOR;
    while let Some(last) = stretches.last() {
        if let Some(length) = last_end(page, source, last, stretches.len() == 1) {
            let (end_in_page, end_in_source) = (last.page + length, last.source + length);
            return Reach {
                page: end_in_page,
                source: end_in_source,
                seen,
                edits: edits_between(&stretches),
            };
        }
        stretches.pop();
    }
    Reach { seen, ..Reach::default() }
}

/// An edit is bridged only if there is at least so many times as much on both sides of it that agrees.
const AROUND_AN_EDIT: usize = 1;

fn agreeing_stretches(page: &[u8], source: &[u8], mut agreed: usize) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let (mut at, mut source_at, mut edit) = (0, 0, 0);
    loop {
        let length = shared_beginning(&page[at..], &source[source_at..]);
        if agreed.min(length) < AROUND_AN_EDIT * edit {
            return stretches;
        }
        stretches.push(Stretch { page: at, source: source_at, length });
        agreed += length;
        (at, source_at) = (at + length, source_at + length);
        match over_edit(&page[at..], &source[source_at..]) {
            Some((skipped, skipped_in_source)) => {
                edit = skipped.max(skipped_in_source);
                (at, source_at) = (at + skipped, source_at + skipped_in_source);
            }
            None => return stretches,
        }
    }
}

fn shared_beginning(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// The smallest edit behind which both agree again, if there is one.
fn over_edit(page: &[u8], source: &[u8]) -> Option<(usize, usize)> {
    let in_page = Beginnings::of(page);
    let mut perhaps = anchors(source).filter(|(_, anchor)| in_page.may_have(beginning(anchor))).peekable();
    perhaps.peek()?;
    let mut beginnings: Vec<(u64, usize)> =
        anchors(page).map(|(at, anchor)| (beginning(anchor), at)).collect();
    beginnings.sort_unstable();
    let nearest = |anchor: &[u8]| {
        let wanted = beginning(anchor);
        let first = beginnings.partition_point(|(beginning, _)| *beginning < wanted);
        let alike = beginnings[first..].iter().take_while(|(beginning, _)| *beginning == wanted);
        alike.map(|(_, at)| *at).find(|&at| page[at..at + ANCHOR] == *anchor)
    };
    let edits = perhaps.filter_map(|(source_at, anchor)| Some((nearest(anchor)?, source_at)));
    edits.min_by_key(|(at, source_at)| (at + source_at, *at))
}

/// Which beginnings the anchors of a text have: a bit each, so that two texts that share none are told apart at once.
struct Beginnings([u64; 64]);

impl Beginnings {
    fn of(bytes: &[u8]) -> Self {
        let mut bits = [0; 64];
        for (_, anchor) in anchors(bytes) {
            let (word, bit) = Self::place(beginning(anchor));
            bits[word] |= bit;
        }
        Beginnings(bits)
    }

    fn may_have(&self, beginning: u64) -> bool {
        let (word, bit) = Self::place(beginning);
        self.0[word] & bit != 0
    }

    fn place(beginning: u64) -> (usize, u64) {
        let hash = beginning.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash >> 58) as usize, 1 << (hash >> 52 & 63))
    }
}

fn anchors(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.windows(ANCHOR).take(EDIT).enumerate()
}

/// The first bytes of an anchor as one number, so that most are told apart by it.
fn beginning(anchor: &[u8]) -> u64 {
    anchor.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
}

/// The last place of a stretch where a segment ends in both, or, when the stretch is no coincidence, in one of them.
fn last_end(page: &Outwards, source: &Outwards, stretch: &Stretch, is_first: bool) -> Option<usize> {
    let of = |side: &Outwards, from: usize| -> Vec<usize> {
        let first = side.ends.partition_point(|&end| end <= from);
        let ends = side.ends[first..].iter().map(|end| end - from);
        ends.take_while(|&end| end <= stretch.length).collect()
    };
    let (in_page, in_source) = (of(page, stretch.page), of(source, stretch.source));
    let in_both = in_page.iter().filter(|end| in_source.binary_search(end).is_ok());
    let in_both = in_both.copied().filter(|&end| is_first || end >= ANCHOR).max();
    let in_one = in_page.iter().chain(&in_source).copied().filter(|&end| end >= ANCHOR).max();
    in_both.max(in_one)
}

fn edits_between(stretches: &[Stretch]) -> Vec<(Range<usize>, Range<usize>)> {
    let between = |pair: &[Stretch]| {
        let (before, behind) = (&pair[0], &pair[1]);
        (before.page + before.length..behind.page, before.source + before.length..behind.source)
    };
    stretches.windows(2).map(between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn side(segments: &[&str]) -> (Vec<u8>, Vec<usize>) {
        let mut ends = Vec::new();
        let mut bytes = Vec::new();
        for segment in segments {
            bytes.extend(segment.bytes());
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    #[track_caller]
    fn check(page: &[&str], source: &[&str], expected: (usize, usize), edits: usize) {
        let (page, source) = (side(page), side(source));
        let found = reach(
            &Outwards { bytes: page.0.into(), ends: page.1 },
            &Outwards { bytes: source.0.into(), ends: source.1 },
            100,
        );
        assert_eq!(
            (found.page, found.source, found.edits.len()),
            (expected.0, expected.1, edits),
            "{found:?}"
        );
    }

    const A: &str = "theoldmanwenttothesea";
    const B: &str = "andcaughtaverylargefishthatdaywhichpulledhisboatfarout";
    const C: &str = "butthesharksateallofitonthewayhomeandonlythebonesremained";

    fn length(pieces: &[&str]) -> usize {
        pieces.iter().map(|piece| piece.len()).sum()
    }

    #[test]
    fn as_far_as_both_agree() {
        check(&[A, B], &[A, B], (length(&[A, B]), length(&[A, B])), 0);
        check(&[A, "other"], &[A, "words"], (A.len(), A.len()), 0);
        check(&["nothing"], &["alike"], (0, 0), 0);
        check(&[], &[A], (0, 0), 0);
    }

    #[test]
    fn wherever_the_sentences_were_cut() {
        let joined = [B, C].concat();
        check(&[&joined], &[B, C], (joined.len(), joined.len()), 0);
        check(&[B, "ended"], &[&joined], (B.len(), B.len()), 0);
        // Three letters that end a sentence in one of them are a coincidence.
        check(&["but", "not"], &[C], (0, 0), 0);
    }

    #[test]
    fn over_small_edits() {
        let (copy, original) = ([B, "changed", C], [B, "originalsentence", C]);
        check(&copy, &original, (length(&copy), length(&original)), 1);
        let original = [B, "left out in the copy", C];
        check(&[B, C], &original, (length(&[B, C]), length(&original)), 1);
        let long = "x".repeat(EDIT + ANCHOR);
        check(&[B, &long, C], &[B, C], (B.len(), B.len()), 0);
        // What was put in is longer than what is the same around it.
        let longer = "y".repeat(C.len() + 1);
        check(&[B, &longer, C], &[B, C], (B.len(), B.len()), 0);
    }

    /// The twin: every pair of places.
    fn smallest_edit(page: &[u8], source: &[u8]) -> Option<(usize, usize)> {
        let pairs = anchors(page).flat_map(|one| anchors(source).map(move |other| (one, other)));
        let edits = pairs.filter(|(one, other)| one.1 == other.1).map(|(one, other)| (one.0, other.0));
        edits.min_by_key(|(at, source_at)| (at + source_at, *at))
    }

    proptest! {
        #[test]
        fn the_smallest_of_all_edits(
            shared in prop::collection::vec(0u8..3, 0..120),
            before in prop::collection::vec(0u8..3, 0..80),
            before_in_source in prop::collection::vec(0u8..3, 0..80),
        ) {
            let (page, source) = ([before, shared.clone()].concat(), [before_in_source, shared].concat());
            prop_assert_eq!(over_edit(&page, &source), smallest_edit(&page, &source));
        }
    }
}
