//! One group: where its copies are, when they came, and all of them page by page. A group of any size opens alike: a page of
//! members, a sample, and a count.

use super::document::members;
use super::layout::{About, Layout};
use super::pieces::{
    address, language, many, member_link, minute, name, paging, share, shortened, thousands, wide,
};
use super::timeline::timeline;
use super::{Answer, aside, asked, encoded, unknown};
use crate::app::App;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use firstcopy_engine::{EngineError, GroupPage, Member, Reader, Spread};
use firstcopy_report::{Bar, bars, day, escaped};
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

/// Members of a page, members that are looked at for sites and dates, sites that are listed, dots of the timeline.
const MEMBERS: u32 = 50;
const SAMPLE: usize = 200;
const SITES: usize = 20;
const DOTS: usize = 100;
/// Bars of the plot over time.
const BARS: usize = 12;

#[derive(Debug, Deserialize)]
pub struct Parameters {
    id: String,
    /// The number of the last member of the page before.
    #[serde(default)]
    after: u32,
}

pub async fn cluster(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<About> {
    let Parameters { id, after } = asked(query)?;
    let name_asked = id.clone();
    let found = aside(&app, move |reader| read(reader, &name_asked, after)).await?;
    let (group, spread) = found.ok_or_else(|| unknown(&id))?;
    let subject = name(group.original.title.as_deref(), &group.original.id);
    Ok(About {
        subject,
        page: Layout { title: "Cluster", here: "/clusters", body: body(&group, &spread, after) },
    })
}

fn read(reader: &Reader, id: &str, after: u32) -> Result<Option<(GroupPage, Spread)>, EngineError> {
    let (group, spread) = (reader.group_page(id, after, MEMBERS)?, reader.spread(id, SAMPLE)?);
    Ok(group.zip(spread))
}

fn body(group: &GroupPage, spread: &Spread, after: u32) -> String {
    let original = &group.original;
    let title = name(original.title.as_deref(), &original.id);
    let mut html = format!(
        "<h1>Copies of <span{}>{}</span></h1><p class=\"about\">{}</p>",
        language(original.language.as_deref(), &title),
        escaped(&title),
        [
            Some(format!("original: {}", member_link(original))),
            original.url.as_deref().filter(|url| *url != original.id).map(address),
            Some(minute(&original.date)),
            Some(many(group.copies, "copy", "copies")),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
    );
    if group.copies == 0 {
        return html + "<p>No other document is a copy of this one.</p>";
    }
    html += &over_time(original, spread);
    html += &over_sites(spread);
    let _ = write!(html, "<section><h2>Members</h2>{}{}</section>", members(group, ""), more(group, after));
    html
}

/// What the figures below were taken from.
fn sampled(spread: &Spread) -> String {
    match spread.is_whole {
        true => String::new(),
        false => format!(
            "<p class=\"note\">Of {} members, drawn from all of them.</p>",
            thousands(spread.sample.len() as u64)
        ),
    }
}

fn over_time(original: &Member, spread: &Spread) -> String {
    let title = "The original and its copies over time";
    let chart = match spread.sample.len() <= DOTS {
        true => timeline(title, original, &spread.sample, ""),
        false => bars(title, &by_time(&spread.sample)),
    };
    format!(
        "<section><h2>Over time</h2>{}<figure>{}</figure></section>",
        sampled(spread),
        wide(title, &chart)
    )
}

/// How many copies came in every part of the time.
fn by_time(sample: &[Member]) -> Vec<Bar> {
    let times = || sample.iter().map(|member| member.at as f64);
    let (from, to) = (times().fold(f64::INFINITY, f64::min), times().fold(f64::NEG_INFINITY, f64::max));
    let step = ((to - from) / BARS as f64).max(1.0);
    let mut counts = [0_u64; BARS];
    for at in times() {
        counts[(((at - from) / step) as usize).min(BARS - 1)] += 1;
    }
    let bar = |(place, &count): (usize, &u64)| {
        let begins = day((from + step * place as f64) as i64);
        Bar { label: begins, value: count as f64, note: many(count, "copy", "copies") }
    };
    counts.iter().enumerate().map(bar).collect()
}

fn over_sites(spread: &Spread) -> String {
    let all = spread.sample.len().max(1) as f64;
    let mut rows = String::new();
    for (site, count) in spread.sites.iter().take(SITES) {
        let site = site
            .as_deref()
            .map_or_else(|| "<em>no address</em>".to_owned(), |site| escaped(&shortened(site, 100)));
        let _ = write!(
            rows,
            "<tr><td>{site}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            thousands(*count as u64),
            share(*count as f64 / all)
        );
    }
    let more = spread.sites.len().saturating_sub(SITES);
    let more = match more {
        0 => String::new(),
        more => format!("<p class=\"note\">and {}</p>", many(more as u64, "other site", "other sites")),
    };
    let table = format!(
        "<table><thead><tr><th>Site</th><th class=\"n\">Copies</th><th class=\"n\">Share</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    format!("<section><h2>Over sites</h2>{}{}{more}</section>", sampled(spread), wide("Sites", &table))
}

fn more(group: &GroupPage, after: u32) -> String {
    let id = encoded(&group.original.id);
    let first = (after > 0).then(|| format!("<a href=\"/cluster?id={id}\">First page</a>"));
    let next = group
        .next
        .map(|next| format!("<a rel=\"next\" href=\"/cluster?id={id}&amp;after={next}\">More members</a>"));
    paging("Pages of members", &[first, next])
}
