//! `/v1/documents/{id}/versions`: what was it before?

use super::paging::Paging;
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use firstcopy_engine::{PastVerdict, ShownVersion};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The versions of a document, and what was said of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versions {
    /// The present one last.
    versions: Vec<ShownVersion>,
    /// Verdicts that are no longer, oldest first; all of them with the first page.
    history: Vec<PastVerdict>,
    /// What the next page starts with, if there is one.
    next: Option<String>,
}

/// Lists the versions of a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/versions", tag = "documents",
    params(("id" = String, Path, description = "Id or url"), Paging),
    responses(
        (status = 200, description = "A page of versions, the oldest first", body = Versions),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    paging: Result<Query<Paging>, QueryRejection>,
) -> Result<Json<Versions>, Problem> {
    let part = Paging::part(paging)?;
    let shown = super::documents::shown(&app, id).await?;
    let (versions, next) = part.of(shown.versions);
    let history = if part.after.is_none() { shown.history } else { Vec::new() };
    Ok(Json(Versions { versions, history, next }))
}
