//! One dated state of a page, ready to be kept: packed where there are many threads, before anyone writes.

use super::error::HistoryError;
use firstcopy_text::Content;

/// The quickest level: texts are written and read once or twice.
const LEVEL: i32 = 1;

/// What somebody found of a page at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Which page: its url, or whatever else names it.
    pub page: String,
    /// When, in Unix seconds.
    pub at: i64,
    /// What was found.
    pub state: State,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// A text, packed.
    Text(PackedText),
    /// Nothing but white space: no version to compare.
    Empty,
    /// The same as before.
    Same,
    /// The page was gone.
    Gone,
}

/// A text as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedText {
    pub(super) bytes: Vec<u8>,
    pub(super) fingerprint: u64,
    /// Bytes of the text itself: no document has as many as four thousand million.
    pub(super) unpacked: u32,
}

impl State {
    /// The state of a page with this core text.
    pub fn of_text(text: &str) -> Result<Self, HistoryError> {
        let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if spaced.is_empty() {
            return Ok(State::Empty);
        }
        let bytes = zstd::bulk::compress(text.as_bytes(), LEVEL).map_err(HistoryError::spool("packed"))?;
        // Half of it is plenty: only versions of one page are told apart.
        let fingerprint = Content::text(spaced).fingerprint() as u64;
        Ok(State::Text(PackedText { bytes, fingerprint, unpacked: text.len() as u32 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_no_difference_and_no_text() {
        let fingerprint = |text: &str| match State::of_text(text).unwrap() {
            State::Text(packed) => Some(packed.fingerprint),
            _ => None,
        };
        assert_eq!(fingerprint("누가 먼저\n\n썼는가 "), fingerprint("누가\u{3000}먼저 썼는가"));
        assert_ne!(fingerprint("누가 먼저 썼는가"), fingerprint("누가먼저 썼는가"));
        assert_ne!(fingerprint("Who wrote this?"), fingerprint("Who wrote this!"));
        assert_eq!(fingerprint(" \t\u{3000}\n"), None);
    }
}
