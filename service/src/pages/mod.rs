//! Pages for people: the same questions as the routes for programs, answered in HTML. Text of strangers is shown as text, and
//! every list is bounded.

mod add;
mod appeal;
mod assets;
mod beside;
mod check;
mod cluster;
mod clusters;
mod compare;
mod csv;
mod document;
mod form;
mod holders;
mod layout;
pub(crate) mod login;
mod moved;
mod pieces;
mod reference;
mod sample;
mod search;
mod status;
mod timeline;
mod verdict;
mod versions;

use crate::app::App;
use crate::problem::Problem;
use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use firstcopy_engine::{EngineError, Reader};
use firstcopy_report::escaped;
use std::sync::Arc;

/// A page, or one that says why not.
pub(crate) struct Failed(Problem);

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        failed(self.0)
    }
}

/// A page that says what went wrong.
pub fn failed(problem: Problem) -> Response {
    let mut page = layout::failed(problem.status(), problem.detail());
    page.headers_mut().extend(problem.advice());
    page
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
        .route("/clusters", get(clusters::clusters).layer(Extension(Arc::<clusters::Overview>::default())))
        .route("/cluster", get(cluster::cluster))
        .route("/holders", get(holders::holders))
        .route("/holders.csv", get(holders::table))
        .route("/moved", get(moved::moved))
        .route("/moved.csv", get(moved::map))
        .route("/status", get(status::status))
}

/// Pages that change something.
pub fn writing() -> Router<Arc<App>> {
    Router::new().route("/add", get(add::ask).post(add::store)).route("/sample", post(sample::load))
}

/// Pages that decide.
pub fn deciding() -> Router<Arc<App>> {
    Router::new().route("/appeal", post(appeal::decide))
}

/// Where people show their key.
pub fn entrance() -> Router<Arc<App>> {
    Router::new().route("/login", get(login::ask).post(login::enter)).route("/logout", post(login::leave))
}

/// What pages look like.
pub fn assets() -> Router<Arc<App>> {
    assets::routes()
}

/// The description of the API, to be read by people.
pub fn reference(description: &serde_json::Value) -> Router<Arc<App>> {
    let body: Arc<str> = reference::body(description).into();
    let page = move |headers: HeaderMap| {
        let body = with_its_host(&body, &headers);
        async move { layout::Layout { title: "API", here: "/reference", body } }
    };
    Router::new().route("/reference", get(page))
}

/// Where examples ask, until it is known where they are read.
const EXAMPLE_HOST: &str = "127.0.0.1:7700";

/// Examples that ask where this page was asked for.
fn with_its_host(html: &str, headers: &HeaderMap) -> String {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or(EXAMPLE_HOST);
    html.replace(EXAMPLE_HOST, &escaped(host))
}

/// Reads with a connection of its own: a page that reads much holds up nobody else.
async fn aside<T: Send + 'static>(
    app: &App,
    read: impl FnOnce(&Reader) -> Result<T, EngineError> + Send + 'static,
) -> Result<T, Problem> {
    let place = app.place()?;
    app.work(place, move |engine| read(&Reader::open(engine.path())?)).await
}

/// What was asked, or a page that says what is wrong with it.
fn asked<T>(query: Result<Query<T>, QueryRejection>) -> Answer<T> {
    query.map(|Query(parameters)| parameters).map_err(|rejection| Failed(Problem::bad(rejection.body_text())))
}

fn unknown(id: &str) -> Failed {
    Failed(Problem::not_found(format!("There is no document {:?}.", pieces::shortened(id, 200))))
}

/// The address of the page of a document.
fn document_path(id: &str) -> String {
    format!("/document?id={}", encoded(id))
}

/// A link to the page of a document.
fn document_link(id: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", document_path(id), firstcopy_report::escaped(text))
}

/// Where two documents are compared.
fn compare_path(a: &str, b: &str) -> String {
    format!("/compare?a={}&amp;b={}", encoded(a), encoded(b))
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
