//! Styles and scripts, as files of the service.

use crate::app::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/page.js");
const ICON: &str = include_str!("../assets/icon.svg");

pub fn routes() -> Router<Arc<App>> {
    // Ours comes last, so that it has the last word.
    let style = [firstcopy_report::CHART_STYLE, firstcopy_change::SIDES_STYLE, STYLE].concat();
    let script = [SCRIPT, firstcopy_change::SIDES_SCRIPT].concat();
    Router::new()
        .route("/assets/style.css", asset("text/css; charset=utf-8", style))
        .route("/assets/page.js", asset("text/javascript; charset=utf-8", script))
        .route("/assets/icon.svg", asset("image/svg+xml", ICON.to_owned()))
}

fn asset(media: &'static str, content: String) -> axum::routing::MethodRouter<Arc<App>> {
    let content: Arc<str> = content.into();
    get(move || async move { answer(media, content.to_string()) })
}

fn answer(media: &'static str, content: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CACHE_CONTROL, HeaderValue::from_static("max-age=300")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, content).into_response()
}
