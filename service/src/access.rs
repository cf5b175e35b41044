//! May this client do that? A key says so, or a session that a key has begun; where there is no key at all, only clients on
//! the same machine are let in. Programs are told why not, people are asked for their key.

use crate::app::App;
use crate::keys::{Key, Role};
use crate::logs::Named;
use crate::pages;
use crate::problem::Problem;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

/// Who asks, as far as a key tells.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The name of the key; empty on the same machine without any.
    pub name: String,
}

/// Lets a program's request on if its client has this role.
pub async fn require(
    State((app, role)): State<(Arc<App>, Role)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let_in(&app, role, &mut request)?;
    Ok(next.run(request).await)
}

/// Lets a person on to a page if they have this role; who has shown no key is asked for one.
pub async fn visit(
    State((app, role)): State<(Arc<App>, Role)>,
    mut request: Request,
    next: Next,
) -> Response {
    match let_in(&app, role, &mut request) {
        Ok(()) => next.run(request).await,
        Err(problem) if problem.status() == StatusCode::UNAUTHORIZED && !app.keys.all().is_empty() => {
            let is_look = matches!(*request.method(), Method::GET | Method::HEAD);
            let back = request.uri().path_and_query().filter(|_| is_look).map(|place| place.as_str());
            pages::login::asked(back.unwrap_or("/"))
        }
        Err(problem) => pages::failed(problem),
    }
}

/// Notes who sent a request, if its client has this role and does not ask too often.
fn let_in(app: &App, role: Role, request: &mut Request) -> Result<(), Problem> {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let (name, own) = caller(app, request.headers(), address)?;
    if let Some(named) = request.extensions().get::<Named>() {
        named.tell(&name);
    }
    let taken = app.rates.take(&name, Instant::now());
    taken.map_err(|wait| Problem::too_often("this key asks too often", wait))?;
    if own < role {
        let detail = format!("this takes a key of the role {}: this one has {}", role.name(), own.name());
        return Err(Problem::new(StatusCode::FORBIDDEN, detail).of_field("Authorization"));
    }
    request.extensions_mut().insert(Caller { name });
    Ok(())
}

/// The name of the key that a client shows, and its role.
fn caller(app: &App, headers: &HeaderMap, address: Option<IpAddr>) -> Result<(String, Role), Problem> {
    let refused = |detail: &str| Problem::new(StatusCode::UNAUTHORIZED, detail).of_field("Authorization");
    let keys = app.keys.all();
    let Some(shown) = headers.get(header::AUTHORIZATION) else {
        return match session(app, &keys, headers) {
            Some(key) => Ok((key.name, key.role)),
            None if !keys.is_empty() => Err(refused("this takes a key: Authorization: Bearer …")),
            None if address.is_some_and(is_here) => Ok((String::new(), Role::Admin)),
            None => Err(refused("there is no key yet: add one with `firstcopy keys add`")),
        };
    };
    // The scheme is the same in any case (RFC 9110).
    let key = shown.to_str().ok().and_then(|text| text.split_once(' '));
    let key = key.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, key)| key.trim());
    let key = key.ok_or_else(|| refused("a key is sent as Authorization: Bearer …"))?;
    app.keys.find(key).map(|key| (key.name, key.role)).ok_or_else(|| refused("there is no such key"))
}

/// The key of the session that a request belongs to, if that key is still one.
fn session(app: &App, keys: &[Key], headers: &HeaderMap) -> Option<Key> {
    app.sessions.key(headers, Instant::now()).filter(|key| keys.contains(key))
}

/// The key of whoever is logged in.
pub fn logged_in(app: &App, headers: &HeaderMap) -> Option<Key> {
    session(app, &app.keys.all(), headers)
}

fn is_here(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Whether a browser came by https: a proxy on this machine says so, because we do not speak it.
pub fn is_secure(headers: &HeaderMap, peer: IpAddr) -> bool {
    let said =
        headers.get("x-forwarded-proto").is_some_and(|by| by.as_bytes().eq_ignore_ascii_case(b"https"));
    said && is_here(peer)
}

/// Whose attempts are counted together: an address, or the network of one where everybody has many. A proxy on this machine
/// says for whom it asks.
pub fn who_asks(headers: &HeaderMap, peer: IpAddr) -> String {
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let told = forwarded.and_then(|list| list.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    match told.filter(|_| is_here(peer)).unwrap_or(peer).to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse::<header::HeaderName>().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_believed() {
        let https = headers(&[("x-forwarded-proto", "https"), ("x-forwarded-for", "10.1.1.1, 198.51.100.7")]);
        let (here, there) = ("127.0.0.1".parse().unwrap(), "203.0.113.9".parse().unwrap());
        assert!(is_secure(&https, here) && !is_secure(&https, there));
        assert!(!is_secure(&headers(&[("x-forwarded-proto", "http")]), here));
        assert_eq!(who_asks(&https, here), "198.51.100.7");
        assert_eq!(who_asks(&https, there), "203.0.113.9");
        assert_eq!(who_asks(&headers(&[("x-forwarded-for", "nonsense")]), here), "127.0.0.1");
        let neighbours = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2"].map(|text| text.parse().unwrap());
        assert_eq!(who_asks(&HeaderMap::new(), neighbours[0]), who_asks(&HeaderMap::new(), neighbours[1]));
    }
}
