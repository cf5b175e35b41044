//! What arrives: a page as received, with what its sender said about it. No file names, no clocks, no parsing.

use serde::{Deserialize, Serialize};

/// A page as received: its content and what came with it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Page {
    /// Names the document: the record's own id, else its url, else its place in the input.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// The title its sender gave it; it wins over what the page itself declares.
    pub title: Option<String>,
    /// The author its sender gave it; it wins over what the page itself declares.
    pub author: Option<String>,
    /// When its sender says it was created, in Unix seconds.
    pub created_at: Option<i64>,
    /// What is to be judged.
    pub content: Content,
    /// Every other field of the record, kept as it was.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// What the reader had to mend (an invalid byte, a lone surrogate, a date that is none).
    pub warnings: Vec<String>,
}

/// What a page holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Markup in bytes, with the charset its sender declared (an HTTP header, say).
    Html {
        /// The page as received.
        bytes: Vec<u8>,
        /// The charset of the `Content-Type` header, if there was one.
        charset: Option<String>,
    },
    /// Plain text in bytes, with the charset its sender declared.
    Text {
        /// The text as received.
        bytes: Vec<u8>,
        /// The charset of the `Content-Type` header, if there was one.
        charset: Option<String>,
    },
    /// Text or markup that is Unicode already: nothing is left to be decoded.
    Unicode {
        /// The text as received.
        text: String,
        /// Whether it is markup.
        is_html: bool,
    },
    /// A ready-made set of features instead of text, for objects that are not text.
    Features(Vec<Feature>),
}

/// One ready-made feature of an object that is not text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Feature {
    /// A whole number.
    Number(i64),
    /// Any string.
    Name(String),
}

impl Default for Content {
    fn default() -> Self {
        Content::text("")
    }
}

impl Content {
    /// Markup that is already Unicode.
    pub fn html(markup: impl Into<String>) -> Self {
        Content::Unicode { text: markup.into(), is_html: true }
    }

    /// About how many bytes it has.
    pub fn len(&self) -> usize {
        match self {
            Content::Html { bytes, .. } | Content::Text { bytes, .. } => bytes.len(),
            Content::Unicode { text, .. } => text.len(),
            Content::Features(features) => 16 * features.len(),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plain text that is already Unicode.
    pub fn text(text: impl Into<String>) -> Self {
        Content::Unicode { text: text.into(), is_html: false }
    }
}
