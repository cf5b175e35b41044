//! Tables for spreadsheets: comma-separated, and no cell that a spreadsheet would run.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;

/// A line of a table.
pub fn line(cells: &[&str]) -> String {
    let mut line = cells.iter().map(|cell| self::cell(cell)).collect::<Vec<_>>().join(",");
    line += "\r\n";
    line
}

/// A cell as RFC 4180 wants it. What begins like a formula gets an apostrophe: spreadsheets show the rest as text.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\n', '\r']) || text != text.trim() {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// A table to be kept as a file, line by line as it is made.
pub fn download(
    name: &'static str,
    lines: impl Stream<Item = Result<String, std::io::Error>> + Send + 'static,
) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static(name)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, Body::from_stream(lines)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_run() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@x", "'@x"),
            ("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\""),
            ("\t=1", "'\t=1"),
            ("a\nb", "\"a\nb\""),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected, "{text:?}");
        }
        assert_eq!(line(&["a", "=b"]), "a,'=b\r\n");
    }
}
