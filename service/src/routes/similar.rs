//! `/v1/similar`: which stored documents are like this one, contain it or are contained in it?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use firstcopy_engine::{MinLikeness, SimilarAnswer, SimilarQuestion};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::Arc;
use utoipa::ToSchema;

const MOST_DOCUMENTS: usize = 1000;

/// A document, or the id or url of a stored one, and what is enough.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SimilarQuestion)]
pub struct Question {
    /// The id or url of a stored document.
    of: Option<String>,
    /// A document, stored or not.
    #[schema(value_type = Option<super::schema::Record>)]
    document: Option<Map<String, Value>>,
    /// Only documents of at least this likeness.
    #[schema(minimum = 0, maximum = 1)]
    min_likeness: Option<f64>,
    /// Asks by shingles alone: the least resemblance.
    #[schema(minimum = 0, maximum = 1)]
    min_resemblance: Option<f64>,
    /// Asks by shingles alone: the least containment, of either in the other.
    #[schema(minimum = 0, maximum = 1)]
    min_containment: Option<f64>,
    /// Whether every value is counted from the texts.
    #[serde(default)]
    exact: bool,
    /// The most documents in the answer, at most 1,000.
    #[schema(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
}

impl Question {
    fn enough(&self) -> Result<SimilarQuestion, Problem> {
        let default = SimilarQuestion::default();
        let share = |name: &str, value: Option<f64>, default: f64| match value.unwrap_or(default) {
            share if (0.0..=1.0).contains(&share) => Ok(share),
            _ => Err(Problem::bad("must be from 0 to 1").of_field(name)),
        };
        let limit = self.limit.unwrap_or(default.limit);
        if !(1..=MOST_DOCUMENTS).contains(&limit) {
            return Err(Problem::bad(format!("must be from 1 to {MOST_DOCUMENTS}")).of_field("limit"));
        }
        if self.min_likeness.is_some() {
            share("min_likeness", self.min_likeness, 0.0)?;
        }
        let asks_by_shingles = self.min_resemblance.is_some() || self.min_containment.is_some();
        Ok(SimilarQuestion {
            min_likeness: MinLikeness::of(self.min_likeness, asks_by_shingles),
            min_resemblance: share("min_resemblance", self.min_resemblance, default.min_resemblance)?,
            min_containment: share("min_containment", self.min_containment, default.min_containment)?,
            exact: self.exact,
            limit,
        })
    }
}

/// Finds documents that are like one, contain it or are contained in it.
#[utoipa::path(
    post, path = "/v1/similar", tag = "questions", request_body = Question,
    responses(
        (status = 200, description = "The most similar first", body = SimilarAnswer),
        (status = 422, description = "The document is no text: a PDF, an image, binary data", body = Problem, content_type = "application/problem+json"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn similar(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<SimilarAnswer>, Problem> {
    let json = app.body(body, &headers).await?;
    let question: Question = super::parsed(&json)?;
    let enough = question.enough()?;
    match (question.of, question.document) {
        (Some(of), None) => {
            let name = of.clone();
            let answer = app.askers.ask(move |catalogue| catalogue.similar_to(&name, &enough)).await?;
            answer.map(Json).ok_or_else(|| super::documents::unknown(&of).of_field("of"))
        }
        (None, Some(document)) => {
            let page = super::documents::named(super::page_in(&app, document, "document")?, &headers)?;
            let answer = app.askers.ask(move |catalogue| catalogue.similar(page, &enough)).await;
            answer.map(Json).map_err(|problem| match problem.status() {
                StatusCode::UNPROCESSABLE_ENTITY => problem.of_field("document"),
                _ => problem,
            })
        }
        _ => Err(Problem::bad("name a stored document with `of`, or send one as `document`").of_field("of")),
    }
}
