//! A full disk: writing is refused with a clear error, reading goes on, nothing acknowledged is lost, and writing works
//! again, in the same process, as soon as there is room.
//!
//! Where the machine allows it the disk is a real one of 48 MiB: a tmpfs in a mount namespace of its own, which is gone
//! with the process whatever happens. Elsewhere the shim of the fault tests answers ENOSPC. The test says which it was.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every crash test uses a part of what they share")]
mod crash;
#[path = "crash/shim.rs"]
mod shim;

use crash::{Dice, start_child, text_of, told};
use firstcopy_engine::{Engine, EngineError, IndexKind, OpenOptions, Verdict};
use firstcopy_text::{Content, Page};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The disk.
const DISK: &str = "size=48m";
/// A file that takes up room until it is removed: more than the 16 MiB that the write-ahead log may have waiting for it.
const BALLAST: usize = 20 << 20;
/// A post of this many random words takes some 20 kB.
const WORDS: usize = 3_000;
/// More posts than the disk holds.
const TOO_MANY: usize = 3_000;
/// Posts that fit again when the ballast is gone.
const MORE: usize = 20;

#[test]
fn a_reserve_is_left_free() {
    fill(1 << 20, IndexKind::Default);
}

#[test]
fn the_disk_is_filled_to_the_last_byte() {
    fill(0, IndexKind::Default);
}

#[test]
fn the_disk_is_filled_to_the_last_byte_with_an_index_in_sqlite() {
    fill(0, IndexKind::B6d1);
}

/// Runs the child on a small disk of its own, or on one that only seems full.
fn fill(reserve: u64, index: IndexKind) {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let reserve = reserve.to_string();
    let story = [("DISK", text_of(&disk)), ("DISK_RESERVE", &reserve), ("DISK_INDEX", index.name())];
    let can_mount = small_disk(&disk, &["true"]).output().is_ok_and(|output| output.status.success());
    let (how, ended) = if can_mount {
        let own = std::env::current_exe().unwrap();
        let child = [text_of(&own), "child", "--exact", "--ignored", "--nocapture"];
        ("a tmpfs of its own", small_disk(&disk, &child).envs(story).status().unwrap())
    } else {
        let (shim, gate) = (shim::build(folder.path()), folder.path().join("full"));
        let injection = [
            ("DISK_SWITCH", text_of(&gate)),
            ("FAULT_SWITCH", text_of(&gate)),
            ("FAULT_DIR", text_of(&disk)),
            ("FAULT_MODE", "enospc"),
            ("FAULT_COUNT", "0"),
            ("LD_PRELOAD", text_of(&shim)),
        ];
        (
            "injected ENOSPC: this machine mounts nothing",
            start_child(&[&story[..], &injection].concat()).wait().unwrap(),
        )
    };
    println!("reserve {reserve}, {}: {how}", index.name());
    assert!(ended.success(), "{how}: {ended}");
}

/// A command in a mount namespace in which a folder is a small disk.
fn small_disk(folder: &Path, command: &[&str]) -> Command {
    let mut shell = Command::new("unshare");
    let script = format!("mount -t tmpfs -o {DISK} tmpfs \"$0\" && exec \"$@\"");
    shell.args(["--mount", "sh", "-c", &script]).arg(folder).args(command);
    shell
}

/// How the disk becomes full and has room again.
struct Ballast {
    file: PathBuf,
    switch: Option<PathBuf>,
}

impl Ballast {
    fn load(disk: &Path) -> Self {
        let file = disk.join("ballast");
        std::fs::write(&file, vec![1; BALLAST]).unwrap();
        Ballast { file, switch: told("DISK_SWITCH").map(PathBuf::from) }
    }

    /// A disk that only seems full becomes so after a while.
    fn fill_at(&self, posts: usize) {
        if let Some(switch) = self.switch.as_ref().filter(|_| posts == 100) {
            std::fs::write(switch, "").unwrap();
        }
    }

    fn drop_it(&self) {
        std::fs::remove_file(self.switch.as_ref().unwrap_or(&self.file)).unwrap();
    }
}

/// The story, told on the small disk.
#[test]
#[ignore = "the tests above start it in a process of its own"]
fn child() {
    let (Some(disk), Some(reserve)) = (told("DISK"), told("DISK_RESERVE")) else { return };
    let disk = PathBuf::from(disk);
    let index = IndexKind::ALL.into_iter().find(|kind| Some(kind.name()) == told("DISK_INDEX").as_deref());
    let options = OpenOptions {
        disk_reserve: reserve.parse().unwrap(),
        index: index.unwrap(),
        // They need room of their own: what they do without it is told in crash_faults.rs.
        followers: false,
        ..OpenOptions::default()
    };
    let ballast = Ballast::load(&disk);
    let engine = Engine::open(&disk.join("data"), options.clone()).unwrap();

    let mut stored = Vec::new();
    let refused = loop {
        assert!(stored.len() < TOO_MANY, "the disk never was full");
        ballast.fill_at(stored.len());
        match add(&engine, stored.len()) {
            Ok(_) => stored.push(stored.len()),
            Err(error) => break error,
        }
    };
    is_full(&refused);
    for _ in 0..2 {
        match add(&engine, stored.len()) {
            Ok(_) => stored.push(stored.len()),
            Err(error) => is_full(&error),
        }
        all_there(&engine, &stored);
    }
    assert!(engine.check(page(0)).unwrap().unchanged, "judging without storing needs no room");

    ballast.drop_it();
    for _ in 0..MORE {
        add(&engine, stored.len()).unwrap();
        stored.push(stored.len());
    }
    assert!(engine.delete("post-0").unwrap().is_some());
    stored.remove(0);
    all_there(&engine, &stored);
    drop(engine);
    all_there(&Engine::open(&disk.join("data"), options).unwrap(), &stored);
}

fn is_full(error: &EngineError) {
    assert!(matches!(error, EngineError::Store(error) if error.is_disk_full()), "{error:?}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
}

/// Every third post is a copy of the one before.
fn page(number: usize) -> Page {
    let mut dice = Dice((number - usize::from(number % 3 == 2)) as u64);
    let words: Vec<String> = (0..WORDS).map(|_| format!("{:x}", dice.roll(1 << 30))).collect();
    Page { id: format!("post-{number}"), content: Content::text(words.join(" ")), ..Page::default() }
}

fn add(engine: &Engine, number: usize) -> Result<Verdict, EngineError> {
    engine.add(page(number))
}

/// Exactly these posts are there, each with its verdict, and all agrees.
fn all_there(engine: &Engine, stored: &[usize]) {
    for &number in stored {
        let shown = engine.reader().show(&format!("post-{number}")).unwrap().unwrap();
        let original = (number % 3 == 2).then(|| format!("post-{}", number - 1));
        assert_eq!(shown.verdict.unwrap().original, original);
    }
    assert_eq!(engine.statistics().unwrap().documents, stored.len() as u64);
    let found = engine.verify(|_| ()).unwrap();
    assert!(found.is_clean(), "{:#?}", found.problems);
}
