//! Which versions of which page does a record hold? Names, dates, and what stands for a page that was gone.

use super::dated_path::dated_path;
use firstcopy_change::{State, Version};
use firstcopy_input::{Keys, ReadOptions, parse_date};
use firstcopy_text::{Analyzer, Content, Page, Parameters, Seed};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

/// The field that holds many versions of one page.
const VERSIONS: &str = "versions";
/// Fields that say that a page was gone.
const GONE: &str = "gone";
const STATUS: &str = "status";
/// Instead of a text a record may have any of them.
pub const STAND_INS: [&str; 3] = [VERSIONS, GONE, STATUS];
/// What servers answer for a page that is not there (any more).
const GONE_STATUS: [u64; 2] = [404, 410];

const NO_DATE: &str = "no date: give it a `date` (RFC 3339, 2024-01-31, Unix seconds or 20240131120000), name the right \
                       field with --date-key, or put a date into the path of the file";

/// A version, or why there is none.
type Found = Result<Version, String>;

/// From records to versions.
pub struct Reading {
    date_key: String,
    keys: Keys,
    analyzer: Analyzer,
}

impl Reading {
    pub fn new(date_key: String, options: ReadOptions) -> Self {
        let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
        Reading { date_key, keys: options.keys, analyzer }
    }

    /// The versions of a record.
    pub fn of(&self, mut page: Page) -> Vec<Found> {
        match page.metadata.get_mut(VERSIONS).map(Value::take) {
            Some(Value::Array(versions)) => self.of_many(&page, versions),
            _ => vec![self.of_one(page)],
        }
    }

    fn of_many(&self, page: &Page, versions: Vec<Value>) -> Vec<Found> {
        let name = page.url.as_ref().unwrap_or(&page.id);
        let one = |(number, version)| {
            self.of_nested(name, version).map_err(|reason| format!("version {number} of {name}: {reason}"))
        };
        (1..).zip(versions).map(one).collect()
    }

    /// A version among others in one record.
    fn of_nested(&self, page: &str, version: Value) -> Found {
        let Value::Object(mut fields) = version else {
            return Err("not an object: write {\"date\": …, \"text\": …}".to_owned());
        };
        let date = fields.get(&self.date_key).or_else(|| fields.get(&self.keys.created_at));
        let at = date.map(|date| self.date(date)).transpose()?.ok_or(NO_DATE)?;
        let state = if is_gone(&fields) { Ok(State::Gone) } else { self.nested_state(&mut fields) };
        Ok(Version { page: page.to_owned(), at, state: state? })
    }

    fn nested_state(&self, fields: &mut Map<String, Value>) -> Result<State, String> {
        let mut take = |key: &str| match fields.get_mut(key).map(Value::take) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let content = match (take(&self.keys.text), take(&self.keys.html)) {
            (Some(text), _) => Content::text(text),
            (None, Some(html)) => Content::html(html),
            (None, None) if fields.contains_key(STATUS) => Content::default(),
            (None, None) => {
                return Err(format!("neither `{}` nor `{}`: give it one", self.keys.text, self.keys.html));
            }
        };
        self.state(Page { content, ..Page::default() })
    }

    fn of_one(&self, page: Page) -> Found {
        let (name, at) = self.name_and_date(&page)?;
        let state = if is_gone(&page.metadata) { State::Gone } else { self.state(page)? };
        Ok(Version { page: name, at, state })
    }

    fn name_and_date(&self, page: &Page) -> Result<(String, i64), String> {
        let name = || page.url.clone().unwrap_or_else(|| page.id.clone());
        if let Some(date) = page.metadata.get(&self.date_key).filter(|date| !date.is_null()) {
            return Ok((name(), self.date(date)?));
        }
        if let Some(at) = page.created_at {
            return Ok((name(), at));
        }
        let (path, at) = dated_path(&page.id).ok_or(NO_DATE)?;
        Ok((page.url.clone().unwrap_or(path), at))
    }

