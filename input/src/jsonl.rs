//! JSON Lines: which page is this line? One object a line; the names of its fields come from `Keys`.

use std::fmt;

use firstcopy_text::Page;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::compression::Stream;
use crate::draft::Draft;
use crate::error::Reject;
use crate::lines::{Line, Lines};
use crate::nested::Nested;
use crate::options::{Keys, ReadOptions, Role};
use crate::place::{At, Place};
use crate::record::{Decoded, Layout, Raw, Reader, Record, Setting, broken, too_large};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Cuts a stream into lines; blank ones are passed over.
pub(crate) struct JsonLines {
    lines: Lines,
    line: u64,
    setting: Setting,
}

impl JsonLines {
    pub(crate) fn new(stream: Stream, setting: Setting) -> Self {
        JsonLines { lines: Lines::new(stream, setting.options.max_document_size), line: 0, setting }
    }

    fn reject(&self, reason: impl Into<String>) -> Reject {
        Reject::at(&Place::new(&self.setting.file, At::Line(self.line)), reason)
    }
}

impl Reader for JsonLines {
    fn next_record(&mut self) -> Option<Result<Record, Reject>> {
        loop {
            let line = self.lines.next_line()?;
            self.line += 1;
            let bytes = match line {
                Line::Whole(bytes) => bytes,
                Line::TooLong => {
                    return Some(Err(self.reject(too_large("line", self.setting.options.max_document_size))));
                }
                Line::Broken(error) => return Some(Err(self.reject(broken(&error)))),
            };
            if !without_mark(&bytes).trim_ascii().is_empty() {
                let place = Place::new(&self.setting.file, At::Line(self.line));
                return Some(Ok(Record { place, raw: Raw::Json(JsonText(bytes)) }));
            }
        }
    }

    fn is_drained(&self) -> bool {
        self.lines.is_drained()
    }

    fn layout(&self) -> Layout {
        Layout::Lines
    }
}

/// The page that one JSON object is, wherever it comes from. Its id is empty if it has neither an id nor a url.
pub fn record(json: &[u8], options: &ReadOptions) -> Result<Page, Reject> {
    let place = Place::new(&"".into(), At::File);
    let text = JsonText(json.to_vec());
    text.page(options, &place).map_err(|reason| Reject::at(&place, reason))
}

/// One JSON object, not yet parsed.
#[derive(Debug)]
pub(crate) struct JsonText(pub Vec<u8>);

impl JsonText {
    pub(crate) fn decode(&self, options: &ReadOptions, place: &Place) -> Decoded {
        self.page(options, place).into()
    }

    fn page(&self, options: &ReadOptions, place: &Place) -> Result<Page, String> {
        let keys = &options.keys;
        let json = without_mark(&self.0);
        // Before the parser: to report another type it skips the value recursively, and depth is for anyone to choose.
        if !json.trim_ascii_start().starts_with(b"{") {
            return Err("not a JSON object: write one object a line, {\"id\": …, \"text\": …}".to_owned());
        }
        let draft = match parse(json, keys, false) {
            Ok(draft) => draft,
            Err(strict) => parse_mending(json, keys).ok_or_else(|| explain(json, &strict))?,
        };
        draft.finish(options, place)
    }
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

fn parse(json: &[u8], keys: &Keys, mend: bool) -> Result<Draft, sonic_rs::Error> {
    let mut parser = sonic_rs::Deserializer::from_slice(json);
    if mend {
        parser = parser.utf8_lossy();
    }
    let (mut draft, id_is_rounded) = Fields(keys).deserialize(&mut parser)?;
    parser.end()?;
    if id_is_rounded {
        let written = sonic_rs::get(json, [keys.id.as_str()])?.as_raw_str().to_owned();
        draft.set(keys, &keys.id, Value::String(written));
    }
    Ok(draft)
}

/// Parses again with U+FFFD for whatever is not Unicode; nothing if that does not help.
fn parse_mending(json: &[u8], keys: &Keys) -> Option<Draft> {
    let unicode = String::from_utf8_lossy(json);
    let mut draft = parse(unicode.as_bytes(), keys, true).ok()?;
    draft.warn(match unicode {
        std::borrow::Cow::Owned(_) => "invalid UTF-8 was replaced by U+FFFD",
        std::borrow::Cow::Borrowed(_) => "a lone surrogate (\\ud800 to \\udfff) was replaced by U+FFFD",
    });
    Some(draft)
}

/// The fast parser's messages span lines; the other one's fit into a reject, and it needs no stack to skip a value.
fn explain(json: &[u8], strict: &sonic_rs::Error) -> String {
    match serde_json::from_slice::<IgnoredAny>(json) {
        Ok(_) => format!("cannot be taken in ({}): simplify the record", what(&strict.to_string())),
        Err(error) => {
            let what = what(&error.to_string()).to_owned();
            format!("not valid JSON ({what}, column {}): mend or remove the record", error.column())
        }
    }
}

/// A parser's message without the place: the line is known and would only be 1.
fn what(message: &str) -> &str {
    let first = message.lines().next().unwrap_or_default();
    first.split(" at line ").next().unwrap_or(first)
}

/// Takes the top-level fields of an object one by one, each value materialised once. Also says whether the id is a
/// number beyond 64 bits or with a fraction: then the digits that its sender wrote are still to be fetched.
struct Fields<'a>(&'a Keys);

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = (Draft, bool);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = (Draft, bool);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut draft = Draft::default();
        let mut id_is_rounded = false;
        while let Some(key) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(Nested::new())?;
            if self.0.role(&key) == Role::Id {
                id_is_rounded = matches!(&value, Value::Number(number) if number.is_f64());
            }
            draft.set(self.0, &key, value);
        }
        Ok((draft, id_is_rounded))
    }
}
