//! `/metrics`: what Prometheus is told.

use crate::app::App;
use crate::problem::Problem;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Tells what was counted.
#[utoipa::path(
    get, path = "/metrics", tag = "operation",
    responses(
        (status = 200, description = "OpenMetrics text", body = String, content_type = "application/openmetrics-text"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let condition = app.condition().await?;
    Ok(([(header::CONTENT_TYPE, MEDIA_TYPE)], app.measures.text(&condition)).into_response())
}
