//! What a character is to the tokenizer, looked up in one table built from the Unicode data at first use.

use super::canonical::{is_unspaced, nfkc};
use icu_casemap::CaseMapper;
use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup, WordBreak,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use std::sync::LazyLock;

/// The part a character plays in finding words. Everything but [`Class::Slow`] is settled by the character itself
/// and its two neighbours; a run with a slow one goes through the whole of Unicode's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Class {
    /// Needs normalisation, combines with its neighbours, or follows rules of its own.
    Slow,
    /// Stands between words and joins nothing.
    Separator,
    /// A word of its own: a character of a script without spaces.
    Unit,
    /// A letter of a spaced script that stays as it is.
    Letter,
    /// A letter of a spaced script that folding and normalisation turn into one other letter.
    FoldedLetter,
    /// A digit.
    Digit,
    /// A digit in another form: full-width, circled, raised.
    FoldedDigit,
    /// Joins two letters (`:` in some languages, `·`).
    MidLetter,
    /// Joins two digits (`,`).
    MidNumber,
    /// Joins two letters or two digits (`.` and apostrophes).
    MidBoth,
    /// Joins whatever it touches (`_`).
    Joiner,
    /// A straight double quote: separates, except inside Hebrew words.
    Quote,
}

/// The class of every character of the basic plane.
static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new([Class::Slow; 0x10000]);
    table.iter_mut().zip(0..).for_each(|(class, code_point)| *class = class_of_code_point(code_point));
    table
});

/// A class for every 16-bit code point.
pub(super) type Table = [Class; 0x10000];

/// The table itself, so that loops look it up without asking each time whether it is built.
pub(super) fn table() -> &'static Table {
    &TABLE
}

fn class_of_code_point(code_point: u32) -> Class {
    match code_point {
        // More than half of the plane, known without asking (the tests ask): Han and Hangul.
        0x3400..=0x4dbf | 0x4e00..=0x9fff => Class::Unit,
        0xac00..=0xd7a3 => Class::Letter,
        _ => char::from_u32(code_point).map_or(Class::Slow, classify),
    }
}

/// The class by the Unicode data.
fn classify(character: char) -> Class {
    let normal = nfkc(character.encode_utf8(&mut [0; 4])).into_owned();
    let unchanged = normal.chars().eq([character]);
    if is_unspaced(character) {
        return if unchanged && is_word_like(character) && is_inert(character) {
            Class::Unit
        } else {
            Class::Slow
        };
    }
    if normal.chars().all(is_plain_separator) || is_row_of_middles(&normal) {
        return if normal == "\"" { Class::Quote } else { Class::Separator };
    }
    let mut characters = normal.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) => classify_single(character, only, unchanged),
        _ => Class::Slow,
    }
}

/// The class of a character whose normal form is one character.
fn classify_single(character: char, normal: char, unchanged: bool) -> Class {
    if !is_inert(character) || !is_inert(normal) || is_unspaced(normal) {
        return Class::Slow;
    }
    match CodePointMapData::<WordBreak>::new().get(normal) {
        WordBreak::MidLetter => Class::MidLetter,
        WordBreak::MidNum => Class::MidNumber,
        WordBreak::MidNumLet | WordBreak::SingleQuote => Class::MidBoth,
        WordBreak::ExtendNumLet if !normal.is_alphanumeric() => Class::Joiner,
        WordBreak::Numeric if normal.is_ascii_digit() => {
            if unchanged {
                Class::Digit
            } else {
                Class::FoldedDigit
            }
        }
        WordBreak::ALetter if normal.is_alphanumeric() => match folded(character) {
            Some(same) if same == character => Class::Letter,
            Some(_) => Class::FoldedLetter,
            None => Class::Slow,
        },
        _ => Class::Slow,
    }
}

/// The one letter or digit that a character folds to, if it is one and stays so under normalisation.
pub(super) fn folded(character: char) -> Option<char> {
    // ASCII, and the full-width forms of it that fill Japanese pages, need not go through the data.
    let narrow = match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0),
        _ => character.is_ascii().then_some(character),
    };
    if let Some(narrow) = narrow {
        return Some(narrow.to_ascii_lowercase());
    }
    let mut buffer = [0; 4];
    let normal = nfkc(character.encode_utf8(&mut buffer));
    let folded = CaseMapper::new().fold_string(&normal).into_owned();
    let mut characters = folded.chars();
    match (characters.next(), characters.next()) {
        (Some(only), None) if nfkc(&folded).chars().eq([only]) => Some(only),
        _ => None,
    }
}

/// Takes part in no composition with what stands before it, and may not be reordered.
fn is_inert(character: char) -> bool {
    let conjoining =
        matches!(character, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}');
    let class = CodePointMapData::<CanonicalCombiningClass>::new().get(character);
    class == CanonicalCombiningClass::NotReordered && !conjoining
}

/// A letter, digit or mark: what tokens are made of.
pub(super) fn is_word_like(character: char) -> bool {
    (character.is_alphanumeric() || is_mark(character)) && !is_ignorable(character)
}

pub(crate) fn is_mark(character: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(character))
}

/// Invisible by definition (joiners, soft hyphens, variation selectors): two texts that differ in them look the same.
pub(crate) fn is_ignorable(character: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
}

/// Punctuation that joins letters does so only alone: "…" becomes three full stops that join nothing.
fn is_row_of_middles(normal: &str) -> bool {
    let is_middle = |character| {
        let breaks = CodePointMapData::<WordBreak>::new().get(character);
        matches!(
            breaks,
            WordBreak::MidLetter | WordBreak::MidNum | WordBreak::MidNumLet | WordBreak::SingleQuote
        )
    };
    normal.chars().count() > 1 && normal.chars().all(is_middle)
}

fn is_plain_separator(character: char) -> bool {
    let breaks = CodePointMapData::<WordBreak>::new().get(character);
    let breaks_everywhere = matches!(
        breaks,
        WordBreak::Other
            | WordBreak::CR
            | WordBreak::LF
            | WordBreak::Newline
            | WordBreak::WSegSpace
            | WordBreak::DoubleQuote
    );
    breaks_everywhere && !character.is_alphanumeric() && !is_mark(character) && !is_ignorable(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortcuts_say_what_the_data_says() {
        for code_point in (0x3400..=0x9fff).chain(0xac00..=0xd7a3) {
            let character = char::from_u32(code_point).unwrap();
            let unassigned =
                CodePointMapData::<GeneralCategory>::new().get(character) == GeneralCategory::Unassigned;
            if !unassigned {
                assert_eq!(table()[code_point as usize], classify(character), "U+{code_point:04X}");
            }
        }
    }

    #[test]
    fn well_known_characters() {
        let cases = [
            ("a한я", Class::Letter),
            ("AÉЯＡｚ", Class::FoldedLetter),
            ("0", Class::Digit),
            ("１①²", Class::FoldedDigit),
            ("漢かカー々ก", Class::Unit),
            (" \n。、！「」・☆—“…‥", Class::Separator),
            (".'’．", Class::MidBoth),
            (",，;", Class::MidNumber),
            ("·", Class::MidLetter),
            ("_", Class::Joiner),
            ("\"", Class::Quote),
            ("ｶﬁßא½\u{301}\u{ad}\u{200d}ㅋ", Class::Slow),
        ];
        for (characters, class) in cases {
            for character in characters.chars() {
                assert_eq!(table()[character as usize], class, "{character:?}");
            }
        }
    }
}
