//! Search for people: originals with their copies folded under them.

use super::layout::Layout;
use super::{Answer, document_link, encoded};
use crate::app::App;
use axum::extract::{Query, State};
use firstcopy_engine::{Hit, SearchQuestion, Sort};
use firstcopy_report::{counted, escaped, link};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    q: String,
    #[serde(default)]
    sort: String,
    all: Option<String>,
    cursor: Option<String>,
}

const HITS: usize = 20;

pub async fn search(
    State(app): State<Arc<App>>,
    Query(parameters): Query<Parameters>,
) -> Answer<Layout<'static>> {
    let mut body = format!("<h1>Search</h1>{}", form(&parameters));
    if !parameters.q.trim().is_empty() {
        let question = SearchQuestion {
            query: parameters.q.clone(),
            all: parameters.all.is_some(),
            sort: match parameters.sort.as_str() {
                "newest" => Sort::Newest,
                "oldest" => Sort::Oldest,
                _ => Sort::Relevance,
            },
            limit: HITS,
            cursor: parameters.cursor.clone(),
        };
        let answer = app.askers.ask(move |catalogue| catalogue.search(&question)).await?;
        let _ = write!(
            body,
            "<p role=\"status\">{}</p><ol class=\"hits\">",
            counted(answer.total as usize, "hit")
        );
        answer.hits.iter().for_each(|hit| body += &shown(hit));
        body += "</ol>";
        if let Some(next) = &answer.next {
            let all = if parameters.all.is_some() { "&amp;all=on" } else { "" };
            let _ = write!(
                body,
                "<p><a rel=\"next\" href=\"/search?q={}&amp;sort={}{all}&amp;cursor={}\">More</a></p>",
                encoded(&parameters.q),
                encoded(&parameters.sort),
                encoded(next)
            );
        }
    }
    Ok(Layout { title: "Search", here: "/search", body })
}

fn form(parameters: &Parameters) -> String {
    let option = |value: &str, name: &str| {
        let selected = if parameters.sort == value { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{name}</option>")
    };
    format!(
        "<form class=\"search\" role=\"search\"><label for=\"q\">Words, \"phrases\", -words, site:, author:, title:, lang:, before:, after:</label>\
         <input id=\"q\" name=\"q\" type=\"search\" value=\"{}\"><label>Order <select name=\"sort\">{}{}{}</select></label>\
         <label><input type=\"checkbox\" name=\"all\"{}> look through duplicates, too</label><button>Search</button></form>",
        escaped(&parameters.q),
        option("relevance", "best first"),
        option("newest", "newest first"),
        option("oldest", "oldest first"),
        if parameters.all.is_some() { " checked" } else { "" },
    )
}

fn shown(hit: &Hit) -> String {
    let title = hit.title.as_deref().unwrap_or(&hit.id);
    let mut html = format!("<li><h2>{}</h2><p class=\"about\">", document_link(&hit.id, title));
    let about = [
        hit.site.clone(),
        hit.author.clone(),
        hit.date.get(..10).map(ToOwned::to_owned),
        hit.language.clone(),
    ];
    html += &about.into_iter().flatten().map(|part| escaped(&part)).collect::<Vec<_>>().join(" · ");
    let _ = write!(html, "</p><p>{}</p>", highlighted(&hit.snippet, &hit.highlights));
    if hit.copies > 0 {
        let names: Vec<String> = hit
            .first_copies
            .iter()
            .map(|copy| {
                format!(
                    "<li>{}{}</li>",
                    document_link(&copy.id, &copy.id),
                    copy.url.as_deref().map(|url| format!(" {}", link(url, url))).unwrap_or_default()
                )
            })
            .collect();
        let noun = if hit.copies == 1 { "copy" } else { "copies" };
        let _ = write!(
            html,
            "<details><summary>{} {noun}</summary><ul>{}</ul></details>",
            hit.copies,
            names.concat()
        );
    }
    html + "</li>"
}

/// A text with what matched marked.
fn highlighted(text: &str, places: &[(usize, usize)]) -> String {
    let (mut html, mut end) = (String::new(), 0);
    for &(from, to) in places {
        let (Some(plain), Some(marked)) = (text.get(end..from), text.get(from..to)) else { continue };
        let _ = write!(html, "{}<mark>{}</mark>", escaped(plain), escaped(marked));
        end = to;
    }
    html + &escaped(text.get(end..).unwrap_or_default())
}
