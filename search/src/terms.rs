//! Which terms is a text found by?
//!
//! A unit is a word of a script with spaces, or one character of a script that is searched by characters: Hangul, Han,
//! Kana, Thai, Lao, Khmer, Burmese. A word is its own term. A character makes a term with the character that follows: `xy` if
//! they touch, `x y` if space or punctuation lies between them, `x` if a word or nothing follows. So every unit has one term,
//! and its number in the text is its position; every character starts a term, which is how a query of one finds it.
//!
//! Whoever changes this must change [`VERSION`].

use firstcopy_text::Tokens;
use std::ops::Range;

/// Part of the names of the tokenizers, which are part of the schema: an index of another version is not opened.
pub(crate) const VERSION: u32 = 1;

/// Bytes of a word that count; the rest of it is ignored in texts and queries alike.
const MAX_WORD: usize = 128;
/// Bytes of text that are tokenized at a time, so that a long text needs no more memory than a short one.
const PIECE: usize = 1 << 16;

/// A word, or a character that is searched as such.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Unit {
    /// Its canonical form.
    pub form: String,
    pub is_character: bool,
    /// Where it stands in the text, in bytes.
    pub place: Range<usize>,
    /// Whether it touches the unit before it.
    pub is_joined: bool,
}

/// Whether a character of a canonical form is a unit of its own.
pub(crate) fn is_character(character: char) -> bool {
    matches!(character,
        '가'..='힣'
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3035}' | '\u{3038}'..='\u{303c}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}'
        | '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{19e0}'..='\u{19ff}')
}

/// Reads the units of a text one after the other.
#[derive(Debug)]
pub(crate) struct Units<'a> {
    text: &'a str,
    /// Where the piece at hand starts and ends.
    piece: Range<usize>,
    tokens: Tokens,
    /// The token after the one at hand.
    next: usize,
    /// The canonical form of the token at hand, where it stands, and how far it was read.
    word: String,
    place: Range<usize>,
    within: usize,
    /// Where the last unit ended.
    end: usize,
}

impl<'a> Units<'a> {
    pub fn of(text: &'a str) -> Self {
        let (tokens, word) = (Tokens::default(), String::new());
        Units { text, piece: 0..0, tokens, next: 0, word, place: 0..0, within: 0, end: usize::MAX }
    }

    /// Puts the next unit in place of another, whose memory it keeps. Says whether there was one.
    pub fn read(&mut self, unit: &mut Unit) -> bool {
        if self.within == self.word.len() && !self.next_token() {
            return false;
        }
        let rest = &self.word[self.within..];
        let (length, is_character) = first_unit(rest);
        unit.form.clear();
        unit.form.push_str(&rest[..rest.floor_char_boundary(length.min(MAX_WORD))]);
        unit.is_character = is_character;
        unit.place = self.place_of(self.within..self.within + length);
        unit.is_joined = unit.place.start == self.end || self.within > 0;
        self.end = unit.place.end;
        self.within += length;
        true
    }

    fn next_token(&mut self) -> bool {
        while self.next == self.tokens.len() {
            if self.piece.end == self.text.len() {
                return false;
            }
            self.next_piece();
        }
        self.word.clear();
        self.word.push_str(self.tokens.word(self.next));
        let place = self.tokens.place(self.next);
        self.place = self.piece.start + place.start..self.piece.start + place.end;
        (self.within, self.next) = (0, self.next + 1);
        true
    }

    /// Tokenizes up to the last white space of the next piece, or all of it if there is none.
    fn next_piece(&mut self) {
        let start = self.piece.end;
        let mut end = self.text.floor_char_boundary(start + PIECE);
        if end < self.text.len() {
            end = self.text[start..end].rfind(char::is_whitespace).map_or(end, |space| start + space.max(1));
        }
        let end = self.text.ceil_char_boundary(end);
        self.tokens.read(&self.text[start..end]);
        (self.piece, self.next) = (start..end, 0);
    }

    /// Where a part of the token's canonical form stands in the text: its characters, if normalisation left their lengths.
    fn place_of(&self, part: Range<usize>) -> Range<usize> {
        if part.len() == self.word.len() || self.word.len() != self.place.len() {
            return self.place.clone();
        }
        let start = self.text.floor_char_boundary(self.place.start + part.start);
        start..self.text.ceil_char_boundary(self.place.start + part.end)
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let mut unit = Unit::default();
        self.read(&mut unit).then_some(unit)
    }
}

