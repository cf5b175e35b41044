//! How is it doing? What the collection holds, what was saved from search, how far followers are.

use super::Answer;
use super::layout::Layout;
use crate::app::App;
use axum::extract::State;
use std::fmt::Write;
use std::sync::Arc;

pub async fn status(State(app): State<Arc<App>>) -> Answer<Layout<'static>> {
    let statistics = app.read(|reader| reader.statistics()).await?;
    let in_step = app.askers.ask(|catalogue| catalogue.is_in_step()).await?;
    let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
    let rows = [
        ("Documents", statistics.documents.to_string()),
        ("Originals, which are searched", statistics.originals.to_string()),
        ("Duplicates, kept out of search", statistics.duplicates.to_string()),
        ("Earlier versions", statistics.versions.to_string()),
        ("Pages that sweeps miss", statistics.gone.to_string()),
        ("Changes that followers have still to take", statistics.outbox.to_string()),
        (
            "Search and similarity",
            if in_step { "know all that is stored" } else { "are catching up" }.to_owned(),
        ),
        ("Store", megabytes(statistics.store_bytes)),
        ("Indexes, which can be rebuilt", megabytes(statistics.index_bytes)),
    ];
    let mut body = String::from("<h1>Status</h1><dl class=\"facts\">");
    for (name, value) in rows {
        let _ = write!(body, "<dt>{name}</dt><dd>{value}</dd>");
    }
    body += "</dl><p><a href=\"/openapi.json\">The description of the API</a></p>";
    Ok(Layout { title: "Status", here: "/status", body })
}
