//! Where copies go: names, collisions, and that nothing is ever overwritten or left half-written.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use firstcopy_input::{Fate, ReadOptions, RewriteError, Rewritten, Target, open, rewrite};

use crate::support::{Folder, gzip};

const LINE: &str = "{\"text\":\"a\"}\n";

fn copy(paths: &[String], target: &Target) -> Result<Rewritten, RewriteError> {
    let inputs = open(paths, ReadOptions::default()).unwrap();
    rewrite(inputs, target, &[], |_, _| Fate::Keep, |_| {})
}

/// All files below a directory, sorted.
fn files(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path.strip_prefix(directory).unwrap().display().to_string()),
            }
        }
    }
    found.sort();
    found
}

fn folder() -> Folder {
    let folder = Folder::new();
    for name in ["in/a.jsonl", "in/deep/er/b.jsonl", "other/a.jsonl", "other/c.jsonl"] {
        folder.file(name, LINE);
    }
    folder.file("in/style.css", "p {}");
    folder.file("in/.hidden.jsonl", LINE);
    folder
}

fn paths(folder: &Folder, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| folder.path(name).display().to_string()).collect()
}

#[test]
fn names_in_a_folder() {
    let check = |names: &[&str], expected: &[&str]| {
        let folder = folder();
        let done = copy(&paths(&folder, names), &Target::Folder(folder.path("out"))).unwrap();
        assert_eq!(files(&folder.path("out")), expected, "{names:?}");
        assert_eq!((done.files, done.bytes), (expected.len() as u64, (expected.len() * LINE.len()) as u64));
    };
    check(&["in"], &["a.jsonl", "deep/er/b.jsonl"]);
    check(&["in/deep", "in/a.jsonl"], &["a.jsonl", "er/b.jsonl"]);
    check(&["in/deep/er/b.jsonl", "other/c.jsonl"], &["b.jsonl", "c.jsonl"]);
    check(&["other/*.jsonl"], &["a.jsonl", "c.jsonl"]);
    check(&["in/*"], &["a.jsonl", "er/b.jsonl"]);
    check(&["in/**"], &["a.jsonl", "er/b.jsonl"]);
}

#[test]
fn one_file_goes_exactly_where_it_is_told() {
    let folder = folder();
    let done = copy(&paths(&folder, &["in/a.jsonl"]), &Target::File(folder.path("x/y/z"))).unwrap();
    assert_eq!((done.kept, files(&folder.path("x"))), (1, vec!["y/z".to_owned()]));
    assert_eq!(std::fs::read_to_string(folder.path("x/y/z")).unwrap(), LINE);
}

