//! Who wrote this first? A text is pasted or dropped; the verdict in words, the original, and what both share.

use super::layout::Layout;
use super::{Answer, Failed, document_link, encoded};
use crate::app::App;
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firstcopy_engine::Verdict;
use firstcopy_passages::Passage;
use firstcopy_report::{counted, escaped, percent};
use firstcopy_text::{Content, Page};
use std::fmt::Write;
use std::sync::Arc;

/// The form, and what to do when there is nothing yet.
pub async fn ask(State(app): State<Arc<App>>) -> Answer<Layout<'static>> {
    let statistics = app.read(|reader| reader.statistics()).await?;
    let mut body = String::from("<h1>Who wrote this first?</h1>");
    body += &form("");
    if statistics.documents == 0 {
        body += "<section class=\"card\"><h2>The collection is empty</h2><p>Fill it with your own pages:</p>\
                 <pre>firstcopy add posts/</pre><p>or over HTTP, a document a line:</p>\
                 <pre>curl --data-binary @posts.jsonl http://127.0.0.1:7700/v1/documents/_bulk</pre>\
                 <form method=\"post\" action=\"/sample\"><p>or look around in a few posts first:</p>\
                 <button>Load the sample collection</button></form></section>";
    } else {
        let _ = write!(
            body,
            "<p>Compared with {} and {} in the collection.</p>",
            counted(statistics.originals as usize, "original"),
            counted(statistics.duplicates as usize, "duplicate")
        );
    }
    Ok(Layout { title: "Check", here: "/", body })
}

fn form(text: &str) -> String {
    format!(
        "<form method=\"post\" action=\"/check\" class=\"check\"><label for=\"text\">A text, or the source of a page</label>\
         <textarea id=\"text\" name=\"text\" rows=\"10\" required data-drop>{}</textarea>\
         <p><label><input type=\"file\" data-file=\"text\" accept=\".txt,.html,.htm,.md\"> or a file</label></p>\
         <button>Check</button></form>",
        escaped(text)
    )
}

/// The verdict on what was pasted. Nothing is stored.
pub async fn answer(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Answer<Layout<'static>> {
    let bytes = app.body(body, &headers).await?;
    let text = field(&bytes, "text").ok_or_else(|| Failed(Problem::bad("paste a text first")))?;
    let looks_like_markup = text.trim_start().starts_with('<');
    let content = if looks_like_markup { Content::html(text.clone()) } else { Content::text(text.clone()) };
    let page = Page { id: "what you pasted".to_owned(), content, ..Page::default() };
    let place = app.place()?;
    let pasted = page.clone();
    let verdict = app.work(place, move |engine| engine.check(pasted)).await?;
    let copied = app.askers.ask(move |catalogue| catalogue.copied_passages(page)).await?;
    let mut body = format!("<h1>{}</h1>", in_words(&verdict));
    body += &why(&verdict);
    body += &passages(&copied.passages, copied.copied_share);
    let _ = write!(body, "<h2>Another one</h2>{}", form(&text));
    Ok(Layout { title: "Verdict", here: "/", body })
}

/// The verdict as one would say it.
pub fn in_words(verdict: &Verdict) -> &'static str {
    match (verdict.is_original(), verdict.reason.as_str()) {
        (true, _) => "Nobody wrote this before",
        (false, "identical") => "This is a copy, byte for byte",
        (false, "lexical") => "This is a copy, word for word",
        (false, _) => "This is a copy with changes",
    }
}

/// The original, and why it is.
pub fn why(verdict: &Verdict) -> String {
    let Some(original) = &verdict.original else {
        return "<p class=\"verdict original\">No document of the collection is so much like it.</p>"
            .to_owned();
    };
    let interval = match verdict.resemblance_low == verdict.resemblance_high {
        true => "counted from both texts".to_owned(),
        false => format!(
            "between {} % and {} %",
            percent(verdict.resemblance_low),
            percent(verdict.resemblance_high)
        ),
    };
    format!(
        "<div class=\"verdict duplicate\"><p>The original is <strong>{}</strong>{}.</p><dl><dt>Resemblance</dt><dd>{} %, {interval}</dd>\
         <dt>Contained in it</dt><dd>{} %</dd><dt>Shared features</dt><dd>{} of 6</dd></dl></div>",
        document_link(original, original),
        verdict
            .original_url
            .as_deref()
            .map(|url| format!(" ({})", firstcopy_report::link(url, url)))
            .unwrap_or_default(),
        percent(verdict.resemblance),
        percent(verdict.containment),
        verdict.shared_features,
    )
}

/// What was copied from where.
fn passages(passages: &[Passage], share: f64) -> String {
    if passages.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<h2>Copied passages</h2><p>{} % of it stands in originals of the collection.</p><ol class=\"passages\">",
        percent(share)
    );
    for passage in passages {
        let _ = write!(
            html,
            "<li><blockquote class=\"text\">{}</blockquote><p>from {}</p></li>",
            escaped(&passage.text),
            document_link(&passage.source, &passage.source)
        );
    }
    html + "</ol>"
}

/// A field of a form that was sent.
pub fn field(form: &[u8], name: &str) -> Option<String> {
    form.split(|byte| *byte == b'&').find_map(|pair| {
        let mut parts = pair.splitn(2, |byte| *byte == b'=');
        let (key, value) = (decoded(parts.next()?), decoded(parts.next().unwrap_or_default()));
        (key == name && !value.trim().is_empty()).then_some(value)
    })
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

/// Where two documents are compared.
pub fn compare_path(a: &str, b: &str) -> String {
    format!("/compare?a={}&amp;b={}", encoded(a), encoded(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_decoded() {
        assert_eq!(field(b"a=1&text=%EA%B0%80+b%2", "text"), Some("가 b%2".to_owned()));
        assert_eq!(field(b"text=+", "text"), None);
    }
}
