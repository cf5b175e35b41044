//! Styles and scripts, as files of the service.

use crate::app::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/page.js");

pub fn routes() -> Router<Arc<App>> {
    let style =
        || async { asset("text/css; charset=utf-8", STYLE.to_owned() + firstcopy_change::SIDES_STYLE) };
    let script = || async {
        asset("text/javascript; charset=utf-8", SCRIPT.to_owned() + firstcopy_change::SIDES_SCRIPT)
    };
    Router::new().route("/assets/style.css", get(style)).route("/assets/page.js", get(script))
}

fn asset(media: &'static str, content: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media)),
        (header::CACHE_CONTROL, HeaderValue::from_static("max-age=300")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, content).into_response()
}
