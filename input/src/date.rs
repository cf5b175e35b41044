//! When is that? A sender's date, in any of the ways senders write it, to Unix seconds.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// The last second of the year 9999: beyond it a number is milliseconds, not a date.
const LAST_SECOND: f64 = 253_402_300_799.0;
/// The first second of the year -9999, jiff's first year.
const FIRST_SECOND: f64 = -377_705_116_800.0;

/// Unix seconds of an RFC 3339 date or of a number of seconds, or the warning that says why there is none.
///
/// # Errors
/// What it is, and how dates are written.
pub fn parse(value: &Value) -> Result<i64, String> {
    let found = match value {
        Value::Number(number) => number.as_f64().and_then(seconds),
        Value::String(text) => parse_text(text.trim()),
        _ => None,
    };
    found.ok_or_else(|| format!("{value} is not a date: use RFC 3339 or Unix seconds"))
}

/// Unix seconds of a date as text: RFC 3339, a date and time without zone (UTC), a date, or seconds.
pub(crate) fn parse_text(text: &str) -> Option<i64> {
    let plain_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.'));
    if let Some(found) = plain_number.then(|| text.parse().ok().and_then(seconds)).flatten() {
        return Some(found);
    }
    let zoned = text.parse::<Timestamp>().ok();
    let moment =
        zoned.or_else(|| text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|z| z.timestamp()));
    moment.map(whole_seconds)
}

/// Unix seconds as RFC 3339, for columns that hold dates.
pub(crate) fn format(seconds: i64, nanoseconds: i64) -> Option<String> {
    let start = Timestamp::from_second(seconds).ok()?;
    start.checked_add(SignedDuration::from_nanos(nanoseconds)).ok().map(|moment| moment.to_string())
}

/// Days since 1970 as `YYYY-MM-DD`.
pub(crate) fn format_day(days: i64) -> Option<String> {
    let moment = Timestamp::from_second(days.checked_mul(86_400)?).ok()?;
    Some(TimeZone::UTC.to_datetime(moment).date().to_string())
}

fn seconds(number: f64) -> Option<i64> {
    (FIRST_SECOND..=LAST_SECOND).contains(&number).then_some(number.floor() as i64)
}

/// The second in which the moment lies: half a second before 1970 is in second -1.
fn whole_seconds(moment: Timestamp) -> i64 {
    moment.as_second() - i64::from(moment.subsec_nanosecond() < 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_as_senders_write_them() {
        let cases = [
            (json!("2010-03-04T05:06:07Z"), Some(1_267_679_167)),
            (json!("2010-03-04T05:06:07.891Z"), Some(1_267_679_167)),
            (json!("2010-03-04t14:06:07+09:00"), Some(1_267_679_167)),
            (json!("2010-03-04 05:06:07"), Some(1_267_679_167)),
            (json!(" 2010-03-04 "), Some(1_267_660_800)),
            (json!(1_267_679_167), Some(1_267_679_167)),
            (json!(1_267_679_167.9), Some(1_267_679_167)),
            (json!("1267679167.5"), Some(1_267_679_167)),
            (json!("-1"), Some(-1)),
            (json!(-0.5), Some(-1)),
            (json!("1969-12-31T23:59:59.5Z"), Some(-1)),
            (json!(0), Some(0)),
            (json!(1_267_679_167_000_u64), None),
            (json!("yesterday"), None),
            (json!(""), None),
            (json!("2010-13-40"), None),
            (json!(true), None),
            (json!("NaN"), None),
        ];
        for (given, expected) in cases {
            assert_eq!(parse(&given).ok(), expected, "{given}");
        }
        assert_eq!(
            parse(&json!("soon")),
            Err("\"soon\" is not a date: use RFC 3339 or Unix seconds".to_owned())
        );
        assert_eq!(format(1_267_679_167, 5_000_000), Some("2010-03-04T05:06:07.005Z".to_owned()));
        assert_eq!(format_day(-1), Some("1969-12-31".to_owned()));
    }
}
