//! `/v1/copies`: which passages of this document stand in originals of the collection?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firstcopy_passages::Passage;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The copied passages of a document.
#[derive(Debug, Serialize, ToSchema)]
pub struct Copied {
    /// The document.
    id: String,
    /// The share of it that is copied.
    copied_share: f64,
    /// Its passages, in order.
    passages: Vec<Passage>,
}

/// Finds the passages of a document that were copied from originals of the collection.
#[utoipa::path(
    post, path = "/v1/copies", tag = "questions", request_body = super::schema::Record,
    responses(
        (status = 200, description = "Its passages", body = Copied),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn copies(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Copied>, Problem> {
    let json = app.body(body, &headers).await?;
    let page = super::documents::named(app.page(&json)?, &headers)?;
    let id = page.id.clone();
    let copies = app.askers.ask(move |catalogue| catalogue.copied_passages(page)).await?;
    Ok(Json(Copied { id, copied_share: copies.copied_share, passages: copies.passages }))
}
