//! `/v1/stats`: what does the collection hold?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use firstcopy_engine::Statistics;
use std::sync::Arc;

/// Counts what the collection holds.
#[utoipa::path(
    get, path = "/v1/stats", tag = "operation",
    responses(
        (status = 200, description = "Documents, duplicates, bytes, what followers lack", body = Statistics),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn stats(State(app): State<Arc<App>>) -> Result<Json<Statistics>, Problem> {
    app.read(|reader| reader.statistics()).await.map(Json)
}
