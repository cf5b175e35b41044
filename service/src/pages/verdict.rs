//! A verdict in words, and why it is so: the original, what both share, the dates.

use super::document_link;
use super::pieces::{address, day, in_its_language, minute, name, share, shortened};
use firstcopy_engine::{Appeal, Outline, Verdict};
use firstcopy_report::{escaped, percent};
use std::fmt::Write;

/// Warnings that are listed.
const WARNINGS: usize = 20;

/// The verdict as one would say it.
pub fn in_words(verdict: &Verdict) -> &'static str {
    match (verdict.is_original(), verdict.reason.as_str()) {
        (true, _) if verdict.appeal.is_some() => "An editor says that this is an original",
        (true, _) => "Nobody wrote this before",
        (false, "identical") => "This is a copy, byte for byte",
        (false, "lexical") => "This is a copy, word for word",
        (false, _) => "This is a copy with changes",
    }
}

/// The original, and why it is; with the dates of both if the document is stored.
pub fn why(verdict: &Verdict, stored: Option<&Outline>) -> String {
    let mut html = match (&verdict.original, &verdict.appeal) {
        (Some(original), _) => duplicate(verdict, original, stored),
        (None, Some(appeal)) => declared(appeal),
        (None, None) => original(stored),
    };
    if let Some(stored) = stored {
        html += &dates(verdict, stored);
    }
    html += &warnings(&verdict.warnings);
    let kind = if verdict.is_original() { "original" } else { "duplicate" };
    format!("<div class=\"verdict {kind}\">{html}</div>")
}

fn original(stored: Option<&Outline>) -> String {
    match stored.map(|stored| stored.copies) {
        None | Some(0) => "<p>No document of the collection is so much like it.</p>".to_owned(),
        Some(1) => "<p>It was here first; one other document copies it.</p>".to_owned(),
        Some(copies) => {
            format!("<p>It was here first; {} other documents copy it.</p>", super::pieces::thousands(copies))
        }
    }
}

/// An original because an editor said so.
fn declared(appeal: &Appeal) -> String {
    let what = match appeal.decision.as_str() {
        "first" => "was here first",
        _ => "is nobody's copy",
    };
    format!(
        "<p>An editor declared that it {what}: {}, {}.</p><blockquote>{}</blockquote>",
        in_its_language(None, &shortened(&appeal.by, 200)),
        day(&appeal.at),
        in_its_language(None, &appeal.reason)
    )
}

fn duplicate(verdict: &Verdict, original: &str, stored: Option<&Outline>) -> String {
    let title = stored.and_then(|stored| stored.original.as_ref()).and_then(|first| first.title.as_deref());
    let interval = match verdict.resemblance_low == verdict.resemblance_high {
        true => "counted from both texts".to_owned(),
        false => format!(
            "between {} % and {} %",
            percent(verdict.resemblance_low),
            percent(verdict.resemblance_high)
        ),
    };
    let reason = match verdict.reason.as_str() {
        "identical" => "the bytes are the same",
        "lexical" => "the words are the same; markup, case, width or punctuation may differ",
        "resemblance" => "so many runs of words stand in both",
        "features" => "features of both are the same",
        _ => "it was said so",
    };
    let mut html = format!(
        "<p>The original is <strong>{}</strong>{}.</p><dl class=\"facts\"><dt>Why</dt><dd>{reason}</dd>\
         <dt>Resemblance</dt><dd>{}, {interval}</dd><dt>Contained in it</dt><dd>{}</dd>\
         <dt>Shared features</dt><dd>{} of 6</dd>",
        document_link(original, &name(title, original)),
        verdict.original_url.as_deref().map(|url| format!(" ({})", address(url))).unwrap_or_default(),
        share(verdict.resemblance),
        share(verdict.containment),
        verdict.shared_features,
    );
    if let Some(relation) = &verdict.relation {
        let relation = match relation.as_str() {
            "same_author" => "by the same author".to_owned(),
            "declared" => "it says itself where it was taken from".to_owned(),
            other => escaped(other),
        };
        let _ = write!(html, "<dt>Relation</dt><dd>{relation}</dd>");
    }
    html + "</dl>"
}

fn dates(verdict: &Verdict, stored: &Outline) -> String {
    let mut html = String::from("<dl class=\"facts\">");
    if let Some(created) = &verdict.created_at {
        let doubt = if verdict.backdated { ", too early to be believed" } else { "" };
        let _ = write!(html, "<dt>Created, as it says</dt><dd>{}{doubt}</dd>", minute(created));
    }
    let _ = write!(
        html,
        "<dt>Received</dt><dd>{}</dd><dt>Time that counts</dt><dd>{}</dd>",
        minute(&verdict.received_at),
        minute(&stored.judged_at)
    );
    if let Some(first) = &stored.original {
        let _ = write!(html, "<dt>Date of the original</dt><dd>{}</dd>", minute(&first.date));
    }
    html + "</dl>"
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
    format!("<p>What had to be mended or left out:</p><ul>{items}</ul>")
}
