//! Whether a page is text at all: a PDF, an image or a file of zeros is not, and becomes a reject before it is judged.

use firstcopy_text::{Analyzer, Content, Page, Parameters, Seed};

/// Characters at the start of a page that tell whether it is text.
const TELLING_CHARS: usize = 4096;
/// The bytes they take at most.
const TELLING_BYTES: usize = 4 * TELLING_CHARS;
/// Bytes that the signature of a format takes at most.
const SIGNATURE_BYTES: usize = 32;

/// Tells pages that are no text, from their first bytes only.
pub struct Readability {
    analyzer: Analyzer,
}

impl Readability {
    pub fn new() -> Self {
        Readability { analyzer: Analyzer::new(Parameters::default(), &Seed::PUBLIC) }
    }

    /// Returns the page if it is text, else the reason of the reject.
    pub fn check(&self, page: Page) -> Result<Page, String> {
        let head = Page { content: head(&page.content), ..Page::default() };
        let format = match self.analyzer.read(head).unreadable {
            None => None,
            // Markup may declare the charset that makes text of it.
            Some(_) => self.analyzer.read(page.clone()).unreadable,
        };
        format.map_or(Ok(page), |format| Err(reason(format)))
    }
}

/// Says that something could not be read, why, and what to do.
pub fn reason(format: &str) -> String {
    format!("could not be read: it is {format}, not text; give its text, or its HTML")
}

/// The start of a content as plain text: as much of it as tells whether it is text.
fn head(content: &Content) -> Content {
    match content {
        Content::Html { bytes, charset } | Content::Text { bytes, charset } => {
            Content::Text { bytes: telling(bytes).to_vec(), charset: charset.clone() }
        }
        Content::Unicode { text, .. } => {
            let end = text.floor_char_boundary(telling(text.as_bytes()).len());
            Content::text(&text[..end])
        }
        Content::Features(_) => Content::default(),
    }
}

/// The first bytes: only those of a signature if nothing but text can follow them.
fn telling(bytes: &[u8]) -> &[u8] {
    let start = &bytes[..bytes.len().min(TELLING_BYTES)];
    let is_plain = |bytes: &[u8]| {
        std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true)
            && !bytes.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
    };
    if is_plain(start) { &start[..start.len().min(SIGNATURE_BYTES)] } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: Content, expected: Option<&str>) {
        let page = Page { id: "a".to_owned(), content, ..Page::default() };
        let checked = Readability::new().check(page.clone());
        assert_eq!(checked, expected.map_or(Ok(page), |format| Err(reason(format))));
    }

    fn text(bytes: &[u8]) -> Content {
        Content::Text { bytes: bytes.to_vec(), charset: None }
    }

    #[test]
    fn formats_without_text_are_told() {
        check(text(b"%PDF-1.7 and what looks like text"), Some("a PDF document"));
        check(Content::text("%PDF-1.7 in a record"), Some("a PDF document"));
        check(text(&[0; 5000]), Some("binary data"));
        check(Content::html("\u{1}\u{2}\u{3}".repeat(3000)), Some("binary data"));
    }

    #[test]
    fn texts_in_any_charset_pass() {
        check(text(b""), None);
        check(text("누가 이 글을 먼저 썼는가? ".repeat(2000).as_bytes()), None);
        let euc_kr = b"\xb4\xa9\xb0\xa1 \xc0\xcc \xb1\xdb\xc0\xbb \xb8\xd5\xc0\xfa \xbd\xe8\xb4\xc2\xb0\xa1"
            .repeat(900);
        check(Content::Html { bytes: euc_kr, charset: Some("euc-kr".to_owned()) }, None);
        check(Content::text(format!("{}{}", "가".repeat(TELLING_BYTES / 3), "\u{1}".repeat(9))), None);
        check(Content::Features(Vec::new()), None);
    }
}
