//! Sixty-four bytes at a glance: the words of ASCII text that need no closer look, all of a block without a branch on the
//! length of any. Whatever else there is (other characters, long words, thousands separators) is left to `words.rs`.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;
/// Bytes that are read of a word, whatever its length: the longest that a block settles.
const LONGEST: usize = 16;
/// Bytes that must be readable from the start of a block on.
pub(super) const AHEAD: usize = BLOCK + LONGEST;
/// The most words of a block.
pub(super) const MOST_WORDS: usize = BLOCK / 2;

/// Kinds of bytes in a block: one bit a byte, the first byte lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ByteClasses {
    letters: u64,
    digits: u64,
    /// Full stops, exclamation marks, question marks and line ends.
    sentence_ends: u64,
    line_ends: u64,
    commas: u64,
    beyond_ascii: u64,
}

/// The words of a block that are settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct AsciiBlock {
    masks: ByteClasses,
    /// The first byte of each word, and the first byte behind each.
    starts: u64,
    ends: u64,
    /// Offset to go on at: the first byte behind all settled words.
    pub(super) settled: usize,
}

/// A word of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct AsciiWord {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_digit: bool,
}

/// The bits below a place of at most 64.
#[inline(always)]
fn below(place: usize) -> u64 {
    if place < BLOCK { (1 << place) - 1 } else { u64::MAX }
}

impl AsciiBlock {
    /// Finds the words among the first `length` bytes, at most [`BLOCK`], which must begin at the start of a word.
    #[inline(always)]
    pub(super) fn read(ahead: &[u8; AHEAD], length: usize) -> Self {
        let masks = masks(ahead.first_chunk().unwrap_or(&[0; BLOCK]));
        let letters = (masks.letters | masks.digits) & below(length);
        let starts = letters & !(letters << 1);
        // Runs of more than sixteen letters: those that are still there when all but the last of sixteen steps are taken away.
        let twice = letters & letters >> 1;
        let four = twice & twice >> 2;
        let eight = four & four >> 4;
        let sixteen = eight & eight >> 8;
        let long = sixteen & letters >> 16;
        // Behind a comma at the end there may be a digit.
        let thousands = masks.commas & masks.digits << 1 & (masks.digits >> 1 | 1 << (BLOCK - 1));
        let attention = masks.beyond_ascii | long | thousands;
        let limit = (attention.trailing_zeros() as usize).min(length);
        // A word must end before the limit; at the end of the text, at the limit.
        let is_last = length < BLOCK && limit == length;
        let ends = !letters & letters << 1 & below(limit + usize::from(is_last));
        let is_open = (starts & below(limit)).count_ones() > ends.count_ones();
        let settled = if is_open { 63 - (starts & below(limit)).leading_zeros() as usize } else { limit };
        AsciiBlock { masks, starts: starts & below(settled), ends, settled }
    }

    /// Iterates over the words.
    #[inline(always)]
    pub(super) fn words(self) -> impl Iterator<Item = AsciiWord> {
        let (mut starts, mut ends) = (self.starts, self.ends);
        std::iter::from_fn(move || {
            if ends == 0 {
                return None;
            }
            let (start, end) = (starts.trailing_zeros() as usize, ends.trailing_zeros() as usize);
            starts &= starts - 1;
            ends &= ends - 1;
            Some(AsciiWord { start, end, has_digit: self.masks.digits & between(start, end) != 0 })
        })
    }

    /// Whether a sentence ends between two places.
    #[inline(always)]
    pub(super) fn ends_sentence(self, from: usize, to: usize) -> bool {
        self.masks.sentence_ends & between(from, to) != 0
    }

    /// Whether a line ends between two places.
    #[inline(always)]
    pub(super) fn ends_line(self, from: usize, to: usize) -> bool {
        self.masks.line_ends & between(from, to) != 0
    }
}

#[inline(always)]
fn between(from: usize, to: usize) -> u64 {
    below(to) & !below(from)
}

