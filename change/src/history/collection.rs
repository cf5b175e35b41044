//! The path of a collection: versions are taken in and spooled; once all are there, who came, went and moved, and then page
//! after page what changed.

use super::error::HistoryError;
use super::events::{Entry, Events, Kept};
use super::fates::Fate;
use super::moved::{PageMove, moves};
use super::ordered::for_each_in_order;
use super::overall::{Overall, Tally};
use super::page::PageHistory;
use super::spool::{Spool, SpoolWriter};
use super::sweeps::Sweeps;
use super::version::{State, Version};
use crate::comparison::Settings;
use firstcopy_text::{Analyzer, Parameters, Seed};
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::path::Path;

/// What histories depend on besides the versions.
#[derive(Debug, Clone, Default)]
pub struct HistorySettings {
    /// How two versions are compared.
    pub comparison: Settings,
    /// How it is known when everything was looked at.
    pub sweeps: Sweeps,
}

/// What the work may use, and who may stop it.
#[derive(Debug, Clone, Copy)]
pub struct Resources {
    /// So many threads.
    pub threads: usize,
    /// Says whether to stop.
    pub is_stopped: fn() -> bool,
}

impl Resources {
    pub(super) fn go_on(&self) -> Result<(), HistoryError> {
        if (self.is_stopped)() { Err(HistoryError::Stopped) } else { Ok(()) }
    }
}

/// The versions of many pages. Their texts lie in a temporary file; of each version a few bytes are in memory.
#[derive(Debug)]
pub struct Histories {
    settings: HistorySettings,
    spool: SpoolWriter,
    numbers: HashMap<String, u32, FixedState>,
    entries: Vec<Entry>,
}

/// A page and what happened to it.
#[derive(Debug)]
pub(super) struct Chapter {
    pub page: String,
    pub events: Events,
    fate: Fate,
}

impl Histories {
    /// Has no versions yet. The temporary file is made in this folder, or where the system has such files.
    pub fn new(settings: HistorySettings, temp_dir: Option<&Path>) -> Result<Self, HistoryError> {
        let spool = SpoolWriter::create(temp_dir)?;
        Ok(Histories { settings, spool, numbers: HashMap::default(), entries: Vec::new() })
    }

    /// Takes in a version. Of two with the same time, the first to come is the earlier one.
    pub fn push(&mut self, version: Version) -> Result<(), HistoryError> {
        let kept = match version.state {
            State::Text(packed) => {
                let piece = self.spool.push(&packed.bytes, packed.unpacked)?;
                Kept::Text { piece, fingerprint: packed.fingerprint }
            }
            State::Empty => Kept::Empty,
            State::Same => Kept::Same,
            State::Gone => Kept::Gone,
        };
        let next = u32::try_from(self.numbers.len()).map_err(|_| HistoryError::TooMany)?;
        let page = *self.numbers.entry(version.page).or_insert(next);
        self.entries.push(Entry { page, at: version.at, kept });
        Ok(())
    }

    /// How many pages there are.
    pub fn pages(&self) -> usize {
        self.numbers.len()
    }

    /// Hands over the history of every page, in the order of their names, and returns what can be said of all.
    pub fn tell<E: From<HistoryError>>(
        self,
        resources: &Resources,
        mut sink: impl FnMut(PageHistory) -> Result<(), E>,
    ) -> Result<Overall, E> {
        let Histories { settings, spool, numbers, entries } = self;
        let spool = spool.finish()?;
        let pages = numbers.len();
        let mut chapters = chapters(numbers, entries);
        let sweeps = decide_fates(&mut chapters, &settings.sweeps);
        let moves = find_moves(&mut chapters, &spool, &settings.comparison, resources)?;
        let mut tally = Tally::new(&chapters, (pages - chapters.len(), sweeps), moves);
        let compare = |chapter: &Chapter| {
            let Chapter { page, events, fate } = chapter;
            PageHistory::of((page, events, fate), &spool, &settings.comparison)
        };
        for_each_in_order(&chapters, resources.threads, compare, |history| {
            resources.go_on()?;
            let history = history?;
            tally.take(&history);
            sink(history)
        })?;
        Ok(tally.finish())
    }
}

