//! From bytes to Unicode, whatever they are: byte order mark, what the sender or the page declares, detection.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Text, and how it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text; invalid bytes have become U+FFFD.
    pub text: Cow<'a, str>,
    /// The encoding, by its WHATWG name.
    pub encoding: &'static str,
    /// What was invalid or contradictory.
    pub warnings: Vec<String>,
}

impl<'a> Decoded<'a> {
    /// Text that needs no decoding.
    pub(crate) fn unicode(text: &'a str) -> Self {
        Decoded { text: Cow::Borrowed(text), encoding: UTF_8.name(), warnings: Vec::new() }
    }
}

/// How far a `<meta>` declaration is looked for; browsers stop at 1,024, but frames put scripts before it.
const META_PREFIX: usize = 8 * 1024;

/// How much is given to the detector: it reads 5 to 17 MB/s and is right from 64 characters on.
const DETECTION_PREFIX: usize = 2 * 1024;

/// Decodes plain text.
pub fn decode_text<'a>(bytes: &'a [u8], declared: Option<&str>) -> Decoded<'a> {
    decode(bytes, declared.and_then(encoding_for))
}

/// Decodes markup, which may declare its own charset.
pub fn decode_html<'a>(bytes: &'a [u8], declared: Option<&str>) -> Decoded<'a> {
    decode(bytes, declared.and_then(encoding_for).or_else(|| meta_charset(bytes)))
}

fn encoding_for(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim().trim_matches(['"', '\'']).as_bytes())
}

fn decode<'a>(bytes: &'a [u8], declared: Option<&'static Encoding>) -> Decoded<'a> {
    let mut warnings = Vec::new();
    let shifts = is_iso_2022_jp(bytes);
    if let Some(text) = as_utf8(bytes).filter(|_| !shifts) {
        if let Some(other) = declared.filter(|&other| other != UTF_8 && !bytes.is_ascii()) {
            warnings.push(format!("declared as {}, but valid UTF-8 and read so", other.name()));
        }
        return Decoded { text: Cow::Borrowed(text), encoding: UTF_8.name(), warnings };
    }
    let encoding = if shifts { ISO_2022_JP } else { choose(bytes, declared, &mut warnings) };
    let (text, used, malformed) = encoding.decode(bytes);
    if malformed {
        warnings.push(format!("bytes that are not valid {} became U+FFFD", used.name()));
    }
    Decoded { text, encoding: used.name(), warnings }
}

/// Valid UTF-8 is hardly ever anything else; only UTF-16 looks like it where it has zeros.
fn as_utf8(bytes: &[u8]) -> Option<&str> {
    let text = simdutf8::basic::from_utf8(bytes).ok()?;
    memchr::memchr(0, bytes).is_none().then(|| text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The first of these that fits: the byte order mark, what is declared, what the bytes look like.
fn choose(
    bytes: &[u8],
    declared: Option<&'static Encoding>,
    warnings: &mut Vec<String>,
) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    match declared {
        Some(encoding) => overrule(encoding, bytes, warnings).unwrap_or(encoding),
        None => detect(bytes),
    }
}

/// A declaration is believed unless most of what is beyond ASCII is invalid in it, and less so in what it looks like.
fn overrule(
    declared: &'static Encoding,
    bytes: &[u8],
    warnings: &mut Vec<String>,
) -> Option<&'static Encoding> {
    let (invalid, valid) = count_beyond_ascii(declared, bytes);
    if invalid <= valid {
        return None;
    }
    let detected = detect(bytes);
    (count_beyond_ascii(detected, bytes).0 < invalid).then(|| {
        warnings.push(format!("declared as {}, but reads as {}", declared.name(), detected.name()));
        detected
    })
}

/// How many characters beyond ASCII a sample has in an encoding: invalid ones, valid ones.
fn count_beyond_ascii(encoding: &'static Encoding, bytes: &[u8]) -> (usize, usize) {
    let text = encoding.decode_without_bom_handling(informative(bytes)).0;
    let beyond = text.chars().filter(|character| !character.is_ascii());
    beyond.fold(
        (0, 0),
        |(invalid, valid), character| {
            if character == '\u{fffd}' { (invalid + 1, valid) } else { (invalid, valid + 1) }
        },
    )
}

fn detect(bytes: &[u8]) -> &'static Encoding {
    utf16_without_mark(bytes).unwrap_or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(informative(bytes), true);
        detector.guess(None, Utf8Detection::Allow)
    })
}

/// Seven-bit text with an escape sequence that shifts to a Japanese set.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let shifts = |window: &[u8]| matches!(window, b"\x1b$B" | b"\x1b$@" | b"\x1b(J" | b"\x1b(I");
    let start = memchr::memchr(0x1b, bytes);
    start.is_some_and(|start| prefix(&bytes[start..]).windows(3).any(shifts)) && bytes.is_ascii()
}

/// The part that says most: from the first byte beyond ASCII on (a page's head is mostly ASCII).
fn informative(bytes: &[u8]) -> &[u8] {
    let telling = bytes.iter().position(|&byte| byte >= 0x80 || byte == 0x1b).unwrap_or(0);
    prefix(&bytes[telling..])
}

fn prefix(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(DETECTION_PREFIX)]
}

