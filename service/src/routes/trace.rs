//! `/v1/trace`: where does the page of this url live now?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use firstcopy_engine::Trace;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Parameters {
    /// The url at which the page once was.
    url: String,
}

/// Traces a page that moved.
#[utoipa::path(
    get, path = "/v1/trace", tag = "questions", params(Parameters),
    responses(
        (status = 200, description = "Its path through time", body = Trace),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn trace(
    State(app): State<Arc<App>>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Json<Trace>, Problem> {
    let Query(Parameters { url }) = parameters.map_err(|rejection| Problem::bad(rejection.body_text()))?;
    let name = url.clone();
    let trace = app.askers.ask(move |catalogue| catalogue.trace(&name)).await?;
    trace
        .map(Json)
        .ok_or_else(|| Problem::not_found(format!("no document ever had the url {url:?}")).of_field("url"))
}
