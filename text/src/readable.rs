//! Whether bytes are text at all: a PDF, an image or a file of zeros is not, and nothing is said about it.

const PDF: &[u8] = b"%PDF-";

/// First bytes of formats that hold no plain text, and their names.
const SIGNATURES: [(&[u8], &str); 14] = [
    (PDF, "a PDF document"),
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"RIFF", "a WebP image, sound or film"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x7fELF", "a program"),
    (b"OggS", "sound or film"),
    (b"ID3", "sound"),
    (b"SQLite format 3", "a database"),
];

/// Bytes that are looked at.
const LOOKED_AT: usize = 2048;
/// The share of control and replacement characters from which on something is not text, as one in so many.
const ONE_IN: usize = 4;
/// Control and replacement characters that any text may have.
const FEW: usize = 16;
/// The bytes at the start of a format without text, among which is at least one that no text has.
const START: usize = 64;

/// The reason why a content is not text, if it is none: its format by its first bytes, or too many characters that no text has.
pub(crate) fn unreadable(bytes: &[u8], decoded: &str) -> Option<&'static str> {
    let has_odd_byte = bytes.iter().take(START).any(|&byte| byte < b'\t');
    let is_meant = |start: &[u8]| bytes.starts_with(start) && (has_odd_byte || start == PDF);
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| is_meant(start)) {
        return Some(name);
    }
    let start = &decoded[..decoded.floor_char_boundary(LOOKED_AT)];
    let (odd, all) = if start.is_ascii() {
        (start.bytes().map(|byte| usize::from(is_odd_byte(byte))).sum(), start.len())
    } else {
        (start.chars().filter(|character| is_odd(*character)).count(), start.chars().count())
    };
    (odd > FEW && odd * ONE_IN > all).then_some("binary data")
}

/// [`is_odd`] for ASCII, without branches.
#[inline]
fn is_odd_byte(byte: u8) -> bool {
    (byte < b' ') & !((byte == b'\t') | (byte == b'\n') | (byte == b'\r') | (byte == 0xc)) | (byte == 0x7f)
}

/// Whether no text has a character: a control character that is no white space, or the mark of undecodable bytes.
#[inline]
fn is_odd(character: char) -> bool {
    let is_space = matches!(character, '\t' | '\n' | '\r' | '\u{c}');
    character.is_control() && !is_space || character == char::REPLACEMENT_CHARACTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_odd_as_characters_are() {
        (0..128u8).for_each(|byte| assert_eq!(is_odd_byte(byte), is_odd(char::from(byte)), "{byte}"));
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<&str>) {
        assert_eq!(unreadable(bytes, &String::from_utf8_lossy(bytes)), expected);
    }

    #[test]
    fn formats_without_text_are_named() {
        check(b"%PDF-1.7\nstream of text", Some("a PDF document"));
        check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Some("a PNG image"));
        check(&[0; 500], Some("binary data"));
        check(&[7, 1, 200, 3, 0, 0, 255, 254, 1, 2].repeat(9), Some("binary data"));
    }

    #[test]
    fn text_is_readable() {
        check(b"", None);
        check(b"plain text\r\n\tin lines", None);
        check("한국어 글과 日本語".as_bytes(), None);
        check(b"one stray \x07 bell in a long enough line", None);
        check(b"RIFF and ID3 are names of formats", None);
        check(b"\x1b[31mred\x1b[0m", None);
    }
}
