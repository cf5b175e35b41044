//! From core text to segments: sentences and blocks, the units of partial copies, each with its place.

use crate::core_text::CoreText;
use crate::rabin::Rabin;
use crate::tokens::{PADDING, Tokens};
use std::ops::Range;

/// Where sentences end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentRules {
    separators: Vec<char>,
    /// Which bytes a separator can start with: most of a text is passed over by this alone.
    first_bytes: [bool; 256],
    /// Those of one byte, if they are no more than three: plain English is searched for them many bytes at a time.
    ascii: Option<[u8; 3]>,
}

/// One sentence or block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its place in the core text, in bytes.
    pub place: Range<usize>,
    /// Its tokens, as indices.
    pub tokens: Range<usize>,
    /// How many characters it has once normalised: those of its tokens.
    pub characters: usize,
    /// Whether a sentence ends here; else only its block does.
    pub is_finished: bool,
}

/// The fingerprints of the segments in order: what partial copies are found by (sakurai-2009).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest {
    /// 32-bit Rabin fingerprints of the normalised segments.
    pub fingerprints: Vec<u32>,
    /// How long each normalised segment is in bytes, modulo 256: of two that share a fingerprint by chance, it mostly
    /// tells.
    pub lengths: Vec<u8>,
    /// For each fingerprint, which segment it is of.
    pub segments: Vec<u32>,
}

/// What ends a sentence unless told otherwise (sakurai-2009, and the half-width full stop).
const SEPARATORS: &str = "。．.？?！!…｡";

/// Brackets and quotes that close after the end of a sentence and belong to it.
const CLOSERS: &str = "\"'”’»)]}）］｝」』】〉》〕";

/// Words before a full stop that does not end a sentence (besides single letters, which are initials).
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "apr", "art", "aug", "ave", "bros", "cf", "ch", "co", "col", "corp", "dec", "dept", "dr",
    "ed", "eds", "eq", "est", "etc", "ex", "feb", "fig", "figs", "gen", "gov", "hon", "inc", "jan", "jr",
    "jul", "jun", "lt", "ltd", "mar", "mr", "mrs", "ms", "mt", "nov", "oct", "pp", "prof", "rep", "rev",
    "sec", "sen", "sep", "sept", "sgt", "sr", "vol", "vs",
];

const LONGEST_ABBREVIATION: usize = 6;

impl Default for SegmentRules {
    fn default() -> Self {
        SegmentRules::new(SEPARATORS)
    }
}

impl SegmentRules {
    /// Ends sentences at these characters, and at block boundaries.
    pub fn new(separators: &str) -> Self {
        let mut first_bytes = [false; 256];
        for separator in separators.chars() {
            first_bytes[usize::from(separator.encode_utf8(&mut [0; 4]).as_bytes()[0])] = true;
        }
        let ascii: Vec<u8> = separators.bytes().filter(u8::is_ascii).collect();
        let ascii = match ascii[..] {
            [a] => Some([a; 3]),
            [a, b] => Some([a, b, b]),
            [a, b, c] => Some([a, b, c]),
            _ => None,
        };
        SegmentRules { separators: separators.chars().collect(), first_bytes, ascii }
    }

