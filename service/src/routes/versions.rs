//! `/v1/documents/{id}/versions`: what was it before?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, State};
use firstcopy_engine::{PastVerdict, ShownVersion};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The versions of a document, and what was said of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versions {
    /// The present one last.
    versions: Vec<ShownVersion>,
    /// Verdicts that are no longer, oldest first.
    history: Vec<PastVerdict>,
}

/// Lists the versions of a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/versions", tag = "documents",
    params(("id" = String, Path, description = "Id or url")),
    responses(
        (status = 200, description = "All versions", body = Versions),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Versions>, Problem> {
    let shown = super::documents::shown(&app, id).await?;
    Ok(Json(Versions { versions: shown.versions, history: shown.history }))
}
