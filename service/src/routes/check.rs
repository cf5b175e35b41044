//! `/v1/check`: who wrote this first? Nothing is stored.

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use firstcopy_engine::Verdict;
use std::sync::Arc;
use std::time::Instant;

/// The verdict that a document would get, storing nothing.
#[utoipa::path(
    post, path = "/v1/check", tag = "questions", request_body = super::schema::Record,
    responses(
        (status = 200, description = "The verdict", body = Verdict),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn check(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Verdict>, Problem> {
    // The body first: whoever sends it slowly takes no place from others.
    let json = app.body(body, &headers).await?;
    let (place, start) = (app.place()?, Instant::now());
    let page = super::documents::named(app.page(&json)?, &headers)?;
    let core = app.measured().await?;
    let verdict = app.work(place, move |engine| {
        let verdict = engine.check(page);
        drop(core);
        verdict
    });
    let verdict = verdict.await?;
    app.measures.checked(start.elapsed());
    Ok(Json(verdict))
}
