//! Who are you? A key is shown once, and a session stands for it until it is ended, is old, or the key is removed.

use super::form::Form;
use super::layout::{self, Layout};
use super::{Answer, encoded};
use crate::access::{is_secure, logged_in, who_asks};
use crate::app::App;
use crate::keys::Key;
use crate::problem::Problem;
use crate::sessions::set_cookie;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use firstcopy_report::escaped;
use http_body_util::Limited;
use serde::Deserialize;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of the form: a key and a place to go back to.
const MOST: usize = 16 << 10;
/// Bytes of a place to go back to.
const LONGEST_PLACE: usize = 2000;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    next: String,
}

/// Sends a person to the form, and afterwards back to where they wanted to go.
pub fn asked(back: &str) -> Response {
    let to = if back == "/" { "/login".to_owned() } else { format!("/login?next={}", encoded(back)) };
    Redirect::to(&to).into_response()
}

/// The form; who is logged in, if somebody is.
pub async fn ask(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    parameters: Result<Query<Parameters>, QueryRejection>,
) -> Response {
    if app.keys.all().is_empty() {
        return Redirect::to("/").into_response();
    }
    let next = parameters.map(|Query(parameters)| parameters.next).unwrap_or_default();
    let body = match logged_in(&app, &headers) {
        None => form(&next, None),
        Some(key) => format!("<h1>Welcome</h1>{}", leaving(&key)),
    };
    Layout { title: "Log in", here: "/login", body }.into_response()
}

/// Who is logged in, and the way out.
pub fn leaving(key: &Key) -> String {
    format!(
        "<p>You are logged in with the key <strong>{}</strong>, which may {}.</p>\
         <form method=\"post\" action=\"/logout\"><button>Log out</button></form>",
        escaped(&key.name),
        key.role.name()
    )
}

fn form(next: &str, problem: Option<&str>) -> String {
    let problem =
        problem.map(|problem| format!("<p role=\"alert\" class=\"wrong\">{}</p>", escaped(problem)));
    format!(
        "<h1>Log in</h1>{}<form method=\"post\" action=\"/login\"><label for=\"key\">Your key</label>\
         <input id=\"key\" name=\"key\" type=\"password\" autocomplete=\"current-password\" size=\"70\" required autofocus>\
         <input type=\"hidden\" name=\"next\" value=\"{}\"><p><button>Log in</button></p></form>\
         <p class=\"about\">Whoever looks after this service makes keys with <code>firstcopy keys add</code>.</p>",
        problem.unwrap_or_default(),
        escaped(place(next)),
    )
}

/// Takes a key, and begins a session for it.
pub async fn enter(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Body,
) -> Answer<Response> {
    let now = Instant::now();
    let address = who_asks(&headers, peer.ip());
    app.logins.take(&address, now).map_err(|wait| Problem::too_often("too many attempts to log in", wait))?;
    let form = Form::read(&app, &headers, Body::new(Limited::new(body, MOST))).await?;
    let next = form.field("next").unwrap_or_default();
    let Some(key) = form.field("key").and_then(|key| app.keys.find(key.trim())) else {
        tracing::warn!(address, "a login was refused: there is no such key");
        let body = self::form(next, Some("There is no such key."));
        let page = Layout { title: "Log in", here: "/login", body };
        return Ok(layout::with_status(StatusCode::UNAUTHORIZED, &page));
    };
    tracing::info!(address, key = key.name, "logged in");
    let session = app.sessions.begin(key, now).map_err(|error| Problem::internal(error.to_string()))?;
    let cookie = set_cookie(&session, is_secure(&headers, peer.ip()));
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(place(next))).into_response())
}

/// Ends a session.
pub async fn leave(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    app.sessions.end(&headers);
    ([(header::SET_COOKIE, set_cookie("", false))], Redirect::to("/login")).into_response()
}

/// Where to go back to: a page of this service, whatever was asked for.
fn place(next: &str) -> &str {
    let is_plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let is_ours = next.starts_with('/') && !next.starts_with("//");
    let is_login = next.starts_with("/login") || next.starts_with("/logout");
    if is_plain && is_ours && !is_login && next.len() <= LONGEST_PLACE { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        for next in ["/", "/search?q=%EA%B0%80&sort=newest", "/document?id=https://a.example/x"] {
            assert_eq!(place(next), next);
        }
        let long = format!("/{}", "a".repeat(LONGEST_PLACE));
        for next in [
            "",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
            "/\t/evil.example",
            "/\n/evil.example",
            "/a\r\nSet-Cookie: b=c",
            "/login?next=/",
            "/logout",
            "evil",
            "/가",
            &long,
        ] {
            assert_eq!(place(next), "/", "{next:?}");
        }
    }
}
