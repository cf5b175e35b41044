//! What is told: the kinds of events, and the JSON of one.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Kind {
    /// A document became a duplicate.
    #[serde(rename = "duplicate.new")]
    DuplicateNew,
    /// A duplicate became an original.
    #[serde(rename = "original.promoted")]
    OriginalPromoted,
    /// A document was stored that holds an earlier original, whole, contained or in part.
    #[serde(rename = "holder.new")]
    HolderNew,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::DuplicateNew, Kind::OriginalPromoted, Kind::HolderNew];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::DuplicateNew => "duplicate.new",
            Kind::OriginalPromoted => "original.promoted",
            Kind::HolderNew => "holder.new",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The kind of an event that only tries a webhook.
pub(super) const PING: &str = "ping";

/// An event, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// The same whenever it is sent again.
    pub(super) id: String,
    pub(super) kind: Kind,
    /// The change it was made from.
    pub(super) position: u64,
    pub(super) body: String,
}

impl Event {
    /// The event of a change. Made again from the same change it has the same id; `origin` keeps apart what different histories
    /// of a store have at the same position.
    pub(super) fn new(origin: &[u8], position: u64, kind: Kind, about: &str, data: &Value) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(origin).update(&position.to_le_bytes()).update(kind.name().as_bytes()).update(b"\0");
        hasher.update(about.as_bytes());
        let id = id(&hasher.finalize());
        let body = body(&id, kind.name(), data);
        Event { id, kind, position, body }
    }
}

/// An event id of a hash.
pub(super) fn id(hash: &blake3::Hash) -> String {
    format!("evt_{}", &hash.to_hex()[..24])
}

/// The JSON that is sent.
pub(super) fn body(id: &str, kind: &str, data: &Value) -> String {
    json!({"id": id, "type": kind, "at": now(), "data": data}).to_string()
}

/// Now, in RFC 3339 to the second.
pub(super) fn now() -> String {
    time(jiff::Timestamp::now().as_millisecond())
}

/// A time of the database, in RFC 3339 to the second.
pub(super) fn time(milliseconds: i64) -> String {
    jiff::Timestamp::from_second(milliseconds.div_euclid(1000))
        .map(|time| time.to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_change_makes_the_same_event() {
        let event =
            |origin: &[u8], position, kind, about| Event::new(origin, position, kind, about, &json!({})).id;
        let first = event(b"a", 1, Kind::DuplicateNew, "x");
        assert_eq!(first, event(b"a", 1, Kind::DuplicateNew, "x"));
        for other in [
            event(b"b", 1, Kind::DuplicateNew, "x"),
            event(b"a", 2, Kind::DuplicateNew, "x"),
            event(b"a", 1, Kind::HolderNew, "x"),
            event(b"a", 1, Kind::DuplicateNew, "y"),
        ] {
            assert_ne!(first, other);
        }
        assert!(first.starts_with("evt_") && first.len() == 28);
    }

    #[test]
    fn kinds_have_names() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!(Kind::from_name(PING), None);
    }
}
