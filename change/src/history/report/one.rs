//! One page: its timeline with marks sized by change, and every interval by each metric.

use super::{days_text, facts, figure, page_of, section, table};
use crate::history::page::{Interval, PageHistory};
use crate::metrics::{METRICS, Metric};
use firstcopy_report::{Mark, Series, counted, day, lines, link, timeline};

/// One page: its timeline, and every interval.
pub fn page_report(history: &PageHistory, metric: &Metric) -> String {
    let mut html = format!(
        "<p><a href=\"../index.html\">All pages</a></p><h1>{}</h1>{}",
        link(&history.page, &history.page),
        page_facts(history)
    );
    html += &section(
        "Timeline",
        &format!(
            "Every version, its mark as large as it differs from the one before by {}; an empty ring is no change.",
            metric.title
        ),
        &figure("", &timeline("Timeline", &marks(history, metric))),
    );
    if history.intervals.len() > 1 {
        html += &section("Change by each metric", "", &figure("", &interval_lines(history)));
    }
    html += &section("Intervals", "", &intervals_table(history));
    page_of(&history.page, &html)
}

fn page_facts(history: &PageHistory) -> String {
    let days = |days: Option<f64>| days.map_or_else(|| "not known".to_owned(), days_text);
    let mut list = vec![
        (
            "Seen",
            format!(
                "{} to {}, {}",
                day(history.first_seen),
                day(history.last_seen),
                days_text(history.lifetime_days)
            ),
        ),
        ("Versions", format!("{}, {}", history.versions, counted(history.changes, "change"))),
        ("Changes every", days(history.mean_days_between_changes)),
        ("Revisit in", days(history.revisit_days)),
    ];
    if history.empty_versions > 0 {
        list.push(("Found empty", counted(history.empty_versions, "time")));
    }
    if let Some(gone) = history.gone_at {
        list.push(("Gone since", day(gone)));
    }
    if let Some(from) = &history.moved_from {
        list.push(("Was before", from.clone()));
    }
    if let Some(to) = &history.moved_to {
        list.push(("Is now", to.clone()));
    }
    facts(list)
}

fn marks(history: &PageHistory, metric: &Metric) -> Vec<Mark> {
    let first =
        Mark { at: history.first_seen, size: 0.0, note: format!("{}: first seen", day(history.first_seen)) };
    let mark = |interval: &Interval| {
        let size = metric.value(&interval.metrics);
        let kinds: Vec<String> = interval
            .operations
            .kinds()
            .into_iter()
            .map(|(kind, words)| format!("{} {words}", kind.name()))
            .collect();
        let what = match (interval.is_change(), kinds.is_empty()) {
            (false, _) => "no change".to_owned(),
            (true, true) => "the same words; case or punctuation changed".to_owned(),
            (true, false) => kinds.join(", "),
        };
        // What changed at all, and be it a full stop, is no empty ring.
        let size = if interval.is_change() { size.max(f64::MIN_POSITIVE) } else { size };
        Mark {
            at: interval.to,
            size,
            note: format!("{}: {} {size:.3}; {what}", day(interval.to), metric.title),
        }
    };
    std::iter::once(first).chain(history.intervals.iter().map(mark)).collect()
}

fn interval_lines(history: &PageHistory) -> String {
    let places: Vec<String> = history.intervals.iter().map(|interval| day(interval.to)).collect();
    let series = |(index, metric): (usize, &Metric)| Series {
        name: metric.title.to_owned(),
        values: history.intervals.iter().map(|interval| interval.metrics.values()[index]).collect(),
    };
    let all: Vec<Series> = METRICS.iter().enumerate().skip(1).map(series).collect();
    lines("Change by each metric", &places, &all)
}

fn intervals_table(history: &PageHistory) -> String {
    let number = |text: String| format!("<td class=\"n\">{text}</td>");
    let row = |interval: &Interval| {
        let columns = interval.columns("");
        let times = [day(interval.from), day(interval.to), days_text(interval.days)].map(number).concat();
        let measures = interval.metrics.values().map(|value| number(format!("{value:.3}"))).concat();
        let operations: String = columns[10..].iter().map(|words| number(words.clone())).collect();
        format!("<tr>{times}{measures}{operations}</tr>")
    };
    let names = METRICS
        .map(|metric| metric.title)
        .into_iter()
        .chain(["add", "copy", "drop", "shrink", "replace", "move"]);
    let head: String = ["From", "To", "After"]
        .into_iter()
        .chain(names)
        .map(|name| format!("<th class=\"n\">{name}</th>"))
        .collect();
    table(&head, &history.intervals.iter().map(row).collect::<String>())
}
