//! `/v1/compare`: how do two documents relate, and what changed between them?

use crate::app::App;
use crate::likeness::WordComparison;
use crate::problem::Problem;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firstcopy_change::{Account, Comparison, Costs, Settings, Text};
use firstcopy_engine::EngineError;
use firstcopy_text::likeness::CopyRelation;
use firstcopy_text::{Analyzer, Content, Document, Page, Parameters, Relation, Seed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use utoipa::ToSchema;

/// Two documents: each is sent, or named by the id or url of a stored one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CompareQuestion)]
pub struct Question {
    /// The earlier document: a record, or the id or url of a stored one.
    a: Side,
    /// The later one.
    b: Side,
    /// What copying or shrinking a word costs.
    #[schema(minimum = 0, maximum = 1)]
    copy_cost: Option<f64>,
    /// What moving a word costs.
    #[schema(minimum = 0, maximum = 1)]
    move_cost: Option<f64>,
    /// Words of a shingle.
    #[schema(minimum = 1, maximum = 1000)]
    shingle_words: Option<usize>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum Side {
    /// The id or url of a stored document.
    Stored(String),
    /// A document.
    #[schema(value_type = super::schema::Record)]
    Sent(Map<String, Value>),
}

/// The comparison of two documents: their words, their shingles, and what changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Answer {
    #[serde(flatten)]
    words: WordComparison,
    #[serde(flatten)]
    shingles: Relation,
    #[serde(flatten)]
    account: Account,
}

/// Compares two documents.
#[utoipa::path(
    post, path = "/v1/compare", tag = "questions", request_body = Question,
    responses(
        (status = 200, description = "Likeness, resemblance, metrics, operations, passages", body = Answer),
        (status = 422, description = "A document is no text: a PDF, an image, binary data", body = Problem, content_type = "application/problem+json"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn compare(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Answer>, Problem> {
    let json = app.body(body, &headers).await?;
    let question: Question = super::parsed(&json)?;
    let settings = settings(&question)?;
    let a = page(&app, question.a, "a").await?;
    let b = page(&app, question.b, "b").await?;
    let place = app.place()?;
    let core = app.measured().await?;
    let answer = app.work(place, move |engine| {
        let answer = compared(a, b, &settings, engine.settings().min_likeness);
        drop(core);
        Ok(answer)
    });
    answer.await?.map(Json)
}

fn settings(question: &Question) -> Result<Settings, Problem> {
    let default = Costs::default();
    let degree = |name: &str, value: Option<f64>, default: f64| match value.unwrap_or(default) {
        degree if (0.0..=1.0).contains(&degree) => Ok(degree),
        _ => Err(Problem::bad("must be from 0 to 1").of_field(name)),
    };
    let shingle_words = question.shingle_words.unwrap_or(10);
    if !(1..=1000).contains(&shingle_words) {
        return Err(Problem::bad("must be from 1 to 1000").of_field("shingle_words"));
    }
    let costs = Costs {
        copy: degree("copy_cost", question.copy_cost, default.copy)?,
        moving: degree("move_cost", question.move_cost, default.moving)?,
    };
    Ok(Settings { costs, shingle_words, idf: None })
}

async fn page(app: &App, side: Side, field: &str) -> Result<Page, Problem> {
    match side {
        Side::Sent(document) => super::page_in(app, document, field),
        Side::Stored(id) => {
            let shown = super::documents::shown(app, id).await.map_err(|problem| problem.of_field(field))?;
            Ok(Page { content: Content::text(shown.core_text.unwrap_or_default()), ..Page::default() })
        }
    }
}

fn compared(a: Page, b: Page, settings: &Settings, min_likeness: f64) -> Result<Answer, Problem> {
    let parameters = Parameters { shingle_words: settings.shingle_words, ..Parameters::default() };
    let analyzer = Analyzer::new(parameters, &Seed::PUBLIC);
    let (a, b) = (readable(analyzer.document(a), "a")?, readable(analyzer.document(b), "b")?);
    let comparison = Comparison::of(text(&a), text(&b), settings);
    let shingles = Relation::of(&a, &b);
    let words = compared_words(&a, &b, &shingles, &analyzer, min_likeness);
    Ok(Answer { words, shingles, account: Account::of(&comparison) })
}

/// Refuses a document that is no text.
fn readable(document: Document, field: &str) -> Result<Document, Problem> {
    match document.unreadable {
        Some(format) => {
            let id = if document.id.is_empty() { field.to_owned() } else { document.id };
            Err(Problem::from(EngineError::Unreadable { id, format }).of_field(field))
        }
        None => Ok(document),
    }
}

fn compared_words(
    a: &Document,
    b: &Document,
    shingles: &Relation,
    analyzer: &Analyzer,
    min_likeness: f64,
) -> WordComparison {
    if [a, b].into_iter().any(|document| document.tokens.is_empty() && !document.shingles.is_empty()) {
        return WordComparison::of_features(shingles.resemblance, shingles.identical);
    }
    let are_whole = a.full.is_none() && b.full.is_none();
    let exact = match shingles {
        Relation { identical: true, .. } => Some(CopyRelation::Identical),
        Relation { lexical: true, .. } if are_whole => Some(CopyRelation::SameWords),
        _ => None,
    };
    let (words_a, words_b) = (analyzer.words(a.compared_text()), analyzer.words(b.compared_text()));
    WordComparison::of_words(&words_a, &words_b, exact, min_likeness)
}

fn text(document: &Document) -> Text<'_> {
    Text { text: &document.core.text, tokens: &document.tokens }
}
