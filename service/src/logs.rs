//! What the log is told: start and end, requests, overload, panics. Never a key, never a text. A line a second at most of
//! whatever could come a thousand times a second, unless somebody wants them all (`debug`).

use crate::app::App;
use crate::problem::Problem;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tracing_subscriber::filter::LevelFilter;

/// The header that names a request.
const REQUEST_ID: &str = "x-request-id";
/// Bytes of a path that are logged.
const MOST_OF_A_PATH: usize = 200;
/// How often a line may come that could come a thousand times a second.
const SELDOM: Duration = Duration::from_secs(1);

/// What is logged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogLevel {
    /// What went wrong with the service itself.
    Error,
    /// What somebody should look at: overload, answers 5xx, refused logins, indexes that do not follow.
    Warn,
    /// Start and end, too.
    #[default]
    Info,
    /// Every request, too.
    Debug,
}

impl FromStr for LogLevel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "error" => Ok(LogLevel::Error),
            "warn" => Ok(LogLevel::Warn),
            "info" => Ok(LogLevel::Info),
            "debug" => Ok(LogLevel::Debug),
            _ => Err("must be error, warn, info or debug".to_owned()),
        }
    }
}

/// How a line is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// An object a line.
    Json,
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(LogFormat::Text),
            "json" => Ok(LogFormat::Json),
            _ => Err("must be text or json".to_owned()),
        }
    }
}

/// Logs to stderr from now on, panics of any thread included. Whoever calls it again changes nothing.
pub fn log(level: LogLevel, format: LogFormat) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
    };
    let lines = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        // Whoever read stderr may be gone: no reason to stop answering.
        .log_internal_errors(false);
    let begun = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    if begun.is_ok() {
        std::panic::set_hook(Box::new(panicked));
    }
}

/// Where a panic was. What it says may quote a text, so that only those who want everything are told.
fn panicked(panic: &std::panic::PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    tracing::error!(place, thread = thread.name().unwrap_or_default(), "a mistake in the program: panic");
    tracing::debug!(message_of_it = panic.payload_as_str().unwrap_or_default(), "the panic said");
}

/// Who asks, told by whoever finds it out to whoever logs it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named(Arc<OnceLock<String>>);

impl Named {
    /// Says the name of the key.
    pub fn tell(&self, name: &str) {
        // Whoever told it first knew it best.
        let _ = self.0.set(name.to_owned());
    }
}

/// Gives a request a name, answers it whatever happens, counts it, and logs it.
pub(crate) async fn watch(
    State(app): State<Arc<App>>,
    route: Option<MatchedPath>,
    mut request: Request,
    next: Next,
) -> Response {
    let start = Instant::now();
    let (id, named) = (request_id(), Named::default());
    request.extensions_mut().insert(named.clone());
    let (method, path) = (request.method().clone(), beginning(request.uri().path()).to_owned());
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    let mut response = answered
        .unwrap_or_else(|_| Problem::internal("a mistake of ours: the log says where").into_response());
    let (status, took) = (response.status(), start.elapsed());
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    app.measures.answered(route, status, took);
    let key = named.0.get().map_or("", String::as_str);
    let (method, milliseconds, code) = (method.as_str(), took.as_micros() as f64 / 1e3, status.as_u16());
    match severity(route, status) {
        Severity::Usual => tracing::debug!(id, method, path, status = code, milliseconds, key, "request"),
        Severity::Overload => {
            tracing::debug!(id, method, path, status = code, milliseconds, key, "turned away");
            if let Some(others) = OVERLOAD.may_tell() {
                tracing::warn!(
                    method,
                    path,
                    status = code,
                    key,
                    others,
                    "too much to do: requests are turned away"
                );
            }
        }
        Severity::Failure => {
            if let Some(others) = FAILURES.may_tell() {
                tracing::warn!(id, method, path, status = code, milliseconds, key, others, "request failed");
            }
        }
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

enum Severity {
    Usual,
    Overload,
    Failure,
}

/// What a status means for whoever looks after the service.
fn severity(route: &str, status: StatusCode) -> Severity {
    match status {
        // Asked every few seconds, and meant to be answered like that while indexes catch up.
        _ if route == "/readyz" => Severity::Usual,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => Severity::Overload,
        status if status.is_server_error() => Severity::Failure,
        _ => Severity::Usual,
    }
}

static OVERLOAD: Seldom = Seldom::new();
static FAILURES: Seldom = Seldom::new();

/// Lets one line a second through, and counts those that it keeps back.
#[derive(Debug)]
pub(crate) struct Seldom(Mutex<(Option<Instant>, u64)>);

impl Seldom {
    pub const fn new() -> Self {
        Seldom(Mutex::new((None, 0)))
    }

    /// How many were kept back since the last one, if it is time for another.
    pub fn may_tell(&self) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, kept_back) = &mut *state;
        if told.is_some_and(|told| told.elapsed() < SELDOM) {
            *kept_back += 1;
            return None;
        }
        *told = Some(Instant::now());
        Some(std::mem::take(kept_back))
    }
}

