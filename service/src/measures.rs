//! How much is asked, how long does it take, what is turned away? Counted here, told to Prometheus.

use crate::recent::Recent;
use axum::http::StatusCode;
use firstcopy_engine::{Lag, Latencies, Statistics, Verdict};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Judged {
    verdict: &'static str,
    reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Why {
    why: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Index {
    index: &'static str,
}

/// From a tenth of a millisecond to some seconds.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

/// How the collection is at the moment.
#[derive(Debug)]
pub(crate) struct Condition {
    pub statistics: Statistics,
    pub commits: Latencies,
    /// Bytes that can still be written.
    pub free: Option<u64>,
    /// How far each index is behind; nothing while nobody has time to look.
    pub lags: [Lag; 3],
    /// How far the slowest is behind.
    pub lag: u64,
    pub is_ready: bool,
}

/// What is counted.
#[derive(Debug)]
pub(crate) struct Measures {
    registry: Registry,
    requests: Family<Answered, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    checks: Histogram,
    shed: Family<Why, Counter>,
    stored: Family<Judged, Counter>,
    documents: Gauge,
    originals: Gauge,
    duplicates: Gauge,
    outbox: Gauge,
    lag: Gauge,
    lags: Family<Index, Gauge>,
    ready: Gauge,
    store_bytes: Gauge,
    index_bytes: Gauge,
    free_bytes: Gauge,
    commits: Commits,
    answered_lately: Recent,
    stored_lately: Recent,
}

impl Measures {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("firstcopy");
        let measures = Measures {
            requests: Family::default(),
            durations: Family::new_with_constructor(seconds),
            checks: seconds(),
            shed: Family::default(),
            stored: Family::default(),
            documents: Gauge::default(),
            originals: Gauge::default(),
            duplicates: Gauge::default(),
            outbox: Gauge::default(),
            lag: Gauge::default(),
            lags: Family::default(),
            ready: Gauge::default(),
            store_bytes: Gauge::default(),
            index_bytes: Gauge::default(),
            free_bytes: Gauge::default(),
            commits: Commits::default(),
            answered_lately: Recent::new(Instant::now()),
            stored_lately: Recent::new(Instant::now()),
            registry: Registry::default(),
        };
        registry.register("requests", "Requests that were answered", measures.requests.clone());
        registry.register("request_seconds", "How long an answer took", measures.durations.clone());
        registry.register("check_seconds", "How long a check took", measures.checks.clone());
        registry.register(
            "shed",
            "What was turned away: requests (busy, or one key too often) and connections",
            measures.shed.clone(),
        );
        registry.register(
            "stored",
            "Documents that were stored, by verdict and reason",
            measures.stored.clone(),
        );
        for (name, help, gauge) in [
            ("documents", "Documents of the collection", &measures.documents),
            ("originals", "Originals of the collection", &measures.originals),
            ("duplicates", "Duplicates of the collection", &measures.duplicates),
            ("outbox", "Changes that are kept for whoever follows", &measures.outbox),
            ("lag", "Changes that the slowest index has still to take", &measures.lag),
            ("ready", "1 if the indexes know what was stored two seconds ago", &measures.ready),
            ("store_bytes", "Bytes of the store", &measures.store_bytes),
            ("index_bytes", "Bytes of what can be rebuilt", &measures.index_bytes),
            ("disk_free_bytes", "Bytes that can still be written where the data is", &measures.free_bytes),
        ] {
            registry.register(name, help, gauge.clone());
        }
        registry.register("index_lag", "Changes that an index has still to take", measures.lags.clone());
        registry.register_collector(Box::new(measures.commits.clone()));
        Measures { registry, ..measures }
    }

    /// The same, with what somebody else counts.
    pub fn with(mut self, collector: Box<dyn Collector>) -> Self {
        self.registry.register_collector(collector);
        self
    }

    /// A request was answered.
    pub fn answered(&self, route: &str, status: StatusCode, took: Duration) {
        let answered = Answered { route: route.to_owned(), status: status.as_u16() };
        self.answered_lately.count(Instant::now());
        self.requests.get_or_create(&answered).inc();
        self.durations.get_or_create(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
        match status {
            // There it says that indexes catch up; nobody was turned away.
            StatusCode::SERVICE_UNAVAILABLE if route == "/readyz" => {}
            StatusCode::SERVICE_UNAVAILABLE => self.turned_away("busy"),
            StatusCode::TOO_MANY_REQUESTS => self.turned_away("rate"),
            _ => {}
        }
    }

    /// A connection was one too many.
    pub fn refused_connection(&self) {
        self.turned_away("connections");
    }

    fn turned_away(&self, why: &'static str) {
        self.shed.get_or_create(&Why { why }).inc();
    }

    /// A document was checked.
    pub fn checked(&self, took: Duration) {
        self.checks.observe(took.as_secs_f64());
    }

    /// A document was stored.
    pub fn stored(&self, verdict: &Verdict) {
        if !verdict.unchanged {
            self.stored_lately.count(Instant::now());
            self.stored
                .get_or_create(&Judged { verdict: verdict.verdict, reason: verdict.reason.clone() })
                .inc();
        }
    }

    /// Requests a second over the last minute.
    pub fn recently_answered(&self) -> f64 {
        self.answered_lately.a_second(Instant::now())
    }

    /// Documents stored a second over the last minute.
    pub fn recently_stored(&self) -> f64 {
        self.stored_lately.a_second(Instant::now())
    }

    /// All of it as text, with how the collection is now.
    pub fn text(&self, now: &Condition) -> String {
        for (gauge, value) in [
            (&self.documents, now.statistics.documents),
            (&self.originals, now.statistics.originals),
            (&self.duplicates, now.statistics.duplicates),
            (&self.outbox, now.statistics.outbox),
            (&self.lag, now.lag),
            (&self.ready, u64::from(now.is_ready)),
            (&self.store_bytes, now.statistics.store_bytes),
            (&self.index_bytes, now.statistics.index_bytes),
        ] {
            set(gauge, value);
        }
        now.free.iter().for_each(|free| set(&self.free_bytes, *free));
        now.lags
            .iter()
            .for_each(|lag| set(&self.lags.get_or_create(&Index { index: lag.index }), lag.changes));
        self.commits.set(&now.commits);
        let mut text = String::new();
        // Writing into memory does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn set(gauge: &Gauge, value: u64) {
    gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
}

/// How long commits took, as the engine has counted it.
#[derive(Debug, Clone, Default)]
struct Commits(Arc<Mutex<Latencies>>);

impl Commits {
    fn set(&self, latencies: &Latencies) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = latencies.clone();
    }
}

impl Collector for Commits {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let latencies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let times = latencies.counts.iter().map(|(_, count)| count).sum();
        encoder
            .encode_descriptor("commit_seconds", "How long a commit took", None, MetricType::Histogram)?
            .encode_histogram::<NoLabelSet>(latencies.seconds, times, &latencies.counts, None)
    }
}
