//! How much is asked, how long does it take, what is turned away? Counted here, told to Prometheus.

use axum::http::StatusCode;
use firstcopy_engine::{Statistics, Verdict};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use std::time::Duration;

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

/// From a tenth of a millisecond to some seconds.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.0001, 2.0, 16))
}

/// What is counted.
#[derive(Debug)]
pub(crate) struct Measures {
    registry: Registry,
    requests: Family<Answered, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    shed: Counter,
    stored: Family<Judged, Counter>,
    documents: Gauge,
    originals: Gauge,
    duplicates: Gauge,
    lag: Gauge,
    store_bytes: Gauge,
    index_bytes: Gauge,
}

impl Measures {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("firstcopy");
        let measures = Measures {
            requests: Family::default(),
            durations: Family::new_with_constructor(seconds),
            shed: Counter::default(),
            stored: Family::default(),
            documents: Gauge::default(),
            originals: Gauge::default(),
            duplicates: Gauge::default(),
            lag: Gauge::default(),
            store_bytes: Gauge::default(),
            index_bytes: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("requests", "Requests that were answered", measures.requests.clone());
        registry.register("request_seconds", "How long an answer took", measures.durations.clone());
        registry.register(
            "shed",
            "Requests that were turned away because there was too much to do",
            measures.shed.clone(),
        );
        registry.register(
            "stored",
            "Documents that were stored, by verdict and reason",
            measures.stored.clone(),
        );
        registry.register("documents", "Documents of the collection", measures.documents.clone());
        registry.register("originals", "Originals of the collection", measures.originals.clone());
        registry.register("duplicates", "Duplicates of the collection", measures.duplicates.clone());
        registry.register("index_lag", "Changes that some index has still to take", measures.lag.clone());
        registry.register("store_bytes", "Bytes of the store", measures.store_bytes.clone());
        registry.register("index_bytes", "Bytes of what can be rebuilt", measures.index_bytes.clone());
        Measures { registry, ..measures }
    }

    /// A request was answered.
    pub fn answered(&self, route: &str, status: StatusCode, took: Duration) {
        let answered = Answered { route: route.to_owned(), status: status.as_u16() };
        self.requests.get_or_create(&answered).inc();
        self.durations.get_or_create(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
        if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
            self.shed.inc();
        }
    }

    /// A document was stored.
    pub fn stored(&self, verdict: &Verdict) {
        if !verdict.unchanged {
            self.stored
                .get_or_create(&Judged { verdict: verdict.verdict, reason: verdict.reason.clone() })
                .inc();
        }
    }

    /// All of it as text, with what the collection holds now.
    pub fn text(&self, statistics: &Statistics) -> String {
        for (gauge, value) in [
            (&self.documents, statistics.documents),
            (&self.originals, statistics.originals),
            (&self.duplicates, statistics.duplicates),
            (&self.lag, statistics.outbox),
            (&self.store_bytes, statistics.store_bytes),
            (&self.index_bytes, statistics.index_bytes),
        ] {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        // Writing into memory does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
