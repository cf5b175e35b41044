//! What the crash tests share: a small world of posts that collide all the time, a journal that says what was begun and
//! what was answered, and the judge who compares a data directory with it after the crash.
//!
//! The process that is killed is this test binary itself, started again to run the one ignored test `child`. It writes
//! a line to the journal before every operation and one after, each with one call; the file outlives the process.

pub mod follower;
pub mod journal;
pub mod state;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Held while a child is started, and while this process has a data directory open: a child that is just being started
/// still holds the lock of whatever its parent, testing something else on another thread, had open at that moment.
pub static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Starts this test binary again to run its ignored test `child`, with these words in its environment.
pub fn start_child(environment: &[(&str, &str)]) -> Child {
    let _held = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A folder in memory where there is one: a process that is killed loses nothing that the system has taken from it, so
/// memory tells as much as a disk, and many times faster.
pub fn quick_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A path as an environment holds it.
pub fn text_of(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// What the parent said in the environment; nothing if somebody else runs the ignored test.
pub fn told(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Random enough for tests, and the same for the same seed (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }
}
