//! Search for people: originals with their copies folded under them, filters as fields of their own.

use super::layout::{Layout, with_status};
use super::pieces::{address, day, in_its_language, language, many, name, paging, shortened, thousands};
use super::{Answer, asked, document_link, encoded};
use crate::app::App;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use firstcopy_engine::{CopyName, Hit, SearchAnswer, SearchQuestion, Sort};
use firstcopy_report::{counted, escaped};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    q: String,
    #[serde(default)]
    site: String,
    #[serde(default)]
    author: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    after: String,
    #[serde(default)]
    before: String,
    #[serde(default)]
    sort: String,
    all: Option<String>,
    cursor: Option<String>,
}

const HITS: usize = 20;

impl Parameters {
    /// The filters by the names that queries know.
    fn filters(&self) -> [(&'static str, &str); 5] {
        [
            ("site", &self.site),
            ("author", &self.author),
            ("lang", &self.lang),
            ("after", &self.after),
            ("before", &self.before),
        ]
        .map(|(name, value)| (name, value.trim()))
    }

    /// Everything that was filled in, as one query.
    fn query(&self) -> String {
        let mut query = self.q.clone();
        for (name, value) in self.filters().into_iter().filter(|(_, value)| !value.is_empty()) {
            // A quote would end the value; no filter has any use for one.
            let value: String = value
                .chars()
                .filter(|character| !"\"\u{201c}\u{201d}\u{201e}".contains(*character))
                .collect();
            let _ = write!(query, " {name}:\"{value}\"");
        }
        query
    }

    fn is_blank(&self) -> bool {
        self.q.trim().is_empty() && self.filters().iter().all(|(_, value)| value.is_empty())
    }

    /// The same question from another place on.
    fn path(&self, cursor: Option<&str>) -> String {
        let mut path = format!("/search?q={}", encoded(&self.q));
        let all = self.all.as_deref().map(|_| "on").unwrap_or_default();
        let rest = [("sort", self.sort.as_str()), ("all", all), ("cursor", cursor.unwrap_or_default())];
        for (name, value) in self.filters().into_iter().chain(rest).filter(|(_, value)| !value.is_empty()) {
            let _ = write!(path, "&amp;{name}={}", encoded(value));
        }
        path
    }
}

pub async fn search(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<Response> {
    let parameters = asked(query)?;
    let mut body = format!("<h1>Search</h1>{}", form(&parameters));
    if parameters.is_blank() {
        body += HELP;
        return Ok(Layout { title: "Search", here: "/search", body }.into_response());
    }
    let question = SearchQuestion {
        query: parameters.query(),
        all: parameters.all.is_some(),
        sort: match parameters.sort.as_str() {
            "newest" => Sort::Newest,
            "oldest" => Sort::Oldest,
            _ => Sort::Relevance,
        },
        limit: HITS,
        cursor: parameters.cursor.clone(),
    };
    match app.askers.search(move |catalogue| catalogue.search(&question)).await {
        Ok(answer) => {
            body += &found(&parameters, &answer);
            Ok(Layout { title: "Search", here: "/search", body }.into_response())
        }
        // What was typed cannot be understood: it is said beside the field, where it can be mended.
        Err(problem) if problem.status() == StatusCode::BAD_REQUEST => {
            let _ = write!(body, "<p role=\"alert\" class=\"wrong\">{}</p>", escaped(problem.detail()));
            Ok(with_status(StatusCode::BAD_REQUEST, &Layout { title: "Search", here: "/search", body }))
        }
        Err(problem) => Err(problem.into()),
    }
}

const HELP: &str = "<section class=\"card\"><h2>What can be typed</h2><dl class=\"facts\">\
    <dt>words</dt><dd>all of them, in title or text; in Korean and Japanese with any ending</dd>\
    <dt>\"a phrase\"</dt><dd>these words in this order</dd><dt>-word</dt><dd>documents without it</dd>\
    <dt>title:word</dt><dd>in the title</dd></dl></section>";

fn form(parameters: &Parameters) -> String {
    let option = |value: &str, name: &str| {
        let selected = if parameters.sort == value { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{name}</option>")
    };
    let field = |name: &str, label: &str, kind: &str, value: &str, hint: &str| {
        format!(
            "<div><label for=\"{name}\">{label}</label><input id=\"{name}\" name=\"{name}\" type=\"{kind}\" value=\"{}\"{hint}></div>",
            escaped(value)
        )
    };
    let is_filtered = parameters.filters().iter().any(|(_, value)| !value.is_empty())
        || parameters.all.is_some()
        || !matches!(parameters.sort.as_str(), "" | "relevance");
    format!(
        "<form class=\"search\" role=\"search\"><div class=\"bar\"><div class=\"grow\"><label for=\"q\">Words or \"phrases\"</label>\
         <input id=\"q\" name=\"q\" type=\"search\" value=\"{}\"></div><button>Search</button></div>\
         <details{}><summary>Filters and order</summary><div class=\"fields\">{}{}{}{}{}\
         <div><label for=\"sort\">Order</label><select id=\"sort\" name=\"sort\">{}{}{}</select></div></div>\
         <p><label class=\"tick\"><input type=\"checkbox\" name=\"all\"{}> look through duplicates, too</label></p></details></form>",
        escaped(&parameters.q),
        if is_filtered { " open" } else { "" },
        field("site", "Site", "text", &parameters.site, " placeholder=\"blog.example\""),
        field("author", "Author", "text", &parameters.author, ""),
        field("lang", "Language", "text", &parameters.lang, " placeholder=\"ko\" size=\"6\""),
        field("after", "Dated from", "date", &parameters.after, ""),
        field("before", "and before", "date", &parameters.before, ""),
        option("relevance", "best first"),
        option("newest", "newest first"),
        option("oldest", "oldest first"),
        if parameters.all.is_some() { " checked" } else { "" },
    )
}

fn found(parameters: &Parameters, answer: &SearchAnswer) -> String {
    let mut html = format!("<p role=\"status\">{}</p>", hits(answer.total));
    if answer.hits.is_empty() {
        html += "<p>Nothing speaks of all of this. Fewer words find more.</p>";
        return html;
    }
    html += "<ol class=\"hits\">";
    answer.hits.iter().for_each(|hit| html += &shown(hit));
    let first =
        parameters.cursor.as_ref().map(|_| format!("<a href=\"{}\">First page</a>", parameters.path(None)));
    let next = answer
        .next
        .as_deref()
        .map(|next| format!("<a rel=\"next\" href=\"{}\">More hits</a>", parameters.path(Some(next))));
    html + "</ol>" + &paging("Pages of hits", &[first, next])
}

fn hits(total: u64) -> String {
    match total {
        1 => counted(1, "hit"),
        total => format!("{} hits", thousands(total)),
    }
}

fn shown(hit: &Hit) -> String {
    let title = name(hit.title.as_deref(), &hit.id);
    let declared = hit.language.as_deref();
    let mut html = format!(
        "<li><h2{}>{}</h2><p class=\"about\">",
        language(declared, &title),
        document_link(&hit.id, &title)
    );
    let about = [
        hit.site.as_deref().map(|site| escaped(&shortened(site, 80))),
        hit.author.as_deref().map(|author| in_its_language(None, &shortened(author, 80))),
        Some(day(&hit.date)),
        declared.map(|language| escaped(&shortened(language, 35))),
        hit.gone_at.as_deref().map(|gone| format!("gone since {}", day(gone))),
    ];
    html += &about.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let _ = write!(
        html,
        "</p><p{}>{}</p>",
        language(declared, &hit.snippet),
        highlighted(&hit.snippet, &hit.highlights)
    );
    html += &copies(hit);
    html + "</li>"
}

fn copies(hit: &Hit) -> String {
    if hit.copies == 0 {
        return String::new();
    }
    let listed = if hit.matching_copies.is_empty() { &hit.first_copies } else { &hit.matching_copies };
    let names: String = listed.iter().map(copy).collect();
    let all = match hit.copies > listed.len() {
        true => format!("<li><a href=\"/cluster?id={}\">all of them</a></li>", encoded(&hit.id)),
        false => String::new(),
    };
    format!(
        "<details><summary>{}</summary><ul>{names}{all}</ul></details>",
        many(hit.copies as u64, "copy", "copies")
    )
}

fn copy(copy: &CopyName) -> String {
    let url = copy.url.as_deref().filter(|url| *url != copy.id);
    format!(
        "<li>{}{}</li>",
        document_link(&copy.id, &shortened(&copy.id, 120)),
        url.map(|url| format!(" {}", address(url))).unwrap_or_default()
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_one_query() {
        let parameters = Parameters {
            q: "학교 급식".to_owned(),
            site: " blog.example ".to_owned(),
            author: "kim \"min\" su".to_owned(),
            after: "2026-05-01".to_owned(),
            ..Parameters::default()
        };
        assert_eq!(
            parameters.query(),
            "학교 급식 site:\"blog.example\" author:\"kim min su\" after:\"2026-05-01\""
        );
        assert!(!parameters.is_blank() && Parameters::default().is_blank());
        assert_eq!(
            Parameters { q: "a&b".to_owned(), all: Some("on".to_owned()), ..Parameters::default() }
                .path(Some("c")),
            "/search?q=a%26b&amp;all=on&amp;cursor=c"
        );
    }

    #[test]
    fn what_matched_is_marked_and_the_rest_is_text() {
        assert_eq!(highlighted("<a> b", &[(0, 3)]), "<mark>&lt;a&gt;</mark> b");
        assert_eq!(highlighted("가나", &[(1, 2), (0, 9)]), "가나");
    }
}
