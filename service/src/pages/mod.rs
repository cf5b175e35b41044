//! Pages for people: the same questions as the routes for programs, answered in HTML. Text of strangers is shown as text.

mod assets;
mod check;
mod compare;
mod document;
mod layout;
mod sample;
mod search;
mod status;

use crate::app::App;
use crate::problem::Problem;
use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use std::sync::Arc;

/// A page, or one that says why not.
struct Failed(Problem);

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        layout::failed(self.0.status(), self.0.detail())
    }
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        Failed(problem)
    }
}

type Answer<T> = Result<T, Failed>;

/// Pages that show.
pub fn reading() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(check::ask))
        .route("/check", post(check::answer))
        .route("/search", get(search::search))
        .route("/document", get(document::show))
        .route("/compare", get(compare::compare))
        .route("/status", get(status::status))
}

/// Pages that change something.
pub fn writing() -> Router<Arc<App>> {
    Router::new().route("/sample", post(sample::load))
}

/// What pages look like.
pub fn assets() -> Router<Arc<App>> {
    assets::routes()
}

/// The address of the page of a document.
fn document_path(id: &str) -> String {
    format!("/document?id={}", encoded(id))
}

/// A link to the page of a document.
fn document_link(id: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", document_path(id), firstcopy_report::escaped(text))
}

/// A value of a query, percent-encoded.
fn encoded(value: &str) -> String {
    value
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
