//! `/v1/check`: is this a copy, of what, and how much of it? Nothing is stored.

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use firstcopy_engine::Verdict;
use firstcopy_passages::Copies;
use firstcopy_text::Page;
use firstcopy_text::likeness::CopyRelation;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Instant;
use utoipa::IntoParams;

/// Copies of a document up to which its passages are looked for unasked. Each copy holds the passage too, is no source, and is
/// passed over one by one, so that time grows with their square.
pub(crate) const MOST_COPIES: u64 = 32;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Parameters {
    /// Whether passages are looked for. Without it, only for an original that quotes or extends an earlier document, unless that
    /// has more than 32 copies or the server is busy.
    passages: Option<bool>,
}

/// Returns the verdict that a document would get, storing nothing.
#[utoipa::path(
    post, path = "/v1/check", tag = "questions", params(Parameters), request_body = super::schema::Record,
    responses(
        (status = 200, description = "The verdict", body = Verdict),
        (status = 422, description = "The document is no text: a PDF, an image, binary data", body = Problem, content_type = "application/problem+json"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn check(
    State(app): State<Arc<App>>,
    parameters: Result<Query<Parameters>, QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Verdict>, Problem> {
    let Query(Parameters { passages }) =
        parameters.map_err(|rejection| Problem::bad(rejection.body_text()).of_field("passages"))?;
    // The body first: a client that sends it slowly holds no permit meanwhile.
    let json = app.body(body, &headers).await?;
    let (place, start) = (app.place()?, Instant::now());
    let page = super::documents::named(app.page(&json)?, &headers)?;
    let sought = (passages != Some(false)).then(|| page.clone());
    let core = app.measured().await?;
    let verdict = app.work(place, move |engine| {
        let verdict = engine.check(page);
        drop(core);
        verdict
    });
    let verdict = verdict.await?;
    app.measures.checked(start.elapsed());
    let Some(sought) = sought else { return Ok(Json(verdict)) };
    let copies = match passages {
        Some(_) => Some(find_passages(&app, sought).await?),
        None if shares_passages(&app, &verdict).await? => find_passages(&app, sought).await.ok(),
        None => None,
    };
    Ok(Json(match copies {
        Some(copies) => with_passages(verdict, copies),
        None => verdict,
    }))
}

/// Whether a document is an original that has passages of an earlier one, which are quick to find.
async fn shares_passages(app: &App, verdict: &Verdict) -> Result<bool, Problem> {
    let shares = matches!(verdict.relation, CopyRelation::Quotes | CopyRelation::Extended);
    let Some(nearest) = verdict.nearest.as_ref().filter(|_| shares && verdict.is_original()) else {
        return Ok(false);
    };
    let id = nearest.id.clone();
    let group = app.read(move |reader| reader.group_page(&id, 0, 0)).await?;
    Ok(group.is_some_and(|group| group.copies <= MOST_COPIES))
}

/// Finds the passages of a page that are in originals of the collection.
pub(crate) async fn find_passages(app: &App, page: Page) -> Result<Copies, Problem> {
    app.askers.ask(move |catalogue| catalogue.copied_passages(page)).await
}

/// Adds passages to a verdict. What the closest document has and what all passages have may differ: the larger share counts.
fn with_passages(verdict: Verdict, copies: Copies) -> Verdict {
    let copied_share = verdict.copied_share.unwrap_or_default().max(copies.copied_share);
    Verdict { copied_share: Some(copied_share), passages: Some(copies.passages), ..verdict }
}