    /// Cuts the core text; what holds no token is no segment.
    pub fn segments(&self, core: &CoreText, tokens: &Tokens) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut first_token = 0;
        for block in core.blocks() {
            let mut start = block.start;
            let cuts = self.cuts(&core.text, block.clone()).map(|end| (end, true));
            for (end, is_finished) in cuts.chain([(block.end, false)]) {
                let last_token = tokens.first_at(first_token, end);
                if last_token > first_token {
                    let segment = segment(core, tokens, start..end, first_token..last_token);
                    segments.push(Segment { is_finished, ..segment });
                }
                (start, first_token) = (end, last_token);
            }
        }
        segments
    }

    /// Where sentences end inside a block.
    fn cuts<'a>(&'a self, text: &'a str, block: Range<usize>) -> impl Iterator<Item = usize> + 'a {
        let mut at = block.start;
        let ascii = self.ascii.filter(|_| text[block.clone()].is_ascii());
        std::iter::from_fn(move || {
            while at < block.end {
                let rest = &text.as_bytes()[at..block.end];
                at += match ascii {
                    Some([a, b, c]) => memchr::memchr3(a, b, c, rest)?,
                    None => rest.iter().position(|&byte| self.first_bytes[usize::from(byte)])?,
                };
                let character = text[at..].chars().next()?;
                let next = at + character.len_utf8();
                if self.separators.contains(&character)
                    && ends_sentence(&text[block.clone()], at - block.start, character)
                {
                    at = self.end_of_closers(text, next, block.end);
                    return Some(at);
                }
                at = next;
            }
            None
        })
    }

    /// More separators and closing brackets belong to the sentence they end.
    fn end_of_closers(&self, text: &str, from: usize, end: usize) -> usize {
        let belongs = |character: char| CLOSERS.contains(character) || self.separators.contains(&character);
        text[from..end].find(|character| !belongs(character)).map_or(end, |length| from + length)
    }
}

fn segment(core: &CoreText, tokens: &Tokens, place: Range<usize>, range: Range<usize>) -> Segment {
    let slice = &core.text[place.clone()];
    let start = place.start + (slice.len() - slice.trim_start().len());
    // Every byte that does not continue a character starts one.
    let characters = tokens.canonical(range.clone()).iter().filter(|&&byte| byte as i8 >= -0x40).count();
    Segment { place: start..start + slice.trim().len(), tokens: range, characters, is_finished: false }
}

/// Whether the separator at `at` ends a sentence: not inside a number, an abbreviation or an address.
fn ends_sentence(block: &str, at: usize, separator: char) -> bool {
    let after = block[at + separator.len_utf8()..].chars().next();
    match separator {
        '.' | '．' => !after.is_some_and(goes_on) && !is_abbreviation(&block[..at]),
        '?' | '!' => !(after.is_some_and(|next| next.is_ascii_alphanumeric()) && is_address(&block[..at])),
        _ => true,
    }
}

/// A letter or digit right after a full stop goes on with the same word, number, file name or address;
/// in scripts where the space after it is often left out it does not.
fn goes_on(next: char) -> bool {
    let spaceless = matches!(next, '\u{2e80}'..='\u{9fff}' | '가'..='힣' | '\u{f900}'..='\u{faff}');
    next.is_alphanumeric() && !spaceless || "/_-@&=%#".contains(next)
}

fn is_abbreviation(before: &str) -> bool {
    let letters = before.bytes().rev().take(LONGEST_ABBREVIATION + 1);
    let count = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
    let word = &before[before.len() - count..];
    let is_whole = !before[..before.len() - count].ends_with(char::is_alphanumeric);
    let is_known = || ABBREVIATIONS.iter().any(|abbreviation| abbreviation.eq_ignore_ascii_case(word));
    is_whole && (word.len() == 1 || is_known())
}

/// Whether the text up to here ends in the middle of a web address. Addresses longer than 2,048 bytes are not ones.
fn is_address(before: &str) -> bool {
    let from = before.ceil_char_boundary(before.len().saturating_sub(2048));
    let word = before[from..].rsplit(char::is_whitespace).next().unwrap_or_default();
    word.contains("://")
}

