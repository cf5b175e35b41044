//! The largest groups of copies, and how large groups are. All groups are counted now and then, not for every request.

use super::layout::Layout;
use super::pieces::{day, many, member_link, paging, thousands, wide};
use super::{Answer, aside, asked, encoded};
use crate::app::App;
use crate::problem::Problem;
use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use firstcopy_engine::{Group, Groups};
use firstcopy_report::{Bar, bars};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a count is good at least; and beyond that, so many times as long as it took.
const GOOD_FOR: Duration = Duration::from_secs(5);
const TIMES: u32 = 20;
/// Groups that are listed in all, and on a page.
const LISTED: usize = 1000;
const ON_A_PAGE: usize = 50;

/// The groups as they were counted last.
#[derive(Debug, Default)]
pub struct Overview {
    counted: Mutex<Option<Counted>>,
}

#[derive(Debug)]
struct Counted {
    groups: Arc<Groups>,
    until: Instant,
}

impl Overview {
    /// The groups; whoever asks while they are counted waits for the same count.
    async fn groups(&self, app: &App) -> Result<Arc<Groups>, Problem> {
        let mut counted = self.counted.lock().await;
        if let Some(counted) = counted.as_ref().filter(|counted| Instant::now() < counted.until) {
            return Ok(Arc::clone(&counted.groups));
        }
        let begun = Instant::now();
        let groups = Arc::new(aside(app, |reader| reader.groups(LISTED)).await?);
        let until = Instant::now() + GOOD_FOR.max(begun.elapsed() * TIMES);
        *counted = Some(Counted { groups: Arc::clone(&groups), until });
        Ok(groups)
    }
}

#[derive(Debug, Deserialize)]
pub struct Parameters {
    page: Option<usize>,
}

pub async fn clusters(
    State(app): State<Arc<App>>,
    Extension(overview): Extension<Arc<Overview>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<Layout<'static>> {
    let page = asked(query)?.page.unwrap_or(1).clamp(1, LISTED.div_ceil(ON_A_PAGE));
    let groups = overview.groups(&app).await?;
    let mut body =
        String::from("<h1>Clusters</h1><p class=\"lead\">An original and everything that copies it.</p>");
    if groups.total == 0 {
        body += "<p>No document of the collection is a copy of another.</p>";
        return Ok(Layout { title: "Clusters", here: "/clusters", body });
    }
    let _ = write!(
        body,
        "<p>{} with {} in all.</p>{}",
        many(groups.total, "cluster", "clusters"),
        many(groups.documents, "document", "documents"),
        histogram(&groups)
    );
    body += &largest(&groups, page);
    Ok(Layout { title: "Clusters", here: "/clusters", body })
}

fn histogram(groups: &Groups) -> String {
    let steps: Vec<Bar> = groups
        .sizes
        .iter()
        .map(|&(least, count)| Bar {
            label: if least == 2 {
                "2–3".to_owned()
            } else {
                format!("{}–{}", short(least), short(2 * least - 1))
            },
            value: count as f64,
            note: many(count, "cluster", "clusters"),
        })
        .collect();
    let chart = bars("How many clusters have how many documents", &steps);
    format!(
        "<figure><figcaption>How many clusters have how many documents</figcaption>{}</figure>",
        wide("Sizes of clusters", &chart)
    )
}

/// A size that fits below a bar.
fn short(size: u64) -> String {
    match size {
        0..10_000 => size.to_string(),
        10_000..10_000_000 => format!("{}k", size / 1000),
        _ => format!("{}M", size / 1_000_000),
    }
}

fn largest(groups: &Groups, page: usize) -> String {
    let start = (page - 1) * ON_A_PAGE;
    let rows: String = groups.largest.iter().skip(start).take(ON_A_PAGE).map(row).collect();
    let table = format!(
        "<table><thead><tr><th>Original</th><th class=\"n\">Documents</th><th class=\"n\">Sites of copies</th><th>Since</th><th>Look inside</th></tr></thead>\
         <tbody>{rows}</tbody></table>"
    );
    let listed = groups.largest.len();
    let larger =
        (page > 1).then(|| format!("<a rel=\"prev\" href=\"/clusters?page={}\">Larger ones</a>", page - 1));
    let smaller = match listed > start + ON_A_PAGE {
        true => Some(format!("<a rel=\"next\" href=\"/clusters?page={}\">Smaller ones</a>", page + 1)),
        false if groups.total > listed as u64 => {
            Some(format!("<span>The {} largest are listed.</span>", thousands(listed as u64)))
        }
        false => None,
    };
    format!(
        "<h2>The largest</h2>{}{}",
        wide("The largest clusters", &table),
        paging("Pages of clusters", &[larger, smaller])
    )
}

fn row(group: &Group) -> String {
    let sites = match (group.sites, group.sites_are_all) {
        (sites, true) => thousands(sites as u64),
        (sites, false) => format!("{} or more", thousands(sites as u64)),
    };
    format!(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{sites}</td><td>{}</td><td><a href=\"/cluster?id={}\">cluster</a></td></tr>",
        member_link(&group.original),
        thousands(group.copies + 1),
        day(&group.original.date),
        encoded(&group.original.id)
    )
}
