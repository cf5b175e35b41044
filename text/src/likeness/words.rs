//! The words of a text as they are compared: their codes, what they weigh, and where they stand.

use super::ascii::{AHEAD, AsciiBlock, BLOCK, MOST_WORDS};
use super::characters::{self, Character, Role, character};
use super::spellings::spellings;
use super::weights::{KANA, KANJI, NUMBER_WEIGHT, ORDINARY, SYLLABLE, Weights};
use crate::tokens::MAX_TEXT;
use crate::vector::with_vectors;
use std::ops::Range;

/// Set in the code of a word of letters or digits; the others are characters.
const OF_LETTERS: u32 = 1 << 31;
/// The first Hangul syllable; kana and Han stand before it in Unicode's basic plane.
const HANGUL: u32 = 0xac00;
/// Digits of the numbers that may mark an item of a list.
const LIST_DIGITS: u32 = 3;

/// A tag: the weight of a word in its lower bits, what it is in the upper two.
const WEIGHT_BITS: u8 = 0b0011_1111;
/// Tags a number, or a word with a digit in it.
const NUMBER: u8 = 0b1000_0000;
/// Tags a word with a capital that does not begin a sentence.
const NAME: u8 = 0b0100_0000;

/// The words of a text, as they are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    pub(super) codes: Vec<u32>,
    tags: Vec<u8>,
    /// Start and end in the text, in bytes; empty if they were not asked for.
    places: Vec<(u32, u32)>,
    total_weight: u64,
}

impl Words {
    /// Reads the words of a text.
    pub fn of(text: &str, weights: &Weights) -> Self {
        Reader::read(text, weights, false)
    }

    /// Reads the words of a text, with their places in it.
    pub fn with_places(text: &str, weights: &Weights) -> Self {
        Reader::read(text, weights, true)
    }

    /// Takes ready words as they are: split at white space, and nothing else done to them.
    pub fn of_ready_words(text: &str) -> Self {
        let mut words = Words::default();
        for word in text.split_whitespace() {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            words.codes.push(code_of(word.as_bytes()));
            words.tags.push(ORDINARY);
            words.places.push((start as u32, (start + word.len()) as u32));
        }
        words.total_weight = words.len() as u64 * u64::from(ORDINARY);
        words
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The byte range of the word at `index` in the text; nothing if places were not asked for.
    pub fn place(&self, index: usize) -> Range<usize> {
        self.places.get(index).map_or(0..0, |&(start, end)| start as usize..end as usize)
    }

    /// The sum of all weights.
    pub fn total_weight(&self) -> u64 {
        self.total_weight
    }

    /// Bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        self.codes.len() * 5 + self.places.len() * 8
    }

