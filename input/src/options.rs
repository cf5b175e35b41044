//! How are the inputs to be read? Plain settings, parsed before anything is opened.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::error::InputError;

/// How to read the inputs.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The format of every input; told by name and content when absent.
    pub format: Option<Format>,
    /// The names of the fields in JSON and Parquet records.
    pub keys: Keys,
    /// The most bytes one document (a file, a line, a row, an archived response) may have after decompression.
    pub max_document_size: u64,
    /// Fields that a record may have instead of a text, markup or features of its own: then it is a page with an empty
    /// text, and the field is in its metadata. Without any of them such a record is a reject.
    pub stand_ins: Vec<String>,
    /// Where a Parquet stream is spooled that cannot be sought in; the system's place when absent.
    pub temp_dir: Option<PathBuf>,
}

impl ReadOptions {
    /// 16 MiB: a thousand times an ordinary page, and small enough to hold one for each thread.
    pub const MAX_DOCUMENT_SIZE: u64 = 16 * 1024 * 1024;
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            format: None,
            keys: Keys::default(),
            max_document_size: Self::MAX_DOCUMENT_SIZE,
            stand_ins: Vec::new(),
            temp_dir: None,
        }
    }
}

/// A format of input, compressed with gzip or zstd or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// One web page a file.
    Html,
    /// One plain text a file.
    Text,
    /// One JSON object a line, or an array of objects.
    Jsonl,
    /// One document a row.
    Parquet,
    /// Web archives: responses, resources and their converted texts.
    Warc,
}

impl Format {
    /// Every format, in the order in which help lists them.
    pub const ALL: [Format; 5] = [Format::Html, Format::Text, Format::Jsonl, Format::Parquet, Format::Warc];

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            Format::Html => "html",
            Format::Text => "text",
            Format::Jsonl => "jsonl",
            Format::Parquet => "parquet",
            Format::Warc => "warc",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = InputError;

    fn from_str(name: &str) -> Result<Self, InputError> {
        let found = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| InputError::UnknownFormat { name: name.to_owned() })
    }
}

/// The names of the fields that mean something; every other field becomes metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    /// Names the document.
    pub id: String,
    /// Where it was published.
    pub url: String,
    /// Its plain text.
    pub text: String,
    /// Its markup.
    pub html: String,
    /// Its title.
    pub title: String,
    /// Its author.
    pub author: String,
    /// When it was created: RFC 3339 or Unix seconds.
    pub created_at: String,
    /// Ready-made features instead of text.
    pub features: String,
}

impl Default for Keys {
    fn default() -> Self {
        Keys {
            id: "id".to_owned(),
            url: "url".to_owned(),
            text: "text".to_owned(),
            html: "html".to_owned(),
            title: "title".to_owned(),
            author: "author".to_owned(),
            created_at: "created_at".to_owned(),
            features: "features".to_owned(),
        }
    }
}

/// What a field of a record means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Id,
    Url,
    Text,
    Html,
    Title,
    Author,
    CreatedAt,
    Features,
    Metadata,
}

impl Keys {
    pub(crate) fn role(&self, key: &str) -> Role {
        match key {
            _ if key == self.text => Role::Text,
            _ if key == self.html => Role::Html,
            _ if key == self.id => Role::Id,
            _ if key == self.url => Role::Url,
            _ if key == self.title => Role::Title,
            _ if key == self.author => Role::Author,
            _ if key == self.created_at => Role::CreatedAt,
            _ if key == self.features => Role::Features,
            _ => Role::Metadata,
        }
    }
}
