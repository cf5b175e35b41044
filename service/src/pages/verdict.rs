//! A verdict for people: one sentence with one percentage and the source, then the relation in plain words, the dates, and the
//! terms of the papers last.

use super::document_link;
use super::pieces::{address, day, in_its_language, minute, name, share, shortened};
use crate::likeness::{MUCH_COPIED, WordComparison, percent};
use firstcopy_engine::{Appeal, Outline, Verdict};
use firstcopy_report::escaped;
use firstcopy_text::likeness::CopyRelation;
use std::fmt::Write;

/// Warnings that are listed.
const WARNINGS: usize = 20;
/// The share of a page below which it is said how much of it was read.
const LITTLE_READ: f64 = 0.5;

/// Names a verdict in a few words.
pub fn in_words(verdict: &Verdict) -> &'static str {
    match verdict.relation {
        _ if verdict.is_original() && verdict.appeal.is_some() => "An editor says that this is an original",
        CopyRelation::Identical => "A copy, byte for byte",
        CopyRelation::SameWords => "A copy, word for word",
        CopyRelation::Edited if verdict.is_original() => "An earlier text with changes",
        CopyRelation::Edited => "A copy with changes",
        CopyRelation::Excerpt => "An excerpt of an earlier text",
        CopyRelation::Extended => "An earlier text with additions",
        _ if verdict.template => "A page of the same template",
        CopyRelation::Quotes => "It has passages of an earlier text",
        CopyRelation::None if verdict.covered >= MUCH_COPIED => "Parts of it are in an earlier text",
        CopyRelation::None if verdict.is_original() => "No copy found",
        CopyRelation::None => "A copy",
    }
}

/// Says in plain words what a text is to an earlier one.
fn relation_in_words(relation: CopyRelation, is_template: bool) -> &'static str {
    match relation {
        CopyRelation::Identical => "the same bytes",
        CopyRelation::SameWords => "the same words; markup, case, width, punctuation or spacing may differ",
        CopyRelation::Edited => "the same text with changes",
        CopyRelation::Excerpt => "an excerpt: nearly all of it is in the longer, earlier text",
        CopyRelation::Extended => "an extension: the earlier text is in it nearly whole, among other text",
        _ if is_template => "a page of the same template: the same words, other numbers and names",
        CopyRelation::Quotes => "a quotation: they have a passage in common",
        CopyRelation::None => "no copy: they have a few words in common",
    }
}

/// The box with the verdict. `answer` is its first sentence; with the dates of both documents if this one is stored.
pub fn verdict_box(answer: &str, verdict: &Verdict, stored: Option<&Outline>) -> String {
    let mut html = lead(answer);
    html += &match (&verdict.original, &verdict.appeal) {
        (Some(original), _) => original_link(verdict, original, stored),
        (None, Some(appeal)) => declared(appeal) + &nearest_link(verdict),
        (None, None) => nearest_link(verdict),
    };
    html += &word_facts(verdict);
    html += &notes(verdict);
    if let Some(stored) = stored {
        html += &dates(verdict, stored);
    }
    html += &warnings(&verdict.warnings);
    html += &terms(verdict);
    boxed(!verdict.is_original(), &html)
}

/// The box with the comparison of two texts.
pub fn comparison_box(words: &WordComparison) -> String {
    let mut html = lead(&words.summary);
    html += &facts(&[
        ("B is to A", relation_in_words(words.relation, words.template).to_owned()),
        ("Likeness", share(words.likeness)),
        ("Words of A that B has", share(words.covered_a)),
        ("Words of B that A has", share(words.covered_b)),
    ]);
    if words.template {
        html += TEMPLATE_NOTE;
    }
    boxed(words.relation.is_copy(), &html)
}

/// The sentence that comes first, in large type.
fn lead(answer: &str) -> String {
    format!("<p class=\"answer\">{}</p>", escaped(answer))
}

fn boxed(is_copy: bool, html: &str) -> String {
    let kind = if is_copy { "duplicate" } else { "original" };
    format!("<div class=\"verdict {kind}\">{html}</div>")
}

fn facts(rows: &[(&str, String)]) -> String {
    let rows: String = rows.iter().map(|(term, value)| format!("<dt>{term}</dt><dd>{value}</dd>")).collect();
    format!("<dl class=\"facts\">{rows}</dl>")
}

