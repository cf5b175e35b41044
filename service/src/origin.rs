//! Did this request come from one of our own pages, or from a stranger's? A browser sends what any page tells it to, and
//! says whose page it was: what changes something is taken from our own pages only, and from programs, which are no
//! browsers. While there is no key, a page of a stranger must not get in under a name of its own either (DNS rebinding).

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

/// An origin whose pages may use the API: scheme, host and port, as browsers write it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Origin(HeaderValue);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("https://").or(text.strip_prefix("http://")).unwrap_or_default();
        let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        let is_origin =
            !rest.is_empty() && rest.bytes().all(|byte| is_host(byte) && !byte.is_ascii_uppercase());
        match HeaderValue::from_str(text) {
            Ok(value) if is_origin => Ok(Origin(value)),
            _ => Err("must be an origin, as in https://blog.example or http://localhost:3000".to_owned()),
        }
    }
}

impl TryFrom<String> for Origin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

const SEC_FETCH_SITE: &str = "sec-fetch-site";
const FORWARDED_HOST: &str = "x-forwarded-host";
/// Headers by which a proxy says for whom it asks.
const FORWARDED: [&str; 3] = ["forwarded", "x-forwarded-for", FORWARDED_HOST];

/// Lets a request on unless a stranger's page sent it.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if app.keys.all().is_empty()
        && let Err(problem) = at_home(request.uri(), request.headers())
    {
        return problem.into_response();
    }
    let guest = guest(&request, &app.limits.origins);
    if let Some(origin) = &guest
        && request.method() == Method::OPTIONS
    {
        return (StatusCode::NO_CONTENT, preflight(origin)).into_response();
    }
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !is_safe
        && guest.is_none()
        && let Err(problem) = own_page(request.headers())
    {
        return problem.into_response();
    }
    let mut response = next.run(request).await;
    if !app.limits.origins.is_empty() {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(origin) = guest {
        response.headers_mut().extend(welcome(&origin));
    }
    response
}

/// While anybody on this machine may do everything, only this machine's own names will do.
fn at_home(uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    if FORWARDED.iter().any(|name| headers.contains_key(*name)) {
        let detail = "this came through a proxy, and there is no key yet: add one with `firstcopy keys add`";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    // Programs of the old days name no host; browsers always do.
    let host = match (uri.host(), headers.get(header::HOST)) {
        (Some(host), _) => host,
        (None, Some(host)) => host_of(host.to_str().unwrap_or("?")),
        (None, None) => return Ok(()),
    };
    if is_loopback(host) {
        return Ok(());
    }
    let detail = "there is no key yet, so that only localhost, 127.0.0.1 and [::1] are answered to: ask for one of these, or \
                  add a key with `firstcopy keys add`";
    Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail).of_field("Host"))
}

/// A host without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_address = bare.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    is_address || host.eq_ignore_ascii_case("localhost")
}

/// The origin of a page that may use the API though it is not ours.
fn guest(request: &Request, allowed: &[Origin]) -> Option<HeaderValue> {
    let origin = request.headers().get(header::ORIGIN)?;
    let is_api = request.uri().path().starts_with("/v1/");
    (is_api && allowed.iter().any(|allowed| allowed.0 == origin)).then(|| origin.clone())
}

/// Whether one of our own pages sent it, or no page at all.
fn own_page(headers: &HeaderMap) -> Result<(), Problem> {
    let refused = |field: &str| {
        let detail = "this came from a page of another site: ask from a page of this one, or allow that origin with \
                      --cors-origin";
        Err(Problem::new(StatusCode::FORBIDDEN, detail).of_field(field))
    };
    // No page can write this header, so that it is believed first: behind a proxy, hosts may have other names.
    match headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes) {
        Some(b"same-origin" | b"none") => return Ok(()),
        Some(_) => return refused("Sec-Fetch-Site"),
        None => {}
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    let names = [headers.get(header::HOST), headers.get(FORWARDED_HOST)];
    let is_own = |origin: &str| {
        names.iter().flatten().any(|name| name.as_bytes().eq_ignore_ascii_case(origin.as_bytes()))
    };
    if origin.is_some_and(is_own) { Ok(()) } else { refused("Origin") }
}

/// What a page of an allowed origin may send.
fn preflight(origin: &HeaderValue) -> HeaderMap {
    let mut headers = welcome(origin);
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, DELETE"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, content-encoding, idempotency-key, if-match, if-none-match",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
        (header::VARY, "Origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
}

/// What a page of an allowed origin may read.
fn welcome(origin: &HeaderValue) -> HeaderMap {
    let exposed = HeaderValue::from_static("etag, retry-after, x-request-id");
    let headers: [(HeaderName, HeaderValue); 2] = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed),
    ];
    headers.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn names_of_this_machine() {
        for (host, expected) in [
            ("localhost", true),
            ("LocalHost:7700", true),
            ("127.0.0.1:7700", true),
            ("127.9.9.9", true),
            ("[::1]:7700", true),
            ("[::1]", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("evil.example", false),
            ("evil.example:7700", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("10.0.0.1", false),
            ("localhost:evil", false),
            ("", false),
        ] {
            let found = at_home(&Uri::from_static("/"), &headers(&[("host", host)]));
            assert_eq!(found.is_ok(), expected, "{host}");
        }
        let proxied = headers(&[("host", "localhost"), ("x-forwarded-for", "10.0.0.1")]);
        assert!(at_home(&Uri::from_static("/"), &proxied).is_err());
        assert!(
            at_home(&Uri::from_static("http://evil.example/"), &headers(&[("host", "localhost")])).is_err()
        );
    }

    #[test]
    fn pages_of_others_change_nothing() {
        let host = ("host", "fc.example:7700");
        for (sent, expected) in [
            (vec![host], true),
            (vec![host, ("origin", "https://fc.example:7700")], true),
            (vec![host, ("origin", "https://FC.example:7700")], true),
            (vec![host, ("origin", "https://evil.example")], false),
            (vec![host, ("origin", "https://fc.example")], false),
            (vec![host, ("origin", "null")], false),
            (vec![host, ("sec-fetch-site", "cross-site")], false),
            (vec![host, ("sec-fetch-site", "same-site")], false),
            (vec![host, ("sec-fetch-site", "none")], true),
            (vec![host, ("sec-fetch-site", "same-origin"), ("origin", "null")], true),
            (vec![host, ("origin", "https://public.example"), ("x-forwarded-host", "public.example")], true),
        ] {
            assert_eq!(own_page(&headers(&sent)).is_ok(), expected, "{sent:?}");
        }
    }

    #[test]
    fn origins_are_written_as_browsers_do() {
        for origin in ["https://a.example", "http://localhost:3000", "http://[::1]:80"] {
            assert!(origin.parse::<Origin>().is_ok(), "{origin}");
        }
        for wrong in
            ["*", "a.example", "https://", "https://a.example/", "https://A.example", "https://a b", "null"]
        {
            assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
        }
    }
}