/// UTF-16 shows in any text with spaces or markup: its units are printable ASCII in one byte order, hardly in the other.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let units = || prefix(bytes).chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    let printable = |unit: u16| matches!(unit, 0x20..=0x7e | 9 | 10 | 13);
    let little = units().filter(|&unit| printable(u16::from_le_bytes(unit))).count();
    let big = units().filter(|&unit| printable(u16::from_be_bytes(unit))).count();
    let enough = units().len() / 20 + 1;
    if little >= enough && little > 3 * big {
        Some(UTF_16LE)
    } else if big >= enough && big > 3 * little {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The charset of a `<meta>` element (or of an XML declaration) near the start of the page.
fn meta_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(META_PREFIX)].to_ascii_lowercase();
    let found = charset_values(&head).find_map(encoding_for);
    // A page that could be read this far is not UTF-16, whatever it says (the HTML standard agrees).
    found.map(|encoding| if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding })
}

/// What follows `charset=` inside a tag that starts with `<meta`, or `encoding=` inside `<?xml`.
fn charset_values(head: &[u8]) -> impl Iterator<Item = &str> {
    let tags = head.split(|&byte| byte == b'<');
    tags.filter_map(|tag| {
        let key: &[u8] = if tag.starts_with(b"meta") {
            b"charset"
        } else if tag.starts_with(b"?xml") {
            b"encoding"
        } else {
            return None;
        };
        let at = tag.windows(key.len()).position(|window| window == key)? + key.len();
        let value = tag[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
        let end = value.iter().position(|byte| b"\"'>; /?\t\r\n".contains(byte)).unwrap_or(value.len());
        std::str::from_utf8(&value[..end]).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::*;
    use proptest::prelude::*;

    const KOREAN: &str =
        "누가 이 글을 먼저 썼는가? 블로그에 올라온 글이 복사된 것인지 아닌지를 저장하는 순간에 판단한다.";
    const JAPANESE: &str =
        "この記事を最初に書いたのは誰か。ブログの投稿が保存される瞬間に、コピーかどうかを判断します。";
    const SIMPLIFIED: &str = "谁先写了这篇文章？系统在保存文章的那一刻判断它是不是复制品，并指出原作者是谁。";
    const TRADITIONAL: &str =
        "誰先寫了這篇文章？系統在儲存文章的那一刻判斷它是不是複製品，並指出原作者是誰。";
    const FRENCH: &str = "Qui a écrit ça en premier ? Le système décide à l'instant où l'article est enregistré, même après coup.";

    #[track_caller]
    fn check(bytes: &[u8], declared: Option<&str>, text: &str, encoding: &str) {
        let decoded = decode_html(bytes, declared);
        assert_eq!((decoded.text.as_ref(), decoded.encoding), (text, encoding), "{:?}", decoded.warnings);
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn encodings_are_detected_and_believed_when_declared() {
        let cases: [(&'static Encoding, &str); 7] = [
            (EUC_KR, KOREAN),
            (SHIFT_JIS, JAPANESE),
            (EUC_JP, JAPANESE),
            (ISO_2022_JP, JAPANESE),
            (GBK, SIMPLIFIED),
            (BIG5, TRADITIONAL),
            (WINDOWS_1252, FRENCH),
        ];
        for (encoding, text) in cases {
            let (bytes, _, unmappable) = encoding.encode(text);
            assert!(!unmappable, "{}", encoding.name());
            check(&bytes, None, text, encoding.name());
            check(&bytes, Some(encoding.name()), text, encoding.name());
            check(&bytes, Some("utf-8"), text, encoding.name());
        }
        let (bytes, _, _) = GB18030.encode(SIMPLIFIED);
        check(&bytes, Some("gb18030"), SIMPLIFIED, "gb18030");
    }

    #[test]
    fn unicode_is_recognised_with_and_without_its_mark() {
        check(KOREAN.as_bytes(), None, KOREAN, "UTF-8");
        check(KOREAN.as_bytes(), Some("euc-kr"), KOREAN, "UTF-8");
        check(format!("\u{feff}{KOREAN}").as_bytes(), Some("euc-kr"), KOREAN, "UTF-8");
        check(&utf16(&format!("\u{feff}{KOREAN}"), u16::to_le_bytes), None, KOREAN, "UTF-16LE");
        check(&utf16(&format!("\u{feff}{KOREAN}"), u16::to_be_bytes), None, KOREAN, "UTF-16BE");
        check(&utf16(KOREAN, u16::to_le_bytes), None, KOREAN, "UTF-16LE");
        check(&utf16(KOREAN, u16::to_be_bytes), None, KOREAN, "UTF-16BE");
    }

    #[test]
    fn pages_declare_their_charset() {
        for head in [
            "<html><head><meta charset=euc-kr>",
            "<meta charset=\"EUC-KR\" />",
            "<META http-equiv='Content-Type' content='text/html; charset=ks_c_5601-1987'>",
            "<?xml version='1.0' encoding='euc-kr'?>",
        ] {
            let text = format!("{head}{}", &KOREAN[..10]);
            let (bytes, _, _) = EUC_KR.encode(&text);
            check(&bytes, None, &text, "EUC-KR");
        }
    }

    #[test]
    fn invalid_bytes_become_replacement_characters_and_a_warning() {
        let decoded = decode_text(b"\xea\xb0\x80\xea\xb0\x80\xea\xb0\x80 \xff \xc3 def", Some("utf-8"));
        assert!(decoded.text.contains('\u{fffd}') && decoded.text.contains("def"));
        assert_eq!(decoded.warnings, ["bytes that are not valid UTF-8 became U+FFFD"]);
        assert_eq!(decode_text(b"", None).text, "");
        assert_eq!(decode_text(b"a\0b\0\0c", None).text.len(), 6);
    }

    proptest! {
        #[test]
        fn any_bytes_are_some_text(bytes in prop::collection::vec(any::<u8>(), 0..300), declared in prop::option::of("[a-z0-9-]{0,12}")) {
            decode_html(&bytes, declared.as_deref());
            decode_text(&bytes, declared.as_deref());
        }
    }
}