#[test]
fn what_would_overwrite_is_refused_before_anything_is_written() {
    let check = |names: &[&str], target: fn(&Folder) -> Target, expected: &str| {
        let folder = folder();
        folder.file("full/c.jsonl", "precious");
        folder.file("stale/c.jsonl.unfinished", "precious");
        let before = files(folder.0.path());
        let error = copy(&paths(&folder, names), &target(&folder)).unwrap_err().to_string();
        assert_eq!(folder.relative(&error), expected);
        assert_eq!(files(folder.0.path()), before);
    };
    let out = |folder: &Folder| Target::Folder(folder.path("out"));
    let same = |first: &str, second: &str| {
        format!(
            "{first} and {second} would both be written to out/a.jsonl: rename one, or write them to two folders"
        )
    };
    check(&["in", "other"], out, &same("in/a.jsonl", "other/a.jsonl"));
    check(&["in/a.jsonl", "in/a.jsonl"], out, &same("in/a.jsonl", "in/a.jsonl"));
    check(&["in/a.jsonl", "other/*"], out, &same("in/a.jsonl", "other/a.jsonl"));
    check(
        &["in/a.jsonl", "other/c.jsonl"],
        |folder| Target::Folder(folder.path("full")),
        "full/c.jsonl: exists already and is not overwritten: remove it, or choose another place",
    );
    check(
        &["other/c.jsonl"],
        |folder| Target::Folder(folder.path("stale")),
        "stale/c.jsonl.unfinished: exists already and is not overwritten: remove it, or choose another place",
    );
    let input = "in/../in/a.jsonl: is an input and is not overwritten: choose another place";
    check(&["in"], |folder| Target::Folder(folder.path("in/../in")), input);
    check(&["in/a.jsonl"], |folder| Target::File(folder.path("in/../in/a.jsonl")), input);
    check(
        &["in"],
        |folder| Target::File(folder.path("out")),
        "out: one file for 3 inputs: name a folder, or one input",
    );
    check(
        &["in/a.jsonl"],
        |folder| Target::Folder(folder.path("full/c.jsonl")),
        "full/c.jsonl/a.jsonl: cannot be written (File exists (os error 17)): check the folder and its permissions",
    );
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_into_inputs() {
    let folder = folder();
    std::os::unix::fs::symlink(folder.path("in/a.jsonl"), folder.path("link")).unwrap();
    let error = copy(&paths(&folder, &["in/a.jsonl"]), &Target::File(folder.path("link"))).unwrap_err();
    assert!(matches!(error, RewriteError::IsInput { .. }), "{error}");
    std::os::unix::fs::symlink(folder.path("nowhere"), folder.path("dangling")).unwrap();
    let error = copy(&paths(&folder, &["in/a.jsonl"]), &Target::File(folder.path("dangling"))).unwrap_err();
    assert!(matches!(error, RewriteError::Exists { .. }), "{error}");
}

#[test]
fn a_file_gets_its_name_when_it_is_whole() {
    let folder = folder();
    folder.file("in/b.html", "<p>");
    let inputs = open(&paths(&folder, &["in"]), ReadOptions::default()).unwrap();
    let mut seen = Vec::new();
    let decide = |_, _: &_| {
        seen.push(files(&folder.path("out")));
        Fate::Drop
    };
    let done = rewrite(inputs, &Target::Folder(folder.path("out")), &[], decide, |_| {}).unwrap();
    assert_eq!(seen[0], ["a.jsonl.unfinished"]);
    assert_eq!(seen[1], ["a.jsonl", "b.html.unfinished"]);
    assert_eq!(files(&folder.path("out")), ["a.jsonl", "deep/er/b.jsonl"], "a dropped page leaves nothing");
    assert_eq!((done.dropped, done.files), (3, 2));
}

#[test]
fn a_run_that_is_given_up_leaves_whole_files_only() {
    let folder = folder();
    let inputs = open(&paths(&folder, &["other"]), ReadOptions::default()).unwrap();
    let decide = |number, _: &_| {
        if number == 1 {
            folder.file("out/c.jsonl", "somebody else was faster");
        }
        Fate::Keep
    };
    let error = rewrite(inputs, &Target::Folder(folder.path("out")), &[], decide, |_| {}).unwrap_err();
    assert!(matches!(error, RewriteError::Exists { .. }), "{error}");
    assert_eq!(files(&folder.path("out")), ["a.jsonl", "c.jsonl"]);
    assert_eq!(std::fs::read_to_string(folder.path("out/c.jsonl")).unwrap(), "somebody else was faster");
}

/// Not a test: copies its stdin for the test below.
#[test]
#[ignore = "run by another test of this file"]
fn child() {
    let paths: Vec<String> = std::env::var("INPUTS").unwrap().split(' ').map(str::to_owned).collect();
    let result = copy(&paths, &Target::Folder(std::env::var("OUT").unwrap().into()));
    result.unwrap_or_else(|error| panic!("FAILED {error}"));
}

#[test]
fn stdin_is_named_by_what_it_holds() {
    let check = |bytes: &[u8], more: &str, expected: &[&str]| {
        let folder = folder();
        folder.file("stdin.warc", "");
        let inputs = format!("- {more}").trim().replace("ROOT", &folder.root());
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "rewriting_targets::child", "--ignored", "--nocapture"])
            .env("INPUTS", inputs)
            .env("OUT", folder.path("out"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(files(&folder.path("out")), expected);
        let said = [output.stdout, output.stderr].concat();
        let said = folder.relative(&String::from_utf8_lossy(&said));
        let refused = said.contains("FAILED - and stdin.warc would both be written to out/stdin.warc");
        assert_eq!(refused, expected.is_empty(), "{said}");
    };
    let table = crate::parquets::numbered(3, parquet::basic::Compression::SNAPPY);
    check(LINE.as_bytes(), "", &["stdin.jsonl"]);
    check(&gzip(LINE), "ROOT/in", &["a.jsonl", "deep/er/b.jsonl", "stdin.jsonl.gz"]);
    check(b"[{\"text\":\"a\"}]", "", &["stdin.json"]);
    check(b"<p>", "", &["stdin.html"]);
    check(b"words", "", &["stdin.txt"]);
    check(&table, "", &["stdin.parquet"]);
    check(&crate::warcs::page("http://a/"), "", &["stdin.warc"]);
    check(LINE.as_bytes(), "ROOT/stdin.warc", &[]);
}
