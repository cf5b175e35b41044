//! Two texts side by side, in bounds: what of them fits a page, what both share, what the metrics mean.

use super::pieces::{cut, thousands};
use firstcopy_change::{Comparison, METRICS, Settings, Text, sides};
use firstcopy_report::escaped;
use firstcopy_text::Tokens;
use std::fmt::Write;

/// Characters of a text that a page shows.
pub const SHOWN: usize = 200_000;

/// A text and what it goes by.
#[derive(Debug, Clone)]
pub struct Named {
    pub name: String,
    pub text: String,
}

/// Both texts, matching passages joined, operations coloured; the first is the earlier one.
pub fn beside(a: &Named, b: &Named) -> String {
    let ((text_a, cut_a), (text_b, cut_b)) = (cut(&a.text, SHOWN), cut(&b.text, SHOWN));
    let (tokens_a, tokens_b) = (Tokens::of(text_a), Tokens::of(text_b));
    let settings = Settings::default();
    let (of_a, of_b) = (Text { text: text_a, tokens: &tokens_a }, Text { text: text_b, tokens: &tokens_b });
    let mut html = String::new();
    if cut_a || cut_b {
        let _ = write!(
            html,
            "<p class=\"note\">Only the first {} characters of each text are compared here.</p>",
            thousands(SHOWN as u64)
        );
    }
    html += &sides(&Comparison::of(of_a, of_b, &settings), &a.name, &b.name);
    html + &what_metrics_count()
}

/// The improved edit distance of two texts: how much changed.
pub fn degree_of_change(a: &str, b: &str) -> f64 {
    let (tokens_a, tokens_b) = (Tokens::of(a), Tokens::of(b));
    let settings = Settings::default();
    let texts = (Text { text: a, tokens: &tokens_a }, Text { text: b, tokens: &tokens_b });
    Comparison::of(texts.0, texts.1, &settings).measures().ied
}

fn what_metrics_count() -> String {
    let mut html = String::from(
        "<details><summary>What the metrics count</summary><p>0 is no change, 1 as much as there can be.</p><dl class=\"facts\">",
    );
    for metric in METRICS {
        let _ = write!(
            html,
            "<dt>{}</dt><dd>{}. {}</dd>",
            escaped(metric.title),
            escaped(metric.counts),
            escaped(metric.good_for)
        );
    }
    html + "</dl></details>"
}
