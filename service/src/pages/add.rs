//! A text or a file is stored and judged: a page, a text, or JSON Lines with a document a line.

use super::form::Form;
use super::layout::Layout;
use super::pieces::{many, shortened, wide};
use super::verdict::verdict_box;
use super::{Answer, Failed, document_link};
use crate::app::App;
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firstcopy_engine::Verdict;
use firstcopy_report::escaped;
use firstcopy_text::Page;
use std::fmt::Write;
use std::sync::Arc;

/// Verdicts and bad lines that are listed; all are counted.
const LISTED: usize = 200;

pub async fn ask() -> Layout<'static> {
    let body = format!(
        "<h1>Add to the collection</h1><p class=\"lead\">What is added is judged at once, and every later text is compared with it.</p>{}",
        form()
    );
    Layout { title: "Add", here: "/add", body }
}

fn form() -> String {
    let field = |name: &str, label: &str, hint: &str| {
        format!("<div><label for=\"{name}\">{label}</label><input id=\"{name}\" name=\"{name}\"{hint}></div>")
    };
    format!(
        "<form method=\"post\" action=\"/add\" class=\"check\" enctype=\"multipart/form-data\">\
         <label for=\"text\">A text, or the source of a page</label>\
         <textarea id=\"text\" name=\"text\" rows=\"10\" data-drop=\"file\"></textarea>\
         <label for=\"file\">or a file: a page, a text, or JSON Lines with a document a line</label>\
         <input id=\"file\" type=\"file\" name=\"file\">\
         <fieldset class=\"fields\"><legend>What is known of it (not for JSON Lines, which say it themselves)</legend>{}{}{}</fieldset>\
         <button>Add</button></form>\
         <p class=\"note\">Up to 16 MB at a time. More: <code>firstcopy add</code>, or <code>POST /v1/documents/_bulk</code>.</p>",
        field("url", "Address", " inputmode=\"url\""),
        field("title", "Title", ""),
        field("author", "Author", "")
    )
}

/// What became of one record.
struct Outcome {
    /// Where it stood, if there were many.
    place: String,
    result: Result<Verdict, Problem>,
}

pub async fn store(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Answer<Layout<'static>> {
    let form = Form::read(&app, &headers, body).await?;
    let outcomes = match &form.file {
        Some((name, bytes)) if form.field("text").is_none() && is_lines(name, bytes) => {
            lines(&app, name, bytes).await?
        }
        _ => vec![one(&app, &form).await?],
    };
    Ok(Layout { title: "Added", here: "/add", body: added(&outcomes) })
}

/// Whether a file has a record a line.
fn is_lines(name: &str, bytes: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let is_one_of = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let begins_so = bytes.trim_ascii_start().starts_with(b"{");
    is_one_of(&[".jsonl", ".ndjson"])
        || (begins_so && !is_one_of(&[".txt", ".md", ".html", ".htm", ".xhtml"]))
}

async fn one(app: &Arc<App>, form: &Form) -> Answer<Outcome> {
    let page = form.page().ok_or_else(|| Failed(Problem::bad("Paste a text first, or choose a file.")))?;
    let field = |name: &str| form.field(name).map(|value| value.trim().to_owned());
    let page = Page { url: field("url"), title: field("title"), author: field("author"), ..page };
    let id = page.url.clone().filter(|_| page.id.is_empty()).unwrap_or(page.id);
    let id = if id.is_empty() { format!("pasted-{}", fresh_name()?) } else { id };
    Ok(Outcome { place: String::new(), result: stored(app, Page { id, ..page }).await })
}

