//! `/v1/documents/{id}/copies`: who copied this?

use super::paging::Paging;
use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A page of copies.
#[derive(Debug, Serialize, ToSchema)]
pub struct Copies {
    /// Ids in the order of arrival.
    copies: Vec<String>,
    /// How many there are on all pages.
    total: u64,
    /// What the next page starts with, if there is one.
    next: Option<String>,
}

/// Lists the copies of a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/copies", tag = "documents",
    params(("id" = String, Path, description = "Id or url"), Paging),
    responses(
        (status = 200, description = "A page of copies", body = Copies),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    paging: Result<Query<Paging>, QueryRejection>,
) -> Result<Json<Copies>, Problem> {
    let part = Paging::part(paging)?;
    let name = id.clone();
    let page = move |reader: &firstcopy_engine::Reader| {
        reader.copies_page(&name, part.after.unwrap_or(0), part.limit as u32)
    };
    let page = app.read(page).await?.ok_or_else(|| super::documents::unknown(&id))?;
    Ok(Json(Copies {
        copies: page.members.into_iter().map(|member| member.id).collect(),
        total: page.copies,
        next: page.next.map(|next| next.to_string()),
    }))
}
