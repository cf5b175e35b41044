//! One document: its verdict and why, its copies over time, what it took from others, its versions, its text.

use super::beside::SHOWN;
use super::check::{is_worth_showing, passage_list};
use super::layout::{About, Layout};
use super::pieces::{
    address, cut, day, in_its_language, language, many, member_link, minute, name, share, shortened,
    thousands, wide,
};
use super::timeline::timeline;
use super::verdict::{in_words, verdict_box};
use super::{Answer, Failed, aside, asked, compare_path, encoded, unknown, versions};
use crate::app::App;
use crate::likeness::percent;
use crate::problem::Problem;
use crate::routes::check::MOST_COPIES;
use crate::routes::documents::current_verdict;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use firstcopy_engine::{EngineError, GroupPage, Member, Outline, PastVerdict, Reader};
use firstcopy_passages::Passage;
use firstcopy_report::escaped;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, Deserialize)]
pub struct Parameters {
    id: String,
}

/// Copies that are listed, and that have a dot on the timeline.
const LISTED: u32 = 20;
const DOTS: usize = 100;
/// Bytes of a text whose passages are looked for: more would take too long for a page.
const LOOKED_THROUGH: usize = 200_000;
/// Characters of what its sender said besides.
const METADATA: usize = 10_000;

/// All that the page shows of a document.
struct Facts {
    outline: Outline,
    group: GroupPage,
    /// Copies, all or some that were drawn.
    sample: Vec<Member>,
    degrees: Vec<(u32, f64)>,
    text: Option<String>,
}

