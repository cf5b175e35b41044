//! `/metrics`: what Prometheus is told.

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Instant;

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
    let statistics = app.read(|reader| reader.statistics()).await?;
    Ok(([(header::CONTENT_TYPE, MEDIA_TYPE)], app.measures.text(&statistics)).into_response())
}

/// Counts a request and its answer.
pub async fn count(
    State(app): State<Arc<App>>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let response = next.run(request).await;
    let route = path.as_ref().map_or("none", MatchedPath::as_str);
    app.measures.answered(route, response.status(), start.elapsed());
    response
}
