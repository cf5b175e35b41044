//! `/v1/search`: which originals speak of these words?

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use firstcopy_engine::{SearchAnswer, SearchQuestion, Sort};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

const MOST_HITS: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Parameters {
    /// Words, "phrases", -words, site:, author:, title:, lang:, before:, after:.
    q: String,
    /// Whether duplicates are looked through, too.
    #[serde(default)]
    all: bool,
    /// relevance, newest or oldest.
    #[serde(default)]
    #[param(inline)]
    sort: Order,
    /// Hits of a page, at most 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// What the page before said was next.
    cursor: Option<String>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The best first.
    #[default]
    Relevance,
    /// The latest date first.
    Newest,
    /// The earliest date first.
    Oldest,
}

/// Searches originals, their copies folded under them.
#[utoipa::path(
    get, path = "/v1/search", tag = "questions", params(Parameters),
    responses(
        (status = 200, description = "A page of hits", body = SearchAnswer),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn search(
    State(app): State<Arc<App>>,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Result<Json<SearchAnswer>, Problem> {
    let Query(parameters) = parameters.map_err(|rejection| Problem::bad(rejection.body_text()))?;
    let limit = parameters.limit.unwrap_or(10);
    if !(1..=MOST_HITS).contains(&limit) {
        return Err(Problem::bad(format!("must be from 1 to {MOST_HITS}")).of_field("limit"));
    }
    let question = SearchQuestion {
        query: parameters.q,
        all: parameters.all,
        sort: match parameters.sort {
            Order::Relevance => Sort::Relevance,
            Order::Newest => Sort::Newest,
            Order::Oldest => Sort::Oldest,
        },
        limit,
        cursor: parameters.cursor,
    };
    app.askers.search(move |catalogue| catalogue.search(&question)).await.map(Json)
}
