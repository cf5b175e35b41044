//! The role of a character in the comparison of words, looked up in one table built from the Unicode data at first use.
//!
//! Notation is not content: width, case, accents, look-alike letters of other scripts, old forms of kanji, the two kana,
//! small kana and invisible characters make no difference here.

use super::kanji_forms::{FORMS, LOOK_ALIKES};
use crate::tokens::{is_ignorable, is_mark, is_unspaced, nfkc};
use icu_casemap::CaseMapper;
use icu_normalizer::DecomposingNormalizerBorrowed;
use std::sync::LazyLock;

/// The part a character plays in finding words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Role {
    /// Ends a word.
    Separator,
    /// Ends a word and a sentence.
    SentenceEnd,
    /// Ends a word and a line.
    LineEnd,
    /// Dropped without ending a word: invisible characters, combining marks, the prolonged sound mark.
    Nothing,
    /// A lower-case letter of a spaced script.
    Letter,
    /// A capital letter of a spaced script.
    Capital,
    /// A digit.
    Digit,
    /// A number in a circle or in parentheses: marks an item of a list.
    ListMark,
    /// A kana: a word of its own.
    Kana,
    /// A kanji, or a character of another script without spaces: a word of its own.
    Ideograph,
    /// A Hangul syllable: a word of its own, so that spacing makes no difference.
    Syllable,
    /// A conjoining jamo, to be composed with its neighbours.
    Jamo,
    /// Makes the kana before it voiced.
    Voicing,
    /// Stands for the character before it once more.
    Repeat,
    /// Normalises to several characters.
    Several,
}

/// A role and the character that is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Character {
    pub(super) role: Role,
    pub(super) code: char,
}

static TABLE: LazyLock<Vec<Character>> = LazyLock::new(|| {
    let of = |code| char::from_u32(code).map_or(Character { role: Role::Nothing, code: '\0' }, classify);
    (0..0x10000).map(of).collect()
});

/// The table of the basic plane, so that loops look it up without asking each time whether it is built.
pub(super) fn table() -> &'static [Character] {
    &TABLE
}

/// Classifies any character.
#[inline]
pub(super) fn character(table: &[Character], character: char) -> Character {
    match table.get(character as usize) {
        Some(&known) => known,
        None => classify(character),
    }
}

/// The characters that a character of [`Role::Several`] stands for.
pub(super) fn expansion(character: char) -> String {
    let normal = nfkc(character.encode_utf8(&mut [0; 4])).into_owned();
    CaseMapper::new().fold_string(&normal).into_owned()
}

fn classify(character: char) -> Character {
    let as_is = |role| Character { role, code: character };
    match character {
        '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => return as_is(Role::LineEnd),
        '.' | '!' | '?' | '。' | '！' | '？' | '｡' => return as_is(Role::SentenceEnd),
        '①'..='⒛' | '㉈'..='㉟' | '㊀'..='㊉' | '㉠'..='㉻' | '㊱'..='㊿' | '⓪'..='⓿' | '❶'..='➓' =>
        {
            return as_is(Role::ListMark);
        }
        // Letters of Hangul alone are laughter and tears in posts, and a separating dot (U+318D).
        '\u{3131}'..='\u{318f}' | '\u{ffa0}'..='\u{ffdc}' => return as_is(Role::Separator),
        '\u{1100}'..='\u{11ff}' => return as_is(Role::Jamo),
        '가'..='힣' => return as_is(Role::Syllable),
        '々' | 'ゝ' | 'ゞ' | 'ヽ' | 'ヾ' | '〻' => return as_is(Role::Repeat),
        '\u{3099}' | '\u{309b}' | '\u{ff9e}' => return Character { role: Role::Voicing, code: '\u{1}' },
        '\u{309a}' | '\u{309c}' | '\u{ff9f}' => return Character { role: Role::Voicing, code: '\u{2}' },
        'ー' | 'ｰ' => return as_is(Role::Nothing),
        _ => {}
    }
    if is_ignorable(character) || is_mark(character) && !is_unspaced(character) || is_tatweel(character) {
        return as_is(Role::Nothing);
    }
    if let Ok(at) = LOOK_ALIKES.binary_search_by_key(&character, |pair| pair.0) {
        return kana(LOOK_ALIKES[at].1);
    }
    let normal = nfkc(character.encode_utf8(&mut [0; 4])).into_owned();
    let mut characters = normal.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => classify_single(character, only),
        (Some(_), Some(_)) if normal.chars().any(char::is_alphanumeric) => as_is(Role::Several),
        _ => as_is(Role::Separator),
    }
}

/// Classifies a character whose compatibility form is one character.
fn classify_single(character: char, normal: char) -> Character {
    let is_kana = matches!(normal, 'ぁ'..='ゖ' | 'ァ'..='ヺ');
    if is_kana {
        return kana(normal);
    }
    if is_unspaced(normal) {
        let form = FORMS.binary_search_by_key(&normal, |pair| pair.0).map_or(normal, |at| FORMS[at].1);
        let role = if form.is_alphanumeric() || is_mark(form) { Role::Ideograph } else { Role::Separator };
        return Character { role, code: form };
    }
    if let Some(digit) = normal.to_digit(10).and_then(|digit| char::from_digit(digit, 10)) {
        return Character { role: Role::Digit, code: digit };
    }
    if !normal.is_alphanumeric() {
        return Character { role: Role::Separator, code: character };
    }
    let folded = CaseMapper::new().fold_string(normal.encode_utf8(&mut [0; 4])).into_owned();
    let plain = without_accents(&folded);
    let mut letters = plain.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => {
            let role = if normal.is_uppercase() { Role::Capital } else { Role::Letter };
            Character { role, code: latin_look_alike(letter) }
        }
        _ => Character { role: Role::Several, code: character },
    }
}

