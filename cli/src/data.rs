//! The data directory as the command line names it: where it is, and what is asked of it.

use crate::arguments::parse_size;
use clap::{Args, ValueEnum};
use firstcopy_engine::{Catalogue, Engine, EngineError, IndexKind, OpenOptions, Policy, Reader, Wanted};
use firstcopy_text::likeness::CopyRelation;
use std::path::PathBuf;
use std::time::Duration;

/// Where the data directory is.
#[derive(Args)]
#[command(next_help_heading = "Data directory")]
pub struct DataArguments {
    /// The data directory.
    #[arg(long, value_name = "DIR", env = "FIRSTCOPY_DATA", default_value = "./firstcopy-data")]
    pub data: PathBuf,
}

impl DataArguments {
    /// Opens it to read, beside whoever writes to it.
    pub fn reader(&self) -> Result<Reader, EngineError> {
        Reader::open(&self.data)
    }

    /// Opens it to be asked.
    pub fn catalogue(&self) -> Result<Catalogue, EngineError> {
        Catalogue::open(&self.data)
    }
}

/// What the verdicts of a data directory depend on.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct JudgeArguments {
    /// The rule that makes a duplicate [default: likeness]. Set when the data directory is made; `firstcopy reindex` changes it.
    #[arg(long, value_name = "POLICY")]
    policy: Option<PolicyName>,
    /// The likeness from which on a document is a duplicate: 0.8 is four words in five the same. With the policy likeness
    /// [default: 0.8]. Set when the data directory is made.
    #[arg(long, value_name = "X", value_parser = parse_share)]
    min_likeness: Option<f64>,
    /// Relations to an earlier document that make a duplicate, separated by commas. With the policy likeness
    /// [default: identical,same_words,edited,excerpt]. Set when the data directory is made.
    #[arg(long, value_name = "RELATIONS", value_delimiter = ',')]
    duplicates: Vec<RelationName>,
    /// The resemblance of shingles from which on a document is a duplicate; asks for the policy resemblance
    /// [default: 0.8]. Set when the data directory is made.
    #[arg(long, value_name = "R", value_parser = parse_share)]
    min_resemblance: Option<f64>,
    /// Words of a shingle (Broder et al. 1997: 10). Chosen when the data directory is made.
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u16).range(1..=1000))]
    shingle_words: Option<u16>,
    /// The duplicate index: any of them gives the same verdicts, and is rebuilt from the store when it is not there.
    #[arg(long, value_name = "INDEX", default_value = "default")]
    index: IndexName,
}

/// How writing is limited.
#[derive(Args)]
#[command(next_help_heading = "Writing")]
pub struct WriteArguments {
    /// How far before an existing original a claimed date may lie to take its place: 0, 90s, 30m, 12h, 7d or unlimited.
    /// One that lies further back is flagged as backdated and judged by the time it was received.
    #[arg(long, value_name = "DURATION", default_value = "unlimited", value_parser = parse_backdate)]
    max_backdate: Backdate,
    /// Refuses to write when less than this is free on the disk.
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = parse_size)]
    disk_reserve: u64,
    /// How often the disk is made to keep what was written: 0 is before every answer, so that an answer outlives a power cut.
    /// With 200ms, 1s or more it always outlives this process, and a power cut only when it was given that long before.
    #[arg(long, value_name = "DURATION", default_value = "0", value_parser = parse_duration)]
    sync_every: Duration,
}

#[derive(Clone, Copy, ValueEnum)]
enum PolicyName {
    /// The words that are the same, in runs: --min-likeness and --duplicates.
    Likeness,
    /// Shingles in common: a resemblance of at least --min-resemblance (Broder et al. 1997).
    Resemblance,
    /// Two of six features agree (Lee et al. 2008).
    Paper,
}

/// A relation that can make a duplicate.
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum RelationName {
    /// The same bytes.
    Identical,
    /// The same words; markup, case, punctuation or spacing differ.
    SameWords,
    /// The same text with changes.
    Edited,
    /// Nearly all of it is in the longer earlier text.
    Excerpt,
    /// The earlier text is in it nearly whole, among other text.
    Extended,
    /// They have a passage in common.
    Quotes,
}

impl RelationName {
    fn relation(self) -> CopyRelation {
        match self {
            RelationName::Identical => CopyRelation::Identical,
            RelationName::SameWords => CopyRelation::SameWords,
            RelationName::Edited => CopyRelation::Edited,
            RelationName::Excerpt => CopyRelation::Excerpt,
            RelationName::Extended => CopyRelation::Extended,
            RelationName::Quotes => CopyRelation::Quotes,
        }
    }
}

/// The relations in their fixed order, each once, so that the order on the command line does not matter; none if none is given.
fn in_order(names: &[RelationName]) -> Option<Vec<CopyRelation>> {
    let is_named = |relation: &CopyRelation| names.iter().any(|name| name.relation() == *relation);
    let relations: Vec<CopyRelation> = CopyRelation::ALL.into_iter().filter(is_named).collect();
    (!relations.is_empty()).then_some(relations)
}

