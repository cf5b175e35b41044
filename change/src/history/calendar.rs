//! Days, months and years in UTC: how times are written, and which period they fall into.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Serialize, Serializer};

/// Seconds of a day.
pub(super) const SECONDS_A_DAY: f64 = 86_400.0;
/// Up to so many days are shown day by day: two months.
const DAYS_SHOWN: i64 = 62;
/// Up to so many days are shown month by month: six years.
const DAYS_SHOWN_BY_MONTH: i64 = 6 * 366;

/// A time as JSON and tables write it; nothing for one that no calendar has.
pub fn rfc3339(seconds: i64) -> String {
    Timestamp::from_second(seconds).map(|time| time.to_string()).unwrap_or_default()
}

pub(super) fn time<S: Serializer>(seconds: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rfc3339(*seconds))
}

pub(super) fn optional_time<S: Serializer>(seconds: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    seconds.map(rfc3339).serialize(serializer)
}

/// Days from one time to another.
pub(super) fn days(from: i64, to: i64) -> f64 {
    (to - from) as f64 / SECONDS_A_DAY
}

/// The number of a day, from 1970 on.
pub(super) fn day_number(seconds: i64) -> i64 {
    seconds.div_euclid(SECONDS_A_DAY as i64)
}

/// How long the periods are in which change is shown over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unit {
    Day,
    Month,
    Year,
}

impl Unit {
    /// What fits a span.
    pub fn fitting(from: i64, to: i64) -> Self {
        match day_number(to) - day_number(from) {
            days if days <= DAYS_SHOWN => Unit::Day,
            days if days <= DAYS_SHOWN_BY_MONTH => Unit::Month,
            _ => Unit::Year,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Unit::Day => "day",
            Unit::Month => "month",
            Unit::Year => "year",
        }
    }

    /// The period that a time falls into: they sort as they follow each other.
    pub fn period(self, seconds: i64) -> String {
        let Ok(time) = Timestamp::from_second(seconds) else { return String::new() };
        let date = TimeZone::UTC.to_datetime(time).date();
        match self {
            Unit::Day => date.to_string(),
            Unit::Month => format!("{:04}-{:02}", date.year(), date.month()),
            Unit::Year => format!("{:04}", date.year()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_fit_the_span() {
        let day = 86_400;
        for (to, unit, period) in [
            (0, Unit::Day, "1970-01-01"),
            (62 * day, Unit::Day, "1970-03-04"),
            (63 * day, Unit::Month, "1970-03"),
            (3000 * day, Unit::Year, "1978"),
        ] {
            assert_eq!(Unit::fitting(0, to), unit);
            assert_eq!(unit.period(to), period);
        }
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(i64::MAX), "");
        assert_eq!((day_number(-1), days(0, 43_200)), (-1, 0.5));
    }
}
