//! One document: its text, its verdict and why, its copies, its versions.

use super::check::{compare_path, in_words, why};
use super::layout::Layout;
use super::{Answer, document_link};
use crate::app::App;
use crate::problem::Problem;
use axum::extract::{Query, State};
use firstcopy_engine::{Holder, HoldersQuestion, Shown};
use firstcopy_report::{counted, escaped, link, percent};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, Deserialize)]
pub struct Parameters {
    id: String,
}

/// Copies that are listed.
const LISTED: usize = 200;

pub async fn show(
    State(app): State<Arc<App>>,
    Query(parameters): Query<Parameters>,
) -> Answer<Layout<'static>> {
    let name = parameters.id.clone();
    let shown = app.read(move |reader| reader.show(&name)).await?;
    let shown = shown
        .filter(|shown| shown.verdict.is_some())
        .ok_or_else(|| Problem::not_found(format!("There is no document {:?}.", parameters.id)))?;
    let name = parameters.id.clone();
    let holders =
        app.askers.ask(move |catalogue| catalogue.holders(&name, &HoldersQuestion::default())).await?;
    Ok(Layout { title: "Document", here: "", body: body(&shown, &holders.unwrap_or_default()) })
}

fn body(shown: &Shown, holders: &[Holder]) -> String {
    let Some(verdict) = &shown.verdict else { return String::new() };
    let title = shown.title.as_deref().unwrap_or(&verdict.id);
    let mut html = format!("<h1>{}</h1><p class=\"about\">", escaped(title));
    let about = [
        Some(escaped(&verdict.id)),
        verdict.url.as_deref().map(|url| link(url, url)),
        shown.author.as_deref().map(escaped),
        verdict
            .created_at
            .as_deref()
            .or(Some(&verdict.received_at))
            .map(|date| escaped(&date[..date.len().min(10)])),
        shown.language.as_deref().map(escaped),
    ];
    html += &about.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let _ = write!(html, "</p><h2>{}</h2>{}", in_words(verdict), why(verdict));
    if let Some(original) = &verdict.original {
        let _ = write!(
            html,
            "<p><a href=\"{}\">Compare with the original</a></p>",
            compare_path(original, &verdict.id)
        );
    }
    html += &copies(&verdict.id, holders);
    let _ = write!(html, "<h2>{}</h2><ul>", counted(shown.versions.len(), "version"));
    for version in &shown.versions {
        let _ =
            write!(html, "<li>Version {}, received {}</li>", version.version, escaped(&version.received_at));
    }
    let _ = write!(
        html,
        "</ul><h2>Text</h2><div class=\"text card\">{}</div>",
        escaped(shown.core_text.as_deref().unwrap_or_default())
    );
    html
}

/// Who holds copies, and how much of it.
fn copies(id: &str, holders: &[Holder]) -> String {
    if holders.is_empty() {
        return "<h2>No copies</h2><p>Nobody else holds this text.</p>".to_owned();
    }
    let mut html = format!(
        "<h2>Held by {} elsewhere</h2><div class=\"wide\"><table><thead><tr><th>Document</th><th>Date</th><th>Holds</th><th class=\"n\">Share</th><th></th></tr></thead><tbody>",
        counted(holders.len(), "document")
    );
    for holder in holders.iter().take(LISTED) {
        let date = holder.created_at.as_deref().or(holder.received_at.as_deref()).unwrap_or_default();
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{} %</td><td><a href=\"{}\">compare</a></td></tr>",
            document_link(&holder.id, &holder.id),
            escaped(&date[..date.len().min(10)]),
            holder.holds,
            percent(holder.containment),
            compare_path(id, &holder.id),
        );
    }
    html + "</tbody></table></div>"
}