    fn state(&self, page: Page) -> Result<State, String> {
        if matches!(page.content, Content::Features(_)) {
            return Err("ready-made features have no words to compare: give it a text".to_owned());
        }
        State::of_text(&self.analyzer.read(page).core.text).map_err(|error| error.to_string())
    }

    fn date(&self, date: &Value) -> Result<i64, String> {
        let digits = match date {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let captured = digits.as_deref().and_then(of_digits);
        captured.map_or_else(|| parse_date(date).map_err(|reason| format!("{} {reason}", self.date_key)), Ok)
    }
}

fn is_gone(fields: &Map<String, Value>) -> bool {
    let says_so = fields.get(GONE).and_then(Value::as_bool) == Some(true);
    let status = match fields.get(STATUS) {
        Some(Value::Number(number)) => number.as_u64(),
        Some(Value::String(text)) => text.parse().ok(),
        _ => None,
    };
    says_so || status.is_some_and(|status| GONE_STATUS.contains(&status))
}

/// The first and the last year of the web as far as anyone may have captured it: other digits are no dates.
const YEARS: std::ops::RangeInclusive<i16> = 1990..=2100;

/// A time as captures write it, 20240131120000, or a day, 20240131. As seconds they would lie in 1970 or beyond all dates.
pub fn of_digits(digits: &str) -> Option<i64> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 8 | 14) {
        return None;
    }
    let part = |from: usize, to: usize| digits.get(from..to).and_then(|part| part.parse::<i16>().ok());
    let small = |from: usize| part(from, from + 2).map_or(Some(0), |number| i8::try_from(number).ok());
    let year = part(0, 4).filter(|year| YEARS.contains(year))?;
    let date = Date::new(year, small(4)?, small(6)?).ok()?;
    let time = jiff::civil::Time::new(small(8)?, small(10)?, small(12)?, 0).ok()?;
    date.to_datetime(time).to_zoned(TimeZone::UTC).ok().map(|time| time.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reading() -> Reading {
        Reading::new("date".to_owned(), ReadOptions::default())
    }

    #[test]
    fn dates_in_all_their_forms() {
        for (date, expected) in [
            (json!("2024-01-31T12:00:00Z"), Some(1_706_702_400)),
            (json!("2024-01-31"), Some(1_706_659_200)),
            (json!(1_706_702_400), Some(1_706_702_400)),
            (json!("20240131120000"), Some(1_706_702_400)),
            (json!(20_240_131_120_000_u64), Some(1_706_702_400)),
            (json!("20240131"), Some(1_706_659_200)),
            (json!("20241331"), Some(20_241_331)),
            (json!("soon"), None),
            (json!({"$date": 1}), None),
        ] {
            assert_eq!(reading().date(&date).ok(), expected, "{date}");
        }
    }

    #[test]
    fn one_record_many_versions() {
        let versions = json!([
            {"date": "2024-01-01", "text": "one"},
            {"date": "2024-01-02", "html": "<p> </p>"},
            {"date": "2024-01-03", "status": 410},
            {"text": "four"}, {"date": "2024-01-05"}, 6
        ]);
        let metadata = Map::from_iter([(VERSIONS.to_owned(), versions)]);
        let page = Page { id: "a".to_owned(), metadata, ..Page::default() };
        let found = reading().of(page);
        assert!(matches!(found[0].as_ref().unwrap().state, State::Text(_)));
        assert_eq!(found[1].as_ref().unwrap().state, State::Empty);
        assert_eq!(found[2].as_ref().unwrap().state, State::Gone);
        for (found, reason) in found[3..].iter().zip([
            "version 4 of a: no date",
            "version 5 of a: neither",
            "version 6 of a: not",
        ]) {
            assert!(found.as_ref().unwrap_err().starts_with(reason), "{found:?}");
        }
    }
}