impl Digest {
    /// Fingerprints every segment of at least `min_characters` normalised characters.
    pub fn of(segments: &[Segment], tokens: &Tokens, min_characters: usize, rabin: &Rabin) -> Self {
        // Every token is in one segment, so that segments stand one after the other as tokens do.
        let ends: Vec<u32> =
            segments.iter().map(|segment| tokens.canonical_ends()[segment.tokens.end - 1]).collect();
        let mut fingerprints = Vec::with_capacity(segments.len());
        rabin.fingerprint_each(tokens.padded_canonical(), PADDING, &ends, &mut fingerprints);
        let mut digest = Digest::default();
        let starts = std::iter::once(PADDING as u32).chain(ends.iter().copied());
        let lengths = starts.zip(&ends).map(|(start, end)| (end - start) as u8);
        let segments = segments.iter().zip(fingerprints).zip(lengths);
        for (index, ((segment, fingerprint), length)) in segments.enumerate() {
            if segment.characters >= min_characters {
                digest.fingerprints.push(fingerprint as u32);
                digest.lengths.push(length);
                digest.segments.push(index as u32);
            }
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use proptest::prelude::*;

    fn cut(blocks: &[&str]) -> (CoreText, Tokens, Vec<Segment>) {
        let core = CoreText::from_blocks(blocks.iter().map(|block| (*block).to_owned()));
        let tokens = Tokens::of(&core.text);
        let segments = SegmentRules::default().segments(&core, &tokens);
        (core, tokens, segments)
    }

    #[track_caller]
    fn check(blocks: &[&str], expected: &[&str]) {
        let (core, _, segments) = cut(blocks);
        let found: Vec<&str> = segments.iter().map(|segment| &core.text[segment.place.clone()]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_where_readers_see_it() {
        check(&["One. Two! Three? Four…"], &["One.", "Two!", "Three?", "Four…"]);
        check(&["그는 갔다.그리고 왔다. 끝"], &["그는 갔다.", "그리고 왔다.", "끝"]);
        check(&["「行く。」と言った。終わり！？はい"], &["「行く。」", "と言った。", "終わり！？", "はい"]);
        check(&["He said \"stop.\" Then left."], &["He said \"stop.\"", "Then left."]);
    }

    #[test]
    fn not_inside_numbers_abbreviations_and_addresses() {
        check(&["Pi is 3.14 or ３．１４ about."], &["Pi is 3.14 or ３．１４ about."]);
        check(&["Dr. J. R. Smith vs. Acme Inc. met. Yes"], &["Dr. J. R. Smith vs. Acme Inc. met.", "Yes"]);
        check(&["See https://a.example/x?y=1!2. Then go."], &["See https://a.example/x?y=1!2.", "Then go."]);
        check(&["Edit main.rs, e.g. here. Done."], &["Edit main.rs, e.g. here.", "Done."]);
        check(&["Take item 3a. Then go."], &["Take item 3a.", "Then go."]);
    }

    #[test]
    fn only_sentences_that_end_are_finished() {
        let (_, _, segments) = cut(&["A title", "One. Two", "three!"]);
        let finished: Vec<bool> = segments.iter().map(|segment| segment.is_finished).collect();
        assert_eq!(finished, [false, true, false, true]);
    }

    #[test]
    fn blocks_end_segments_and_empty_ones_are_none() {
        check(&["A title", "body text", "...", "end"], &["A title", "body text", "end"]);
        check(&[], &[]);
    }

    #[test]
    fn the_digest_ignores_spacing_case_width_and_short_segments() {
        let rabin = Rabin::new(32, &Seed::PUBLIC, "segments");
        let digest = |blocks: &[&str]| {
            let (_, tokens, segments) = cut(blocks);
            Digest::of(&segments, &tokens, 5, &rabin)
        };
        let plain = digest(&["Hello wide world. No. 띄어쓰기가 다르다."]);
        assert_eq!(plain.fingerprints.len(), 2);
        assert_eq!(plain.lengths, [14, 24]);
        assert_eq!(plain.segments, [0, 2]);
        assert_eq!(
            plain.fingerprints,
            digest(&["ＨＥＬＬＯ wide-world! No.", "띄어 쓰기가다르다"]).fingerprints
        );
    }

    proptest! {
        #[test]
        fn every_token_is_in_exactly_one_segment(blocks in prop::collection::vec("[a-zA-Z0-9 .?!가-낗。、か-け\"…:/]{0,30}", 0..5)) {
            let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
            let (core, tokens, segments) = cut(&blocks);
            let covered: Vec<usize> = segments.iter().flat_map(|segment| segment.tokens.clone()).collect();
            prop_assert_eq!(covered, (0..tokens.len()).collect::<Vec<_>>());
            for segment in &segments {
                prop_assert!(core.text.get(segment.place.clone()).is_some());
            }
        }
    }
}