    /// Gives back memory that was reserved for words that did not come, before the words are kept for long.
    pub fn shrink_to_fit(&mut self) {
        self.codes.shrink_to_fit();
        self.tags.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Appends the words as bytes, five a word: all codes (u32, little-endian), then all tags. Places are left out.
    pub fn to_bytes(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(5 * self.len());
        bytes.extend(self.codes.iter().flat_map(|code| code.to_le_bytes()));
        bytes.extend_from_slice(&self.tags);
    }

    /// Reads words that [`Words::to_bytes`] wrote, in place of those held now. Up to four bytes of padding at the end are
    /// skipped.
    pub fn read_bytes(&mut self, bytes: &[u8]) {
        let count = bytes.len() / 5;
        let (codes, tags) = bytes.split_at(4 * count);
        self.places.clear();
        self.codes.clear();
        self.codes.extend(codes.as_chunks().0.iter().map(|code| u32::from_le_bytes(*code)));
        self.tags.clear();
        self.tags.extend_from_slice(&tags[..count]);
        self.total_weight = self.tags.iter().map(|tag| u64::from(tag & WEIGHT_BITS)).sum();
    }

    #[inline]
    pub(super) fn weight(&self, index: usize) -> u32 {
        u32::from(self.tags[index] & WEIGHT_BITS)
    }

    /// Iterates over the codes and weights of all words.
    #[inline]
    pub(super) fn weighed(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.codes.iter().zip(&self.tags).map(|(&code, tag)| (code, u32::from(tag & WEIGHT_BITS)))
    }

    pub(super) fn weigh(&self, range: Range<usize>) -> u32 {
        self.tags[range].iter().map(|tag| u32::from(tag & WEIGHT_BITS)).sum()
    }

    pub(super) fn is_number(&self, index: usize) -> bool {
        self.tags[index] & NUMBER != 0
    }

    pub(super) fn is_name(&self, index: usize) -> bool {
        self.tags[index] & NAME != 0
    }

    /// Replaces British spellings, and weighs all words: until then, the tag of each holds the weight of an unknown word. One
    /// loop over all of them, because the looks into tables then wait for each other's cache misses together.
    #[inline(always)]
    fn weigh_all(&mut self, weights: &Weights) {
        let spellings = spellings();
        let mut total = 0;
        for (code, tag) in self.codes.iter_mut().zip(&mut self.tags) {
            if *code >= OF_LETTERS {
                *code = spellings.american(*code);
            }
            let unknown = *tag & WEIGHT_BITS;
            let is_fixed = *tag & NUMBER != 0 || unknown == KANA;
            let weight = if is_fixed { unknown } else { weights.of(*code, unknown) };
            *tag = *tag & !WEIGHT_BITS | weight;
            total += u64::from(weight);
        }
        self.total_weight = total;
    }

    fn pop(&mut self) {
        self.codes.pop();
        self.tags.pop();
        self.places.pop();
    }
}

/// Hands over the code of every word of a text: for tables of words.
pub(super) fn codes_of(text: &str, sink: impl FnMut(u32)) {
    Words::of(text, &Weights::by_script()).codes.into_iter().for_each(sink);
}

/// The weight of a word in the phrases of keys. Characters of unspaced scripts weigh half as much again there: phrases of
/// five kana survive edits of single characters that longer ones do not, and phrases of four are too common.
#[inline]
pub(super) fn key_weight(code: u32, weight: u32) -> u32 {
    let is_unspaced = code < HANGUL;
    weight + u32::from(is_unspaced) * weight.div_ceil(2)
}

/// The code of a word: a hash of its folded letters, eight bytes at a time.
#[inline]
pub(super) fn code_of(letters: &[u8]) -> u32 {
    let mut hash = letters.len() as u64;
    let mut chunks = letters.chunks_exact(8);
    for chunk in &mut chunks {
        let bytes = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        hash = hash_step(hash, bytes);
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mut bytes = [0; 8];
        bytes[..rest.len()].copy_from_slice(rest);
        hash = hash_step(hash, u64::from_le_bytes(bytes));
    }
    finished(hash)
}

#[inline]
fn finished(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32 | OF_LETTERS
}

#[inline]
fn hash_step(hash: u64, bytes: u64) -> u64 {
    let mixed = (hash ^ bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Reads a text from left to right.
struct Reader {
    table: &'static [Character],
    words: Words,
    has_places: bool,
    /// Whether plain ASCII is read in blocks. It makes no difference to the words.
    takes_blocks: bool,
    open: OpenWord,
    /// Nothing but separators stands between the last sentence end and here.
    is_sentence_start: bool,
    /// Words before this line.
    line_start: usize,
    /// A leading conjoining jamo that waits for its vowel, and where it starts.
    leading: Option<(u32, usize)>,
}

/// A word of letters and digits that has not ended.
#[derive(Default)]
struct OpenWord {
    /// The folded letters.
    folded: Vec<u8>,
    start: usize,
    end: usize,
    letters: u32,
    digits: u32,
    is_name: bool,
}

impl OpenWord {
    #[inline]
    fn is_empty(&self) -> bool {
        self.letters + self.digits == 0
    }
}

impl Reader {
    fn read(text: &str, weights: &Weights, has_places: bool) -> Words {
        Reader::new(has_places, true).words_of(text, weights)
    }

    fn new(has_places: bool, takes_blocks: bool) -> Self {
        Reader {
            table: characters::table(),
            words: Words::default(),
            has_places,
            takes_blocks,
            open: OpenWord::default(),
            is_sentence_start: true,
            line_start: 0,
            leading: None,
        }
    }

    fn words_of(mut self, text: &str, weights: &Weights) -> Words {
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        self.words.codes.reserve(text.len() / 3);
        self.words.tags.reserve(text.len() / 3);
        let reader = &mut self;
        with_vectors!(Reader::take_all, (reader: &mut Reader, text: &str) -> ());
        self.close();
        let words = &mut self.words;
        with_vectors!(Words::weigh_all, (words: &mut Words, weights: &Weights) -> ());
        self.words
    }

    #[inline(always)]
    fn take_all(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii_alphanumeric() {
                let start = at;
                if self.takes_blocks && self.open.is_empty() {
                    at = self.take_ascii_words(bytes, at);
                }
                if at == start {
                    at = self.take_ascii_word(bytes, at);
                }
            } else if byte == b' ' {
                self.separate(' ');
                at += 1;
            } else if byte.is_ascii() {
                // Thousands separators: "1,000" is one number.
                if byte != b',' || !self.is_thousands_separator(&bytes[at + 1..]) {
                    self.take(char::from(byte), at..at + 1);
                }
                at += 1;
            } else {
                let each = text[at..].chars().next().unwrap_or_default();
                let end = at + each.len_utf8();
                self.take(each, at..end);
                at = end;
            }
        }
    }

    /// Takes the words of plain ASCII from a word on, a block of bytes at a time; returns where something else begins.
    #[inline(always)]
    fn take_ascii_words(&mut self, bytes: &[u8], mut at: usize) -> usize {
        loop {
            let rest = &bytes[at..];
            let mut padded = [0; AHEAD];
            let (ahead, length) = match rest.first_chunk() {
                Some(ahead) => (ahead, BLOCK),
                None => {
                    padded[..rest.len()].copy_from_slice(rest);
                    (&padded, rest.len().min(BLOCK))
                }
            };
            let block = AsciiBlock::read(ahead, length);
            self.take_block(block, ahead, at);
            at += block.settled;
            if block.settled == 0 || !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                return at;
            }
        }
    }

    #[inline(always)]
    fn take_block(&mut self, block: AsciiBlock, ahead: &[u8; AHEAD], at: usize) {
        let (mut codes, mut tags, mut count) = ([0; MOST_WORDS], [0; MOST_WORDS], 0);
        let mut before = 0;
        for word in block.words() {
            self.pass_gap(block, before, word.start, count);
            before = word.end;
            let length = word.end - word.start;
            if self.words.len() + count == self.line_start {
                let letters =
                    ahead[word.start..word.end].iter().filter(|byte| byte.is_ascii_alphabetic()).count();
                let digits = (length - letters) as u32;
                if is_list_mark(letters as u32, digits, char::from(ahead[word.end])) {
                    continue;
                }
            }
            let [low, high] = word.folded(ahead);
            let short = hash_step(length as u64, low);
            let code = finished(if length <= 8 { short } else { hash_step(short, high) });
            let is_name = ahead[word.start].is_ascii_uppercase() && !self.is_sentence_start;
            codes[count] = code;
            tags[count] = tag_of(word.has_digit, is_name);
            count += 1;
            self.is_sentence_start = false;
            if self.has_places {
                self.words.places.push(((at + word.start) as u32, (at + word.end) as u32));
            }
        }
        self.pass_gap(block, before, block.settled, count);
        self.words.codes.extend_from_slice(&codes[..count]);
        self.words.tags.extend_from_slice(&tags[..count]);
    }

    /// Passes what stands between two words of a block, after so many words of it.
    #[inline(always)]
    fn pass_gap(&mut self, block: AsciiBlock, from: usize, to: usize, words: usize) {
        self.is_sentence_start |= block.ends_sentence(from, to);
        if block.ends_line(from, to) {
            self.line_start = self.words.len() + words;
        }
    }

    /// Takes ASCII letters and digits up to the next other character; returns where that is.
    fn take_ascii_word(&mut self, bytes: &[u8], start: usize) -> usize {
        let rest = &bytes[start..];
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..length];
        if self.open.is_empty() {
            self.begin(start, word[0].is_ascii_uppercase());
        }
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count() as u32;
        self.open.digits += digits;
        self.open.letters += length as u32 - digits;
        self.open.folded.extend(word.iter().map(u8::to_ascii_lowercase));
        self.open.end = start + length;
        start + length
    }