pub async fn show(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<About> {
    let id = asked(query)?.id;
    let name = id.clone();
    let facts = aside(&app, move |reader| facts(reader, &name)).await?;
    let Some(mut facts) = facts else { return Err(ended(&app, id).await) };
    let taken = match facts.group.copies <= MOST_COPIES {
        true => {
            let id = facts.outline.verdict.id.clone();
            app.askers.ask(move |catalogue| catalogue.taken_passages(&id, LOOKED_THROUGH)).await?
        }
        false => None,
    };
    if let Some(current) = current_verdict(&app, &facts.outline.verdict).await {
        facts.outline.verdict = current;
    }
    let subject = super::pieces::name(facts.outline.title.as_deref(), &facts.outline.verdict.id);
    Ok(About { subject, page: Layout { title: "Document", here: "", body: body(&facts, taken.as_deref()) } })
}

fn facts(reader: &Reader, id: &str) -> Result<Option<Facts>, EngineError> {
    let Some(outline) = reader.outline(id, versions::MOST)? else { return Ok(None) };
    let id = outline.verdict.id.clone();
    let Some(group) = reader.group_page(&id, 0, LISTED)? else { return Ok(None) };
    let sample = reader.spread(&id, DOTS)?.map(|spread| spread.sample).unwrap_or_default();
    let degrees = versions::degrees(reader, &id, &outline.versions)?;
    let text = reader.version_text(&id, None)?.and_then(|version| version.text);
    Ok(Some(Facts { outline, group, sample, degrees, text }))
}

/// Why there is no such page: the document was deleted, or never was.
async fn ended(app: &App, id: String) -> Failed {
    let name = id.clone();
    match aside(app, move |reader| reader.ended(&name, 1)).await {
        Ok(Some(ended)) => {
            let when = ended.deleted_at.get(..10).unwrap_or_default().to_owned();
            let detail = format!("The document {:?} was deleted on {when}.", shortened(&id, 200));
            Failed(Problem::new(StatusCode::GONE, detail))
        }
        Ok(None) => unknown(&id),
        Err(problem) => Failed(problem),
    }
}

fn body(facts: &Facts, taken: Option<&[Passage]>) -> String {
    let Facts { outline, .. } = facts;
    let verdict = &outline.verdict;
    let title = name(outline.title.as_deref(), &verdict.id);
    let mut html = format!(
        "<h1{}>{}</h1>{}",
        language(outline.language.as_deref(), &title),
        escaped(&title),
        about(outline)
    );
    let (heading, answer) = answer(outline);
    let _ = write!(
        html,
        "<section><h2>{heading}</h2>{}{}</section>",
        verdict_box(&answer, verdict, Some(outline)),
        actions(outline)
    );
    html += &copies(facts);
    html += &passages(facts, taken);
    html += &versions::section(&verdict.id, outline, &facts.degrees);
    html += &history(&outline.history);
    html += &super::appeal::section(outline);
    html += &text(outline, facts.text.as_deref());
    html + &metadata(outline)
}

/// The heading and the first sentence. Of an original, they say how much of it is copied, else how many documents copy it.
fn answer(outline: &Outline) -> (&'static str, String) {
    let verdict = &outline.verdict;
    match (&verdict.nearest, outline.copies) {
        (Some(nearest), _) if verdict.is_original() && is_worth_showing(verdict) => {
            let source = name(nearest.title.as_deref(), &nearest.id);
            let day = nearest.date.get(..10).unwrap_or_default();
            let share = percent(verdict.covered);
            (in_words(verdict), format!("{share} of this text is in {source} ({day}), which came before it."))
        }
        (_, 1) if verdict.is_original() => (
            "This was here first",
            "One other document is a copy of this text, which was here first.".to_owned(),
        ),
        (_, copies @ 2..) if verdict.is_original() => {
            let copies = thousands(copies);
            let answer = format!("{copies} other documents are copies of this text, which was here first.");
            ("This was here first", answer)
        }
        _ => (in_words(verdict), verdict.summary.clone()),
    }
}

fn about(outline: &Outline) -> String {
    let verdict = &outline.verdict;
    let parts = [
        Some(format!("<code>{}</code>", escaped(&shortened(&verdict.id, 200)))),
        verdict.url.as_deref().filter(|url| *url != verdict.id).map(address),
        outline.author.as_deref().map(|author| in_its_language(None, &shortened(author, 200))),
        Some(day(&outline.judged_at)),
        outline.language.as_deref().map(|language| escaped(&shortened(language, 35))),
        Some(many(u64::from(outline.tokens), "word", "words")),
    ];
    format!("<p class=\"about\">{}</p>", parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

/// What can be done with the document.
fn actions(outline: &Outline) -> String {
    let verdict = &outline.verdict;
    let mut links = Vec::new();
    if let Some(original) = &verdict.original {
        links.push(format!(
            "<a href=\"{}\">Compare with the original</a>",
            compare_path(original, &verdict.id)
        ));
    }
    if let Some(nearest) = verdict.nearest.as_ref().filter(|_| verdict.is_original()) {
        let path = compare_path(&nearest.id, &verdict.id);
        links.push(format!("<a href=\"{path}\">Compare with the closest document</a>"));
    }
    links.push(format!("<a href=\"/holders?id={}\">Who holds copies</a>", encoded(&verdict.id)));
    if outline.copies > 0 || verdict.original.is_some() {
        links.push(format!("<a href=\"/cluster?id={}\">Its cluster</a>", encoded(&verdict.id)));
    }
    links.push(format!("<a href=\"{}\">As JSON</a>", api_path(&verdict.id)));
    format!("<p class=\"actions\">{}</p>", links.join(" "))
}

/// Where programs find a document.
fn api_path(id: &str) -> String {
    format!("/v1/documents/{}", encoded(id))
}

/// The copies of its group, over time and as a list.
fn copies(facts: &Facts) -> String {
    let Facts { outline, group, sample, .. } = facts;
    if group.copies == 0 {
        return "<section><h2>No copies</h2><p>No other document is a copy of this one.</p></section>"
            .to_owned();
    }
    let is_original = outline.verdict.is_original();
    let heading = match is_original {
        true => many(group.copies, "copy", "copies"),
        false => format!("{} of the original", many(group.copies, "copy", "copies")),
    };
    let mut html = format!("<section><h2>{heading}</h2>");
    let title = "The original and its copies over time";
    html +=
        &format!("<figure>{}", wide(title, &timeline(title, &group.original, sample, &outline.verdict.id)));
    let shown = match sample.len() as u64 == group.copies {
        true => "A dot is a document: the original is filled, copies are rings.".to_owned(),
        false => format!(
            "A dot is a document: the original is filled, copies are rings. A random sample of {} of {} copies.",
            sample.len(),
            thousands(group.copies)
        ),
    };
    let _ = write!(html, "<figcaption>{shown}</figcaption></figure>");
    html += &members(group, &outline.verdict.id);
    if group.next.is_some() {
        let _ = write!(
            html,
            "<p><a href=\"/cluster?id={}\">All {} copies</a></p>",
            encoded(&group.original.id),
            thousands(group.copies)
        );
    }
    html + "</section>"
}

/// A page of a group as a table; `here` is not compared with itself.
pub fn members(group: &GroupPage, here: &str) -> String {
    let mut rows = String::new();
    for member in &group.members {
        let compare = match member.id == here {
            true => "this one".to_owned(),
            false => format!("<a href=\"{}\">compare</a>", compare_path(&group.original.id, &member.id)),
        };
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{compare}</td></tr>",
            member_link(member),
            escaped(&shortened(member.site.as_deref().unwrap_or_default(), 80)),
            in_its_language(None, &shortened(member.author.as_deref().unwrap_or_default(), 80)),
            day(&member.date),
            share(member.resemblance),
        );
    }
    let table = format!(
        "<table><thead><tr><th>Copy</th><th>Site</th><th>Author</th><th>Date</th><th class=\"n\">Resemblance</th><th>Compare</th></tr></thead>\
         <tbody>{rows}</tbody></table>"
    );
    wide("Copies", &table)
}

fn passages(facts: &Facts, taken: Option<&[Passage]>) -> String {
    let outline = &facts.outline;
    let head = "<section><h2>Passages from elsewhere</h2>";
    let Some(taken) = taken else {
        let why = match facts.group.copies > MOST_COPIES {
            true => "too many others have the same text",
            false => "its text is too long",
        };
        return format!(
            "{head}<p class=\"note\">Not looked for on this page, because {why}: <code>POST /v1/copies</code> does.</p></section>"
        );
    };
    let original = outline.verdict.original.as_deref();
    let others: Vec<Passage> =
        taken.iter().filter(|passage| Some(passage.source.as_str()) != original).cloned().collect();
    if others.is_empty() {
        return String::new();
    }
    format!(
        "{head}<p>{} in originals that came before it.</p>{}</section>",
        match others.len() {
            1 => "One passage of it stands".to_owned(),
            count => format!("{} passages of it stand", thousands(count as u64)),
        },
        passage_list(&others, Some(&outline.verdict.id))
    )
}

fn history(history: &[PastVerdict]) -> String {
    if history.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for past in history.iter().rev() {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            minute(&past.until),
            escaped(past.verdict.as_deref().unwrap_or_default()),
            past.original
                .as_deref()
                .map(|id| super::document_link(id, &shortened(id, 80)))
                .unwrap_or_default(),
            escaped(&past.cause),
            past.cause_id
                .as_deref()
                .map(|id| super::document_link(id, &shortened(id, 80)))
                .unwrap_or_default(),
        );
    }
    let table = format!(
        "<table><thead><tr><th>Until</th><th>Verdict</th><th>Original</th><th>Ended because of</th><th>Document</th></tr></thead>\
         <tbody>{rows}</tbody></table>"
    );
    format!("<section><h2>Earlier verdicts</h2>{}</section>", wide("Earlier verdicts", &table))
}

fn text(outline: &Outline, text: Option<&str>) -> String {
    let Some(text) = text else {
        return "<section><h2>No text</h2><p>It was sent as ready-made features.</p></section>".to_owned();
    };
    let (shown, is_cut) = cut(text, SHOWN);
    let note = match is_cut {
        true => format!(
            "<p class=\"note\">The first {} characters; <a href=\"{}\">all of it as JSON</a>.</p>",
            thousands(SHOWN as u64),
            api_path(&outline.verdict.id)
        ),
        false => String::new(),
    };
    format!(
        "<section><h2>Core text</h2>{note}<div class=\"text card reading\"{}>{}</div></section>",
        language(outline.language.as_deref(), shown),
        escaped(shown)
    )
}

fn metadata(outline: &Outline) -> String {
    let Some(metadata) =
        outline.metadata.as_ref().filter(|metadata| !metadata.as_object().is_some_and(|map| map.is_empty()))
    else {
        return String::new();
    };
    let json = serde_json::to_string_pretty(metadata).unwrap_or_default();
    format!(
        "<details><summary>What its sender said besides</summary><pre tabindex=\"0\">{}</pre></details>",
        escaped(&shortened(&json, METADATA))
    )
}