/// Links the original of a duplicate.
fn original_link(verdict: &Verdict, original: &str, stored: Option<&Outline>) -> String {
    let listed = stored.and_then(|stored| stored.original.as_ref()).and_then(|first| first.title.as_deref());
    let title = verdict.nearest.as_ref().and_then(|nearest| nearest.title.as_deref()).or(listed);
    format!(
        "<p>The original is <strong>{}</strong>{}.</p>",
        document_link(original, &name(title, original)),
        published_at(verdict.original_url.as_deref())
    )
}

/// Links the closest earlier document of an original.
fn nearest_link(verdict: &Verdict) -> String {
    let Some(nearest) = &verdict.nearest else { return String::new() };
    format!(
        "<p>The closest earlier document is <strong>{}</strong>{}, {}.</p>",
        document_link(&nearest.id, &name(nearest.title.as_deref(), &nearest.id)),
        published_at(nearest.url.as_deref()),
        day(&nearest.date)
    )
}

fn published_at(url: Option<&str>) -> String {
    url.map(|url| format!(" ({})", address(url))).unwrap_or_default()
}

/// Explains that an editor declared an original.
fn declared(appeal: &Appeal) -> String {
    let what = match appeal.decision.as_str() {
        "first" => "was here first",
        _ => "is independent of what it matches",
    };
    format!(
        "<p>An editor declared that it {what}: {}, {}.</p><blockquote>{}</blockquote>",
        in_its_language(None, &shortened(&appeal.by, 200)),
        day(&appeal.at),
        in_its_language(None, &appeal.reason)
    )
}

/// The words that both have, if words were compared.
fn word_facts(verdict: &Verdict) -> String {
    if verdict.nearest.is_none() || verdict.copied_share.is_none() {
        return String::new();
    }
    let other = if verdict.is_original() { "the closest document" } else { "the original" };
    let mut rows = vec![
        ("Relation", relation_in_words(verdict.relation, verdict.template).to_owned()),
        ("Likeness", share(verdict.likeness)),
        ("Copied", format!("{} of its words are in {other}", share(verdict.covered))),
        (
            "Of the other text",
            format!("{} of the words of {other} are in this text", share(verdict.original_covered)),
        ),
    ];
    match verdict.attribution.as_deref() {
        Some("same_author") => rows.push(("Attribution", "both have the same author".to_owned())),
        Some("declared") => rows.push(("Attribution", "it names the original as its source".to_owned())),
        Some(other) => rows.push(("Attribution", escaped(other))),
        None => {}
    }
    facts(&rows)
}

const TEMPLATE_NOTE: &str = "<p class=\"note\">Numbers and names differ where the words are the same. That counts against the \
    likeness: pages of one template, such as weather reports, share their words without being copies.</p>";

fn notes(verdict: &Verdict) -> String {
    let mut html = String::new();
    if verdict.template {
        html += TEMPLATE_NOTE;
    }
    if verdict.read_share < LITTLE_READ {
        let _ = write!(
            html,
            "<p class=\"note\">Only {} of the text of the page was read; the rest looked like menus, links or notices. If \
             something is missing, send the text itself.</p>",
            percent(verdict.read_share)
        );
    }
    html
}

fn dates(verdict: &Verdict, stored: &Outline) -> String {
    let mut rows = Vec::new();
    if let Some(created) = &verdict.created_at {
        let doubt = if verdict.backdated { ", too early to be believed" } else { "" };
        rows.push(("Created, as it says", format!("{}{doubt}", minute(created))));
    }
    rows.push(("Received", minute(&verdict.received_at)));
    rows.push(("Time that counts", minute(&stored.judged_at)));
    if let Some(first) = &stored.original {
        rows.push(("Date of the original", minute(&first.date)));
    }
    facts(&rows)
}

/// The terms of the papers, small: what they say of the two texts.
fn terms(verdict: &Verdict) -> String {
    if verdict.is_original() {
        return String::new();
    }
    format!(
        "<p class=\"terms\">Reason: {}. Resemblance {} (runs of words in both, of those in either); containment {} (of this \
         text in the original); {} of 6 features shared.</p>",
        escaped(&verdict.reason),
        share(verdict.resemblance),
        share(verdict.containment),
        verdict.shared_features
    )
}

fn warnings(warnings: &[String]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let items: String = warnings
        .iter()
        .take(WARNINGS)
        .map(|warning| format!("<li>{}</li>", escaped(&shortened(warning, 300))))
        .collect();
    format!("<p>What was repaired or left out:</p><ul>{items}</ul>")
}