    fn is_thousands_separator(&self, rest: &[u8]) -> bool {
        let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        self.open.digits > 0 && self.open.letters == 0 && digits == 3
    }

    #[inline]
    fn take(&mut self, each: char, place: Range<usize>) {
        let Character { role, code } = character(self.table, each);
        match role {
            Role::Kana | Role::Ideograph | Role::Syllable => self.unit(role, code as u32, place),
            Role::Letter | Role::Capital => {
                if self.open.is_empty() {
                    self.begin(place.start, role == Role::Capital);
                }
                self.open.letters += 1;
                self.grow(code, place.end);
            }
            Role::Digit => {
                if self.open.is_empty() {
                    self.begin(place.start, false);
                }
                self.open.digits += 1;
                self.grow(code, place.end);
            }
            Role::Nothing => {}
            Role::Separator => self.separate(each),
            Role::SentenceEnd => {
                self.separate(each);
                self.is_sentence_start = true;
            }
            Role::LineEnd => {
                self.separate(each);
                self.is_sentence_start = true;
                self.line_start = self.words.len();
            }
            Role::ListMark => self.close(),
            Role::Jamo => self.jamo(code as u32, place),
            Role::Voicing => self.voice(code as u32),
            Role::Repeat => self.repeat(place),
            Role::Several => self.several(each, place),
        }
    }

