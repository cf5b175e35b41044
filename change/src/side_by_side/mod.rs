//! Two texts side by side for a person to look at: what became of every word in colour, passages and moves joined. One
//! HTML page that asks nobody for anything; texts of strangers are text.

use crate::account::Account;
use crate::comparison::Comparison;
use crate::metrics::METRICS;
use crate::operations::Kind;
use crate::pieces::{Side, pieces};
use firstcopy_report::{Script, escaped, page, percent};
use std::fmt::Write;

/// What [`sides`] looks like.
pub const SIDES_STYLE: &str = include_str!("style.css");
/// What joins passages and moves, and leads from one to the other.
pub const SIDES_SCRIPT: &str = include_str!("script.js");
/// Two texts take more room than one.
const WIDE: &str = "body{max-width:90rem}\n";

/// The kinds in the order of the legend, with what they mean.
const LEGEND: [(Kind, &str); 6] = [
    (Kind::Add, "added"),
    (Kind::Copy, "copied: there once more"),
    (Kind::Drop, "dropped"),
    (Kind::Shrink, "shrunk: there once less"),
    (Kind::Replace, "replaced"),
    (Kind::Move, "moved"),
];

/// The page that shows a comparison; texts go by these names.
pub fn side_by_side(comparison: &Comparison, name_a: &str, name_b: &str) -> String {
    let title = format!("{name_a} and {name_b}");
    let body = format!("<h1>{}</h1>{}", escaped(&title), sides(comparison, name_a, name_b));
    page(&title, &format!("{WIDE}{SIDES_STYLE}"), Script::Own(SIDES_SCRIPT), &body)
}

/// The same as a part of a page that has [`SIDES_STYLE`] and [`SIDES_SCRIPT`].
pub fn sides(comparison: &Comparison, name_a: &str, name_b: &str) -> String {
    format!(
        "{}<div class=\"sides\"><svg aria-hidden=\"true\"></svg>{}{}</div>",
        summary(&Account::of(comparison), comparison),
        side(comparison, Side::A, name_a),
        side(comparison, Side::B, name_b)
    )
}

/// How much changed, and what the colours mean.
fn summary(account: &Account, comparison: &Comparison) -> String {
    let mut html = String::from("<table class=\"metrics\"><thead><tr>");
    METRICS.iter().for_each(|metric| {
        let _ = write!(html, "<th class=\"n\" title=\"{}\">{}</th>", escaped(metric.counts), metric.title);
    });
    html += "</tr></thead><tbody><tr>";
    account.metrics.values().iter().for_each(|value| {
        let _ = write!(html, "<td class=\"n\">{value:.3}</td>");
    });
    let _ = write!(
        html,
        "</tr></tbody></table><p>{} words became {}; {} % stayed in order. {}</p><p class=\"legend\">",
        comparison.words_a(),
        comparison.words_b(),
        percent(
            comparison.common_words() as f64 / comparison.words_a().max(comparison.words_b()).max(1) as f64
        ),
        match account.kind {
            "none" => "No word changed.".to_owned(),
            "mixture" => "A mixture of kinds:".to_owned(),
            kind => format!("All of one kind, {kind}:"),
        }
    );
    let counts = account.operations.kinds();
    for (kind, meaning) in LEGEND {
        if let Some((_, words)) = counts.iter().find(|(other, _)| *other == kind) {
            let _ = write!(html, "<span><mark class=\"{}\">{meaning}</mark> {words}</span> ", kind.name());
        }
    }
    html + "</p>"
}

fn side(comparison: &Comparison, side: Side, name: &str) -> String {
    let text = side.text(comparison);
    let mut html = format!("<section><h2>{}</h2><div class=\"text\">", escaped(name));
    let mut end = 0;
    for piece in pieces(comparison, side) {
        let place = text.place(piece.words.clone());
        html += &escaped(&text.text[end..place.start]);
        let content = escaped(&text.text[place.clone()]);
        let letter = if side == Side::A { 'a' } else { 'b' };
        let _ = match (piece.kind, piece.pair) {
            (Kind::Kept, Some(pair)) => {
                write!(html, "<span class=\"p\" id=\"p{pair}{letter}\">{content}</span>")
            }
            (Kind::Kept, None) => write!(html, "{content}"),
            (kind, Some(pair)) => {
                write!(
                    html,
                    "<mark class=\"{0}\" id=\"m{pair}{letter}\" title=\"{0}\">{content}</mark>",
                    kind.name()
                )
            }
            (kind, None) => write!(html, "<mark class=\"{0}\" title=\"{0}\">{content}</mark>", kind.name()),
        };
        end = place.end;
    }
    html += &escaped(&text.text[end..]);
    html + "</div></section>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Settings, Text};
    use firstcopy_text::Tokens;

    #[test]
    fn every_word_is_shown_and_strangers_text_is_text() {
        let (a, b) =
            ("<script>x</script> one two three four five", "two three four five <img src=x> 하나 one");
        let (tokens_a, tokens_b) = (Tokens::of(a), Tokens::of(b));
        let settings = Settings::default();
        let comparison = Comparison::of(
            Text { text: a, tokens: &tokens_a },
            Text { text: b, tokens: &tokens_b },
            &settings,
        );
        let html = side_by_side(&comparison, "\"><b>", "b");
        assert!(html.contains("<span class=\"p\" id=\"p0a\">two three four five</span>"), "{html}");
        assert!(html.contains(" title=\"move\">one</mark>"), "{html}");
        for harmful in ["<script>x", "<img", "<b>"] {
            assert!(!html.contains(harmful), "{harmful}");
        }
        let shown = html.split("<section>").nth(2).unwrap();
        assert!(shown.contains("하나") && shown.contains("&lt;"), "{shown}");
    }
}
