//! Sixty-four bytes at a glance: which words stand in them whole, and where does something else need a closer look?
//! Settles ASCII, and the dashes, quotes and signs beyond it that fill English pages.

use super::Places;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// How many bytes a block has.
pub(super) const BLOCK: usize = 64;

/// Words up to this length are copied as one vector, whatever their length.
pub(super) const CHUNK: usize = 16;

/// The last bytes of a block, where a character or what it joins may be out of sight.
pub(super) const EDGE: usize = BLOCK - 3;

/// One bit a byte, the first byte lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// ASCII letters and digits: what the canonical forms are made of.
    pub letters: u64,
    /// From the first to the last letter of each word, with the punctuation that joins them.
    pub spans: u64,
    /// What this glance cannot settle: other characters beyond ASCII, joiners at the rim of a word, and punctuation that
    /// may join what stands before it to what is beyond ASCII or out of sight.
    pub attention: u64,
}

/// The words of a block that are settled, one bit a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Whole {
    /// The letters of these words.
    pub letters: u64,
    /// Where each word starts.
    pub starts: u64,
    /// The first byte after each word.
    pub ends: u64,
    /// Where to go on: at the first word that is not settled, or else at what needs attention.
    pub go_on: usize,
}

/// The small letters, the digits: the first and how many follow it.
const LETTERS: (u8, u8) = (b'a', 25);
const DIGITS: (u8, u8) = (b'0', 9);
/// ASCII punctuation that joins two letters or two digits.
const JOINS_BOTH: [u8; 2] = *b".'";
/// ASCII punctuation that joins two letters.
const JOINS_LETTERS: u8 = b':';
/// ASCII punctuation that joins two digits.
const JOINS_DIGITS: [u8; 2] = *b",;";
/// ASCII punctuation that joins whatever it touches.
const JOINER: u8 = b'_';
/// The first two bytes of general punctuation, and the third of what stands between words: dashes and double quotes.
const GENERAL: [u8; 2] = [0xe2, 0x80];
const DASHES: (u8, u8) = (0x92, 3);
const DOUBLE_QUOTES: (u8, u8) = (0x9a, 5);
/// The third byte of the single quotes, which join as `'` does.
const SINGLE_QUOTES: (u8, u8) = (0x98, 1);
/// The first byte of the signs of Latin-1, and the second of those that stand between words, no-break space to `§`.
const LATIN: u8 = 0xc2;
const SIGNS: (u8, u8) = (0xa0, 7);

impl Block {
    /// Looks at a block that starts at a word boundary.
    #[inline(always)]
    pub(super) fn read(eyes: impl Eyes, bytes: &[u8; BLOCK]) -> Self {
        let masks = eyes.masks(bytes);
        let letters = masks.letters | masks.digits;
        let general = masks.general & masks.general_second >> 1;
        let single_quotes = general & masks.single_quotes >> 2;
        let triples = single_quotes | general & masks.dashes_and_quotes >> 2;
        let pairs = masks.latin & masks.signs >> 1;
        let unknown = masks.beyond & !(triples | triples << 1 | triples << 2 | pairs | pairs << 1);
        // What joins on both sides of one byte, and of the three bytes of a quote.
        let between = |mask: u64, width: u32| mask << 1 & mask >> width;
        let both = |width: u32| between(masks.letters, width) | between(masks.digits, width);
        let joined = masks.joins_both & both(1)
            | masks.joins_letters & between(masks.letters, 1)
            | masks.joins_digits & between(masks.digits, 1)
            | masks.joiners & between(letters, 1);
        let joined_quotes = single_quotes & both(3);
        // What is beyond ASCII or out of sight may be a letter, and so may be joined.
        let middles = masks.joins_both | masks.joins_letters | masks.joins_digits;
        let doubtful =
            letters << 1 & (middles & (unknown >> 1 | 1 << 63) | single_quotes & (unknown >> 3 | 1 << EDGE));
        Block {
            letters,
            spans: letters | joined | joined_quotes | joined_quotes << 1 | joined_quotes << 2,
            attention: unknown | masks.joiners & !joined | doubtful,
        }
    }

