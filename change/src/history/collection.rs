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
                Kept::Text { piece: self.spool.push(&packed.bytes)?, fingerprint: packed.fingerprint }
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
