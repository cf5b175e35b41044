//! The collection: what can be said of all pages, in numbers and charts, and the pages that changed most.

use super::{days_text, facts, figure, grid, page_of, section, table};
use crate::history::moved::PageMove;
use crate::history::overall::{Degree, Overall, Period};
use crate::history::page::PageHistory;
use crate::metrics::{METRICS, Metric};
use firstcopy_report::{Bar, Series, bars, counted, day, dots, escaped, lines, link, percent};
use std::fmt::Write;

/// A page that has a file of its own in the report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedHistory {
    /// What is known of it.
    pub history: PageHistory,
    /// The file that shows it, from the index.
    pub file: String,
}

/// The collection, with the pages that have a file of their own, in the order given.
pub fn index_report(overall: &Overall, pages: &[ReportedHistory], metric: &Metric) -> String {
    let title = format!("How {} changed", counted(overall.pages, "page"));
    let mut html = format!("<h1>{title}</h1>{}", collection_facts(overall));
    html += &degree_section(overall);
    html += &time_section(overall);
    html += &distribution_section(overall);
    html += &comparison_section(&overall.degrees);
    html += &moves_section(overall);
    html += &pages_section(overall, pages, metric);
    html += &metrics_section();
    page_of(&title, &html)
}

fn collection_facts(overall: &Overall) -> String {
    let mut list = vec![
        ("Seen", format!("{} to {}", day(overall.first_seen), day(overall.last_seen))),
        ("Versions", versions_fact(overall)),
        (
            "Changes",
            format!(
                "{} of {} ({} %), on {} of {}",
                overall.changed_intervals,
                counted(overall.intervals, "interval"),
                percent(overall.changed_share),
                overall.changed_pages,
                counted(overall.pages, "page"),
            ),
        ),
    ];
    if let Some(days) = overall.mean_days_between_versions {
        list.push(("Between versions", format!("{} on average", days_text(days))));
    }
    if let Some(rate) = overall.mean_changes_per_day {
        list.push(("Rate of change", format!("{rate:.4} changes a day and page")));
    }
    if let Some(quarters) = overall.lifetime_days {
        let [q1, median, q3] = [quarters.q1, quarters.median, quarters.q3].map(days_text);
        list.push(("Lifetime", format!("{median} (median); half of the pages between {q1} and {q3}")));
    }
    list.push(("Births and deaths", births_fact(overall)));
    list.push((
        "Moves",
        format!("{} within a host, {} between hosts", overall.moves_within_host, overall.moves_between_hosts),
    ));
    facts(list)
}

fn versions_fact(overall: &Overall) -> String {
    let mut fact = overall.versions.to_string();
    if overall.empty_versions > 0 {
        let _ = write!(fact, ", and {} empty ones", overall.empty_versions);
    }
    if overall.pages_without_text > 0 {
        let _ = write!(fact, "; {} never had a text", counted(overall.pages_without_text, "page"));
    }
    fact
}

fn births_fact(overall: &Overall) -> String {
    let returned = match overall.returns {
        0 => String::new(),
        returns => format!(", {} to a page that was gone", counted(returns, "return")),
    };
    match (overall.sweeps, overall.deaths) {
        (0, 0) => format!("not known: no two days on which at least half of the pages were seen{returned}"),
        (0, deaths) => format!("{} told, births not known{returned}", counted(deaths, "death")),
        (sweeps, _) => format!(
            "{}, {} in {}{returned}",
            counted(overall.births, "birth"),
            counted(overall.deaths, "death"),
            counted(sweeps, "sweep")
        ),
    }
}

fn degree_section(overall: &Overall) -> String {
    let bar = |(metric, value): (&Metric, f64)| Bar {
        label: metric.title.to_owned(),
        value,
        note: format!("{value:.4}; {}", metric.counts),
    };
    let of = |values: [f64; 6]| METRICS.iter().zip(values).map(bar).collect::<Vec<_>>();
    section(
        "Change degree by each metric",
        "The mean of all intervals (kwon-2007, figure 5), and of those alone in which anything changed. Empty versions and \
         changes of white space are no changes.",
        &grid(&[
            figure("All intervals", &bars("Change degree, all intervals", &of(overall.change.values()))),
            figure(
                "Intervals that changed",
                &bars("Change degree, changed intervals", &of(overall.change_when_changed.values())),
            ),
        ]),
    )
}

fn time_section(overall: &Overall) -> String {
    let places: Vec<String> = overall.over_time.iter().map(|period| period.period.clone()).collect();
    let series = |name: &str, value: fn(&Period) -> f64| Series {
        name: name.to_owned(),
        values: overall.over_time.iter().map(value).collect(),
    };
    let change = [
        series("10SH", |period| period.change.shingle),
        series("COS", |period| period.change.cos),
        series("IED", |period| period.change.ied),
    ];
    let counts = [
        series("versions compared", |period| period.intervals as f64),
        series("changed", |period| period.changed_intervals as f64),
    ];
    section(
        "Change over time",
        &format!(
            "By the {0} in which the later of two versions was seen; {0}s without any are left out.",
            overall.period
        ),
        &grid(&[
            figure("Mean change", &lines("Mean change over time", &places, &change)),
            figure("How many", &lines("Versions and changes over time", &places, &counts)),
        ]),
    )
}

