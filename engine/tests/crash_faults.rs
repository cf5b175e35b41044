//! Every write, sync, rename and removal of a short life of a data directory, failed once each.
//!
//! A shim between the child and its disk (`crash/inject.c`) counts the calls that change the data directory. The first
//! run only counts; then the same life is lived again for every call and every way to fail: killed before it, killed
//! after it, killed in the middle of a write, answered with EIO, answered with ENOSPC. Afterwards the directory is
//! opened without the shim: what was acknowledged is there, everything else is there wholly or not at all, `verify`
//! finds nothing, every group has one original, the follower gets in step. After EIO the child must have stopped
//! writing and gone on reading; after ENOSPC it must have gone on writing as soon as there was room.
//!
//! The search index and the sketch postings follow on threads of their own, so no two lives make the same calls in the
//! same order: they are failed at every so many calls, wherever that is, and must agree with the store afterwards.
//!
//! Of the pages of one commit that go to the write-ahead log, the first, the middle and the last ones are failed: all of
//! them with `FIRSTCOPY_FAULTS=all`.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every crash test uses a part of what they share")]
mod crash;
#[path = "crash/shim.rs"]
mod shim;

use crash::follower::FileFollower;
use crash::journal::{self, Fate, Journal, Line, Text};
use crash::state::Expected;
use crash::{quick_folder, start_child, text_of, told};
use firstcopy_engine::{Engine, EngineError, IndexKind, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Instant;

const A: Text = Text { topic: 1, variant: 0 };
const A_IN_CAPITALS: Text = Text { topic: 1, variant: 1 };
const A_AND_A_WORD: Text = Text { topic: 1, variant: 2 };
const B: Text = Text { topic: 2, variant: 0 };
const C: Text = Text { topic: 3, variant: 0 };

/// The life: id, what is to stand under it, and since when as its sender says.
const LIFE: [(&str, Option<Text>, Option<i64>); 8] = [
    ("first", Some(A), None),
    ("copy", Some(A_IN_CAPITALS), None),
    ("late-original", Some(A), Some(1_000_000_000)),
    ("edited", Some(B), None),
    // Edited into a copy, and out of being one.
    ("edited", Some(A_AND_A_WORD), None),
    ("first", Some(C), None),
    ("late-original", None, None),
    // Posted again, as something else.
    ("late-original", Some(B), None),
];
/// After so many steps the follower follows for the first time; at the end once more.
const FOLLOWED_AFTER: usize = 4;

/// How often the child tries to open the directory: more often than calls in a row find no room.
const ATTEMPTS: usize = 10;

/// The ways to fail, as the shim calls them; the number is how many calls in a row find no room.
const KILLED_BEFORE: (&str, u32) = ("kill-before", 1);
const KILLED_AFTER: (&str, u32) = ("kill-after", 1);
const TORN: (&str, u32) = ("torn", 1);
const EIO: (&str, u32) = ("eio", 1);
const ENOSPC: (&str, u32) = ("enospc", 1);
const ENOSPC_FOR_LONGER: (&str, u32) = ("enospc", 7);

#[test]
fn killed_before_a_call() {
    fail_everywhere(IndexKind::Default, KILLED_BEFORE);
}

#[test]
fn killed_after_a_call() {
    fail_everywhere(IndexKind::Default, KILLED_AFTER);
}

#[test]
fn killed_in_the_middle_of_a_write() {
    fail_everywhere(IndexKind::Default, TORN);
}

#[test]
fn an_error_of_the_disk() {
    fail_everywhere(IndexKind::Default, EIO);
}

#[test]
fn no_room_once() {
    fail_everywhere(IndexKind::Default, ENOSPC);
}

#[test]
fn no_room_for_a_while() {
    fail_everywhere(IndexKind::Default, ENOSPC_FOR_LONGER);
}

#[test]
fn killed_before_a_call_with_an_index_in_sqlite() {
    fail_everywhere(IndexKind::B6d1, KILLED_BEFORE);
}

#[test]
fn an_error_of_the_disk_with_an_index_in_sqlite() {
    fail_everywhere(IndexKind::B6d1, EIO);
}

#[test]
fn no_room_with_an_index_in_sqlite() {
    fail_everywhere(IndexKind::B6d1, ENOSPC);
}

#[test]
fn search_and_postings_are_killed() {
    fail_followers(&[KILLED_BEFORE, KILLED_AFTER, TORN]);
}

#[test]
fn search_and_postings_get_errors() {
    fail_followers(&[EIO, ENOSPC, ENOSPC_FOR_LONGER]);
}

/// Of the calls of a life with search and postings, every so many are failed: all with `FIRSTCOPY_FAULTS=all`.
const FOLLOWED_STEP: usize = 23;

/// Lives lives in which search and postings follow, with a fault somewhere in each.
fn fail_followers(modes: &[(&str, u32)]) {
    let tools = tempfile::tempdir().unwrap();
    let shim = shim::build(tools.path());
    let is_call = |line: &Line| matches!(line, Line::Call(..));
    let calls =
        live(&shim, IndexKind::Default, ("trace", 1), 0, true).lines.into_iter().filter(is_call).count();
    let step = if told("FIRSTCOPY_FAULTS").as_deref() == Some("all") { 1 } else { FOLLOWED_STEP };
    let (mut lives, mut faults) = (0, 0);
    for (offset, &(mode, count)) in modes.iter().enumerate() {
        // Another third of the places for every mode.
        for at in (1 + offset * step / modes.len()..=calls).step_by(step) {
            let lived = live(&shim, IndexKind::Default, (mode, count), at, true);
            lives += 1;
            faults += usize::from(lived.has_fault());
            if let Err(problem) = lived.check_content(IndexKind::Default) {
                let kept = lived.folder.keep();
                panic!("{mode} at call {at} of {calls}, {}: {problem}", kept.display());
            }
        }
    }
    println!("{lives} lives of about {calls} calls, {faults} of them with a fault");
    assert!(2 * faults > lives, "{faults} of {lives}");
}

/// Lives the life once to count the calls, then once for every call that is failed.
fn fail_everywhere(index: IndexKind, (mode, count): (&str, u32)) {
    let start = Instant::now();
    let tools = tempfile::tempdir().unwrap();
    let shim = shim::build(tools.path());
    let calls: Vec<(String, String)> = live(&shim, index, ("trace", 1), 0, false)
        .lines
        .into_iter()
        .filter_map(|line| if let Line::Call(call, file) = line { Some((call, file)) } else { None })
        .collect();
    let chosen = choose(&calls, index);
    for &at in &chosen {
        let lived = live(&shim, index, (mode, count), at + 1, false);
        if let Err(problem) = lived.check(index, mode) {
            let (call, file) = &calls[at];
            let kept = lived.folder.keep();
            panic!("{mode} at call {} ({call} of {file}), {}: {problem}", at + 1, kept.display());
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{mode} x{count}, {}: {} of {} calls failed, {seconds:.0} s",
        index.name(),
        chosen.len(),
        calls.len()
    );
}

/// The calls that are failed: all but the inner ones of a long row of writes to the same log. The papers' indexes are
/// rebuilt from the store like the default one, so of theirs and of what both share the outer ones do.
fn choose(calls: &[(String, String)], index: IndexKind) -> Vec<usize> {
    if told("FIRSTCOPY_FAULTS").as_deref() == Some("all") {
        return (0..calls.len()).collect();
    }
    let outer = if index == IndexKind::Default { 3 } else { 1 };
    let mut chosen = Vec::new();
    let mut start = 0;
    for row in calls.chunk_by(|a, b| a == b) {
        let (length, middle) = (row.len(), row.len() / 2);
        let is_outer = |place: usize| place < outer || place + outer >= length || place == middle;
        chosen.extend((0..length).filter(|&place| is_outer(place)).map(|place| start + place));
        start += length;
    }
    chosen
}

/// A life and what is left of it.
struct Lived {
    folder: tempfile::TempDir,
    lines: Vec<Line>,
    was_killed: bool,
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

fn options(index: IndexKind) -> OpenOptions {
    OpenOptions { index, disk_reserve: 0, seeds: Some([7; 32]), ..OpenOptions::default() }
}

fn live(shim: &Path, index: IndexKind, (mode, count): (&str, u32), at: usize, followers: bool) -> Lived {
    let folder = quick_folder();
    let (data, journal) = (data(folder.path()), folder.path().join("journal"));
    let mut child = start_child(&[
        ("CRASH_FOLDER", text_of(folder.path())),
        ("CRASH_INDEX", index.name()),
        ("CRASH_FOLLOWERS", if followers { "yes" } else { "no" }),
        ("FAULT_DIR", text_of(&data)),
        ("FAULT_LOG", text_of(&journal)),
        ("FAULT_MODE", mode),
        ("FAULT_AT", &at.to_string()),
        ("FAULT_COUNT", &count.to_string()),
        ("LD_PRELOAD", text_of(shim)),
    ]);
    let ended = child.wait().unwrap();
    let lines = journal::read(&journal);
    assert!(ended.success() || ended.code().is_none(), "the child failed: {ended}: {lines:?}");
    Lived { lines, folder, was_killed: ended.code().is_none() }
}

impl Lived {
    fn has_fault(&self) -> bool {
        self.lines.iter().any(|line| matches!(line, Line::Fault(..)))
    }

    fn check(&self, index: IndexKind, mode: &str) -> Result<(), String> {
        if !self.has_fault() {
            return Err("the call was never made".to_owned());
        }
        if self.was_killed {
            (mode != "eio" && mode != "enospc").then_some(()).ok_or("the child was killed")?;
        } else {
            conduct(&self.lines, mode)?;
        }
        self.check_content(index)
    }

    /// Whether all is there that was acknowledged, and everything agrees with it.
    fn check_content(&self, index: IndexKind) -> Result<(), String> {
        let mut expected = Expected::default();
        expected.learn(&self.lines);
        let followed = self.folder.path().join("followed");
        expected
            .check(&data(self.folder.path()), &followed, options(index))
            .map_err(|problem| format!("{problem}\n{:#?}", self.lines))
    }
}

/// Whether a child that lived on did what it must: an error is answered, and stops all writing unless only room was
/// missing; reading goes on.
fn conduct(lines: &[Line], mode: &str) -> Result<(), String> {
    let mut faults: Vec<&Line> = Vec::new();
    let (mut has_stopped, mut may_have_stopped) = (false, false);
    for line in lines {
        let problem = match line {
            Line::Fault(..) => {
                faults.push(line);
                continue;
            }
            Line::Read(true) | Line::Call(..) | Line::Begin(..) | Line::Open | Line::Closed => continue,
            Line::Read(false) => Some("reading must go on"),
            Line::Refused(_) if faults.is_empty() => Some("opening was refused without a reason"),
            Line::Failed(_, Fate::Stopped) if !has_stopped && !may_have_stopped => {
                Some("writing has stopped without a reason")
            }
            Line::Failed(_, Fate::Full) if mode != "enospc" => Some("the disk is not full"),
            Line::Failed(_, Fate::Full | Fate::Other) if faults.is_empty() => Some("nothing was wrong"),
            Line::Failed(_, Fate::Other) if mode == "enospc" && !faults.iter().any(|line| syncs(line)) => {
                Some("only room was missing")
            }
            Line::Done(..) if has_stopped => Some("writing must have stopped"),
            Line::Done(..) if faults.iter().any(|line| syncs_the_store(line)) => Some("this was not synced"),
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(format!("{problem}: {line:?} after {faults:?} in\n{lines:#?}"));
        }
        // What the store has is answered as stored even if its index fails: then the next one learns of it.
        let by_index = matches!(line, Line::Done(..)) && faults.iter().any(|line| touches_an_index(line));
        may_have_stopped |= by_index;
        has_stopped |= matches!(line, Line::Failed(_, Fate::Other | Fate::Stopped));
        // The next attempt at opening begins afresh, and so does the next operation.
        faults.clear();
    }
    match lines.iter().rfind(|line| !matches!(line, Line::Fault(..))) {
        Some(Line::Closed) => Ok(()),
        _ => Err(format!("the life did not come to its end:\n{lines:#?}")),
    }
}

fn syncs(line: &Line) -> bool {
    matches!(line, Line::Fault(call, _) if call.ends_with("sync"))
}

fn touches_an_index(line: &Line) -> bool {
    matches!(line, Line::Fault(_, file) if file.starts_with("trees.sqlite"))
}

fn syncs_the_store(line: &Line) -> bool {
    matches!(line, Line::Fault(_, file) if syncs(line) && file == "store.sqlite-wal")
}

/// What is failed: opens the directory, again if that fails, and lives the life.
#[test]
#[ignore = "the tests above start it in a process of its own"]
fn child() {
    let (Some(folder), Some(journal)) = (told("CRASH_FOLDER"), told("FAULT_LOG")) else { return };
    let (folder, journal) = (Path::new(&folder), Journal::open(Path::new(&journal)));
    let index = IndexKind::ALL.into_iter().find(|kind| Some(kind.name()) == told("CRASH_INDEX").as_deref());
    for _ in 0..ATTEMPTS {
        let followers = told("CRASH_FOLLOWERS").as_deref() == Some("yes");
        match Engine::open(&data(folder), OpenOptions { followers, ..options(index.unwrap()) }) {
            Ok(engine) => {
                act(&engine, folder, &journal);
                // What could not follow now does so when the directory is opened again.
                let _ = engine.catch_up();
                drop(engine);
                return journal.write(&Line::Closed);
            }
            Err(error) => journal.write(&Line::Refused(error.to_string())),
        }
    }
}

fn act(engine: &Engine, folder: &Path, journal: &Journal) {
    journal.write(&Line::Open);
    let mut follower = FileFollower::open(&folder.join("followed"));
    for (step, (id, text, created_at)) in LIFE.into_iter().enumerate() {
        journal.write(&Line::Begin(id.to_owned(), text));
        let answer = match text {
            Some(text) => engine.add(text.page(id, created_at)).map(drop),
            None => engine.delete(id).map(drop),
        };
        journal.write(&match answer {
            Ok(()) => Line::Done(id.to_owned(), text),
            Err(error) => Line::Failed(id.to_owned(), fate(&error)),
        });
        journal.write(&Line::Read(engine.reader().show(id).is_ok() && engine.statistics().is_ok()));
        if (step + 1 == FOLLOWED_AFTER || step + 1 == LIFE.len())
            && let Err(error) = engine.follow(&mut follower)
        {
            journal.write(&Line::Failed("follower".to_owned(), fate(&error)));
        }
    }
}

fn fate(error: &EngineError) -> Fate {
    match error {
        EngineError::Store(error) if error.is_disk_full() => Fate::Full,
        EngineError::Stopped(_) => Fate::Stopped,
        _ => Fate::Other,
    }
}
