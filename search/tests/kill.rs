//! kill -9 at random moments: an index holds exactly what was committed at its position.
//!
//! What stands at a position follows from the position alone, so a child needs no journal: it puts, removes, commits and
//! rolls back from where the index stands, and tells every position it has committed. The parent kills it, opens the
//! index, and compares. `FIRSTCOPY_KILLS` says how many rounds there are (120).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_search::{Ask, Entry, Query, SearchIndex, Sort};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

/// Documents that are written over and over.
const NUMBERS: u64 = 40;
const ROUNDS: u64 = 120;
const FOLDER: &str = "FIRSTCOPY_SEARCH_KILL";

/// A fixed function that looks random.
fn dice(seed: u64) -> u64 {
    let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 33
}

/// The change at a position: a document's new version, or none if it is removed.
fn change(position: u64) -> (u32, Option<u64>) {
    let rolled = dice(position);
    ((rolled % NUMBERS) as u32, (!(rolled / NUMBERS).is_multiple_of(4)).then_some(position))
}

fn text(version: u64) -> String {
    let kind = ["even 짝수의 글", "odd 홀수의 글"][(version % 2) as usize];
    format!("{kind} version{version} {}", "몇 마디 words ".repeat((version % 50) as usize))
}

fn apply(index: &mut SearchIndex, position: u64) {
    let (number, version) = change(position);
    match version {
        Some(version) => index.put(&Entry { number, text: &text(version), ..Entry::default() }).unwrap(),
        None => index.remove(number).unwrap(),
    }
}

/// All documents and their versions at a position.
fn expected(position: u64) -> BTreeMap<u32, u64> {
    let mut documents = BTreeMap::new();
    for (number, version) in (1..=position).map(change) {
        match version {
            Some(version) => documents.insert(number, version),
            None => documents.remove(&number),
        };
    }
    documents
}

fn found(index: &SearchIndex, query: &str) -> Vec<u32> {
    let ask = Ask { limit: 1000, sort: Sort::Oldest, after: None };
    let found = index.searcher().search(&Query::parse(query).unwrap(), &ask).unwrap();
    found.hits.iter().map(|hit| hit.number).collect()
}

fn check(folder: &Path, told: u64) -> u64 {
    let index = SearchIndex::open(folder).unwrap();
    let position = index.position();
    assert!(position >= told, "committed {told}, found {position}");
    let expected = expected(position);
    assert_eq!(index.numbers().unwrap(), expected.keys().copied().collect::<Vec<_>>(), "at {position}");
    for (query, parity) in [("even", 0), ("홀수는", 1)] {
        let of_parity = expected.iter().filter(|(_, version)| **version % 2 == parity);
        assert_eq!(
            found(&index, query),
            of_parity.map(|(number, _)| *number).collect::<Vec<_>>(),
            "at {position}"
        );
    }
    for (number, version) in expected.iter().take(3) {
        assert_eq!(found(&index, &format!("version{version}")), [*number], "at {position}");
    }
    position
}

#[test]
fn what_was_committed_is_there() {
    let rounds = std::env::var("FIRSTCOPY_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(ROUNDS);
    let start = UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    // In memory many more commits and merges fit between two kills; on a disk the syncs take their time.
    let memory = Path::new("/dev/shm");
    let in_memory = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    for (folder, rounds) in
        [(in_memory.unwrap(), rounds / 2), (tempfile::tempdir().unwrap(), rounds.div_ceil(2))]
    {
        kill_many_times(folder.path(), rounds, start);
    }
}

fn kill_many_times(folder: &Path, rounds: u64, seed: u64) {
    let (mut told, mut commits) = (0, 0);
    for round in 0..rounds {
        let patience = Duration::from_millis(5 + dice(seed ^ round) % 60);
        let acknowledged = kill_once(folder, patience);
        assert!(!acknowledged.is_empty(), "round {round}: the child committed nothing after position {told}");
        commits += acknowledged.len();
        told = check(folder, acknowledged.last().copied().unwrap_or(told));
    }
    println!("{rounds} kills, {commits} commits, position {told}");
}

/// Lets a child work and kills it; the positions it told.
fn kill_once(folder: &Path, patience: Duration) -> Vec<u64> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    // The clock runs from its first commit, so that a slow start is no reason to learn nothing.
    let first = lines.find_map(|line| line.parse().ok());
    std::thread::sleep(patience);
    child.kill().unwrap();
    child.wait().unwrap();
    first.into_iter().chain(lines.filter_map(|line| line.parse().ok())).collect()
}

/// Not a test: what the parent kills.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut index = SearchIndex::open(Path::new(&folder)).unwrap();
    let mut position = index.position();
    println!();
    loop {
        let step = 1 + dice(position ^ 0xc0ffee) % 7;
        (position + 1..=position + step).for_each(|at| apply(&mut index, at));
        if step == 5 {
            index.rollback().unwrap();
            (position + 1..=position + step).for_each(|at| apply(&mut index, at));
        }
        position += step;
        index.commit(position).unwrap();
        println!("{position}");
        std::io::stdout().flush().unwrap();
    }
}