impl AsciiWord {
    /// The letters of the word in lower case, eight bytes a number, zeros behind.
    #[inline(always)]
    pub(super) fn folded(self, ahead: &[u8; AHEAD]) -> [u64; 2] {
        const LOWER: u64 = 0x2020_2020_2020_2020;
        let start = self.start % BLOCK;
        let [low, high] = [start, start + 8].map(|at| {
            let eight = ahead[at..at + 8].first_chunk().unwrap_or(&[0; 8]);
            u64::from_le_bytes(*eight) | LOWER
        });
        let length = self.end - self.start;
        let keep = |bytes: usize| u64::MAX >> (64 - 8 * bytes.clamp(1, 8));
        [low & keep(length), high & keep(length.saturating_sub(8))]
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn masks(bytes: &[u8; BLOCK]) -> ByteClasses {
    // SAFETY: sse2 is part of x86_64.
    unsafe { masks_sse2(bytes) }
}

#[cfg(not(target_arch = "x86_64"))]
fn masks(bytes: &[u8; BLOCK]) -> ByteClasses {
    masks_by_byte(bytes)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn masks_sse2(bytes: &[u8; BLOCK]) -> ByteClasses {
    let mut masks = ByteClasses::default();
    for (part, bytes) in bytes.as_chunks::<16>().0.iter().enumerate() {
        // SAFETY: a chunk has the 16 bytes that are loaded.
        let vector = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
        let within = |vector: __m128i, first: u8, last: u8| {
            let offset = _mm_sub_epi8(vector, _mm_set1_epi8(first as i8));
            _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8((last - first) as i8)), offset)
        };
        let is = |byte: u8| _mm_cmpeq_epi8(vector, _mm_set1_epi8(byte as i8));
        let bits = |vector: __m128i| u64::from(_mm_movemask_epi8(vector) as u16) << (16 * part);
        let line_ends = is(b'\n');
        let sentence_ends = _mm_or_si128(_mm_or_si128(is(b'.'), is(b'!')), _mm_or_si128(is(b'?'), line_ends));
        masks.letters |= bits(within(_mm_or_si128(vector, _mm_set1_epi8(0x20)), b'a', b'z'));
        masks.digits |= bits(within(vector, b'0', b'9'));
        masks.sentence_ends |= bits(sentence_ends);
        masks.line_ends |= bits(line_ends);
        masks.commas |= bits(is(b','));
        // The highest bit of a byte is what the mask of the vector itself holds.
        masks.beyond_ascii |= bits(vector);
    }
    masks
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn masks_by_byte(bytes: &[u8; BLOCK]) -> ByteClasses {
    let mask = |is: fn(&u8) -> bool| {
        bytes.iter().enumerate().fold(0, |mask, (at, byte)| mask | u64::from(is(byte)) << at)
    };
    ByteClasses {
        letters: mask(u8::is_ascii_alphabetic),
        digits: mask(u8::is_ascii_digit),
        sentence_ends: mask(|byte| b".!?\n".contains(byte)),
        line_ends: mask(|byte| *byte == b'\n'),
        commas: mask(|byte| *byte == b','),
        beyond_ascii: mask(|byte| !byte.is_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_and_bytes_give_the_same_masks(bytes in prop::collection::vec(any::<u8>(), BLOCK)) {
            let bytes = bytes.first_chunk().unwrap();
            prop_assert_eq!(masks(bytes), masks_by_byte(bytes));
        }

        #[test]
        fn settled_words_are_those_that_a_split_finds(text in "[a-zA-Z0-9 .,é\n]{0,100}") {
            let text = text.as_bytes();
            let text = &text[text.iter().position(u8::is_ascii_alphanumeric).unwrap_or(text.len())..];
            let mut ahead = [0; AHEAD];
            let copied = text.len().min(AHEAD);
            ahead[..copied].copy_from_slice(&text[..copied]);
            let block = AsciiBlock::read(&ahead, text.len().min(BLOCK));
            let found: Vec<&[u8]> = block.words().map(|word| &ahead[word.start..word.end]).collect();
            let settled = &text[..block.settled];
            let expected = settled.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
            prop_assert_eq!(&found, &expected.collect::<Vec<_>>());
            // A word that goes on was not settled.
            let goes_on = |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
            let ended_inside = block.settled == 0 || !goes_on(block.settled - 1) || !goes_on(block.settled);
            prop_assert!(ended_inside, "{:?} {}", text, block.settled);
            for word in block.words() {
                let letters = ahead[word.start..word.end].to_ascii_lowercase();
                let folded: Vec<u8> = word.folded(&ahead).iter().flat_map(|part| part.to_le_bytes()).collect();
                prop_assert_eq!(&folded[..letters.len().min(8)], &letters[..letters.len().min(8)]);
                prop_assert_eq!(word.has_digit, letters.iter().any(u8::is_ascii_digit));
                if letters.len() > 8 {
                    prop_assert_eq!(&folded[8..letters.len()], &letters[8..]);
                    prop_assert!(folded[letters.len()..].iter().all(|&byte| byte == 0));
                }
            }
        }
    }
}
