//! May this client do that? A key says so; where there is none at all, only clients on the same machine are let in.

use crate::app::App;
use crate::keys::Role;
use crate::problem::Problem;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// Lets a request on if its client has this role.
pub async fn require(
    State((app, role)): State<(Arc<App>, Role)>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0);
    let (name, own) = caller(&app, request.headers(), address)?;
    if !app.rates.take(&name, Instant::now()) {
        return Err(Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "this key asks too often: try again in a second",
        ));
    }
    if own < role {
        let detail = format!("this takes a key of the role {}: this one has {}", role.name(), own.name());
        return Err(Problem::new(StatusCode::FORBIDDEN, detail).of_field("Authorization"));
    }
    Ok(next.run(request).await)
}

/// The name of the key that a client shows, and its role.
fn caller(app: &App, headers: &HeaderMap, address: Option<SocketAddr>) -> Result<(String, Role), Problem> {
    let refused = |detail: &str| Problem::new(StatusCode::UNAUTHORIZED, detail).of_field("Authorization");
    let shown = headers.get(header::AUTHORIZATION);
    if shown.is_none() && app.keys.all().is_empty() {
        return match address.is_some_and(|address| address.ip().to_canonical().is_loopback()) {
            true => Ok((String::new(), Role::Admin)),
            false => Err(refused("there is no key yet: add one with `firstcopy keys add`")),
        };
    }
    let shown = shown.ok_or_else(|| refused("this takes a key: Authorization: Bearer …"))?;
    let key =
        shown.to_str().ok().and_then(|text| text.strip_prefix("Bearer ").or(text.strip_prefix("bearer ")));
    let key = key.ok_or_else(|| refused("a key is sent as Authorization: Bearer …"))?;
    app.keys.find(key.trim()).map(|key| (key.name, key.role)).ok_or_else(|| refused("there is no such key"))
}
