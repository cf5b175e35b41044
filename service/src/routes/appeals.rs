//! `/v1/documents/{id}/appeals`: an editor declares a document to be an original, or takes that back.

use crate::access::Caller;
use crate::app::App;
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::{Extension, Json};
use firstcopy_engine::{Appeal, Decision, Standing, Verdict};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The most characters of who decides: it leaves room for the name of the key.
const LONGEST_NAME: usize = 1000;

/// What an editor decides, and why.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AppealQuestion)]
pub struct Question {
    /// What the document is.
    decision: Word,
    /// Why: it is shown with the verdict.
    #[schema(min_length = 1, max_length = 2000)]
    reason: String,
    /// Who decides, besides the name of the key.
    #[schema(max_length = 1000)]
    by: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Word {
    /// It was there before the others: what matches it is its copy.
    First,
    /// It is nobody's copy; the others are judged as before.
    Independent,
    /// What was declared counts no more.
    Withdrawn,
}

impl From<Word> for Option<Standing> {
    fn from(word: Word) -> Self {
        match word {
            Word::First => Some(Standing::First),
            Word::Independent => Some(Standing::Independent),
            Word::Withdrawn => None,
        }
    }
}

/// All that was ever decided about a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct Appeals {
    /// Oldest first.
    appeals: Vec<Appeal>,
}

/// Declares a document to be an original, or takes that back.
#[utoipa::path(
    post, path = "/v1/documents/{id}/appeals", tag = "documents", request_body = Question,
    params(("id" = String, Path, description = "Id or url")),
    responses(
        (status = 200, description = "Its verdict now, and whose verdicts changed with it", body = Verdict),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn decide(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Verdict>, Problem> {
    let json = app.body(body, &headers).await?;
    let Question { decision, reason, by } = super::parsed(&json)?;
    if by.as_ref().is_some_and(|by| by.chars().count() > LONGEST_NAME) {
        return Err(Problem::bad(format!("must have at most {LONGEST_NAME} characters")).of_field("by"));
    }
    let decision = Decision { standing: decision.into(), by: who(by, &caller), reason };
    decided(&app, id, decision).await.map(Json)
}

/// Decides; the same for programs and for people.
pub(crate) async fn decided(app: &Arc<App>, id: String, decision: Decision) -> Result<Verdict, Problem> {
    let (place, name) = (app.place()?, id.clone());
    let verdict = app.work(place, move |engine| engine.decide(&name, decision)).await?;
    verdict.ok_or_else(|| super::documents::unknown(&id))
}

/// Who decides: whom the client names, and the key that he came with.
pub(crate) fn who(by: Option<String>, caller: &Caller) -> String {
    let by = by.filter(|by| !by.trim().is_empty());
    match (by, caller.name.as_str()) {
        (None, "") => "somebody on this machine".to_owned(),
        (None, key) => key.to_owned(),
        (Some(by), "") => by,
        (Some(by), key) => format!("{by} (key {key})"),
    }
}

/// Lists what editors decided about a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/appeals", tag = "documents",
    params(("id" = String, Path, description = "Id or url")),
    responses(
        (status = 200, description = "All decisions", body = Appeals),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Appeals>, Problem> {
    let shown = super::documents::shown(&app, id).await?;
    Ok(Json(Appeals { appeals: shown.appeals }))
}