fn fresh_name() -> Result<String, Problem> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// One line after the other, so that equal ones in a file are judged in its order. A bad line stops nothing.
async fn lines(app: &Arc<App>, name: &str, bytes: &[u8]) -> Answer<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    for (number, json) in lines.filter(|(_, json)| !json.trim_ascii().is_empty()) {
        let place = format!("line {}", number + 1);
        let result = match app.page(json) {
            Ok(page) => {
                let id = if page.id.is_empty() { format!("{name}:{}", number + 1) } else { page.id.clone() };
                stored(app, Page { id, ..page }).await
            }
            Err(problem) => Err(problem),
        };
        outcomes.push(Outcome { place, result });
    }
    match outcomes.is_empty() {
        true => Err(Problem::bad("There is nothing in this file.").into()),
        false => Ok(outcomes),
    }
}

async fn stored(app: &Arc<App>, page: Page) -> Result<Verdict, Problem> {
    let place = app.place_in_turn().await?;
    let core = app.measured().await?;
    let verdict = app
        .work(place, move |engine| {
            let draft = engine.analyze(page);
            drop(core);
            engine.store(draft)
        })
        .await?;
    app.measures.stored(&verdict);
    Ok(verdict)
}

fn added(outcomes: &[Outcome]) -> String {
    let verdicts = || outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok());
    let originals = verdicts().filter(|verdict| verdict.is_original()).count() as u64;
    let duplicates = verdicts().count() as u64 - originals;
    let wrong = (outcomes.len() as u64) - originals - duplicates;
    let mut html = format!(
        "<h1>{}</h1><p role=\"status\">{} and {}.{}</p>",
        if wrong == outcomes.len() as u64 { "Nothing was added" } else { "Added" },
        many(originals, "original", "originals"),
        many(duplicates, "duplicate", "duplicates"),
        match wrong {
            0 => String::new(),
            wrong => format!(" {} could not be read.", many(wrong, "record", "records")),
        }
    );
    if let [Outcome { result: Ok(verdict), .. }] = outcomes {
        return html + &single(verdict) + NEXT;
    }
    let mut rows = String::new();
    for outcome in outcomes.iter().take(LISTED) {
        rows += &row(outcome);
    }
    let table = format!(
        "<table><thead><tr><th>Record</th><th>Document</th><th>Verdict</th><th>Original or closest</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    html += &wide("What became of it", &table);
    if outcomes.len() > LISTED {
        let _ = write!(html, "<p class=\"note\">The first {LISTED} are listed.</p>");
    }
    html + NEXT
}

const NEXT: &str = "<p class=\"actions\"><a href=\"/add\">Add more</a> <a href=\"/\">Check a text</a></p>";

/// The verdict on the one document that was added.
fn single(verdict: &Verdict) -> String {
    let stored = if verdict.unchanged { "It was there already, unchanged:" } else { "Stored as" };
    format!(
        "{}<p>{stored} {}.</p>",
        verdict_box(&verdict.summary, verdict, None),
        document_link(&verdict.id, &shortened(&verdict.id, 120))
    )
}

fn row(outcome: &Outcome) -> String {
    let verdict = match &outcome.result {
        Ok(verdict) => verdict,
        Err(problem) => {
            return format!(
                "<tr><td>{}</td><td colspan=\"3\">{}</td></tr>",
                outcome.place,
                escaped(&shortened(problem.detail(), 300))
            );
        }
    };
    let words = match verdict.unchanged {
        true => "It was there already, unchanged.".to_owned(),
        false => escaped(&verdict.summary),
    };
    let closest = verdict.original.as_deref().or(verdict.nearest.as_ref().map(|nearest| nearest.id.as_str()));
    format!(
        "<tr><td>{}</td><td>{}</td><td>{words}</td><td>{}</td></tr>",
        outcome.place,
        document_link(&verdict.id, &shortened(&verdict.id, 120)),
        closest.map(|id| document_link(id, &shortened(id, 120))).unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_a_record_a_line() {
        for (name, content, expected) in [
            ("a.jsonl", "", true),
            ("a.NDJSON", "x", true),
            ("posts", "{\"text\": \"a\"}", true),
            ("a.txt", "{\"text\"", false),
            ("a.html", "{", false),
            ("a", "plain", false),
        ] {
            assert_eq!(is_lines(name, content.as_bytes()), expected, "{name}");
        }
    }
}
