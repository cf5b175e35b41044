//! What did a form send? Fields and a file, in the two ways in which browsers send them.

use crate::app::App;
use crate::problem::Problem;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use firstcopy_text::{Content, Page};

/// What was sent.
#[derive(Debug, Default)]
pub struct Form {
    fields: Vec<(String, String)>,
    /// The file that was chosen, with its name.
    pub file: Option<(String, Vec<u8>)>,
}

impl Form {
    /// Reads the body of a request.
    pub async fn read(app: &App, headers: &HeaderMap, body: Body) -> Result<Self, Problem> {
        let bytes = app.body(body, headers).await?;
        let media =
            headers.get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok()).unwrap_or_default();
        match multer::parse_boundary(media) {
            Ok(boundary) => Self::of_parts(bytes, boundary).await,
            Err(_) => Ok(Self::of_pairs(&bytes)),
        }
    }

    /// The value of a field that is not blank.
    pub fn field(&self, name: &str) -> Option<&str> {
        let value = self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        value.filter(|value| !value.trim().is_empty())
    }

    async fn of_parts(bytes: Vec<u8>, boundary: String) -> Result<Self, Problem> {
        let broken = |error: multer::Error| Problem::bad(format!("the form cannot be read: {error}"));
        let whole = futures_util::stream::iter([Ok::<_, std::convert::Infallible>(bytes)]);
        let (mut parts, mut form) = (multer::Multipart::new(whole, boundary), Form::default());
        while let Some(part) = parts.next_field().await.map_err(broken)? {
            let (name, file) =
                (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
            let content = part.bytes().await.map_err(broken)?;
            match file {
                // Browsers send a file without a name and a byte if none was chosen.
                Some(file) if !file.is_empty() || !content.is_empty() => {
                    form.file = Some((file, content.to_vec()))
                }
                Some(_) => {}
                None => form.fields.push((name, String::from_utf8_lossy(&content).into_owned())),
            }
        }
        Ok(form)
    }

    fn of_pairs(bytes: &[u8]) -> Self {
        let pairs = bytes.split(|byte| *byte == b'&').map(|pair| {
            let mut parts = pair.splitn(2, |byte| *byte == b'=');
            (decoded(parts.next().unwrap_or_default()), decoded(parts.next().unwrap_or_default()))
        });
        Form { fields: pairs.collect(), file: None }
    }

    /// The page that was pasted, else the one in the file. Its id is empty if it was pasted, else the name of the file.
    pub fn page(&self) -> Option<Page> {
        let page = |id: &str, content| Page { id: id.to_owned(), content, ..Page::default() };
        match (self.field("text"), &self.file) {
            (Some(text), _) if looks_like_markup(text.as_bytes()) => Some(page("", Content::html(text))),
            (Some(text), _) => Some(page("", Content::text(text))),
            (None, Some((name, bytes))) => Some(page(name, content_of(name, bytes))),
            (None, None) => None,
        }
    }
}

/// The content of a file, told by its name, else by how it begins.
pub fn content_of(name: &str, bytes: &[u8]) -> Content {
    let name = name.to_ascii_lowercase();
    let is_markup = [".html", ".htm", ".xhtml"].iter().any(|ending| name.ends_with(ending));
    match is_markup || (!name.ends_with(".txt") && looks_like_markup(bytes)) {
        true => Content::Html { bytes: bytes.to_vec(), charset: None },
        false => Content::Text { bytes: bytes.to_vec(), charset: None },
    }
}

fn looks_like_markup(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.first() == Some(&b'<')
        && start.get(1).is_some_and(|next| next.is_ascii_alphabetic() || b"!?".contains(next))
}

fn decoded(bytes: &[u8]) -> String {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match (bytes[at], digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                at += 2;
            }
            (b'+', _) => plain.push(b' '),
            (other, _) => plain.push(other),
        }
        at += 1;
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_decoded() {
        let form = Form::of_pairs(b"a=1&text=%EA%B0%80+b%2&blank=+&&=x");
        assert_eq!(form.field("text"), Some("가 b%2"));
        assert_eq!((form.field("a"), form.field("blank"), form.field("none")), (Some("1"), None, None));
    }

    #[tokio::test]
    async fn parts_are_fields_and_a_file() {
        let body = "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n\r\n--x\r\n\
                    Content-Disposition: form-data; name=\"file\"; filename=\"글.html\"\r\n\
                    Content-Type: text/html\r\n\r\n<p>가\r\n--x--\r\n";
        let form = Form::of_parts(body.as_bytes().to_vec(), "x".to_owned()).await.unwrap();
        assert_eq!(form.field("text"), None);
        let page = form.page().unwrap();
        assert_eq!(page.id, "글.html");
        assert_eq!(page.content, Content::Html { bytes: "<p>가".as_bytes().to_vec(), charset: None });
        assert!(Form::of_parts(b"--x\r\nbroken".to_vec(), "x".to_owned()).await.is_err());
    }

    #[test]
    fn contents_are_told_by_name_and_by_how_they_begin() {
        let is_markup =
            |name: &str, text: &str| matches!(content_of(name, text.as_bytes()), Content::Html { .. });
        for (name, text, expected) in [
            ("a.HTML", "x", true),
            ("a.txt", "<p>x", false),
            ("a", " <!doctype html>", true),
            ("a", "<p>x", true),
            ("a", "< 3 apples", false),
            ("a.md", "x <p>", false),
        ] {
            assert_eq!(is_markup(name, text), expected, "{name} {text}");
        }
    }
}