/// How long the first unit of a word is, and whether it is a character.
fn first_unit(word: &str) -> (usize, bool) {
    match word.chars().next() {
        Some(first) if is_character(first) => (first.len_utf8(), true),
        _ => (word.find(is_character).unwrap_or(word.len()), false),
    }
}

/// Reads the terms of a text one after the other.
#[derive(Debug)]
pub(crate) struct Terms<'a> {
    units: Units<'a>,
    /// The unit whose term is next, and the one after it.
    unit: Option<Unit>,
    ahead: Unit,
}

impl<'a> Terms<'a> {
    pub fn of(text: &'a str) -> Self {
        let mut units = Units::of(text);
        Terms { unit: units.next(), units, ahead: Unit::default() }
    }

    /// Puts the next term in place of another and says where it stands, if there is one.
    pub fn read(&mut self, term: &mut String) -> Option<Range<usize>> {
        let mut unit = self.unit.take()?;
        let has_next = self.units.read(&mut self.ahead);
        let next = has_next.then_some(&self.ahead);
        let place = term_of(&unit, next, term);
        if has_next {
            std::mem::swap(&mut unit, &mut self.ahead);
            self.unit = Some(unit);
        }
        Some(place)
    }
}

/// The term of a unit that is followed by another, and where it stands.
pub(crate) fn term_of(unit: &Unit, next: Option<&Unit>, term: &mut String) -> Range<usize> {
    term.clear();
    term.push_str(&unit.form);
    match next {
        Some(next) if unit.is_character && next.is_character => {
            if !next.is_joined {
                term.push(' ');
            }
            term.push_str(&next.form);
            unit.place.start..next.place.end
        }
        _ => unit.place.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        let (mut reader, mut term, mut all) = (Terms::of(text), String::new(), Vec::new());
        while reader.read(&mut term).is_some() {
            all.push(term.clone());
        }
        all
    }

    #[test]
    fn terms_of_texts() {
        let cases: [(&str, &[&str]); 9] = [
            ("", &[]),
            (" ?!\0 ", &[]),
            ("Hello, WORLD", &["hello", "world"]),
            ("학교 급식은", &["학교", "교 급", "급식", "식은", "은"]),
            ("학교급식", &["학교", "교급", "급식", "식"]),
            ("AI는 3월에", &["ai", "는", "3", "월에", "에"]),
            ("東京に。行く", &["東京", "京に", "に 行", "行く", "く"]),
            ("ｶﾞｷﾞ", &["ガギ", "ギ"]),
            ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", &["한글", "글"]),
        ];
        for (text, expected) in cases {
            assert_eq!(terms(text), expected, "{text:?}");
        }
    }

    #[test]
    fn places_are_in_the_text() {
        let text = "우리 학교는 AI를";
        let found: Vec<_> = Units::of(text).map(|unit| (&text[unit.place], unit.is_joined)).collect();
        let expected = [
            ("우", false),
            ("리", true),
            ("학", false),
            ("교", true),
            ("는", true),
            ("AI", false),
            ("를", true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_word_of_any_length_is_a_term() {
        let long = "x".repeat(3 * PIECE);
        assert!(terms(&long).iter().all(|term| term.len() <= MAX_WORD));
        assert_eq!(terms(&format!("{long} end")).last().unwrap(), "end");
    }

    /// Pieces make no difference, wherever a white space lets them end.
    #[test]
    fn pieces_do_not_show() {
        let text = "학교 급식은 hello 東京に。行く\n".repeat(5000);
        let whole = Tokens::of(&text);
        let forms: Vec<String> = Units::of(&text).map(|unit| unit.form).collect();
        assert_eq!(forms.concat(), whole.words().collect::<String>());
        let of_one = terms(&text[..text.len() / 5000]);
        assert_eq!(terms(&text).len(), of_one.len() * 5000);
    }

    proptest! {
        /// The naive twin: all tokens at once, cut into characters where they are such.
        #[test]
        fn units_are_the_tokens_cut_up(text in "[학교는가나 東京に行ー。aB3é.\u{301}ก\n]{0,60}") {
            let naive: String = Tokens::of(&text).words().collect();
            let units: Vec<Unit> = Units::of(&text).collect();
            prop_assert_eq!(units.iter().map(|unit| unit.form.as_str()).collect::<String>(), naive);
            for unit in &units {
                prop_assert!(text.get(unit.place.clone()).is_some());
                prop_assert_eq!(unit.is_character, unit.form.chars().all(is_character));
            }
            prop_assert_eq!(terms(&text).len(), units.len());
        }

        #[test]
        fn any_text_has_terms(text in any::<String>()) {
            prop_assert!(terms(&text).iter().all(|term| !term.is_empty()));
        }
    }
}