/// What happened to every page that ever had a text, in the order of their names.
fn chapters(numbers: HashMap<String, u32, FixedState>, mut entries: Vec<Entry>) -> Vec<Chapter> {
    let mut names: Vec<(String, u32)> = numbers.into_iter().collect();
    names.sort_unstable();
    // Stable: versions of one time stay in the order in which they came.
    entries.sort_by_key(|entry| (entry.page, entry.at));
    let of_page = |number: u32| {
        let start = entries.partition_point(|entry| entry.page < number);
        let end = entries.partition_point(|entry| entry.page <= number);
        Events::of(&entries[start..end])
    };
    names
        .into_iter()
        .map(|(page, number)| Chapter { page, events: of_page(number), fate: Fate::default() })
        .filter(|chapter| !chapter.events.visits.is_empty())
        .collect()
}

/// Says who came and who went. Returns how many sweeps there were.
fn decide_fates(chapters: &mut [Chapter], sweeps: &Sweeps) -> usize {
    let days = sweeps.days(chapters.iter().map(|chapter| &chapter.events));
    chapters.iter_mut().for_each(|chapter| chapter.fate = Fate::of(&chapter.events, &days));
    days.len()
}

/// Says who moved.
fn find_moves(
    chapters: &mut [Chapter],
    spool: &Spool,
    settings: &Settings,
    resources: &Resources,
) -> Result<Vec<PageMove>, HistoryError> {
    let parameters = Parameters { shingle_words: settings.shingle_words, ..Parameters::default() };
    let analyzer = Analyzer::new(parameters, &Seed::PUBLIC);
    let moves = moves(chapters, (spool, &analyzer), resources)?;
    for (from, to, moved) in &moves {
        chapters[*from].fate.moved_to = Some(moved.to.clone());
        chapters[*to].fate.moved_from = Some(moved.from.clone());
    }
    Ok(moves.into_iter().map(|(_, _, moved)| moved).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    fn told(versions: &[(&str, i64, State)], sweeps: Sweeps, threads: usize) -> (Vec<PageHistory>, Overall) {
        let settings = HistorySettings { sweeps, ..HistorySettings::default() };
        let mut histories = Histories::new(settings, None).unwrap();
        for (page, day, state) in versions {
            let (page, state) = ((*page).to_owned(), state.clone());
            histories.push(Version { page, at: day * DAY, state }).unwrap();
        }
        let mut pages = Vec::new();
        let resources = Resources { threads, is_stopped: || false };
        let overall = histories.tell(&resources, |page| {
            pages.push(page);
            Ok::<(), HistoryError>(())
        });
        (pages, overall.unwrap())
    }

    fn text(text: &str) -> State {
        State::of_text(text).unwrap()
    }

    /// Forty words that only this text has.
    fn long(name: &str) -> String {
        (0..40).map(|word| format!("{name}{word} ")).collect()
    }

    #[test]
    fn white_space_and_empty_versions_are_no_changes() {
        let versions = [
            ("a", 3, text("one  two\n three")),
            ("a", 1, text("one two three")),
            ("a", 2, text(" \n")),
            ("a", 5, text("one two four")),
            ("nothing", 1, State::Empty),
        ];
        let (pages, overall) = told(&versions, Sweeps::Found, 1);
        let changed: Vec<bool> = pages[0].intervals.iter().map(|interval| interval.is_change()).collect();
        assert_eq!(changed, [false, true]);
        assert_eq!((pages[0].versions, pages[0].empty_versions, pages[0].changes), (3, 1, 1));
        assert_eq!((pages[0].lifetime_days, pages[0].mean_days_between_changes), (4.0, Some(4.0)));
        assert_eq!(pages[0].operations.replace, 1);
        assert_eq!((overall.pages, overall.pages_without_text, overall.intervals), (1, 1, 2));
        assert_eq!(overall.change.bw, 0.5);
    }

    #[test]
    fn punctuation_is_a_change_of_bytes_alone() {
        let (pages, _) = told(&[("a", 1, text("one, two")), ("a", 2, text("one. two"))], Sweeps::Found, 1);
        assert_eq!(pages[0].intervals[0].metrics.values(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn of_one_time_the_first_to_come_is_the_earlier() {
        let versions = [("a", 1, text("one")), ("a", 1, text("one two")), ("a", 1, text("one two"))];
        let (pages, _) = told(&versions, Sweeps::Found, 1);
        assert_eq!(pages[0].intervals[0].operations.add, 1);
        assert_eq!(pages[0].intervals[1].metrics.bw, 0.0);
        assert_eq!((pages[0].changes_per_day, pages[0].revisit_days), (None, None), "no time passed");
    }

    #[test]
    fn who_moves_is_not_born_and_does_not_die() {
        let stays = |page, day| (page, day, text("it stays"));
        let versions = [
            stays("http://a/stays", 0),
            stays("http://a/stays", 9),
            ("http://a/old", 0, text(&long("within"))),
            ("http://a/new", 9, text(&format!("{} more", long("within")))),
            ("http://a/leaves", 0, text(&long("between"))),
            ("http://b/arrives", 9, text(&long("between"))),
            ("http://a/dies", 0, text(&long("death"))),
            ("http://a/born", 9, text(&long("birth"))),
            ("http://a/short", 0, text("page not found")),
            ("http://b/short", 9, text("page not found")),
        ];
        let (pages, overall) = told(&versions, Sweeps::Found, 1);
        let moves: Vec<(&str, &str, bool)> =
            overall.moves.iter().map(|m| (m.from.as_str(), m.to.as_str(), m.within_host)).collect();
        let expected =
            [("http://a/leaves", "http://b/arrives", false), ("http://a/old", "http://a/new", true)];
        assert_eq!(moves, expected);
        assert_eq!((overall.sweeps, overall.births, overall.deaths), (2, 2, 2));
        let died = |page: &&PageHistory| page.died;
        let dead: Vec<&str> = pages.iter().filter(died).map(|page| page.page.as_str()).collect();
        assert_eq!(dead, ["http://a/dies", "http://a/short"]);
        let old = pages.iter().find(|page| page.page == "http://a/old").unwrap();
        assert_eq!((old.moved_to.as_deref(), old.gone_at), (Some("http://a/new"), Some(9 * DAY)));
        assert_eq!((told(&versions, Sweeps::None, 1).1).births, 0);
    }

    #[test]
    fn told_to_be_gone_and_back() {
        let versions = [
            ("a", 0, text("one")),
            ("a", 2, State::Gone),
            ("a", 4, text("one")),
            ("b", 0, text("two")),
            ("b", 3, State::Same),
            ("b", 5, State::Gone),
        ];
        let (pages, overall) = told(&versions, Sweeps::None, 1);
        assert_eq!((pages[0].returns, pages[0].died, pages[0].changes), (1, false, 0));
        assert_eq!((pages[1].versions, pages[1].gone_at), (2, Some(5 * DAY)));
        assert_eq!((overall.deaths, overall.returns), (1, 1));
    }

    #[test]
    fn threads_change_nothing() {
        let texts: Vec<(String, i64, State)> = (0..300)
            .map(|n| (format!("page {}", n % 40), n / 40, text(&long(&format!("w{} ", n % 7)))))
            .collect();
        let versions: Vec<_> =
            texts.iter().map(|(page, day, state)| (page.as_str(), *day, state.clone())).collect();
        assert_eq!(told(&versions, Sweeps::Found, 1), told(&versions, Sweeps::Found, 4));
    }

    #[test]
    fn nothing_and_enough() {
        let (pages, overall) = told(&[], Sweeps::Found, 1);
        assert!(pages.is_empty() && overall.lifetime_days.is_none());
        let mut histories = Histories::new(HistorySettings::default(), None).unwrap();
        histories.push(Version { page: "a".to_owned(), at: 0, state: text("one") }).unwrap();
        let stopped =
            histories.tell(&Resources { threads: 1, is_stopped: || true }, |_| Ok::<(), HistoryError>(()));
        assert!(matches!(stopped, Err(HistoryError::Stopped)));
    }
}
