//! Pages that moved: where does the page of an address live now, and which pages are not where they were?

use super::csv::{download, line};
use super::layout::Layout;
use super::pieces::{address, day, many, paging, share, shortened, thousands, wide};
use super::{Answer, asked, document_link};
use crate::app::App;
use crate::problem::Problem;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use firstcopy_engine::{Moved, MovedPages, Trace, TraceStep};
use firstcopy_report::escaped;
use futures_util::stream;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

/// Pages that are gone and looked for at a time: each takes some milliseconds.
const LOOKED_FOR: u32 = 100;
/// Copies elsewhere that are listed.
const COPIES: usize = 50;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    url: String,
    #[serde(default)]
    after: u32,
}

pub async fn moved(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<Layout<'static>> {
    let Parameters { url, after } = asked(query)?;
    let mut body = format!("<h1>Pages that moved</h1>{}", form(&url));
    if url.trim().is_empty() {
        let pages = app.askers.ask(move |catalogue| catalogue.moved_after(after, LOOKED_FOR)).await?;
        body += &listed(&pages, after);
    } else {
        let name = url.trim().to_owned();
        let trace = app.askers.ask(move |catalogue| catalogue.trace(&name)).await?;
        let trace = trace.ok_or_else(|| {
            Problem::not_found(format!("No document ever had the address {:?}.", shortened(&url, 200)))
        })?;
        body += &traced(&trace);
    }
    Ok(Layout { title: "Pages that moved", here: "/moved", body })
}

/// All of them as a redirect map.
pub async fn map(State(app): State<Arc<App>>) -> Answer<Response> {
    let head = line(&["from", "to", "last_seen", "first_seen", "resemblance"]);
    let pieces = stream::try_unfold((Some(0), Some(head)), move |(after, head)| {
        let app = Arc::clone(&app);
        async move {
            let Some(after) = after else { return Ok(None) };
            let pages = app.askers.ask(move |catalogue| catalogue.moved_after(after, LOOKED_FOR)).await;
            let pages = pages.map_err(|problem| std::io::Error::other(problem.detail().to_owned()))?;
            let lines: String = head.into_iter().chain(pages.moved.iter().map(row)).collect();
            Ok(Some((lines, (pages.next, None))))
        }
    });
    Ok(download("attachment; filename=\"redirects.csv\"", pieces))
}

fn row(moved: &Moved) -> String {
    let resemblance = format!("{:.4}", moved.resemblance);
    line(&[&moved.from, &moved.to, &moved.last_seen, &moved.first_seen, &resemblance])
}

fn form(url: &str) -> String {
    format!(
        "<form class=\"search\"><div class=\"bar\"><div class=\"grow\"><label for=\"url\">The address where a page once was</label>\
         <input id=\"url\" name=\"url\" type=\"text\" inputmode=\"url\" value=\"{}\"></div><button>Trace</button></div></form>",
        escaped(url)
    )
}

fn listed(pages: &MovedPages, after: u32) -> String {
    if pages.looked_for == 0 && after == 0 {
        return "<p>No page is known to be gone. Dated crawls tell: <code>firstcopy add --sweep 2026-05-01 crawl.warc.gz</code> \
                marks what it no longer sees, and what moved is found again by its text.</p>"
            .to_owned();
    }
    let mut html = format!(
        "<p role=\"status\">Of {} that are gone, {} elsewhere.</p><p class=\"actions\"><a href=\"/moved.csv\" download>Redirect map of all (CSV)</a></p>",
        many(pages.looked_for as u64, "page", "pages"),
        match pages.moved.len() {
            0 => "none lives".to_owned(),
            1 => "one lives".to_owned(),
            count => format!("{} live", thousands(count as u64)),
        }
    );
    if !pages.moved.is_empty() {
        let rows: String = pages.moved.iter().map(shown).collect();
        let table = format!(
            "<table><thead><tr><th>From</th><th>To</th><th>Last seen there</th><th>First seen here</th><th class=\"n\">Resemblance</th></tr></thead>\
             <tbody>{rows}</tbody></table>"
        );
        html += &wide("Pages that moved", &table);
    }
    let first = (after > 0).then(|| "<a href=\"/moved\">First page</a>".to_owned());
    let next = pages.next.map(|next| format!("<a rel=\"next\" href=\"/moved?after={next}\">More</a>"));
    html + &paging("Pages of the list", &[first, next])
}

fn shown(moved: &Moved) -> String {
    format!(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
        address(&moved.from),
        address(&moved.to),
        day(&moved.last_seen),
        day(&moved.first_seen),
        share(moved.resemblance)
    )
}

fn traced(trace: &Trace) -> String {
    let words = match (trace.status, &trace.now) {
        ("here", _) => "It is still there.".to_owned(),
        ("moved", Some(now)) => format!("It lives at {} now.", address(now)),
        ("unswept", Some(now)) => {
            format!("No crawl ever looked for it. The newest page like it is {}.", address(now))
        }
        _ => "It is gone, and was seen nowhere else.".to_owned(),
    };
    let steps: String = trace.path.iter().map(step).collect();
    let mut html = format!(
        "<section><h2>{}</h2><p role=\"status\" class=\"verdict original\">{words}</p><ol class=\"steps\">{steps}</ol></section>",
        escaped(&shortened(&trace.url, 200))
    );
    if !trace.copies.is_empty() {
        let copies: String =
            trace.copies.iter().take(COPIES).map(|url| format!("<li>{}</li>", address(url))).collect();
        let _ = write!(html, "<section><h2>Copies elsewhere</h2><ul>{copies}</ul></section>");
    }
    html
}

fn step(step: &TraceStep) -> String {
    let like = step
        .resemblance
        .map(|like| format!(", resembles the step before {}", share(like)))
        .unwrap_or_default();
    let gone = step.gone_at.as_deref().map(|gone| format!(", gone since {}", day(gone))).unwrap_or_default();
    format!(
        "<li>{} <span class=\"about\">({}) from {} to {}{gone}{like}</span></li>",
        address(&step.url),
        document_link(&step.id, "document"),
        day(&step.first_seen),
        day(&step.last_seen)
    )
}