    /// Where the first byte stands that needs attention; [`BLOCK`] if none does.
    #[inline(always)]
    pub(super) fn limit(self) -> usize {
        self.attention.trailing_zeros() as usize
    }

    /// The words that end before the first byte that needs attention.
    #[inline(always)]
    pub(super) fn whole(self) -> Whole {
        let limit = self.limit();
        let spans = self.spans & below(limit);
        let (starts, ends) = (spans & !(spans << 1), !spans & spans << 1 & below(limit));
        // A word that reaches the limit may go on there: it starts where the last one does.
        let is_open = starts.count_ones() > ends.count_ones();
        let go_on = if is_open { 63 - starts.leading_zeros() as usize } else { limit };
        Whole { letters: self.letters & below(go_on), starts: starts & below(go_on), ends, go_on }
    }
}

/// The bits below a place of at most 64.
#[inline(always)]
fn below(place: usize) -> u64 {
    if place < BLOCK { (1 << place) - 1 } else { u64::MAX }
}

/// One bit a byte for every kind of byte that matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Masks {
    letters: u64,
    digits: u64,
    joins_both: u64,
    joins_letters: u64,
    joins_digits: u64,
    joiners: u64,
    beyond: u64,
    general: u64,
    general_second: u64,
    dashes_and_quotes: u64,
    single_quotes: u64,
    latin: u64,
    signs: u64,
}

/// What classifies 64 bytes at once on some kind of CPU, and takes the words among them; all kinds do the same.
pub(super) trait Eyes: Copy {
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks;

    /// Appends the words of a block; returns how many letters they have.
    fn take(self, whole: &Whole, ahead: &[u8; 2 * BLOCK], sink: Sink<'_>) -> usize;
}

/// Where the words of a block go.
pub(super) struct Sink<'a> {
    /// Where the block starts in the text.
    pub at: usize,
    /// The free part of the canonical forms, of which `filled` bytes are not free.
    pub room: &'a mut [u8; 2 * BLOCK],
    pub filled: usize,
    pub places: &'a mut Places,
}

/// What every CPU of the architecture can do.
#[derive(Clone, Copy)]
pub(super) struct Plain;

impl Eyes for Plain {
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        // SAFETY: sse2 is part of x86_64.
        unsafe { masks_sse2(bytes) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        masks_by_byte(bytes)
    }

    #[inline(always)]
    fn take(self, whole: &Whole, ahead: &[u8; 2 * BLOCK], sink: Sink<'_>) -> usize {
        take_one_by_one(whole, ahead, sink)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn masks_sse2(bytes: &[u8; BLOCK]) -> Masks {
    let mut masks = Masks::default();
    for part in 0..4 {
        // SAFETY: 16 bytes from `16 * part` on are within the 64 for every part below 4.
        let vector = unsafe { _mm_loadu_si128(bytes.as_ptr().add(16 * part).cast()) };
        let within = |vector: __m128i, (first, span): (u8, u8)| {
            let offset = _mm_sub_epi8(vector, _mm_set1_epi8(first as i8));
            _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(span as i8)), offset)
        };
        let is = |byte: u8| _mm_cmpeq_epi8(vector, _mm_set1_epi8(byte as i8));
        let either = |[one, other]: [u8; 2]| _mm_or_si128(is(one), is(other));
        let bits = |vector: __m128i| u64::from(_mm_movemask_epi8(vector) as u16) << (16 * part);
        masks.letters |= bits(within(_mm_or_si128(vector, _mm_set1_epi8(0x20)), LETTERS));
        masks.digits |= bits(within(vector, DIGITS));
        masks.joins_both |= bits(either(JOINS_BOTH));
        masks.joins_letters |= bits(is(JOINS_LETTERS));
        masks.joins_digits |= bits(either(JOINS_DIGITS));
        masks.joiners |= bits(is(JOINER));
        // The highest bit of a byte is what the mask of the vector itself holds.
        let beyond = bits(vector);
        if beyond != 0 {
            masks.beyond |= beyond;
            masks.general |= bits(is(GENERAL[0]));
            masks.general_second |= bits(is(GENERAL[1]));
            masks.dashes_and_quotes |=
                bits(_mm_or_si128(within(vector, DASHES), within(vector, DOUBLE_QUOTES)));
            masks.single_quotes |= bits(within(vector, SINGLE_QUOTES));
            masks.latin |= bits(is(LATIN));
            masks.signs |= bits(within(vector, SIGNS));
        }
    }
    masks
}