    fn begin(&mut self, start: usize, is_capital: bool) {
        self.open.folded.clear();
        self.open.start = start;
        self.open.is_name = is_capital && !self.is_sentence_start;
    }

    fn grow(&mut self, code: char, end: usize) {
        self.open.folded.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
        self.open.end = end;
    }

    /// Ends the open word, unless it only marks an item of a list.
    #[inline]
    fn separate(&mut self, separator: char) {
        let OpenWord { letters, digits, .. } = self.open;
        let begins_line = self.words.len() == self.line_start;
        if letters + digits > 0 && begins_line && is_list_mark(letters, digits, separator) {
            (self.open.letters, self.open.digits) = (0, 0);
        }
        self.close();
    }

    fn close(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let code = code_of(&self.open.folded);
        let OpenWord { start, end, digits, is_name, .. } = self.open;
        (self.open.letters, self.open.digits) = (0, 0);
        self.push(code, tag_of(digits > 0, is_name), start..end);
    }

    #[inline]
    fn push(&mut self, code: u32, tag: u8, place: Range<usize>) {
        self.words.codes.push(code);
        self.words.tags.push(tag);
        if self.has_places {
            self.words.places.push((place.start as u32, place.end as u32));
        }
        self.is_sentence_start = false;
    }

    #[inline]
    fn unit(&mut self, role: Role, code: u32, place: Range<usize>) {
        self.close();
        let weight = match role {
            Role::Kana => KANA,
            Role::Syllable => SYLLABLE,
            _ => KANJI,
        };
        self.push(code, weight, place);
    }

    /// Composes conjoining jamo by Unicode's arithmetic: leading, vowel, trailing.
    fn jamo(&mut self, code: u32, place: Range<usize>) {
        const FIRST: u32 = 0xac00;
        match code {
            0x1100..=0x1112 => {
                self.close();
                self.leading = Some((code - 0x1100, place.start));
            }
            0x1161..=0x1175 => {
                if let Some((leading, start)) = self.leading.take() {
                    let syllable = FIRST + (leading * 21 + code - 0x1161) * 28;
                    self.unit(Role::Syllable, syllable, start..place.end);
                }
            }
            0x11a8..=0x11c2 => {
                let last = self.words.codes.last().copied().unwrap_or_default();
                if (FIRST..=0xd7a3).contains(&last) && (last - FIRST).is_multiple_of(28) {
                    let start = self.words.places.last().map_or(0, |place| place.0) as usize;
                    self.words.pop();
                    self.unit(Role::Syllable, last + code - 0x11a7, start..place.end);
                }
            }
            _ => {}
        }
    }

    /// Voices the kana before a sound mark: か and ゛ make が.
    fn voice(&mut self, by: u32) {
        if let Some(last) = self.words.codes.last_mut()
            && matches!(*last, 0x3041..=0x3096)
        {
            *last += by;
        }
    }

    fn repeat(&mut self, place: Range<usize>) {
        self.close();
        if let (Some(&code), Some(&tag)) = (self.words.codes.last(), self.words.tags.last()) {
            self.push(code, tag, place);
        }
    }

    fn several(&mut self, each: char, place: Range<usize>) {
        for part in characters::expansion(each).chars() {
            // What expands to itself would never end.
            if part != each {
                self.take(part, place.clone());
            }
        }
    }
}

/// Whether a word that begins a line marks an item of a list: a short number or a single letter before a bracket or a full
/// stop. That is notation, not content.
#[inline]
fn is_list_mark(letters: u32, digits: u32, separator: char) -> bool {
    let is_short = letters == 0 && digits <= LIST_DIGITS || letters == 1 && digits == 0;
    is_short && matches!(separator, '.' | ')' | ']' | '．' | '）')
}

