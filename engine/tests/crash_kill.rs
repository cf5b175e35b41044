//! kill -9 at random moments: nothing acknowledged is lost, everything else is there wholly or not at all.
//!
//! A child opens a data directory, adds, copies, edits, deletes and posts again from several threads while a follower
//! follows, closes it, opens it again, and so on; the parent kills it at a random moment, of work as well as of opening,
//! catching up and closing. Then it opens the directory itself and compares it with the child's journal: every answer
//! holds, `verify` finds nothing, every group has one original, and the follower gets in step. At the end of a
//! directory's life search and similarity answer the same before and after they are built anew. Sometimes it lets the next
//! child open it instead, so that one crash comes upon another. The same directory lives through many rounds.
//!
//! `FIRSTCOPY_KILLS` says how many rounds there are (300); `FIRSTCOPY_SEED` repeats the children's and parent's choices,
//! though not the moments at which the machine really is.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every crash test uses a part of what they share")]
mod crash;

use crash::follower::FileFollower;
use crash::journal::{self, Journal, Line, Text};
use crash::state::Expected;
use crash::{Dice, quick_folder, start_child, text_of, told};
use firstcopy_engine::{Catalogue, Engine, IndexKind, OpenOptions, SearchQuestion, SimilarQuestion, Sort};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Rounds, of which every test takes its share.
const KILLS: u64 = 300;
/// Rounds that a directory lives through.
const ROUNDS_A_DIRECTORY: u64 = 50;
/// Threads that write, ids that each of them has, and topics that all of them write about: few, so that they collide.
const THREADS: u64 = 3;
const IDS: u64 = 10;
const TOPICS: u64 = 12;

fn rounds(share: u64) -> u64 {
    let number = |name: &str| told(name).and_then(|text| text.parse::<u64>().ok());
    (number("FIRSTCOPY_KILLS").unwrap_or(KILLS) * share).div_ceil(100)
}

fn seed() -> u64 {
    let given = told("FIRSTCOPY_SEED").and_then(|text| text.parse().ok());
    given.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64)
}

#[test]
fn nothing_acknowledged_is_lost_with_the_default_index() {
    kill_many_times("default", rounds(60));
}

#[test]
fn nothing_acknowledged_is_lost_when_the_kind_of_index_changes() {
    kill_many_times("any", rounds(40));
}

/// What a number of rounds came upon.
#[derive(Debug, Default)]
struct Tally {
    kills: u64,
    before_open: u64,
    while_closed: u64,
    checks: u64,
    answers: usize,
    unanswered: usize,
}

fn kill_many_times(index: &str, rounds: u64) {
    let seed = seed();
    let (mut dice, mut tally) = (Dice(seed), Tally::default());
    let mut done = 0;
    while done < rounds {
        // Turn about: in memory many more operations fit between two kills, on a disk the syncs take their time.
        let in_memory = (done / ROUNDS_A_DIRECTORY).is_multiple_of(2);
        let folder = if in_memory { quick_folder() } else { tempfile::tempdir().unwrap() };
        let mut expected = Expected::default();
        let until = rounds.min(done + ROUNDS_A_DIRECTORY);
        for round in done..until {
            let journal = folder.path().join(format!("journal-{round}"));
            kill_once(folder.path(), &journal, index, &mut dice);
            let lines = journal::read(&journal);
            count(&lines, &mut tally);
            expected.learn(&lines);
            if round + 1 == until || dice.roll(3) > 0 {
                tally.checks += 1;
                let checked = expected.check(&data(folder.path()), &followed(folder.path()), options());
                if let Err(problem) = checked {
                    let kept = folder.keep();
                    panic!("round {round}, FIRSTCOPY_SEED={seed}, {}: {problem}", kept.display());
                }
            }
        }
        done = until;
        same_as_built_anew(&data(folder.path()));
    }
    println!("{index}: {tally:?}");
    assert_eq!(tally.kills, rounds);
    assert!(tally.answers as u64 > rounds, "the children did next to nothing: {tally:?}");
}

/// The followers lived through all the kills; built from nothing they answer the same.
fn same_as_built_anew(data: &Path) {
    let followed = answers(data);
    assert!(followed.len() as u64 > TOPICS, "hardly anything is found: {followed:?}");
    Engine::reindex(data, &options(), |_| ()).unwrap();
    assert_eq!(followed, answers(data));
}

/// All that is found on all topics. Without scores: deleted documents weigh a little in them for a while.
fn answers(data: &Path) -> Vec<String> {
    let catalogue = Catalogue::open(data).unwrap();
    let mut found = Vec::new();
    for topic in 0..TOPICS {
        let words = Text { topic, variant: 0 }.words();
        for all in [false, true] {
            let query = words.split(' ').next().unwrap().to_owned();
            let question = SearchQuestion { query, all, sort: Sort::Newest, limit: 1000, cursor: None };
            let hits = catalogue.search(&question).unwrap().hits;
            found.extend(hits.into_iter().map(|hit| format!("{topic} {all} {hit:?}")));
        }
        let page = Text { topic, variant: 2 }.page("asked", None);
        let similar = catalogue.similar(page, &SimilarQuestion { limit: 1000, ..SimilarQuestion::default() });
        found.extend(similar.unwrap().similar.into_iter().map(|similar| format!("{topic} {similar:?}")));
    }
    found
}

