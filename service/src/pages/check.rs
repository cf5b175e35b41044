//! Is this a copy? A text is pasted, dropped or sent as a file; the page says how much of it is in which earlier document, and
//! shows both side by side.

use super::beside::{Named, beside};
use super::form::Form;
use super::layout::Layout;
use super::pieces::{address, many, shortened};
use super::verdict::{in_words, verdict_box};
use super::{Answer, Failed, aside, compare_path, document_link, with_its_host};
use crate::app::App;
use crate::likeness;
use crate::problem::Problem;
use crate::routes::check::{MOST_COPIES, find_passages};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use firstcopy_engine::Verdict;
use firstcopy_passages::{Copies, Passage};
use firstcopy_report::{counted, escaped};
use firstcopy_text::likeness::CopyRelation;
use firstcopy_text::{Analyzer, Page, Parameters, Seed};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// What a text without a name goes by.
const PASTED: &str = "what you pasted";
/// Passages that are listed, and characters of each.
const PASSAGES: usize = 50;
const PASSAGE_CHARS: usize = 1000;

/// The form, and what to do when there is nothing yet.
pub async fn ask(State(app): State<Arc<App>>, headers: HeaderMap) -> Answer<Layout<'static>> {
    let statistics = aside(&app, |reader| reader.statistics()).await?;
    let mut body = String::from(
        "<h1>Who wrote this first?</h1><p class=\"lead\">Paste a post or a page. It is compared with every document of the \
         collection; nothing is stored.</p>",
    );
    body += &form("");
    if statistics.documents == 0 {
        body += &with_its_host(EMPTY, &headers);
    } else {
        let _ = write!(
            body,
            "<p class=\"note\">Compared with {} and {} in the collection.</p>",
            counted(statistics.originals as usize, "original"),
            counted(statistics.duplicates as usize, "duplicate")
        );
    }
    Ok(Layout { title: "Check", here: "/", body })
}

/// What to do next with an empty collection.
const EMPTY: &str = "<section class=\"card\" aria-labelledby=\"empty\"><h2 id=\"empty\">The collection is empty</h2>\
    <p>There is nothing yet to compare with. Three ways to begin:</p><ol class=\"ways\">\
    <li><h3>Look around first</h3><p>Ten posts in Korean, Japanese and English, some of them copies.</p>\
    <form method=\"post\" action=\"/sample\"><button>Load the sample collection</button></form></li>\
    <li><h3>Add a file of yours</h3><p>A page, a text, or JSON Lines with a document a line.</p>\
    <form method=\"post\" action=\"/add\" enctype=\"multipart/form-data\"><label for=\"first-file\">File</label>\
    <input id=\"first-file\" type=\"file\" name=\"file\" required><button>Add the file</button></form>\
    <p><a href=\"/add\">Paste one instead</a></p></li>\
    <li><h3>Add many</h3><p>From the command line, or over HTTP:</p>\
    <pre tabindex=\"0\">firstcopy add posts/</pre>\
    <pre tabindex=\"0\">curl --data-binary @posts.jsonl http://127.0.0.1:7700/v1/documents/_bulk</pre></li></ol></section>";

fn form(text: &str) -> String {
    format!(
        "<form method=\"post\" action=\"/check\" class=\"check\" enctype=\"multipart/form-data\">\
         <label for=\"text\">A text, or the source of a page</label>\
         <textarea id=\"text\" name=\"text\" rows=\"10\" data-drop=\"file\">{}</textarea>\
         <label for=\"file\">or a file <small>(you can drop one on the field above)</small></label>\
         <input id=\"file\" type=\"file\" name=\"file\" accept=\".txt,.html,.htm,.md,text/*\">\
         <button>Check</button></form>",
        escaped(text)
    )
}

/// Answers with the verdict on what was pasted. Nothing is stored.
pub async fn answer(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Answer<Layout<'static>> {
    let form = Form::read(&app, &headers, body).await?;
    let page = form.page().ok_or_else(|| Failed(Problem::bad("Paste a text first, or choose a file.")))?;
    let name = if page.id.is_empty() { PASTED.to_owned() } else { shortened(&page.id, 120) };
    // A stored document of the same id would be the same document: what is checked has a name that none has.
    let page = Page { id: format!("\u{1}{name}"), ..page };
    let (place, pasted) = (app.place()?, page.clone());
    let verdict = app.work(place, move |engine| engine.check(pasted)).await.map_err(without_mark)?;
    let copied = copied(&app, &verdict, &page).await?;
    let (title, answer) = match verdict.is_original() && verdict.nearest.is_none() {
        true => unmatched(&app, &verdict, &copied).await?,
        false => (in_words(&verdict), verdict.summary.clone()),
    };
    let mut body = format!("<h1>{title}</h1>{}", verdict_box(&answer, &verdict, None));
    let nearest =
        verdict.nearest.as_ref().filter(|_| is_worth_showing(&verdict)).map(|nearest| nearest.id.clone());
    let source = verdict.original.clone().or(nearest).or_else(|| main_source(&copied.passages));
    if let Some(source) = source {
        body += &side_by_side(&app, source, name, page).await?;
    }
    body += &passages(&copied.passages, copied.copied_share);
    let again = form.field("text").unwrap_or_default();
    let _ = write!(body, "<h2>Another one</h2>{}", self::form(&shortened(again, super::beside::SHOWN)));
    Ok(Layout { title: "Verdict", here: "/", body })
}

