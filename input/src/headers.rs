//! What do these header lines say? `Name: value` lines as WARC and HTTP share them, read as leniently as they are written.

/// Header fields in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Headers(Vec<(String, String)>);

impl Headers {
    /// Reads every line that has a colon; a line that begins with white space continues the one before.
    pub(crate) fn parse(lines: &[u8]) -> Self {
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in lines.split(|byte| *byte == b'\n') {
            let text = String::from_utf8_lossy(line);
            let continued = text.starts_with([' ', '\t']);
            match (fields.last_mut(), text.split_once(':')) {
                (Some((_, value)), _) if continued => {
                    value.push(' ');
                    value.push_str(text.trim());
                }
                (_, Some((name, value))) => {
                    fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
                }
                _ => {}
            }
        }
        Headers(fields)
    }

    /// The first value of a field; names are given in lower case.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    /// A field that is a comma-separated list, all its lines joined, in lower case.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let values = self.0.iter().filter(|(found, _)| found == name).flat_map(|(_, value)| value.split(','));
        values.map(|value| value.trim().to_ascii_lowercase()).filter(|value| !value.is_empty()).collect()
    }
}

/// A `Content-Type`: the media type in lower case and the charset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MediaType {
    pub name: String,
    pub charset: Option<String>,
}

impl MediaType {
    pub(crate) fn parse(value: &str) -> Self {
        let mut parts = value.split(';');
        let name = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (key, value) = part.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            (key.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
        });
        MediaType { name, charset }
    }

    pub(crate) fn is_html(&self) -> bool {
        matches!(self.name.as_str(), "text/html" | "application/xhtml+xml")
    }

    pub(crate) fn is_text(&self) -> bool {
        self.name == "text/plain"
    }
}

/// How long a head is: up to and with the first empty line.
pub(crate) fn head_length(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes).find_map(|at| match &bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_as_servers_write_them() {
        let lines =
            b"HTTP/1.1 200 OK\r\nContent-TYPE : text/html;\r\n  charset=\"EUC-KR\"\r\nX: a, B\nx:c\nnone\n";
        let headers = Headers::parse(lines);
        assert_eq!(headers.get("content-type"), Some("text/html; charset=\"EUC-KR\""));
        assert_eq!(headers.list("x"), ["a", "b", "c"]);
        assert_eq!(headers.get("none"), None);
    }

    #[test]
    fn media_types() {
        let check = |value, name: &str, charset: Option<&str>| {
            let expected = MediaType { name: name.to_owned(), charset: charset.map(str::to_owned) };
            assert_eq!(MediaType::parse(value), expected);
        };
        check("text/html", "text/html", None);
        check("Text/HTML; a=b; Charset='utf-8'", "text/html", Some("utf-8"));
        check("text/html; charset=", "text/html", None);
        check("", "", None);
    }
}
