//! What a service is told when it starts: how much, how long, how many.

use std::time::Duration;

/// Limits of a service. What is beyond is refused with a status that says so, and never queued without end.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a body as it comes, and of a document after decompression.
    pub body: usize,
    /// Bytes of the headers of a request.
    pub headers: usize,
    /// How long a client may take for the headers of a request, for the next one, and between two pieces of a body.
    pub patience: Duration,
    /// Connections at once.
    pub connections: usize,
    /// Documents that are judged or stored at once.
    pub documents: usize,
    /// Questions that wait for their turn.
    pub questions: usize,
    /// Requests a second of one key, and how many at once; none is unlimited.
    pub rate: Option<f64>,
    /// How long what was begun may take when the service ends.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body: 16 << 20,
            headers: 32 << 10,
            patience: Duration::from_secs(10),
            connections: 8192,
            documents: 256,
            questions: 128,
            rate: None,
            drain: Duration::from_secs(20),
        }
    }
}
