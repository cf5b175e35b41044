//! `/v1/documents`: a post is stored and judged, shown, deleted.

use crate::access::Caller;
use crate::app::App;
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use firstcopy_engine::{Condition, Request, Shown, Verdict};
use firstcopy_text::Page;
use std::sync::Arc;

/// The header by which a client says that a request is the same one again.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Copies that are shown with a document; `/copies` lists all of them.
const SHOWN_COPIES: usize = 1000;

/// Stores a document and judges it.
#[utoipa::path(
    post, path = "/v1/documents", tag = "documents", request_body = super::schema::Record,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "The same request under the same key is carried out once, for a day; another one under it is refused with 422."),
        ("If-Match" = Option<String>, Header, description = "Stored only as a new version of a document that has this ETag, or of any with *."),
        ("If-None-Match" = Option<String>, Header, description = "With *: stored only if there is no document of this id."),
    ),
    responses(
        (status = 201, description = "Stored: original or duplicate", body = Verdict),
        (status = 200, description = "It was there already, nothing changed", body = Verdict),
        (status = 422, description = "It is no text: a PDF, an image, binary data; or another request was sent under this Idempotency-Key", body = Problem, content_type = "application/problem+json"),
        (status = "default", description = "Why not", body = Problem, content_type = "application/problem+json"),
    )
)]
pub async fn add(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let condition = condition(&headers)?;
    // The body first: whoever sends it slowly takes no place from others.
    let json = app.body(body, &headers).await?;
    let place = app.place()?;
    let page = named(app.page(&json)?, &headers)?;
    let terms = Terms { condition, request: request(&caller, &headers, &json) };
    let verdict = stored(&app, place, page, terms).await?;
    let status = if verdict.unchanged { StatusCode::OK } else { StatusCode::CREATED };
    Ok((status, [(header::ETAG, tag(verdict.version, ""))], Json(verdict)).into_response())
}

/// On which terms a document is stored.
#[derive(Debug, Default)]
pub(super) struct Terms {
    condition: Condition,
    request: Option<Request>,
}

/// The request that must be carried out only once: keys of different clients are different keys.
fn request(caller: &Caller, headers: &HeaderMap, json: &[u8]) -> Option<Request> {
    let key = headers.get(IDEMPOTENCY_KEY)?;
    let mut whole = blake3::Hasher::new();
    whole.update(caller.name.as_bytes()).update(b"\0").update(key.as_bytes());
    let fingerprint = blake3::hash(json).as_bytes().to_vec();
    Some(Request { key: whole.finalize().as_bytes().to_vec(), fingerprint })
}

/// What must be so before something is changed.
fn condition(headers: &HeaderMap) -> Result<Condition, Problem> {
    match (headers.get(header::IF_MATCH), headers.get(header::IF_NONE_MATCH)) {
        (None, None) => Ok(Condition::Anything),
        (Some(known), None) if known == "*" => Ok(Condition::Present),
        (Some(known), None) => {
            let version = known.to_str().ok().and_then(version_of);
            version.map(Condition::Version).ok_or_else(|| {
                Problem::bad("must be an ETag as a document was shown with, or *").of_field("If-Match")
            })
        }
        (None, Some(known)) if known == "*" => Ok(Condition::Absent),
        _ => Err(Problem::bad("can only be *, and not beside If-Match").of_field("If-None-Match")),
    }
}

/// Measures a page when a core is free, then stores it.
pub(super) async fn stored(
    app: &Arc<App>,
    place: crate::app::Place,
    page: Page,
    terms: Terms,
) -> Result<Verdict, Problem> {
    let core = app.measured().await?;
    let stored = app.work(place, move |engine| {
        let draft = engine.analyze(page).on_condition(terms.condition);
        drop(core);
        engine.store(match terms.request {
            Some(request) => draft.once(request),
            None => draft,
        })
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

/// Shows a document: verdict, original or closest earlier document, copies, versions, text.
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
    let mut shown = shown(&app, id).await?;
    if let Some(stored) = &mut shown.verdict
        && let Some(current) = current_verdict(&app, stored).await
    {
        *stored = current;
    }
    let json = serde_json::to_vec(&shown).map_err(|error| Problem::internal(error.to_string()))?;
    let digest = blake3::hash(&json).to_hex();
    let tag = tag(shown.verdict.as_ref().map_or(0, |verdict| verdict.version), &digest[..16]);
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    let media = HeaderValue::from_static("application/json");
    Ok(([(header::ETAG, tag), (header::CONTENT_TYPE, media)], json).into_response())
}

pub(super) async fn shown(app: &App, id: String) -> Result<Shown, Problem> {
    let name = id.clone();
    let shown = app.read(move |reader| reader.show_with(&name, SHOWN_COPIES)).await?;
    shown.filter(|shown| shown.verdict.is_some()).ok_or_else(|| unknown(&id))
}

/// Returns the verdict on a stored original with its closest earlier document. Nothing for a copy, whose verdict names its
/// original, and if the writer is busy or a text cannot be read: a document is shown without it then.
pub(crate) async fn current_verdict(app: &App, stored: &Verdict) -> Option<Verdict> {
    if !stored.is_original() {
        return None;
    }
    let (id, place) = (stored.id.clone(), app.place().ok()?);
    let current = app.work(place, move |engine| engine.current_verdict(&id)).await.ok().flatten()?;
    // What was read may have been replaced meanwhile.
    Some(current).filter(|current| current.version == stored.version)
}

/// Deletes a document with all its versions; if it was an original, its earliest copy takes its place.
#[utoipa::path(
    delete, path = "/v1/documents/{id}", tag = "documents",
    params(
        ("id" = String, Path, description = "Id or url"),
        ("If-Match" = Option<String>, Header, description = "Deleted only if the document has this ETag; any version with *."),
    ),
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
    let (place, name, condition) = (app.place()?, id.clone(), condition(&headers)?);
    let deleted = app.work(place, move |engine| engine.delete_if(&name, condition)).await?;
    deleted.map(Json).ok_or_else(|| unknown(&id))
}

pub(super) fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("there is no document {id:?}")).of_field("id")
}

/// The version, and a digest of all that is shown. Whoever wants to change a document names the version: that somebody
/// copied it meanwhile does not stop its owner.
fn tag(version: u32, digest: &str) -> HeaderValue {
    let dash = if digest.is_empty() { "" } else { "-" };
    HeaderValue::from_str(&format!("\"v{version}{dash}{digest}\""))
        .unwrap_or(HeaderValue::from_static("\"v0\""))
}

/// The version in a tag.
fn version_of(tag: &str) -> Option<u32> {
    let inside = tag.strip_prefix("\"v")?.strip_suffix('"')?;
    inside.split('-').next()?.parse().ok()
}
