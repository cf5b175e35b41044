//! Who holds copies of a document, whole, contained or in part? As a page, and as a table for spreadsheets.
//!
//! A document that few copied is looked for everywhere. Of one that very many copied only its own group is looked at, page by
//! page: walking all of it would take minutes.

use super::csv::{download, line};
use super::layout::{About, Layout};
use super::pieces::{address, day, many, paging, share, shortened, thousands, wide};
use super::{Answer, aside, asked, compare_path, document_link, encoded, unknown};
use crate::app::App;
use crate::problem::Problem;
use crate::routes::holders::LOOKED_EVERYWHERE;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use firstcopy_engine::{GroupHolders, Holder, HoldersQuestion};
use firstcopy_report::escaped;
use futures_util::stream;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

/// Members of a larger group that are looked at for a page, and for a piece of a table.
const MEMBERS: u32 = 50;
const PIECE: u32 = 200;
/// Holders that a page lists; a table has all.
const LISTED: usize = 300;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    id: String,
    /// Per cent of the document that a holder has at least.
    #[serde(default)]
    min: String,
    #[serde(default)]
    after: u32,
}

impl Parameters {
    /// The share that a holder has at least.
    fn min_share(&self) -> Answer<Option<f64>> {
        let per_cent = self.min.trim();
        if per_cent.is_empty() {
            return Ok(None);
        }
        match per_cent.parse::<f64>() {
            Ok(value) if (0.0..=100.0).contains(&value) => Ok(Some(value / 100.0)),
            _ => Err(Problem::bad("The least share is a number from 0 to 100.").into()),
        }
    }

    fn question(&self) -> Answer<HoldersQuestion> {
        let default = HoldersQuestion::default();
        Ok(match self.min_share()? {
            Some(share) => HoldersQuestion { min_share: share, min_passage_share: share, ..default },
            None => default,
        })
    }

    fn path(&self, page: &str, after: Option<u32>) -> String {
        let after = after.map(|after| format!("&amp;after={after}")).unwrap_or_default();
        format!("{page}?id={}&amp;min={}{after}", encoded(&self.id), encoded(&self.min))
    }
}

