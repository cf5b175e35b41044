//! `/healthz`, `/readyz`: is it alive, and does it know all that was stored?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// How it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// ok.
    status: &'static str,
}

const OK: Health = Health { status: "ok" };

/// Says that it is alive.
#[utoipa::path(
    get, path = "/healthz", tag = "operation", responses((status = 200, description = "Alive", body = Health))
)]
pub async fn alive() -> Json<Health> {
    Json(OK)
}

/// Says whether search and similarity know what was stored two seconds ago.
#[utoipa::path(
    get, path = "/readyz", tag = "operation",
    responses(
        (status = 200, description = "Ready", body = Health),
        (status = 503, description = "Catching up", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, Problem> {
    match app.is_ready() {
        true => Ok(Json(OK)),
        false => Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "search and similarity are catching up")),
    }
}