fn distribution_section(overall: &Overall) -> String {
    // Of BW there is nothing to show: what changed, changed by 1.
    let measured = METRICS.iter().zip(&overall.distribution.0).skip(1);
    let histogram = |(metric, counts): (&Metric, &[usize; 10])| {
        let bar = |(tenth, &count): (usize, &usize)| Bar {
            label: format!("{:.1}", tenth as f64 / 10.0),
            value: count as f64,
            note: format!("to {:.1}: {}", (tenth + 1) as f64 / 10.0, counted(count, "change")),
        };
        let all: Vec<Bar> = counts.iter().enumerate().map(bar).collect();
        figure(metric.title, &bars(&format!("Distribution of change by {}", metric.title), &all))
    };
    section(
        "How large changes are",
        "How many of the intervals that changed did so by how much, in tenths.",
        &grid(&measured.map(histogram).collect::<Vec<_>>()),
    )
}

/// Figure 6: every change, sorted by shingling, beside two other metrics.
fn comparison_section(degrees: &[Degree]) -> String {
    let mut sorted = degrees.to_vec();
    sorted.sort_by(|a, b| a.shingle.total_cmp(&b.shingle).then(a.ied.total_cmp(&b.ied)));
    let series = |name: &str, value: fn(&Degree) -> f32| Series {
        name: name.to_owned(),
        values: sorted.iter().map(|degree| f64::from(value(degree))).collect(),
    };
    let beside = |name: &str, value| {
        let both = [series("10SH", |degree| degree.shingle), series(name, value)];
        let title = format!("10SH beside {name}");
        figure(&title, &dots(&title, "changes, sorted by 10SH", &both))
    };
    section(
        "The metrics beside each other",
        "Every change by two metrics, sorted by 10SH (kwon-2007, figure 6).",
        &grid(&[beside("COS", |degree| degree.cos), beside("IED", |degree| degree.ied)]),
    )
}

/// So many moves are listed; overall.json has them all.
const MOVES_SHOWN: usize = 200;

fn moves_section(overall: &Overall) -> String {
    if overall.moves.is_empty() {
        return String::new();
    }
    let row = |moved: &PageMove| {
        format!(
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{} %</td><td>{}</td></tr>",
            link(&moved.from, &moved.from),
            link(&moved.to, &moved.to),
            day(moved.last_seen),
            day(moved.first_seen),
            percent(moved.resemblance),
            if moved.within_host { "within" } else { "between" },
        )
    };
    let rows: String = overall.moves.iter().take(MOVES_SHOWN).map(row).collect();
    let shown = match overall.moves.len() {
        all if all > MOVES_SHOWN => format!("The first {MOVES_SHOWN} of {all}. "),
        _ => String::new(),
    };
    section(
        "Moves",
        &format!(
            "{shown}A page that was not seen any more, and one that began later with at least half of the same text."
        ),
        &table(
            "<th>From</th><th>To</th><th class=\"n\">Last seen</th><th class=\"n\">First seen</th>\
             <th class=\"n\">Resemblance</th><th>Hosts</th>",
            &rows,
        ),
    )
}

fn pages_section(overall: &Overall, pages: &[ReportedHistory], metric: &Metric) -> String {
    let row = |ReportedHistory { history, file }: &ReportedHistory| {
        let days = |days: Option<f64>| days.map(days_text).unwrap_or_default();
        let mean = metric.value(&history.mean_change);
        format!(
            "<tr><td class=\"page\"><a href=\"{file}\">{}</a></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{mean:.3}</td>\
             <td><span class=\"bar\" style=\"width:{:.2}rem\"></span></td><td class=\"n\">{:.3}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escaped(&history.page),
            history.versions,
            history.changes,
            mean * 6.0,
            metric.value(&history.max_change),
            days(history.mean_days_between_changes),
            days(history.revisit_days),
        )
    };
    let which = match overall.pages {
        all if all > pages.len() => {
            format!("The {} pages of {all} that changed most in all, by {}.", pages.len(), metric.title)
        }
        _ => format!("All pages, those that changed most in all first, by {}.", metric.title),
    };
    section(
        "Pages",
        &which,
        &table(
            &format!(
                "<th>Page</th><th class=\"n\">Versions</th><th class=\"n\">Changes</th><th class=\"n\">Mean {0}</th><th></th>\
                 <th class=\"n\">Most</th><th class=\"n\">Changes every</th><th class=\"n\">Revisit in</th>",
                metric.title
            ),
            &pages.iter().map(row).collect::<String>(),
        ),
    )
}

fn metrics_section() -> String {
    let row = |metric: &Metric| {
        format!("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", metric.title, metric.counts, metric.good_for)
    };
    section(
        "The metrics",
        "All from 0, the same, to 1.",
        &table(
            "<th>Metric</th><th>Counts</th><th>Good for</th>",
            &METRICS.iter().map(row).collect::<String>(),
        ),
    )
}