pub async fn holders(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<About> {
    let parameters = asked(query)?;
    let question = parameters.question()?;
    let mut body = format!("<h1>Who holds copies</h1>{}", form(&parameters));
    if !parameters.id.trim().is_empty() {
        body += &match group_size(&app, &parameters.id).await? {
            copies if copies <= LOOKED_EVERYWHERE => {
                everywhere(&parameters, &all(&app, &parameters.id, question).await?)
            }
            copies => {
                let page = members(&app, parameters.id.clone(), question, parameters.after, MEMBERS).await?;
                in_group(&parameters, copies, &page)
            }
        };
    }
    Ok(About { subject: parameters.id, page: Layout { title: "Who holds copies", here: "/holders", body } })
}

/// The same as a table for spreadsheets.
pub async fn table(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<Response> {
    let parameters = asked(query)?;
    let question = parameters.question()?;
    let head = line(&[
        "id",
        "url",
        "site",
        "author",
        "created_at",
        "received_at",
        "gone_at",
        "verdict",
        "holds",
        "share",
        "resemblance",
    ]);
    let name = "attachment; filename=\"holders.csv\"";
    if group_size(&app, &parameters.id).await? <= LOOKED_EVERYWHERE {
        let holders = all(&app, &parameters.id, question).await?;
        let lines: String = holders.iter().map(row).collect();
        return Ok(download(name, stream::iter([Ok(head), Ok(lines)])));
    }
    let id = parameters.id;
    let pieces = stream::try_unfold((Some(0), Some(head)), move |(after, head)| {
        let (app, id) = (Arc::clone(&app), id.clone());
        async move {
            let Some(after) = after else { return Ok(None) };
            let page = members(&app, id, question, after, PIECE).await;
            let page = page.map_err(|failed| std::io::Error::other(failed.0.detail().to_owned()))?;
            let lines: String = head.into_iter().chain(page.holders.iter().map(row)).collect();
            Ok(Some((lines, (page.next, None))))
        }
    });
    Ok(download(name, pieces))
}

async fn group_size(app: &Arc<App>, id: &str) -> Answer<u64> {
    let name = id.to_owned();
    let group = aside(app, move |reader| reader.group_page(&name, 0, 0)).await?;
    group.map(|group| group.copies).ok_or_else(|| unknown(id))
}

/// All holders of at least the share that was asked for.
async fn all(app: &Arc<App>, id: &str, question: HoldersQuestion) -> Answer<Vec<Holder>> {
    let name = id.to_owned();
    let answer = app.askers.ask(move |catalogue| catalogue.holders(&name, &question)).await?;
    let mut holders = answer.ok_or_else(|| unknown(id))?.holders;
    holders.retain(|holder| holder.containment >= question.min_passage_share);
    Ok(holders)
}

async fn members(
    app: &Arc<App>,
    id: String,
    question: HoldersQuestion,
    after: u32,
    limit: u32,
) -> Answer<GroupHolders> {
    let name = id.clone();
    let page =
        app.askers.ask(move |catalogue| catalogue.group_holders(&name, &question, after, limit)).await?;
    page.ok_or_else(|| unknown(&id))
}

fn form(parameters: &Parameters) -> String {
    format!(
        "<form class=\"search\"><div class=\"bar\"><div class=\"grow\"><label for=\"id\">Id or url of a document</label>\
         <input id=\"id\" name=\"id\" value=\"{}\" required></div><div><label for=\"min\">Least share, in %</label>\
         <input id=\"min\" name=\"min\" type=\"number\" min=\"0\" max=\"100\" step=\"any\" value=\"{}\" placeholder=\"10\"></div>\
         <button>Look</button></div></form>",
        escaped(&parameters.id),
        escaped(&parameters.min)
    )
}

fn everywhere(parameters: &Parameters, holders: &[Holder]) -> String {
    let of = document_link(&parameters.id, &shortened(&parameters.id, 120));
    if holders.is_empty() {
        return format!("<p role=\"status\">No other document holds so much of {of}.</p>");
    }
    let mut html = format!(
        "<p role=\"status\">{} of {of}, in the order of their dates.</p>{}",
        many(holders.len() as u64, "document holds a part or all", "documents hold a part or all"),
        exports(parameters)
    );
    html += &listed(&parameters.id, &holders[..holders.len().min(LISTED)]);
    if holders.len() > LISTED {
        let _ = write!(html, "<p class=\"note\">The first {LISTED}; the CSV has all.</p>");
    }
    html
}

fn in_group(parameters: &Parameters, copies: u64, page: &GroupHolders) -> String {
    let mut html = format!(
        "<p role=\"status\">{} has a cluster of {}. Of so many, only these are looked at, in the order of arrival; who \
         holds a mere passage is not.</p>{}",
        document_link(&parameters.id, &shortened(&parameters.id, 120)),
        many(copies + 1, "document", "documents"),
        exports(parameters)
    );
    html += &match page.holders.is_empty() {
        true => format!("<p>None of {} on this page holds so much of it.</p>", thousands(u64::from(MEMBERS))),
        false => listed(&parameters.id, &page.holders),
    };
    let path = |after| parameters.path("/holders", after);
    let first = (parameters.after > 0).then(|| format!("<a href=\"{}\">First page</a>", path(None)));
    let next = page.next.map(|next| format!("<a rel=\"next\" href=\"{}\">More</a>", path(Some(next))));
    html + &paging("Pages of holders", &[first, next])
}

fn exports(parameters: &Parameters) -> String {
    format!(
        "<p class=\"actions\"><a href=\"{}\" download>CSV</a> <a href=\"/v1/documents/{}/holders\">JSON</a></p>",
        parameters.path("/holders.csv", None),
        encoded(&parameters.id)
    )
}

fn listed(id: &str, holders: &[Holder]) -> String {
    let mut rows = String::new();
    for holder in holders {
        let date = holder.created_at.as_deref().or(holder.received_at.as_deref()).unwrap_or_default();
        let gone =
            holder.gone_at.as_deref().map(|gone| format!("<br>gone since {}", day(gone))).unwrap_or_default();
        let url = holder.url.as_deref().filter(|url| *url != holder.id);
        let _ = write!(
            rows,
            "<tr><td>{}{}</td><td>{}</td><td>{}{gone}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td><a href=\"{}\">compare</a></td></tr>",
            document_link(&holder.id, &shortened(&holder.id, 120)),
            url.map(|url| format!("<br>{}", address(url))).unwrap_or_default(),
            escaped(&shortened(holder.author.as_deref().unwrap_or_default(), 80)),
            day(date),
            holder.holds,
            share(holder.containment),
            share(holder.resemblance),
            compare_path(id, &holder.id),
        );
    }
    let table = format!(
        "<table><thead><tr><th>Document</th><th>Author</th><th>Date</th><th>Holds</th><th class=\"n\">Share of it</th>\
         <th class=\"n\">Resemblance</th><th>Compare</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    wide("Holders", &table)
}

fn row(holder: &Holder) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    line(&[
        &holder.id,
        &text(&holder.url),
        &text(&holder.site),
        &text(&holder.author),
        &text(&holder.created_at),
        &text(&holder.received_at),
        &text(&holder.gone_at),
        holder.verdict,
        holder.holds,
        &format!("{:.4}", holder.containment),
        &format!("{:.4}", holder.resemblance),
    ])
}
