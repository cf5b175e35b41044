//! What requests look like, for the description: the records of JSON Lines, field by field.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A document as it is sent. Any other field is kept as metadata. It has a text, markup or features.
#[derive(ToSchema)]
#[allow(dead_code, reason = "read by the description alone")]
pub(super) struct Record {
    /// Names the document; its url if absent, else a name is made.
    id: Option<String>,
    /// Where it was published.
    url: Option<String>,
    /// Its title.
    title: Option<String>,
    /// Its author.
    author: Option<String>,
    /// When it was created: RFC 3339, or Unix seconds.
    created_at: Option<Value>,
    /// Plain text.
    text: Option<String>,
    /// Markup.
    html: Option<String>,
    /// Ready-made features instead of text.
    features: Option<Vec<Feature>>,
}

/// A feature that was made elsewhere.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "read by the description alone")]
pub(super) enum Feature {
    Name(String),
    Number(i64),
}

/// A document as it is shown.
#[derive(ToSchema)]
#[allow(dead_code, reason = "read by the description alone")]
pub(super) struct Document {
    /// The document.
    id: String,
    /// original or duplicate.
    verdict: String,
    /// Its core text.
    core_text: Option<String>,
    /// How many copies it has.
    copy_count: u64,
    /// The ids of its copies, at most the first thousand.
    copies: Vec<String>,
}
