//! `/v1/documents/{id}/copies`: who copied this?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

const MOST_COPIES: usize = 1000;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Parameters {
    /// Copies of a page, at most 1,000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<usize>,
    /// What the page before said was next.
    cursor: Option<String>,
}

/// A page of copies.
#[derive(Debug, Serialize, ToSchema)]
pub struct Copies {
    /// Ids in the order of arrival.
    copies: Vec<String>,
    /// How many there are on all pages.
    total: usize,
    /// What the next page starts with, if there is one.
    next: Option<String>,
}

/// Lists the copies of a document.
#[utoipa::path(
    get, path = "/v1/documents/{id}/copies", tag = "documents",
    params(("id" = String, Path, description = "Id or url"), Parameters),
    responses(
        (status = 200, description = "A page of copies", body = Copies),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Json<Copies>, Problem> {
    let Query(parameters) = parameters.map_err(|rejection| Problem::bad(rejection.body_text()))?;
    let limit = parameters.limit.unwrap_or(100);
    if !(1..=MOST_COPIES).contains(&limit) {
        return Err(Problem::bad(format!("must be from 1 to {MOST_COPIES}")).of_field("limit"));
    }
    let start = match parameters.cursor.as_deref().map(str::parse::<usize>) {
        None => 0,
        Some(Ok(start)) => start,
        Some(Err(_)) => {
            return Err(Problem::bad("no page ended so: begin without a cursor").of_field("cursor"));
        }
    };
    let all = super::documents::shown(&app, id).await?.copies;
    let total = all.len();
    let next = start.checked_add(limit).filter(|next| *next < total).map(|next| next.to_string());
    let copies = all.into_iter().skip(start).take(limit).collect();
    Ok(Json(Copies { copies, total, next }))
}
