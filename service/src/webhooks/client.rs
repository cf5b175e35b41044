//! One request to one endpoint: signed, short of patience, and with as little read of the answer as possible. The only place in
//! the service that talks to somebody else, and only to addresses that an operator gave.

use super::deliveries::Refusal;
use super::error::WebhookError;
use super::event::{self, PING};
use super::pace::Pace;
use super::register::{Register, Subscriber};
use serde::Serialize;
use serde_json::json;
use std::io::Read;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Who asks.
const USER_AGENT: &str = concat!("firstcopy/", env!("CARGO_PKG_VERSION"));
/// Bytes of an answer that are read, so that the connection can be used again; what is longer is not waited for.
const MOST_OF_AN_ANSWER: u64 = 4096;
/// How long a connection is kept: shorter than most endpoints do, so that few requests meet one that was closed.
const IDLE: Duration = Duration::from_secs(4);

/// What an endpoint answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The id of the event that was sent.
    pub event: String,
    /// The status; none if there was no answer.
    pub status: Option<u16>,
    /// Why a delivery like this would be tried again, or not any more; none if it would be done.
    pub error: Option<String>,
    /// How long it took.
    pub milliseconds: u64,
}

/// Talks to the endpoint of one webhook.
#[derive(Debug)]
pub(super) struct Client {
    agent: ureq::Agent,
}

impl Client {
    pub(super) fn new(url: &str, pace: &Pace) -> Result<Self, String> {
        let mut config = ureq::Agent::config_builder()
            .timeout_connect(Some(pace.connect))
            .timeout_global(Some(pace.request))
            .max_redirects(0)
            .http_status_as_error(false)
            .max_idle_age(IDLE)
            .max_response_header_size(32 << 10)
            .user_agent(USER_AGENT)
            .proxy(None);
        if url.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https:")) {
            config = config.tls_config(tls()?);
        }
        Ok(Client { agent: config.build().new_agent() })
    }

    /// Sends an event and waits for the status of the answer.
    pub(super) fn send(&self, to: &Subscriber, id: &str, body: &str) -> Result<Status, String> {
        let timestamp = jiff::Timestamp::now().as_second();
        let request = self
            .agent
            .post(&to.url)
            .header("Content-Type", "application/json")
            .header("Webhook-Id", id)
            .header("Webhook-Timestamp", timestamp.to_string())
            .header("Webhook-Signature", to.secret.signature(id, timestamp, body));
        let response = request.send(body).map_err(|error| error.to_string())?;
        let status = response.status().as_u16();
        let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let status = Status { status, retry_after: after.and_then(retry_after) };
        // What it says besides is nobody's business; a connection whose answer was read can be used again.
        let mut rest = response.into_body().into_reader().take(MOST_OF_AN_ANSWER);
        let _ = std::io::copy(&mut rest, &mut std::io::sink());
        Ok(status)
    }
}

/// The roots that this machine trusts, so that an endpoint may have a certificate of its operator's own.
fn tls() -> Result<TlsConfig, String> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        return Err("this machine knows no certificate authorities: install ca-certificates".to_owned());
    }
    let roots: Vec<Certificate<'static>> =
        found.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build())
}

/// The status of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Status {
    status: u16,
    retry_after: Option<Duration>,
}

impl Status {
    /// What it means for a delivery; none if it was taken.
    pub(super) fn refusal(self) -> Option<Refusal> {
        match self.status {
            200..=299 => None,
            410 => Some(Refusal::Gone("it answered 410: it wants no more".to_owned())),
            300..=399 => Some(Refusal::Later(
                format!("it answered {}: nobody is followed elsewhere", self.status),
                None,
            )),
            429 | 503 => Some(Refusal::Later(format!("it answered {}", self.status), self.retry_after)),
            _ => Some(Refusal::Later(format!("it answered {}", self.status), None)),
        }
    }
}

/// What a `Retry-After` says: seconds, or a date.
fn retry_after(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = jiff::fmt::rfc2822::parse(value.trim()).ok()?.timestamp().as_second();
    Some(Duration::from_secs(u64::try_from(until - jiff::Timestamp::now().as_second()).unwrap_or(0)))
}

/// Sends an event that only tries a webhook, once and at once. Says what came back.
pub fn ping(register: &Register, name: &str, pace: &Pace) -> Result<Answer, WebhookError> {
    let to = register.subscriber(name)?;
    let start = Instant::now();
    let moment = jiff::Timestamp::now().as_nanosecond().to_le_bytes();
    let event = event::id(&blake3::hash(&[to.secret.bytes(), &moment[..]].concat()));
    let body = event::body(&event, PING, &json!({"webhook": name}));
    let sent = Client::new(&to.url, pace).and_then(|client| client.send(&to, &event, &body));
    let (status, error) = match sent {
        Ok(status) => (Some(status.status), status.refusal().map(Refusal::into_reason)),
        Err(error) => (None, Some(error)),
    };
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Answer { event, status, error, milliseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_status_means() {
        let refusal = |status| Status { status, retry_after: Some(Duration::from_secs(9)) }.refusal();
        assert_eq!((refusal(200), refusal(204)), (None, None));
        assert!(matches!(refusal(410), Some(Refusal::Gone(_))));
        for (status, least) in [(301, None), (404, None), (500, None), (503, Some(9)), (429, Some(9))] {
            match refusal(status) {
                Some(Refusal::Later(_, found)) => {
                    assert_eq!(found, least.map(Duration::from_secs), "{status}")
                }
                other => panic!("{status}: {other:?}"),
            }
        }
    }

    #[test]
    fn when_to_come_again() {
        assert_eq!(retry_after("120"), Some(Duration::from_secs(120)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        let later = jiff::Timestamp::now() + Duration::from_secs(600);
        let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&later).unwrap();
        let wait = retry_after(&date).unwrap();
        assert!(wait > Duration::from_secs(590) && wait <= Duration::from_secs(601), "{date}: {wait:?}");
        assert_eq!([retry_after("soon"), retry_after(""), retry_after("-1")], [None; 3]);
    }
}
