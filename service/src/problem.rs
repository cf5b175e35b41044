//! What a client is told when something cannot be done: problem+json (RFC 9457), with the field at fault.

use crate::logs;
use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use firstcopy_engine::{EngineError, QueryError, SearchError};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// Seconds after which a client that was turned away may come again, if nobody knows better.
const RETRY_AFTER: u64 = 1;
const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("application/problem+json");

/// Why a request was not answered as asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Problem {
    /// The kind of the problem; always about:blank, the status says it.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong with this request, and what to do.
    detail: String,
    /// The field, parameter or header at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// Seconds after which the same request may be tried again; the header says it.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl Problem {
    /// A problem of a status.
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            field: None,
            retry_after: None,
        }
    }

    /// The request cannot be understood.
    pub fn bad(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, detail)
    }

    /// There is no such thing.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }

    /// The content is not text: a PDF, an image, binary data.
    pub fn unreadable(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// Too much at once: come again.
    pub fn overloaded() -> Self {
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "there is more to do than can be done: try again in a second",
        )
    }

    /// Too often: come again later.
    pub fn too_often(what: &str, wait: Duration) -> Self {
        let seconds = wait.as_secs_f64().ceil().max(1.0) as u64;
        let detail = format!("{what}: try again in {seconds} s");
        Problem { retry_after: Some(seconds), ..Problem::new(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    /// Something that no client can help; the log is told, too.
    pub fn internal(detail: impl Into<String>) -> Self {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail).logged()
    }

    fn logged(self) -> Self {
        logs::failed(&self.detail);
        self
    }

    /// The same, with the field at fault.
    pub fn of_field(self, field: &str) -> Self {
        Problem { field: Some(field.to_owned()), ..self }
    }

    /// What is wrong, and what to do.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, advice) = (self.status(), self.advice());
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, MEDIA_TYPE);
        headers.extend(advice);
        response
    }
}

impl Problem {
    /// What its status asks for in the headers, whatever the body is.
    pub fn advice(&self) -> HeaderMap {
        let (status, mut headers) = (self.status(), HeaderMap::new());
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            headers.insert(header::RETRY_AFTER, self.retry_after.unwrap_or(RETRY_AFTER).into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        headers
    }
}

/// Whose fault an error of the engine is.
impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Query(QueryError::Cursor(_)) | EngineError::Search(SearchError::ForeignCursor) => {
                Problem::bad(error.to_string()).of_field("cursor")
            }
            EngineError::Query(error) => Problem::bad(error.to_string()).of_field("q"),
            EngineError::Behind(_) => Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()),
            EngineError::Ambiguous { .. } => Problem::new(StatusCode::CONFLICT, error.to_string()),
            EngineError::OtherVersion { .. } => {
                Problem::new(StatusCode::PRECONDITION_FAILED, error.to_string()).of_field("If-Match")
            }
            EngineError::OtherRequest => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()).of_field("Idempotency-Key")
            }
            EngineError::Unreadable { .. } => Problem::unreadable(error.to_string()),
            EngineError::DeletedSince { .. } => Problem::new(StatusCode::GONE, error.to_string()),
            EngineError::Appeal { field, problem } => Problem::bad(problem).of_field(field),
            EngineError::Stopped(_) => {
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string()).logged()
            }
            full if full.is_disk_full() => {
                Problem::new(StatusCode::INSUFFICIENT_STORAGE, full.to_string()).logged()
            }
            other => Problem::internal(other.to_string()),
        }
    }
}
