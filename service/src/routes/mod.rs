//! Which request is answered where: one file a route. What a role may is said here and nowhere else.

pub(crate) mod appeals;
mod bulk;
pub(crate) mod check;
mod compare;
mod copies;
pub(crate) mod documents;
mod health;
pub(crate) mod holders;
mod metrics;
mod paging;
mod passages;
mod schema;
mod search;
mod similar;
mod stats;
mod trace;
mod versions;
mod webhooks;

use crate::access::{require, visit};
use crate::app::App;
use crate::compress::compress;
use crate::keys::Role;
use crate::logs::watch;
use crate::origin::guard;
use crate::pages;
use crate::problem::Problem;
use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What the description says of the service as a whole.
#[derive(OpenApi)]
#[openapi(
    info(title = "firstcopy", description = "Who wrote this first? Documents judged as they are stored, and everything that can be asked of them."),
    tags(
        (name = "documents", description = "The collection"),
        (name = "questions", description = "What can be asked of it"),
        (name = "webhooks", description = "Who is told of what happens"),
        (name = "operation", description = "How it is doing"),
    )
)]
struct Description;

/// All routes over a data directory.
pub fn routes(app: Arc<App>) -> Router {
    let demand = |role: Role| from_fn_with_state((Arc::clone(&app), role), require);
    let welcome = |role: Role| from_fn_with_state((Arc::clone(&app), role), visit);
    let reading = OpenApiRouter::new()
        .routes(routes!(documents::show))
        .routes(routes!(copies::list))
        .routes(routes!(versions::list))
        .routes(routes!(appeals::list))
        .routes(routes!(check::check))
        .routes(routes!(search::search))
        .routes(routes!(similar::similar))
        .routes(routes!(compare::compare))
        .routes(routes!(passages::copies))
        .routes(routes!(holders::holders))
        .routes(routes!(trace::trace))
        .routes(routes!(stats::stats))
        .routes(routes!(metrics::metrics))
        .route_layer(demand(Role::Read));
    let writing = OpenApiRouter::new()
        .routes(routes!(documents::add))
        .routes(routes!(documents::delete))
        .routes(routes!(bulk::add_all))
        .route_layer(demand(Role::Write));
    let deciding = OpenApiRouter::new()
        .routes(routes!(appeals::decide))
        .routes(routes!(webhooks::list, webhooks::add))
        .routes(routes!(webhooks::remove))
        .routes(routes!(webhooks::deliveries))
        .route_layer(demand(Role::Admin));
    let open = OpenApiRouter::new().routes(routes!(health::alive)).routes(routes!(health::ready));
    let (routes, description) = OpenApiRouter::with_openapi(Description::openapi())
        .merge(reading)
        .merge(writing)
        .merge(deciding)
        .merge(open)
        .split_for_parts();
    let description = Arc::new(serde_json::to_value(&description).unwrap_or_default());
    routes
        .merge(pages::reading().route_layer(welcome(Role::Read)))
        .merge(pages::writing().route_layer(welcome(Role::Write)))
        .merge(pages::deciding().route_layer(welcome(Role::Admin)))
        .merge(pages::entrance())
        .merge(pages::assets())
        .merge(pages::reference(&description))
        .route("/openapi.json", axum::routing::get(move || async move { axum::Json((*description).clone()) }))
        .fallback(|| async { Problem::not_found("there is nothing here: /openapi.json lists what there is") })
        .method_not_allowed_fallback(|| async {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this cannot be done here: /openapi.json lists what can",
            )
        })
        // From the inside out: what a stranger's page sends is not even compressed, and everything is counted and logged.
        .layer(from_fn(compress))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .layer(from_fn_with_state(Arc::clone(&app), watch))
        .with_state(app)
}

/// The JSON of a body.
fn parsed<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, Problem> {
    serde_json::from_slice(json).map_err(|error| Problem::bad(format!("not what is asked for: {error}")))
}

/// The document that stands in a field of a body.
fn page_in(
    app: &App,
    document: serde_json::Map<String, serde_json::Value>,
    field: &str,
) -> Result<firstcopy_text::Page, Problem> {
    let json = serde_json::to_vec(&document).unwrap_or_default();
    app.page(&json).map_err(|problem| problem.of_field(field))
}
