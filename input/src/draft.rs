//! What page do these fields make? Shared by every format whose records are named fields.

use firstcopy_text::{Content, Feature, Page};
use serde_json::Value;

use crate::date;
use crate::options::{Keys, ReadOptions, Role};
use crate::place::Place;

/// The most keys that a reject lists: enough to see which one was meant.
const KEYS_SHOWN: usize = 12;

/// A page in the making: the fields of one record, in any order.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    id: Option<String>,
    text: Option<Body>,
    html: Option<Body>,
    features: Option<Value>,
    page: Page,
}

/// The text or markup of a record.
#[derive(Debug)]
pub(crate) enum Body {
    /// Known to be Unicode.
    Unicode(String),
    /// As received.
    Bytes(Vec<u8>),
}

impl Draft {
    /// Takes one field; the last of two equal keys wins.
    pub(crate) fn set(&mut self, keys: &Keys, key: &str, value: Value) {
        let role = keys.role(key);
        match (role, value) {
            (Role::Metadata, value) => drop(self.page.metadata.insert(key.to_owned(), value)),
            (_, Value::Null) => {}
            (Role::Text, Value::String(text)) => self.text = Some(Body::Unicode(text)),
            (Role::Html, Value::String(html)) => self.html = Some(Body::Unicode(html)),
            (Role::Features, value @ Value::Array(_)) => self.features = Some(value),
            (Role::CreatedAt, value) => match date::parse(&value) {
                Ok(seconds) => self.page.created_at = Some(seconds),
                Err(reason) => self.warn(format!("{key} {reason}")),
            },
            (Role::Id, value) => self.named(key, value, |draft| &mut draft.id),
            (Role::Url, value) => self.named(key, value, |draft| &mut draft.page.url),
            (Role::Title, value) => self.named(key, value, |draft| &mut draft.page.title),
            (Role::Author, value) => self.named(key, value, |draft| &mut draft.page.author),
            (_, value) => drop(self.page.metadata.insert(key.to_owned(), value)),
        }
    }

    /// Takes a text or markup that is only known as bytes.
    pub(crate) fn set_bytes(&mut self, role: Role, bytes: Vec<u8>) {
        let body = Some(Body::Bytes(bytes));
        if role == Role::Html { self.html = body } else { self.text = body }
    }

    /// Says what had to be mended.
    pub(crate) fn warn(&mut self, warning: impl Into<String>) {
        self.page.warnings.push(warning.into());
    }

    /// The page, or why the record is none.
    pub(crate) fn finish(mut self, options: &ReadOptions, place: &Place) -> Result<Page, String> {
        self.page.content = self.content(options)?;
        let url = self.page.url.as_ref();
        self.page.id = self.id.or_else(|| url.cloned()).unwrap_or_else(|| place.id());
        Ok(self.page)
    }

    /// A short text field; a number is kept as its text, anything else as metadata.
    fn named(&mut self, key: &str, value: Value, field: impl Fn(&mut Self) -> &mut Option<String>) {
        match value {
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => *field(self) = Some(text),
            Value::Number(number) => *field(self) = Some(number.to_string()),
            other => drop(self.page.metadata.insert(key.to_owned(), other)),
        }
    }

    /// Text wins over markup and both over features, unless empty; what is not judged stays metadata.
    fn content(&mut self, options: &ReadOptions) -> Result<Content, String> {
        let keys = &options.keys;
        let (text, html, features) = (self.text.take(), self.html.take(), self.features.take());
        match (text, html, features) {
            (Some(text), html, features) if !text.is_empty() || (html.is_none() && features.is_none()) => {
                self.keep(&keys.html, html.map(Body::into_value));
                self.keep(&keys.features, features);
                Ok(text.into_text())
            }
            (_, Some(html), features) if !html.is_empty() || features.is_none() => {
                self.keep(&keys.features, features);
                Ok(html.into_html())
            }
            (_, _, Some(Value::Array(features))) => features_of(features, keys).map(Content::Features),
            _ if options.stand_ins.iter().any(|field| self.page.metadata.contains_key(field)) => {
                Ok(Content::default())
            }
            _ => Err(self.without_content(keys)),
        }
    }

    fn keep(&mut self, key: &str, value: Option<Value>) {
        if let Some(value) = value {
            self.page.metadata.insert(key.to_owned(), value);
        }
    }

    fn without_content(&self, keys: &Keys) -> String {
        let Keys { text, html, features, .. } = keys;
        format!(
            "neither `{text}`, `{html}` nor `{features}` among its keys ({}): name the right one with \
             --text-key, --html-key or --features-key",
            self.keys_found(keys)
        )
    }

    fn keys_found(&self, keys: &Keys) -> String {
        let page = &self.page;
        let named = [
            (&keys.id, self.id.is_some()),
            (&keys.url, page.url.is_some()),
            (&keys.title, page.title.is_some()),
            (&keys.author, page.author.is_some()),
            (&keys.created_at, page.created_at.is_some()),
        ];
        let named = named.into_iter().filter(|(_, found)| *found).map(|(key, _)| key);
        let all: Vec<&str> = named.chain(page.metadata.keys()).map(String::as_str).collect();
        match all.len() {
            0 => "it has none".to_owned(),
            count if count > KEYS_SHOWN => format!("{}, …", all[..KEYS_SHOWN].join(", ")),
            _ => all.join(", "),
        }
    }
}

impl Body {
    fn is_empty(&self) -> bool {
        match self {
            Body::Unicode(text) => text.is_empty(),
            Body::Bytes(bytes) => bytes.is_empty(),
        }
    }

    fn into_text(self) -> Content {
        match self {
            Body::Unicode(text) => Content::text(text),
            Body::Bytes(bytes) => Content::Text { bytes, charset: None },
        }
    }

    fn into_html(self) -> Content {
        match self {
            Body::Unicode(html) => Content::html(html),
            Body::Bytes(bytes) => Content::Html { bytes, charset: None },
        }
    }

    fn into_value(self) -> Value {
        match self {
            Body::Unicode(text) => Value::String(text),
            Body::Bytes(bytes) => Value::String(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

fn features_of(values: Vec<Value>, keys: &Keys) -> Result<Vec<Feature>, String> {
    let remedy = || format!("`{}` holds something else than strings and integers: convert it", keys.features);
    values.into_iter().map(|value| feature_of(value).ok_or_else(remedy)).collect()
}

/// Integers beyond 63 bits stay distinct as their text.
fn feature_of(value: Value) -> Option<Feature> {
    match value {
        Value::String(name) => Some(Feature::Name(name)),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Some(Feature::Number(number)),
            None => number.as_u64().map(|number| Feature::Name(number.to_string())),
        },
        _ => None,
    }
}