/// Removes the mark before the name of what was checked.
fn without_mark(problem: Problem) -> Problem {
    match problem.status() {
        StatusCode::UNPROCESSABLE_ENTITY => Problem::unreadable(problem.detail().trim_start_matches('\u{1}')),
        _ => problem,
    }
}

/// Finds the passages that were copied. Of a text that has very many copies, the original tells enough.
async fn copied(app: &Arc<App>, verdict: &Verdict, page: &Page) -> Answer<Copies> {
    if let Some(original) = verdict.original.clone() {
        let group = aside(app, move |reader| reader.group_page(&original, 0, 0)).await?;
        if group.is_some_and(|group| group.copies > MOST_COPIES) {
            return Ok(Copies::default());
        }
    }
    Ok(find_passages(app, page.clone()).await?)
}

/// The title and the first sentence for a text without a closest earlier document: it may still have passages of several, or the
/// collection may be empty.
async fn unmatched(app: &App, verdict: &Verdict, copied: &Copies) -> Answer<(&'static str, String)> {
    if !copied.passages.is_empty() {
        let share = likeness::percent(copied.copied_share);
        return Ok((
            "It has passages of earlier texts",
            format!("{share} of this text is in passages of earlier documents."),
        ));
    }
    let is_empty = aside(app, |reader| reader.statistics()).await?.documents == 0;
    Ok((if is_empty { "The collection is empty" } else { in_words(verdict) }, verdict.summary.clone()))
}

/// Whether a text has so much of its closest earlier document that both are shown side by side.
pub fn is_worth_showing(verdict: &Verdict) -> bool {
    verdict.relation != CopyRelation::None || verdict.covered >= likeness::MUCH_COPIED
}

/// The source that most of a text was taken from.
fn main_source(passages: &[Passage]) -> Option<String> {
    let mut sources: BTreeMap<&str, usize> = BTreeMap::new();
    for passage in passages {
        *sources.entry(&passage.source).or_default() += passage.end.saturating_sub(passage.start);
    }
    sources.into_iter().max_by_key(|(_, taken)| *taken).map(|(source, _)| source.to_owned())
}

async fn side_by_side(app: &Arc<App>, source: String, name: String, page: Page) -> Answer<String> {
    let id = source.clone();
    let stored = aside(app, move |reader| reader.version_text(&id, None)).await?;
    let Some(text) = stored.and_then(|stored| stored.text) else { return Ok(String::new()) };
    let (place, core) = (app.place()?, app.measured().await?);
    let shown = app.work(place, move |_| {
        let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        let pasted = Named { name, text: analyzer.read(page).core.text };
        let shown = beside(&Named { name: shortened(&source, 120), text }, &pasted);
        drop(core);
        Ok(format!(
            "<h2>Side by side</h2><p>{} and what was checked. Point at a passage to see where it stands in the other text.</p>{shown}",
            document_link(&source, &shortened(&source, 120))
        ))
    });
    Ok(shown.await?)
}

/// What was copied from where.
fn passages(passages: &[Passage], share: f64) -> String {
    if passages.is_empty() {
        return String::new();
    }
    format!(
        "<h2>Copied passages</h2><p>{} of it is in passages of originals of the collection.</p>{}",
        likeness::percent(share),
        passage_list(passages, None)
    )
}

/// Passages, each with its source; `id` is the document that has them, if it is stored.
pub fn passage_list(passages: &[Passage], id: Option<&str>) -> String {
    let mut html = String::from("<ol class=\"passages\">");
    for passage in passages.iter().take(PASSAGES) {
        let lang = super::pieces::language(None, &passage.text);
        let _ = write!(
            html,
            "<li><blockquote class=\"text\"{lang}>{}</blockquote><p>from {}{}{}</p></li>",
            escaped(&shortened(&passage.text, PASSAGE_CHARS)),
            document_link(&passage.source, &shortened(&passage.source, 120)),
            passage.source_url.as_deref().map(|url| format!(", {}", address(url))).unwrap_or_default(),
            id.map(|id| format!(" · <a href=\"{}\">compare</a>", compare_path(&passage.source, id)))
                .unwrap_or_default(),
        );
    }
    html += "</ol>";
    if passages.len() > PASSAGES {
        let _ = write!(
            html,
            "<p class=\"note\">and {} more</p>",
            many((passages.len() - PASSAGES) as u64, "passage", "passages")
        );
    }
    html
}