fn data(folder: &Path) -> std::path::PathBuf {
    folder.join("data")
}

fn followed(folder: &Path) -> std::path::PathBuf {
    folder.join("followed")
}

fn options() -> OpenOptions {
    OpenOptions { disk_reserve: 0, ..OpenOptions::default() }
}

/// Starts a child and kills it: mostly while it works, sometimes while it starts.
fn kill_once(folder: &Path, journal: &Path, index: &str, dice: &mut Dice) {
    let seed = dice.roll(u64::MAX).to_string();
    let mut child = start_child(&[
        ("CRASH_FOLDER", text_of(folder)),
        ("CRASH_JOURNAL", text_of(journal)),
        ("CRASH_INDEX", index),
        ("CRASH_SEED", &seed),
    ]);
    if dice.roll(4) > 0 {
        let start = Instant::now();
        while journal::read(journal).is_empty() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    std::thread::sleep(Duration::from_micros(5_000 + dice.roll(55_000)));
    child.kill().unwrap();
    let ended = child.wait().unwrap();
    assert!(
        ended.code().is_none(),
        "the child ended by itself: {ended}: {:?}",
        journal::read(journal).last()
    );
}

fn count(lines: &[Line], tally: &mut Tally) {
    let refused = lines.iter().find(|line| matches!(line, Line::Refused(_) | Line::Failed(..)));
    assert_eq!(refused, None, "nothing is wrong with this disk");
    let begun = lines.iter().filter(|line| matches!(line, Line::Begin(..))).count();
    let answers = lines.iter().filter(|line| matches!(line, Line::Done(..))).count();
    tally.kills += 1;
    tally.before_open += u64::from(!lines.contains(&Line::Open));
    tally.while_closed += u64::from(lines.last() == Some(&Line::Closed));
    tally.answers += answers;
    tally.unanswered += begun - answers;
}

/// What is killed.
#[test]
#[ignore = "the tests above start it in a process of its own"]
fn child() {
    let (Some(folder), Some(journal)) = (told("CRASH_FOLDER"), told("CRASH_JOURNAL")) else { return };
    let (folder, journal) = (Path::new(&folder), Journal::open(Path::new(&journal)));
    let mut dice = Dice(told("CRASH_SEED").unwrap().parse().unwrap());
    let any = told("CRASH_INDEX").as_deref() == Some("any");
    loop {
        let index = if any && dice.roll(2) == 0 { IndexKind::B6d1 } else { IndexKind::Default };
        // Synced or not, what was answered outlives the process.
        let sync_every = Duration::from_millis(if any { dice.roll(2) * 20 } else { 0 });
        match Engine::open(&data(folder), OpenOptions { index, sync_every, ..options() }) {
            Ok(engine) => work(&engine, folder, &journal, &mut dice),
            Err(error) => return journal.write(&Line::Refused(error.to_string())),
        }
        journal.write(&Line::Closed);
    }
}

/// Writes from several threads for a while, and lets a follower follow.
fn work(engine: &Engine, folder: &Path, journal: &Journal, dice: &mut Dice) {
    journal.write(&Line::Open);
    let until = Instant::now() + Duration::from_millis(5 + dice.roll(40));
    let at_work = AtomicBool::new(true);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let mut dice = Dice(dice.roll(u64::MAX));
                scope.spawn(move || {
                    while Instant::now() < until {
                        write_once(engine, journal, thread, &mut dice);
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            let mut follower = FileFollower::open(&followed(folder));
            while at_work.load(Relaxed) {
                engine.follow(&mut follower).unwrap();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        at_work.store(false, Relaxed);
    });
}

/// One operation on one of the ids of this thread: a post, new or not, or its end.
fn write_once(engine: &Engine, journal: &Journal, thread: u64, dice: &mut Dice) {
    let id = format!("{thread}-{}", dice.roll(IDS));
    let text = (dice.roll(4) > 0).then(|| Text { topic: dice.roll(TOPICS), variant: dice.roll(4) });
    // Half of them claim some day of 2001 to 2004: most of these are older than all there is, and take it over.
    let created_at = (dice.roll(2) == 0).then(|| 1_000_000_000 + dice.roll(100_000_000) as i64);
    journal.write(&Line::Begin(id.clone(), text));
    match text {
        Some(text) => drop(engine.add(text.page(&id, created_at)).unwrap()),
        None => drop(engine.delete(&id).unwrap()),
    }
    journal.write(&Line::Done(id, text));
}
