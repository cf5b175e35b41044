//! Reads the dates pages write: RFC 3339 and 2822, and the year-first orders of Korean and Japanese pages.

use jiff::civil::{Date, DateTime};
use jiff::fmt::{rfc2822, strtime};
use jiff::{Timestamp, tz::TimeZone};

/// Longest text looked at: a date stands at its beginning.
const MAX_LEN: usize = 80;

/// The moment a text names, in Unix seconds. A time without zone is taken as UTC.
pub(super) fn parse_date(raw: &str) -> Option<i64> {
    let text = raw.trim();
    let mut end = text.len().min(MAX_LEN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text[..end].trim();
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    zoned(text).or_else(|| local(text)).filter(|&t| is_plausible(t))
}

/// The web began in 1989; far futures are placeholders.
fn is_plausible(seconds: i64) -> bool {
    (599_616_000..4_102_444_800).contains(&seconds)
}

fn zoned(text: &str) -> Option<i64> {
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Some(stamp.as_second());
    }
    if let Ok(zoned) = rfc2822::parse(text) {
        return Some(zoned.timestamp().as_second());
    }
    [
        "%Y-%m-%dT%H:%M:%S%z",
        "%Y-%m-%d %H:%M:%S %z",
        "%Y-%m-%dT%H:%M%:z",
        "%Y-%m-%dT%H:%M%z",
        "%Y-%m-%dT%H:%MZ",
    ]
    .iter()
    .find_map(|format| strtime::parse(format, text).ok()?.to_timestamp().ok())
    .map(Timestamp::as_second)
}

fn local(text: &str) -> Option<i64> {
    if let Ok(at) = text.parse::<DateTime>() {
        return seconds(at);
    }
    named_month(text).or_else(|| year_first(text)).and_then(seconds)
}

fn seconds(at: DateTime) -> Option<i64> {
    Some(TimeZone::UTC.to_timestamp(at).ok()?.as_second())
}

/// `May 1, 2026`, `1 May 2026`, with or without a time.
fn named_month(text: &str) -> Option<DateTime> {
    let words: Vec<&str> = text.split([' ', ',', '\u{a0}']).filter(|w| !w.is_empty()).collect();
    let at = words.iter().position(|w| month(w).is_some())?;
    let month = month(words[at])?;
    let number = |i: Option<usize>| {
        words.get(i?)?.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<i16>().ok()
    };
    let (before, after, later) = (number(at.checked_sub(1)), number(Some(at + 1)), number(Some(at + 2)));
    let (day, year) = match (before, after, later) {
        (_, Some(day), Some(year)) if day <= 31 && year > 1900 => (day, year),
        (Some(day), Some(year), _) if day <= 31 && year > 1900 => (day, year),
        _ => return None,
    };
    Some(Date::new(year, month, i8::try_from(day).ok()?).ok()?.at(0, 0, 0, 0))
}

fn month(word: &str) -> Option<i8> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let is =
        |name: &&str| word.len() >= 3 && name.starts_with(&word) || word == "sept" && **name == *"september";
    NAMES.iter().position(is).map(|i| i as i8 + 1)
}

/// `2026년 5월 1일 오후 3:04`, `2026年5月1日`, `2026.05.01 15:04`, `2026/5/1`, `20260501`.
fn year_first(text: &str) -> Option<DateTime> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
    let first = numbers.next()?;
    if first.len() == 8 || first.len() == 14 {
        return compact(first);
    }
    if first.len() != 4 {
        return None;
    }
    let year = first.parse().ok()?;
    let month = numbers.next()?.parse().ok()?;
    let day = numbers.next()?.parse().ok()?;
    let date = Date::new(year, month, day).ok()?;
    let mut clock = || numbers.next().filter(|n| n.len() <= 2).and_then(|n| n.parse::<i8>().ok());
    let (hour, minute, second) = (clock(), clock(), clock());
    let Some((hour, minute)) = hour.zip(minute) else { return Some(date.at(0, 0, 0, 0)) };
    let is_afternoon = ["오후", "午後", "PM", "pm"].iter().any(|w| text.contains(w));
    let hour = if is_afternoon && hour < 12 { hour + 12 } else { hour };
    let in_day = DateTime::new(year, month, day, hour, minute, second.unwrap_or(0), 0);
    Some(in_day.unwrap_or(date.at(0, 0, 0, 0)))
}

fn compact(digits: &str) -> Option<DateTime> {
    let part = |from: usize, to: usize| digits.get(from..to)?.parse::<i8>().ok();
    let date = Date::new(digits.get(..4)?.parse().ok()?, part(4, 6)?, part(6, 8)?).ok()?;
    let clock = part(8, 10).zip(part(10, 12)).zip(part(12, 14));
    let ((hour, minute), second) = clock.unwrap_or(((0, 0), 0));
    DateTime::new(date.year(), date.month(), date.day(), hour, minute, second, 0).ok()
}
