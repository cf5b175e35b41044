//! An editor's word about a document: what was decided, and the form to decide.

use super::form::Form;
use super::pieces::{in_its_language, minute, shortened, wide};
use super::{Answer, Failed, document_path};
use crate::access::Caller;
use crate::app::App;
use crate::problem::Problem;
use crate::routes::appeals::{decided, who};
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Redirect;
use firstcopy_engine::{Appeal, Decision, Outline, Standing};
use firstcopy_report::escaped;
use std::fmt::Write;
use std::sync::Arc;

/// Decisions that are listed: the latest.
const LISTED: usize = 50;

/// What can be decided, by the word that is sent.
const CHOICES: [(&str, &str); 3] = [
    ("first", "It was first: what matches it is its copy"),
    ("independent", "It is independent: no copy of what it matches, and all else stays"),
    ("withdrawn", "Judge it like all others again"),
];

/// What was decided about a document, and what can be.
pub fn section(outline: &Outline) -> String {
    let declared = outline.verdict.appeal.as_ref().map(|appeal| appeal.decision.as_str());
    let choices = CHOICES.iter().filter(|(word, _)| *word != declared.unwrap_or("withdrawn"));
    let mut html = String::from("<section><h2>Appeals</h2>");
    html += &log(&outline.appeals);
    let _ = write!(
        html,
        "<details><summary>Decide as an editor</summary><form method=\"post\" action=\"/appeal\" class=\"card\">\
         <input type=\"hidden\" name=\"id\" value=\"{}\"><fieldset><legend>This document</legend>",
        escaped(&outline.verdict.id)
    );
    for (number, (word, words)) in choices.enumerate() {
        let checked = if number == 0 { " checked" } else { "" };
        let _ = write!(
            html,
            "<p><label><input type=\"radio\" name=\"decision\" value=\"{word}\"{checked}> {words}</label></p>"
        );
    }
    html + "</fieldset><p><label for=\"reason\">Why</label> \
            <input id=\"reason\" name=\"reason\" required maxlength=\"2000\"></p>\
            <p><label for=\"by\">Your name</label> <input id=\"by\" name=\"by\" maxlength=\"200\" autocomplete=\"name\"></p>\
            <button>Decide</button></form></details></section>"
}

/// What editors decided, the latest first.
fn log(appeals: &[Appeal]) -> String {
    if appeals.is_empty() {
        return "<p>No editor decided anything about it.</p>".to_owned();
    }
    let mut rows = String::new();
    for appeal in appeals.iter().rev().take(LISTED) {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            minute(&appeal.at),
            escaped(&appeal.decision),
            in_its_language(None, &shortened(&appeal.by, 200)),
            in_its_language(None, &appeal.reason)
        );
    }
    let table = format!(
        "<table><thead><tr><th>When</th><th>Decision</th><th>By</th><th>Why</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    wide("What editors decided", &table)
}

/// Decides, and shows the document as it is now.
pub async fn decide(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Redirect> {
    let form = Form::read(&app, &headers, body).await?;
    let needed = |name: &str| {
        form.field(name).map(str::to_owned).ok_or_else(|| Failed(Problem::bad("Say why.").of_field(name)))
    };
    let id = needed("id")?;
    let standing = match form.field("decision") {
        Some("withdrawn") => None,
        Some(word) => {
            Some(Standing::from_name(word).ok_or_else(|| Failed(Problem::bad("Choose what it is.")))?)
        }
        None => return Err(Failed(Problem::bad("Choose what it is."))),
    };
    let by = who(form.field("by").map(str::to_owned), &caller);
    decided(&app, id.clone(), Decision { standing, by, reason: needed("reason")? }).await?;
    Ok(Redirect::to(&document_path(&id)))
}
