//! `/v1/documents/{id}/holders`: who holds copies of this, whole, contained or in part?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::{Path, State};
use firstcopy_engine::{Holder, HoldersQuestion};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Who holds copies.
#[derive(Debug, Serialize, ToSchema)]
pub struct Holders {
    /// In the order of their dates.
    holders: Vec<Holder>,
}

/// Lists who holds copies of a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/holders", tag = "documents",
    params(("id" = String, Path, description = "Id or url")),
    responses(
        (status = 200, description = "All of them", body = Holders),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn holders(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Holders>, Problem> {
    let name = id.clone();
    let question = HoldersQuestion::default();
    let holders = app.askers.ask(move |catalogue| catalogue.holders(&name, &question)).await?;
    holders.map(|holders| Json(Holders { holders })).ok_or_else(|| super::documents::unknown(&id))
}
