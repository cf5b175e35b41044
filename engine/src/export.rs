//! Everything that was stored, as JSON Lines that `import` (and any other program) takes: one line for every version,
//! in the order of arrival, so that importing them judges them in the same order again.

use crate::appeals::exported_appeal;
use crate::content::unpack_content;
use crate::draft::Seen;
use crate::error::{EngineError, Result};
use crate::open::now;
use crate::reader::Reader;
use crate::verdict::rfc3339;
use firstcopy_store::{Absence, Document, Sighting, Version};
use firstcopy_text::{Content, Page, decode_html, decode_text};
use serde_json::{Map, Value, json};

/// One version of a document, ready to be written.
pub type Exported = Map<String, Value>;

/// The field that says when a document was received first, wherever that was.
const RECEIVED_AT: &str = "received_at";
/// The field that says which sweeps saw it and missed it.
const SEEN: &str = "sweeps";

impl Reader {
    /// Hands every version of every document to `sink`, in the order of arrival, all of one state of the store.
    /// Stops when the sink says so.
    pub fn export<E: From<EngineError>>(
        &mut self,
        mut sink: impl FnMut(&Exported) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.store.begin_reading().map_err(EngineError::from)?;
        let done = self.export_all(&mut sink);
        self.store.rollback().map_err(EngineError::from)?;
        done
    }

    fn export_all<E: From<EngineError>>(
        &self,
        sink: &mut impl FnMut(&Exported) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        for (content, number) in self.store.contents_in_order().map_err(EngineError::from)? {
            if let Some(exported) = self.exported(content, number)? {
                sink(&exported)?;
            }
        }
        Ok(())
    }

    fn exported(&self, content: u32, number: u32) -> Result<Option<Exported>> {
        let Some(document) = self.store.by_number(number)? else { return Ok(None) };
        let wrong = |reason: String| EngineError::Content { id: document.id.clone(), reason };
        let stored = self.store.content(content)?.ok_or_else(|| wrong("it is missing".to_owned()))?;
        let received = unpack_content(&stored).map_err(wrong)?;
        let version = match document.content == content {
            true => None,
            false => self.store.versions(number)?.into_iter().find(|version| version.content == content),
        };
        let mut exported = exported(&document, version.as_ref(), &received);
        if version.is_none() {
            exported.extend(self.seen(number)?.map(|seen| (SEEN.to_owned(), seen)));
            exported.extend(exported_appeal(&self.store, &document)?);
        }
        Ok(Some(exported))
    }

    /// The sweeps that saw and missed a document; none if none ever saw it.
    fn seen(&self, number: u32) -> Result<Option<Value>> {
        let Some(sighting) = self.store.sighting(number)? else { return Ok(None) };
        let absences = self.store.absences(number)?;
        let absence =
            |absence: &Absence| json!({"gone": rfc3339(absence.gone), "back": rfc3339(absence.back)});
        Ok(Some(json!({
            "first": rfc3339(sighting.first),
            "last": rfc3339(sighting.last),
            "gone": sighting.gone.map(rfc3339),
            "absences": absences.iter().map(absence).collect::<Vec<_>>(),
        })))
    }
}

fn exported(document: &Document, version: Option<&Version>, content: &Content) -> Exported {
    let metadata: Option<Exported> =
        document.metadata.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let mut exported = Exported::new();
    let (title, created_at, received_at) = match version {
        Some(version) => (&version.title, version.created_at, version.received_at),
        None => (&document.title, document.created_at, document.received_at),
    };
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            exported.insert(name.to_owned(), value);
        }
    };
    let text = |text: &Option<String>| text.clone().map(Value::from);
    put("id", Some(document.id.clone().into()));
    put("url", text(&document.url));
    put("title", text(title));
    put("author", text(&document.author));
    put("created_at", created_at.map(|time| rfc3339(time).into()));
    put(RECEIVED_AT, Some(rfc3339(received_at).into()));
    let (name, value) = content_field(content);
    put(name, Some(value));
    for (name, value) in metadata.unwrap_or_default() {
        exported.entry(name).or_insert(value);
    }
    exported
}

/// The content as a field of a record: bytes in another encoding are written as the text they spell.
fn content_field(content: &Content) -> (&'static str, Value) {
    match content {
        Content::Html { bytes, charset } => {
            ("html", decode_html(bytes, charset.as_deref()).text.into_owned().into())
        }
        Content::Text { bytes, charset } => {
            ("text", decode_text(bytes, charset.as_deref()).text.into_owned().into())
        }
        Content::Unicode { text, is_html } => (if *is_html { "html" } else { "text" }, text.clone().into()),
        // Strings and integers always can be written.
        Content::Features(features) => ("features", serde_json::to_value(features).unwrap_or_default()),
    }
}

/// Takes the time of reception out of what an exported record says besides; none if it says none, or nonsense.
pub(crate) fn take_received_at(page: &mut Page) -> Option<i64> {
    seconds(&page.metadata.shift_remove(RECEIVED_AT)?)
}

/// Takes what sweeps saw out of what an exported record says besides; none if it says nothing of the kind.
pub(crate) fn take_seen(page: &mut Page) -> Option<Seen> {
    let seen = seen(page.metadata.get(SEEN)?)?;
    page.metadata.shift_remove(SEEN);
    Some(seen)
}

fn seen(seen: &Value) -> Option<Seen> {
    let absence = |absence: &Value| {
        let (gone, back) = (seconds(&absence["gone"])?, seconds(&absence["back"])?);
        (gone < back).then_some(Absence { gone, back })
    };
    let absences = seen["absences"].as_array().map(|list| list.iter().filter_map(absence).collect());
    let (first, last, gone) = (seconds(&seen["first"])?, seconds(&seen["last"])?, seconds(&seen["gone"]));
    let makes_sense = first <= last && gone.is_none_or(|gone| last < gone) && gone.unwrap_or(last) <= now();
    let sighting = Sighting { number: 0, first, last, gone };
    makes_sense.then(|| Seen { sighting, absences: absences.unwrap_or_default() })
}

fn seconds(value: &Value) -> Option<i64> {
    match value {
        Value::Number(seconds) => seconds.as_i64(),
        Value::String(text) => text.parse::<jiff::Timestamp>().ok().map(|time| time.as_second()),
        _ => None,
    }
}