/// The tag of a word of letters and digits that was not weighed yet.
#[inline]
fn tag_of(has_digit: bool, is_name: bool) -> u8 {
    if has_digit { NUMBER_WEIGHT | NUMBER } else { ORDINARY | (u8::from(is_name) * NAME) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn codes(text: &str) -> Vec<u32> {
        Words::of(text, &Weights::default()).codes
    }

    #[test]
    fn words_of_any_length_have_the_code_of_their_letters() {
        // A single letter would mark an item of a list.
        for length in 2..40 {
            let word: String = (0..length).map(|place| char::from(b'b' + (place * 7 % 23) as u8)).collect();
            for behind in ["", " ", "  padding behind the word", ". Padding behind", "é and more letters"] {
                let text = format!("{}{behind}", word.to_uppercase());
                let letters = if behind.starts_with('é') { format!("{word}e") } else { word.clone() };
                assert_eq!(codes(&text)[0], code_of(letters.as_bytes()), "{text}");
            }
        }
    }

    #[track_caller]
    fn check_same(a: &str, b: &str) {
        assert_eq!(codes(a), codes(b), "{a:?} {b:?}");
    }

    #[test]
    fn notation_is_not_content() {
        check_same("손해배상ㆍ위자료 청구", "손해배상·위자료청구");
        check_same("1988.2.9. 선고", "1988. 2. 9. 선고");
        check_same("비밀번호를\u{200b} 입력", "비밀\u{200b}번호를 입력");
        check_same("띄어쓰기가 다른 글", "띄어 쓰기가다른글");
        check_same("co\u{ad}operate zero\u{200b}width", "cooperate zerowidth");
        check_same("p\u{430}ss w\u{3bf}rd \u{430}", "pass word a");
        check_same("ＡＢＣ １２３ ｶﾞｲﾄﾞ", "abc 123 ガイド");
        check_same("國語の學習", "国語の学習");
        check_same("人々 サーバー", "人人 サーバ");
        check_same("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글");
        check_same("cafe\u{301} naïve", "café naive");
        check_same("1,234,567원", "1234567원");
        check_same("1. 하나\n2. 둘", "① 하나\n② 둘");
        check_same("1. one\n2. two", "a) one\nb) two");
        check_same("재밌다 ㅋㅋㅋ 정말 😍", "재밌다 정말");
    }

    #[test]
    fn numbers_and_names_are_told() {
        let words = Words::of("The weather in Paris: 23 degrees. Then Rome", &Weights::default());
        let tags =
            |is: fn(&Words, usize) -> bool| (0..words.len()).filter(|&at| is(&words, at)).collect::<Vec<_>>();
        assert_eq!((tags(Words::is_name), tags(Words::is_number)), (vec![3, 7], vec![4]));
    }

    #[test]
    fn a_date_is_three_numbers() {
        assert_eq!(codes("1988.2.9").len(), 3);
        assert_ne!(codes("1988.2.9"), codes("198829"));
    }

    proptest! {
        #[test]
        fn blocks_make_no_difference(
            pieces in prop::collection::vec(prop_oneof![
                "[a-zA-Z]{1,24}", "[0-9]{1,4}", "[ .,!?\n)'a1-]{1,4}", "[éß가の\u{200b}’…]", "[0-9]{1,3}(,[0-9]{3}){1,2} ", any::<String>(),
            ], 0..80),
        ) {
            let (text, weights) = (pieces.concat(), Weights::default());
            let read = |takes_blocks| Reader::new(true, takes_blocks).words_of(&text, &weights);
            prop_assert_eq!(read(true), read(false));
        }

        #[test]
        fn any_text_has_words_with_places(text in any::<String>()) {
            let words = Words::with_places(&text, &Weights::default());
            prop_assert_eq!(&words.codes, &Words::of(&text, &Weights::default()).codes);
            for index in 0..words.len() {
                prop_assert!(text.get(words.place(index)).is_some());
            }
        }

        #[test]
        fn bytes_are_read_back(text in any::<String>(), padding in 0usize..4) {
            let words = Words::of(&text, &Weights::default());
            let mut bytes = Vec::new();
            words.to_bytes(&mut bytes);
            bytes.extend(vec![0; padding]);
            let mut back = Words::of_ready_words("other words");
            back.read_bytes(&bytes);
            prop_assert_eq!(back, words);
        }
    }

    #[test]
    fn places_point_into_the_text() {
        let text = "가 나다 abc, 한\u{1112}\u{1161}\u{11ab}";
        let words = Words::with_places(text, &Weights::default());
        let at = |index: usize| &text[words.place(index)];
        assert_eq!(
            (at(0), at(1), at(3), at(4), at(5)),
            ("가", "나", "abc", "한", "\u{1112}\u{1161}\u{11ab}")
        );
    }
}