/// Tells of a failure that no client can help, where it comes from; not more often than once a second.
pub(crate) fn failed(detail: &str) {
    static DETAILS: Seldom = Seldom::new();
    if let Some(others) = DETAILS.may_tell() {
        tracing::warn!(detail, others, "an answer failed");
    }
}

/// A name that no other request of any run has: random for the run, counted within it.
fn request_id() -> String {
    static RUN: OnceLock<u32> = OnceLock::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let run = RUN.get_or_init(|| getrandom::u32().unwrap_or_else(|_| std::process::id()));
    format!("{run:08x}-{:x}", COUNT.fetch_add(1, Relaxed))
}

/// As much of a path as a line has room for.
fn beginning(path: &str) -> &str {
    &path[..path.floor_char_boundary(MOST_OF_A_PATH)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Limits;
    use axum::Router;
    use axum::body::Body;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use firstcopy_engine::{Engine, OpenOptions};
    use tower::ServiceExt;

    #[test]
    fn one_line_a_second() {
        let seldom = Seldom::new();
        assert_eq!(seldom.may_tell(), Some(0));
        assert_eq!((seldom.may_tell(), seldom.may_tell()), (None, None));
        seldom.0.lock().unwrap().0 = Instant::now().checked_sub(SELDOM);
        assert_eq!((seldom.may_tell(), seldom.may_tell()), (Some(2), None));
    }

    #[test]
    fn every_request_has_a_name_of_its_own() {
        let (a, b) = (request_id(), request_id());
        assert!(a != b && a[..9] == b[..9], "{a} {b}");
    }

    /// A mistake in one answer is an answer, too, and counted.
    #[tokio::test]
    async fn a_panic_is_an_answer() {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(&folder.path().join("data"), OpenOptions::default()).unwrap();
        let app = Arc::new(App::new(Arc::new(engine), Limits::default()).unwrap());
        let broken = || async { "no number".parse::<u8>().unwrap().to_string() };
        let routes = Router::new()
            .route("/broken", get(broken))
            .layer(from_fn_with_state(Arc::clone(&app), watch))
            .with_state(Arc::clone(&app));
        let request = Request::get("/broken").body(Body::empty()).unwrap();
        let answer = routes.oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert!(answer.headers().contains_key(REQUEST_ID));
        let told = app.measures.text(&app.condition().await.unwrap());
        assert!(told.contains("firstcopy_requests_total{route=\"/broken\",status=\"500\"} 1"), "{told}");
    }

    #[test]
    fn long_paths_are_cut_between_characters() {
        assert_eq!(beginning("/v1/stats"), "/v1/stats");
        assert_eq!(beginning(&"가".repeat(100)).len(), 198);
    }
}