/// Takes word after word: what every CPU can do.
#[inline(always)]
fn take_one_by_one(whole: &Whole, ahead: &[u8; 2 * BLOCK], sink: Sink<'_>) -> usize {
    let Whole { letters, mut starts, ends, .. } = *whole;
    let Sink { at, room, filled, places } = sink;
    let (mut run_starts, mut run_ends) = (letters & !(letters << 1), !letters & letters << 1);
    let mut copied = 0;
    while run_ends != 0 {
        let (start, end) = (run_starts.trailing_zeros() as usize, run_ends.trailing_zeros() as usize);
        copy(ahead, start, room, copied, end - start);
        copied += end - start;
        // Otherwise punctuation joins these letters to more of them.
        if ends >> end & 1 == 1 {
            places.push(at + starts.trailing_zeros() as usize, at + end, filled + copied);
            starts &= starts - 1;
        }
        run_starts &= run_starts - 1;
        run_ends &= run_ends - 1;
    }
    copied
}

/// Copies up to [`BLOCK`] bytes, by vectors of fixed size: what is copied too much is overwritten by the next.
#[inline(always)]
fn copy(from: &[u8; 2 * BLOCK], start: usize, to: &mut [u8; 2 * BLOCK], at: usize, length: usize) {
    let (start, at) = (start % BLOCK, at % BLOCK);
    if length <= CHUNK {
        to[at..at + CHUNK].copy_from_slice(&from[start..start + CHUNK]);
    } else {
        to[at..at + BLOCK].copy_from_slice(&from[start..start + BLOCK]);
    }
}

