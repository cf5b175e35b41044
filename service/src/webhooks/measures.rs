//! What Prometheus is told of webhooks: what became of deliveries, and how many wait. Counted in the database, so that it outlives
//! the service.

use super::deliveries::Totals;
use super::register::Register;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Debug)]
struct Counts {
    data: PathBuf,
}

/// What is told of the webhooks of a data directory.
pub(crate) fn measures(data: &Path) -> Box<dyn Collector> {
    Box::new(Counts { data: data.to_owned() })
}

impl Counts {
    /// Nothing where there is no database, or none that can be read.
    fn totals(&self) -> Totals {
        let register = Register::open(&self.data).ok().flatten();
        register.and_then(|register| register.totals().ok()).unwrap_or_default()
    }
}

impl Collector for Counts {
    fn encode(&self, mut encoder: DescriptorEncoder) -> std::fmt::Result {
        let totals = self.totals();
        let help = "Deliveries to webhooks, by what became of them";
        let mut deliveries =
            encoder.encode_descriptor("webhook_deliveries", help, None, MetricType::Counter)?;
        for (outcome, count) in [
            ("delivered", totals.delivered),
            ("retried", totals.retried),
            ("failed", totals.failed),
            ("dropped", totals.dropped),
        ] {
            ConstCounter::new(count).encode(deliveries.encode_family(&Outcome { outcome })?)?;
        }
        let help = "Deliveries to webhooks that wait";
        let queue = encoder.encode_descriptor("webhook_queue", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::try_from(totals.pending).unwrap_or(i64::MAX)).encode(queue)
    }
}
