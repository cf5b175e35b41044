//! Runs the real binary in a folder of fixtures made on the spot, with a bounded memory.

pub mod served;

use std::path::Path;
use std::time::Duration;

/// The address space a run gets, in KiB: 1 GiB, however large its inputs are.
const MEMORY: u32 = 1 << 20;
/// Only a run that hangs takes this long.
const PATIENCE: Duration = Duration::from_secs(300);

/// A temporary folder; runs start in it, so that messages name files as they are written here.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn with<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs `firstcopy` with arguments that have no spaces in them.
    #[track_caller]
    pub fn run(&self, arguments: &str, stdin: &str) -> Run {
        self.shell("exec \"$0\" \"$@\"", arguments, stdin)
    }

    /// Runs a shell script in which `"$0" "$@"` is `firstcopy` with its arguments.
    #[track_caller]
    pub fn shell(&self, script: &str, arguments: &str, stdin: &str) -> Run {
        // Not every system can limit the address space; the tests hold there too, only with less to say.
        let limited = format!("ulimit -v {MEMORY} 2>/dev/null; {script}");
        let output = assert_cmd::Command::new("sh")
            .args(["-c", &limited])
            .arg(assert_cmd::cargo::cargo_bin!("firstcopy"))
            .args(arguments.split_whitespace())
            // Otherwise every thread reserves 64 MiB of address space for itself, and a machine may have many.
            .env("MALLOC_ARENA_MAX", "2")
            .current_dir(self.path())
            .write_stdin(stdin)
            .timeout(PATIENCE)
            .output()
            .unwrap();
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Starts a command and kills it, again and again, later each time, until it ends by itself or `was_done` says that it
    /// was killed too late. Returns how often it was killed.
    #[track_caller]
    pub fn kill_until_done(&self, arguments: &str, was_done: impl Fn() -> bool) -> usize {
        for kills in 0.. {
            let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("firstcopy"))
                .args(arguments.split_whitespace())
                .current_dir(self.path())
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(20 + 37 * kills as u64));
            if let Some(ended) = child.try_wait().unwrap() {
                assert!(ended.success(), "{ended}");
                return kills;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            if was_done() {
                return kills + 1;
            }
        }
        unreachable!("it is killed for ever")
    }
}

/// What a run said; the code is absent when it was killed.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Every line of stdout as JSON.
    #[track_caller]
    pub fn json(&self) -> Vec<serde_json::Value> {
        let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.stdout.lines().map(parse).collect()
    }
}