fn without_accents(letters: &str) -> String {
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(letters).into_owned();
    decomposed.chars().filter(|&character| !is_mark(character)).collect()
}

/// A kana as it is compared: hiragana, full size, in modern spelling.
fn kana(character: char) -> Character {
    let hiragana = match character {
        'ァ'..='ヶ' => char::from_u32(character as u32 - 0x60).unwrap_or(character),
        _ => character,
    };
    let code = match hiragana {
        'ぁ' => 'あ',
        'ぃ' | 'ゐ' => 'い',
        'ぅ' => 'う',
        'ぇ' | 'ゑ' => 'え',
        'ぉ' | 'を' => 'お',
        'っ' => 'つ',
        'ゃ' => 'や',
        'ゅ' => 'ゆ',
        'ょ' => 'よ',
        'ゎ' => 'わ',
        'ゕ' => 'か',
        'ゖ' => 'け',
        other => other,
    };
    Character { role: Role::Kana, code }
}

fn is_tatweel(character: char) -> bool {
    character == '\u{640}'
}

/// The Latin letter that a lower-case letter of another script is mistaken for (after Unicode's confusables, UTS 39).
fn latin_look_alike(letter: char) -> char {
    const PAIRS: &[(char, char)] = &[
        ('α', 'a'),
        ('ι', 'i'),
        ('κ', 'k'),
        ('ν', 'v'),
        ('ο', 'o'),
        ('ρ', 'p'),
        ('σ', 'o'),
        ('τ', 't'),
        ('υ', 'u'),
        ('χ', 'x'),
        ('ϲ', 'c'),
        ('ϳ', 'j'),
        ('ϸ', 'p'),
        ('β', 'b'),
        ('γ', 'y'),
        ('η', 'n'),
        ('ω', 'w'),
        ('ε', 'e'),
        ('μ', 'u'),
        ('а', 'a'),
        ('в', 'b'),
        ('е', 'e'),
        ('к', 'k'),
        ('м', 'm'),
        ('н', 'h'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('т', 't'),
        ('у', 'y'),
        ('х', 'x'),
        ('ѕ', 's'),
        ('і', 'i'),
        ('ј', 'j'),
        ('ԁ', 'd'),
        ('ԛ', 'q'),
        ('ԝ', 'w'),
        ('һ', 'h'),
        ('ӏ', 'l'),
        ('ь', 'b'),
        ('г', 'r'),
        ('п', 'n'),
        ('и', 'u'),
        ('օ', 'o'),
        ('ս', 'u'),
        ('ո', 'n'),
        ('հ', 'h'),
        ('ց', 'g'),
        ('ք', 'p'),
        ('յ', 'j'),
        ('զ', 'q'),
        ('ı', 'i'),
        ('ɑ', 'a'),
        ('ɡ', 'g'),
        ('ɩ', 'i'),
        ('ʋ', 'v'),
        ('ɪ', 'i'),
        ('ʏ', 'y'),
        ('ᴄ', 'c'),
        ('ᴏ', 'o'),
        ('ᴠ', 'v'),
        ('ᴡ', 'w'),
        ('ᴢ', 'z'),
        ('ꮯ', 'c'),
        ('ꮪ', 's'),
        ('ł', 'l'),
        ('ø', 'o'),
        ('đ', 'd'),
        ('ħ', 'h'),
        ('ŧ', 't'),
    ];
    PAIRS.iter().find(|pair| pair.0 == letter).map_or(letter, |pair| pair.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(characters: &str, role: Role, code: Option<char>) {
        for each in characters.chars() {
            let found = character(table(), each);
            assert_eq!(found.role, role, "{each:?}");
            assert_eq!(found.code, code.unwrap_or(found.code), "{each:?}");
        }
    }

    #[test]
    fn notation_makes_no_difference() {
        check("aａáàâа\u{251}", Role::Letter, Some('a'));
        check("AＡÁА", Role::Capital, Some('a'));
        check("5５", Role::Digit, Some('5'));
        check("国國", Role::Ideograph, Some('国'));
        check("つっツッｯ", Role::Kana, Some('つ'));
        check("かカｶヵ", Role::Kana, Some('か'));
        check("がガ", Role::Kana, Some('が'));
        check("いゐヰ", Role::Kana, Some('い'));
        check("\u{200b}\u{ad}\u{200d}\u{2060}\u{feff}\u{fe0f}\u{301}ー", Role::Nothing, None);
        check(" \t,;:·ㆍㅋㅠ😍♥—", Role::Separator, None);
        check("①⑴㉠❶⒈", Role::ListMark, None);
        check("ﬁß㍿½", Role::Several, None);
        check("한", Role::Syllable, Some('한'));
    }
}
