//! `/v1/documents`: a post is stored and judged, shown, deleted.

use crate::app::App;
use crate::problem::Problem;
use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use firstcopy_engine::{Shown, Verdict};
use firstcopy_text::Page;
use std::sync::Arc;

/// The header by which a client says that a request is the same one again.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Stores a document and judges it.
#[utoipa::path(
    post, path = "/v1/documents", tag = "documents", request_body = super::schema::Record,
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key again is the same document again, if it has neither id nor url.")),
    responses(
        (status = 201, description = "Stored: original or duplicate", body = Verdict),
        (status = 200, description = "It was there already, nothing changed", body = Verdict),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn add(State(app): State<Arc<App>>, headers: HeaderMap, body: Body) -> Result<Response, Problem> {
    let place = app.place()?;
    let json = app.body(body, &headers).await?;
    let page = named(app.page(&json)?, &headers)?;
    let verdict = stored(&app, place, page).await?;
    let status = if verdict.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, [(header::ETAG, tag(verdict.version))], Json(verdict)).into_response())
}

/// Measures a page when a core is free, then stores it.
pub(super) async fn stored(app: &Arc<App>, place: crate::app::Place, page: Page) -> Result<Verdict, Problem> {
    let core = app.measured().await?;
    let stored = app.work(place, move |engine| {
        let draft = engine.analyze(page);
        drop(core);
        engine.store(draft)
    });
    let verdict = stored.await?;
    app.measures.stored(&verdict);
    Ok(verdict)
}

/// A page with a name: a record without id and url gets one from the key of its request, else one of its own.
pub(super) fn named(page: Page, headers: &HeaderMap) -> Result<Page, Problem> {
    if !page.id.is_empty() {
        return Ok(page);
    }
    let key = headers.get(IDEMPOTENCY_KEY).map(HeaderValue::as_bytes);
    let mut random = [0; 16];
    let bytes = match key {
        Some(key) => key,
        None => {
            getrandom::fill(&mut random).map_err(|error| Problem::internal(error.to_string()))?;
            &random
        }
    };
    let id = format!("post-{}", &blake3::hash(bytes).to_hex()[..24]);
    Ok(Page { id, ..page })
}

/// Shows a document: verdict, original, copies, versions, text.
#[utoipa::path(
    get, path = "/v1/documents/{id}", tag = "documents", params(("id" = String, Path, description = "Id or url")),
    responses(
        (status = 200, description = "The document", body = super::schema::Document),
        (status = 304, description = "It has not changed"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shown = shown(&app, id).await?;
    let tag = tag(shown.verdict.as_ref().map_or(0, |verdict| verdict.version));
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    Ok(([(header::ETAG, tag)], Json(shown)).into_response())
}

pub(super) async fn shown(app: &App, id: String) -> Result<Shown, Problem> {
    let name = id.clone();
    let shown = app.read(move |reader| reader.show(&name)).await?;
    shown.filter(|shown| shown.verdict.is_some()).ok_or_else(|| unknown(&id))
}

/// Deletes a document with all its versions; if it was an original, its earliest copy takes its place.
#[utoipa::path(
    delete, path = "/v1/documents/{id}", tag = "documents", params(("id" = String, Path, description = "Id or url")),
    responses(
        (status = 200, description = "Its last verdict", body = Verdict),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn delete(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Verdict>, Problem> {
    if let Some(known) = headers.get(header::IF_MATCH).filter(|known| *known != "*") {
        let shown = shown(&app, id.clone()).await?;
        if *known != tag(shown.verdict.map_or(0, |verdict| verdict.version)) {
            let detail = "the document has changed since: look at it again";
            return Err(Problem::new(StatusCode::PRECONDITION_FAILED, detail).of_field("If-Match"));
        }
    }
    let (place, name) = (app.place()?, id.clone());
    let deleted = app.work(place, move |engine| engine.delete(&name)).await?;
    deleted.map(Json).ok_or_else(|| unknown(&id))
}

pub(super) fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("there is no document {id:?}")).of_field("id")
}

fn tag(version: u32) -> HeaderValue {
    HeaderValue::from_str(&format!("\"v{version}\"")).unwrap_or(HeaderValue::from_static("\"v0\""))
}
