//! How is it doing? What the collection holds, what was saved from search, how far every index is, how much is asked.

use super::layout::Layout;
use super::pieces::{bytes, many, share, thousands, wide};
use super::{Answer, aside, login};
use crate::access::logged_in;
use crate::app::App;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::HeaderMap;
use firstcopy_engine::{Lag, Statistics};
use std::fmt::Write;
use std::sync::Arc;

pub async fn status(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Layout<'static>> {
    let statistics = aside(&app, |reader| reader.statistics()).await?;
    let (lags, free) = (app.engine.lags(), app.engine.free_bytes().map_err(Problem::from)?);
    let mut body = String::from("<h1>Status</h1>");
    body += &collection(&statistics);
    body += &indexes(&lags);
    body += &facts(
        "Disk",
        &[
            ("Store", bytes(statistics.store_bytes)),
            ("Indexes, which can be rebuilt", bytes(statistics.index_bytes)),
            ("Free", bytes(free)),
        ],
    );
    body += &facts(
        "Over the last minute",
        &[
            ("Documents stored", rate(app.measures.recently_stored())),
            ("Requests answered", rate(app.measures.recently_answered())),
        ],
    );
    body += "<p class=\"actions\"><a href=\"/reference\">The API</a> <a href=\"/metrics\">Metrics for Prometheus</a></p>";
    if let Some(key) = logged_in(&app, &headers) {
        body += &login::leaving(&key);
    }
    Ok(Layout { title: "Status", here: "/status", body })
}

fn collection(statistics: &Statistics) -> String {
    let saved = statistics.duplicates as f64 / statistics.documents.max(1) as f64;
    facts(
        "Collection",
        &[
            ("Documents", thousands(statistics.documents)),
            ("Originals, which are searched", thousands(statistics.originals)),
            (
                "Duplicates, kept out of search",
                format!("{} ({} of all)", thousands(statistics.duplicates), share(saved)),
            ),
            ("Earlier versions", thousands(statistics.versions)),
            ("Deleted", thousands(statistics.deleted)),
            ("Pages that sweeps miss", thousands(statistics.gone)),
        ],
    )
}

fn indexes(lags: &[Lag]) -> String {
    let is_in_step = lags.iter().all(|lag| lag.changes == 0);
    let mut rows = String::new();
    for lag in lags {
        let state = match lag.changes {
            0 => "knows all that is stored".to_owned(),
            changes => format!("{} behind", many(changes, "change", "changes")),
        };
        let _ = write!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td>{state}</td></tr>",
            lag.index, lag.changes
        );
    }
    let table = format!(
        "<table><thead><tr><th>Index</th><th class=\"n\">Lag</th><th>State</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    format!(
        "<section><h2>Indexes</h2><p role=\"status\">Search, similarity and passages {}.</p>{}</section>",
        if is_in_step { "know all that is stored" } else { "are catching up" },
        wide("Indexes", &table)
    )
}

fn facts(title: &str, rows: &[(&str, String)]) -> String {
    let rows: String = rows.iter().map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>")).collect();
    format!("<section><h2>{title}</h2><dl class=\"facts\">{rows}</dl></section>")
}

fn rate(a_second: f64) -> String {
    format!("{a_second:.1} a second")
}