#[derive(Clone, Copy, ValueEnum)]
enum IndexName {
    /// Sorted runs under a table in memory: the fastest.
    Default,
    /// A B-tree for every key (Lee et al. 2010).
    B6d1,
    /// A two-dimensional R*-tree for every pair of keys (Lee et al. 2010).
    R15d2,
    /// One three-dimensional R*-tree (Lee et al. 2010).
    R1d3,
}

/// Seconds, or no limit.
#[derive(Clone, Copy)]
struct Backdate(Option<i64>);

impl JudgeArguments {
    pub fn options(&self) -> OpenOptions {
        let policy = self.policy.map(|policy| match policy {
            PolicyName::Likeness => Policy::Likeness,
            PolicyName::Resemblance => Policy::Resemblance,
            PolicyName::Paper => Policy::Paper,
        });
        let index = match self.index {
            IndexName::Default => IndexKind::Default,
            IndexName::B6d1 => IndexKind::B6d1,
            IndexName::R15d2 => IndexKind::R15d2,
            IndexName::R1d3 => IndexKind::R1d3,
        };
        let wanted = Wanted {
            shingle_words: self.shingle_words.map(usize::from),
            policy,
            min_resemblance: self.min_resemblance,
            min_likeness: self.min_likeness,
            duplicates: in_order(&self.duplicates),
        };
        OpenOptions { create: false, wanted, index, ..OpenOptions::default() }
    }

    /// Opens a data directory that is there, or makes it.
    pub fn open_or_create(
        &self,
        data: &DataArguments,
        write: &WriteArguments,
    ) -> Result<Engine, EngineError> {
        Engine::open(&data.data, OpenOptions { create: true, ..self.writing(write) })
    }

    /// Opens a data directory that is there.
    pub fn open(&self, data: &DataArguments, write: &WriteArguments) -> Result<Engine, EngineError> {
        Engine::open(&data.data, self.writing(write))
    }

    /// Opens a data directory to judge as if everything were stored, storing nothing.
    pub fn rehearse(&self, data: &DataArguments, write: &WriteArguments) -> Result<Engine, EngineError> {
        Engine::open(&data.data, OpenOptions { rehearsal: true, ..self.writing(write) })
    }

    fn writing(&self, write: &WriteArguments) -> OpenOptions {
        OpenOptions {
            max_backdate: write.max_backdate.0,
            disk_reserve: write.disk_reserve,
            sync_every: write.sync_every,
            ..self.options()
        }
    }
}

pub fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|&share| share > 0.0 && share <= 1.0);
    share.ok_or_else(|| "must be above 0 and at most 1".to_owned())
}

/// A date, or a time in RFC 3339, in Unix seconds.
pub fn parse_time(text: &str) -> Result<i64, String> {
    let time = text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    let date = || {
        let date = text.parse::<jiff::civil::Date>().ok()?;
        date.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|day| day.timestamp().as_second())
    };
    time.or_else(date)
        .ok_or_else(|| "a time is a date (2026-05-01) or RFC 3339 (2026-05-01T12:00:00Z)".to_owned())
}

/// A number of seconds, or one with its unit.
fn parse_duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, u64); 5] =
        [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let (number, factor) = UNITS
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))
        .unwrap_or((text, 1000));
    let number = number.trim().parse::<u32>().ok().map(u64::from);
    number
        .map(|number| Duration::from_millis(number * factor))
        .ok_or_else(|| "a duration is a number of seconds, or 200ms, 90s, 30m, 12h, 7d".to_owned())
}

fn parse_backdate(text: &str) -> Result<Backdate, String> {
    if text == "unlimited" {
        return Ok(Backdate(None));
    }
    let duration = parse_duration(text).map_err(|problem| format!("{problem}, or unlimited"))?;
    Ok(Backdate(i64::try_from(duration.as_secs()).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_in_any_order_are_the_same() {
        let names = [RelationName::Edited, RelationName::Identical, RelationName::Edited];
        assert_eq!(in_order(&names), Some(vec![CopyRelation::Identical, CopyRelation::Edited]));
        assert_eq!(in_order(&[]), None);
        for name in RelationName::value_variants() {
            let value = name.to_possible_value().unwrap();
            assert_eq!(value.get_name(), name.relation().name());
        }
    }

    #[test]
    fn durations_and_times() {
        for (text, expected) in [
            ("0", Some(0)),
            ("90s", Some(90)),
            ("30m", Some(1800)),
            ("7d", Some(604_800)),
            ("unlimited", None),
        ] {
            assert_eq!(parse_backdate(text).unwrap().0, expected, "{text}");
        }
        for (text, expected) in
            [("1970-01-02", 86_400), ("1970-01-01T00:00:05Z", 5), ("1970-01-01T01:00:00+01:00", 0)]
        {
            assert_eq!(parse_time(text), Ok(expected), "{text}");
        }
        assert!(parse_time("yesterday").is_err());
        for wrong in ["", "soon", "-1", "1w", "ms"] {
            assert!(parse_backdate(wrong).is_err(), "{wrong}");
        }
        for (text, expected) in [("0", 0), ("200ms", 200), ("2", 2000), ("1m", 60_000)] {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(expected)), "{text}");
        }
        assert!(parse_duration("unlimited").is_err());
    }
}
