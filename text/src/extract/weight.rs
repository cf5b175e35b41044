//! How much reading a piece of text is, the same for every script.

/// What a character weighs: a Latin letter 1, a Hangul syllable 2, a Han or Kana character 2,
/// since they say as much as two or three letters; white space nothing.
pub(super) fn char_weight(c: char) -> u32 {
    match c as u32 {
        0..=0x20 | 0xa0 | 0x3000 | 0x200b | 0xfeff => 0,
        0x21..=0x10ff => 1,
        0x1100..=0x11ff | 0x3040..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff => 2,
        _ => 1,
    }
}

/// What a text weighs.
pub(super) fn weight(text: &str) -> u32 {
    if text.is_ascii() {
        return text.bytes().filter(|b| *b > b' ').count() as u32;
    }
    text.chars().map(char_weight).sum()
}
