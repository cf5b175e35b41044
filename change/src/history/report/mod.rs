//! Histories for people to look at: one page for the collection with its charts, and one for every page with its timeline.
//! Names of pages come from strangers and are shown as text.

mod index;
mod one;

pub use index::{ReportedHistory, index_report};
pub use one::page_report;

use firstcopy_report::{CHART_STYLE, Script, escaped, page};

const STYLE: &str = "\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}
dt{opacity:.75}
dd{margin:0}
.note{opacity:.8;max-width:46rem}
.scroll{overflow-x:auto}
td.page{min-width:16rem}
";

fn page_of(title: &str, body: &str) -> String {
    page(title, &format!("{CHART_STYLE}{STYLE}"), Script::None, body)
}

/// Names and values below each other.
fn facts(list: Vec<(&str, String)>) -> String {
    let item = |(name, value): (&str, String)| format!("<dt>{name}</dt><dd>{}</dd>", escaped(&value));
    format!("<dl>{}</dl>", list.into_iter().map(item).collect::<String>())
}

fn section(title: &str, note: &str, body: &str) -> String {
    let note =
        if note.is_empty() { String::new() } else { format!("<p class=\"note\">{}</p>", escaped(note)) };
    format!("<h2>{}</h2>{note}{body}", escaped(title))
}

fn figure(caption: &str, chart: &str) -> String {
    let caption = if caption.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>", escaped(caption))
    };
    format!("<figure>{caption}{chart}</figure>")
}

fn grid(figures: &[String]) -> String {
    format!("<div class=\"charts\">{}</div>", figures.concat())
}

fn table(head: &str, rows: &str) -> String {
    format!("<div class=\"scroll\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>")
}

/// Days as people say them.
fn days_text(days: f64) -> String {
    match days {
        days if days < 1.0 => format!("{:.1} h", days * 24.0),
        days if days < 10.0 => format!("{days:.1} d"),
        days => format!("{days:.0} d"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Histories, HistoryError, HistorySettings, Resources, State, Version};
    use crate::metrics::METRICS;

    #[test]
    fn strangers_names_are_text() {
        let mut histories = Histories::new(HistorySettings::default(), None).unwrap();
        let name = "javascript:alert(1)//\"><script>alert(2)</script>";
        for (at, text) in [(0, "one two"), (86_400, "one three"), (172_800, "one")] {
            let state = State::of_text(text).unwrap();
            histories.push(Version { page: name.to_owned(), at, state }).unwrap();
        }
        let mut pages = Vec::new();
        let overall = histories.tell(&Resources { threads: 1, is_stopped: || false }, |history| {
            pages.push(ReportedHistory { history, file: "pages/000001.html".to_owned() });
            Ok::<(), HistoryError>(())
        });
        let metric = &METRICS[5];
        let index = index_report(&overall.unwrap(), &pages, metric);
        let one = page_report(&pages[0].history, metric);
        for html in [&index, &one] {
            assert!(!html.contains("<script") && !html.contains("href=\"javascript"), "{html}");
            assert!(!html.contains("NaN") && html.contains("&lt;script&gt;"));
        }
        assert!(index.contains("2 of 2 intervals (100.0 %), on 1 of 1 page"));
        assert_eq!(
            one.matches("<circle").count(),
            3 + 5 * 2,
            "a mark for every version, a dot for every value"
        );
    }
}
