//! `/v1/webhooks`: who is told of duplicates, promoted originals and new holders, and what has still to be told?

use crate::app::App;
use crate::problem::Problem;
use crate::webhooks::{self, Deliveries, NewWebhook, Register, Webhook, WebhookError};
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use firstcopy_engine::Engine;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The most deliveries of a page.
const MOST: u32 = 1000;

/// All webhooks.
#[derive(Debug, Serialize, ToSchema)]
pub struct Webhooks {
    /// By name.
    webhooks: Vec<Webhook>,
}

/// A webhook that was added.
#[derive(Debug, Serialize, ToSchema)]
pub struct Added {
    #[serde(flatten)]
    webhook: Webhook,
    /// What its requests are signed with: shown this once.
    secret: String,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Parameters {
    /// Deliveries of a page, at most 1,000.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u32>,
    /// What the page before said was next.
    cursor: Option<String>,
}

/// Lists the webhooks, without their secrets.
#[utoipa::path(
    get, path = "/v1/webhooks", tag = "webhooks",
    responses(
        (status = 200, description = "All of them", body = Webhooks),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Webhooks>, Problem> {
    let webhooks = work(&app, |engine| match Register::open(engine.path())? {
        Some(register) => register.all(),
        None => Ok(Vec::new()),
    });
    Ok(Json(Webhooks { webhooks: webhooks.await? }))
}

/// Adds a webhook: it is told of what happens from now on.
#[utoipa::path(
    post, path = "/v1/webhooks", tag = "webhooks", request_body = NewWebhook,
    responses(
        (status = 201, description = "The webhook, and its secret", body = Added),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn add(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<(StatusCode, Json<Added>), Problem> {
    let json = app.body(body, &headers).await?;
    let new: NewWebhook = super::parsed(&json)?;
    let added = work(&app, move |engine| {
        let position = engine.reader().position()?;
        Register::create(engine.path())?.add(&new, position)
    });
    let (webhook, secret) = added.await?;
    Ok((StatusCode::CREATED, Json(Added { webhook, secret })))
}

/// Removes a webhook, with what it was still to be told.
#[utoipa::path(
    delete, path = "/v1/webhooks/{name}", tag = "webhooks", params(("name" = String, Path, description = "Its name")),
    responses(
        (status = 204, description = "It is gone"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn remove(State(app): State<Arc<App>>, Path(name): Path<String>) -> Result<StatusCode, Problem> {
    work(&app, move |engine| webhooks::remove(engine.path(), &name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists what a webhook has still to be told, and what was given up.
#[utoipa::path(
    get, path = "/v1/webhooks/{name}/deliveries", tag = "webhooks",
    params(("name" = String, Path, description = "Its name"), Parameters),
    responses(
        (status = 200, description = "A page of deliveries", body = Deliveries),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn deliveries(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Json<Deliveries>, Problem> {
    let Query(parameters) = parameters.map_err(|rejection| Problem::bad(rejection.body_text()))?;
    let limit = parameters.limit.unwrap_or(100);
    if !(1..=MOST).contains(&limit) {
        return Err(Problem::bad(format!("must be from 1 to {MOST}")).of_field("limit"));
    }
    let after = parameters.cursor.as_deref().map(str::parse::<i64>).transpose();
    let after =
        after.map_err(|_| Problem::bad("no page ended so: begin without a cursor").of_field("cursor"))?;
    let page = work(&app, move |engine| match Register::open(engine.path())? {
        Some(register) => register.deliveries(Some(&name), limit, after),
        None => Err(WebhookError::Unknown(name)),
    });
    page.await.map(Json)
}

/// Works with the webhooks on a thread that may wait.
async fn work<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Engine) -> Result<T, WebhookError> + Send + 'static,
) -> Result<T, Problem> {
    let place = app.place()?;
    Ok(app.work(place, move |engine| Ok(work(engine))).await??)
}

/// Whose fault it is.
impl From<WebhookError> for Problem {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Wrong { field, detail } => Problem::bad(detail).of_field(field),
            WebhookError::Conflict(detail) => Problem::new(StatusCode::CONFLICT, detail).of_field("name"),
            WebhookError::Unknown(_) => Problem::not_found(error.to_string()).of_field("name"),
            WebhookError::Engine(error) => error.into(),
            WebhookError::Database { .. } | WebhookError::Format { .. } | WebhookError::Io { .. } => {
                Problem::internal(error.to_string())
            }
        }
    }
}