/// The CPU compares 64 bytes in one instruction; made only where it does.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The only way to make one, so that to hold one is the proof that the features are there.
    pub(super) fn detect() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Avx512(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Eyes for Avx512 {
    #[inline(always)]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        // SAFETY: an `Avx512` exists only where the CPU has avx512bw (see `detect`).
        unsafe { masks_avx512(bytes) }
    }

    #[inline(always)]
    fn take(self, whole: &Whole, ahead: &[u8; 2 * BLOCK], sink: Sink<'_>) -> usize {
        take_one_by_one(whole, ahead, sink)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512bw")]
fn masks_avx512(bytes: &[u8; BLOCK]) -> Masks {
    // SAFETY: the array holds the 64 bytes that are loaded.
    let vector = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
    let all = |byte: u8| _mm512_set1_epi8(byte as i8);
    let within = |vector: __m512i, (first, span): (u8, u8)| {
        _mm512_cmple_epu8_mask(_mm512_sub_epi8(vector, all(first)), all(span))
    };
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(vector, all(byte));
    let either = |[one, other]: [u8; 2]| is(one) | is(other);
    Masks {
        letters: within(_mm512_or_si512(vector, all(0x20)), LETTERS),
        digits: within(vector, DIGITS),
        joins_both: either(JOINS_BOTH),
        joins_letters: is(JOINS_LETTERS),
        joins_digits: either(JOINS_DIGITS),
        joiners: is(JOINER),
        beyond: _mm512_movepi8_mask(vector),
        general: is(GENERAL[0]),
        general_second: is(GENERAL[1]),
        dashes_and_quotes: within(vector, DASHES) | within(vector, DOUBLE_QUOTES),
        single_quotes: within(vector, SINGLE_QUOTES),
        latin: is(LATIN),
        signs: within(vector, SIGNS),
    }
}

/// The CPU also gathers the chosen ones of 64 bytes in one instruction; made only where it does.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Compressing(Avx512);

#[cfg(target_arch = "x86_64")]
impl Compressing {
    /// The only way to make one.
    pub(super) fn detect() -> Option<Self> {
        Avx512::detect().filter(|_| is_x86_feature_detected!("avx512vbmi2")).map(Compressing)
    }
}

#[cfg(target_arch = "x86_64")]
impl Eyes for Compressing {
    #[inline(always)]
    fn masks(self, bytes: &[u8; BLOCK]) -> Masks {
        self.0.masks(bytes)
    }

    #[inline(always)]
    fn take(self, whole: &Whole, ahead: &[u8; 2 * BLOCK], sink: Sink<'_>) -> usize {
        // SAFETY: a `Compressing` exists only where the CPU has these features (see `detect`).
        unsafe { take_at_once(whole, ahead, sink) }
    }
}

/// Takes all words of a block without a branch on any of them: their letters moved together, and the places of the set
/// bits as numbers.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi2,bmi2,popcnt")]
fn take_at_once(whole: &Whole, ahead: &[u8; 2 * BLOCK], sink: Sink<'_>) -> usize {
    let Whole { letters, starts, ends, .. } = *whole;
    let Sink { at, room, filled, places } = sink;
    // SAFETY: both arrays have 64 bytes, to be loaded and stored.
    unsafe {
        let vector = _mm512_loadu_si512(ahead.as_ptr().cast());
        let together = _mm512_maskz_compress_epi8(letters, vector);
        _mm512_storeu_si512(room.as_mut_ptr().cast(), together);
    }
    // The last letter of each word, by its place among the letters alone.
    let lasts = _pext_u64(ends >> 1, letters);
    append_places(&mut places.starts, starts, at);
    append_places(&mut places.ends, ends, at);
    append_places(&mut places.canonical_ends, lasts, filled + 1);
    letters.count_ones() as usize
}

/// Appends the places of the at most 32 set bits, counted from `base`.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512bw,avx512vbmi2,popcnt")]
fn append_places(list: &mut Vec<u32>, bits: u64, base: usize) {
    const MOST: usize = BLOCK / 2;
    const PLACES: [u8; BLOCK] = {
        let mut places = [0; BLOCK];
        let mut place = 0;
        while place < BLOCK {
            places[place] = place as u8;
            place += 1;
        }
        places
    };
    let count = (bits.count_ones() as usize).min(MOST);
    list.reserve(MOST);
    let base = _mm512_set1_epi32(base as i32);
    let numbers = |bytes: __m128i| _mm512_add_epi32(_mm512_cvtepu8_epi32(bytes), base);
    // SAFETY: the constant has the 64 bytes that are loaded. Room for 32 numbers was just reserved, so that both halves
    // of 16 can be stored; `count` of them, at most 32, are then set and part of the list.
    unsafe {
        let places = _mm512_maskz_compress_epi8(bits, _mm512_loadu_si512(PLACES.as_ptr().cast()));
        let free = list.as_mut_ptr().add(list.len());
        _mm512_storeu_si512(free.cast(), numbers(_mm512_castsi512_si128(places)));
        if count > MOST / 2 {
            let second = numbers(_mm512_extracti32x4_epi32::<1>(places));
            _mm512_storeu_si512(free.add(MOST / 2).cast(), second);
        }
        list.set_len(list.len() + count);
    }
}

/// The twin, for other CPUs.
#[cfg_attr(
    target_arch = "x86_64",
    allow(dead_code, reason = "the twin that the vector kernels are tested against")
)]
fn masks_by_byte(bytes: &[u8; BLOCK]) -> Masks {
    fn bits(bytes: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
        bytes.iter().enumerate().fold(0, |mask, (at, &byte)| mask | u64::from(is(byte)) << at)
    }
    let within = |byte: u8, (first, span): (u8, u8)| (first..=first + span).contains(&byte);
    Masks {
        letters: bits(bytes, |byte| byte.is_ascii_alphabetic()),
        digits: bits(bytes, |byte| byte.is_ascii_digit()),
        joins_both: bits(bytes, |byte| JOINS_BOTH.contains(&byte)),
        joins_letters: bits(bytes, |byte| byte == JOINS_LETTERS),
        joins_digits: bits(bytes, |byte| JOINS_DIGITS.contains(&byte)),
        joiners: bits(bytes, |byte| byte == JOINER),
        beyond: bits(bytes, |byte| !byte.is_ascii()),
        general: bits(bytes, |byte| byte == GENERAL[0]),
        general_second: bits(bytes, |byte| byte == GENERAL[1]),
        dashes_and_quotes: bits(bytes, |byte| within(byte, DASHES) || within(byte, DOUBLE_QUOTES)),
        single_quotes: bits(bytes, |byte| within(byte, SINGLE_QUOTES)),
        latin: bits(bytes, |byte| byte == LATIN),
        signs: bits(bytes, |byte| within(byte, SIGNS)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::classes::{Class, table};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_constants_say_what_the_table_says() {
        for byte in 0..0x80u8 {
            let expected = match table()[usize::from(byte)] {
                Class::Letter | Class::FoldedLetter => byte.is_ascii_alphabetic(),
                Class::Digit => byte.is_ascii_digit(),
                Class::MidBoth => JOINS_BOTH.contains(&byte),
                Class::MidLetter => byte == JOINS_LETTERS,
                Class::MidNumber => JOINS_DIGITS.contains(&byte),
                Class::Joiner => byte == JOINER,
                Class::Separator | Class::Quote => {
                    !byte.is_ascii_alphanumeric() && !b".':,;_".contains(&byte)
                }
                _ => false,
            };
            assert!(expected, "{:?}", char::from(byte));
        }
    }

    #[test]
    fn the_constants_beyond_ascii_say_what_the_table_says() {
        let check = |bytes: &[u8], class: Class| {
            let text = std::str::from_utf8(bytes).unwrap();
            assert_eq!(table()[text.chars().next().unwrap() as usize], class, "{text:?}");
        };
        let general = |(first, span): (u8, u8), class: Class| {
            (first..=first + span).for_each(|third| check(&[GENERAL[0], GENERAL[1], third], class));
        };
        general(DASHES, Class::Separator);
        general(DOUBLE_QUOTES, Class::Separator);
        general(SINGLE_QUOTES, Class::MidBoth);
        (SIGNS.0..=SIGNS.0 + SIGNS.1).for_each(|second| check(&[LATIN, second], Class::Separator));
    }

    /// Bytes of all kinds, most of them of the kinds that matter.
    fn block() -> impl Strategy<Value = [u8; BLOCK]> {
        let piece = prop_oneof![
            6 => "[a-zA-Z0-9]{1,9}",
            3 => "[ .,';_:-]",
            2 => "[–—‘’“”§é한\u{a0}…]",
        ];
        let text = prop::collection::vec(piece, BLOCK)
            .prop_map(|pieces| *pieces.concat().as_bytes().first_chunk().unwrap());
        prop_oneof![text, prop::array::uniform(any::<u8>())]
    }

    /// What `eyes` take of a block: the canonical forms and the places.
    fn taken(eyes: impl Eyes, bytes: &[u8; BLOCK]) -> (Vec<u8>, Places) {
        let (mut ahead, mut room, mut places) = ([b'x'; 2 * BLOCK], [0; 2 * BLOCK], Places::default());
        ahead[..BLOCK].copy_from_slice(bytes);
        let whole = Block::read(eyes, bytes).whole();
        let sink = Sink { at: 1000, room: &mut room, filled: 500, places: &mut places };
        let length = eyes.take(&whole, &ahead, sink);
        (room[..length].to_vec(), places)
    }

    proptest! {
        #[test]
        fn the_vector_kernels_equal_their_twin(bytes in block()) {
            prop_assert_eq!(Plain.masks(&bytes), masks_by_byte(&bytes));
            #[cfg(target_arch = "x86_64")]
            if let Some(eyes) = Avx512::detect() {
                prop_assert_eq!(eyes.masks(&bytes), masks_by_byte(&bytes));
                prop_assert_eq!(taken(eyes, &bytes), taken(Plain, &bytes));
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(eyes) = Compressing::detect() {
                prop_assert_eq!(taken(eyes, &bytes), taken(Plain, &bytes));
            }
        }
    }

    #[test]
    fn as_many_words_as_a_block_can_hold() {
        let bytes = std::array::from_fn(|at| if at % 2 == 0 { b'a' } else { b' ' });
        let (letters, places) = taken(Plain, &bytes);
        assert_eq!((letters.len(), places.ends.len()), (BLOCK / 2, BLOCK / 2));
        #[cfg(target_arch = "x86_64")]
        if let Some(eyes) = Compressing::detect() {
            assert_eq!(taken(eyes, &bytes), (letters, places));
        }
    }
}
