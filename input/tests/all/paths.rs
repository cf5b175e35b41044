//! Paths, directories, globs and links: what is read, in which order, and what cannot be begun.

use firstcopy_input::{ReadOptions, open};

use crate::support::{Folder, read, read_counting, say};

fn ids(folder: &Folder, paths: &[&str]) -> Vec<String> {
    read(paths, ReadOptions::default())
        .iter()
        .map(|item| folder.relative(&item.as_ref().unwrap().id))
        .collect()
}

fn error(path: &str) -> String {
    open(&[path.to_owned()], ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn directories_and_globs_are_sorted() {
    let folder = Folder::new();
    for name in
        ["b/2.txt", "b/10.txt", "a.txt", "c.html", "b/d/x.txt", "[1].txt", ".hidden.txt", ".git/x.txt"]
    {
        folder.file(name, "x");
    }
    let root = folder.root();
    assert_eq!(ids(&folder, &[&root]), ["[1].txt", "a.txt", "b/10.txt", "b/2.txt", "b/d/x.txt", "c.html"]);
    assert_eq!(ids(&folder, &[&format!("{root}/**/*.txt")]).len(), 5);
    for all in ["", "/", "/*", "/**", "/**/*"] {
        assert_eq!(ids(&folder, &[&format!("{root}{all}")]).len(), 6, "{all}");
    }
    assert_eq!(ids(&folder, &[&format!("{root}/b/*")]), ["b/10.txt", "b/2.txt", "b/d/x.txt"]);
    assert_eq!(
        ids(&folder, &[&format!("{root}/[1].txt")]),
        ["[1].txt"],
        "a path that exists wins over a glob"
    );
    assert_eq!(ids(&folder, &[&format!("{root}/c.html"), &format!("{root}/a.txt")]), ["c.html", "a.txt"]);
}

#[test]
fn an_empty_directory_is_nothing() {
    let folder = Folder::new();
    let (items, progress) = read_counting(&[&folder.root()], ReadOptions::default());
    assert!(items.is_empty());
    assert_eq!(progress.total_bytes(), Some(0));
}

#[test]
fn what_cannot_be_begun() {
    let folder = Folder::new();
    let root = folder.root();
    assert_eq!(
        error(&format!("{root}/none")),
        format!("{root}/none: no such file or directory: check the name")
    );
    assert_eq!(
        error(&format!("{root}/*.txt")),
        format!(
            "{root}/*.txt: the glob matches no file: check it, or quote it so that the shell leaves it alone"
        )
    );
    assert!(error(&format!("{root}/[.txt")).contains("[.txt: not a valid glob ("));
    assert_eq!(
        open(&[], ReadOptions::default()).unwrap_err().to_string(),
        "no input: name a file, a directory, a glob, or - for stdin"
    );
    let twice = ["-".to_owned(), "-".to_owned()];
    assert_eq!(
        open(&twice, ReadOptions::default()).unwrap_err().to_string(),
        "-: stdin is named more than once: name it once"
    );
}

#[cfg(unix)]
#[test]
fn links_and_loops() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.file("d/a.txt", "x");
    symlink(folder.path("d"), folder.path("d/again")).unwrap();
    symlink(folder.path("d/a.txt"), folder.path("link.txt")).unwrap();
    symlink(folder.path("nowhere"), folder.path("dangling.txt")).unwrap();
    let (items, progress) = read_counting(&[&folder.root()], ReadOptions::default());
    let read: Vec<String> = items.iter().map(|item| folder.relative(&say(item))).collect();
    assert_eq!(
        read,
        [
            "d/a.txt = text x",
            "REJECT dangling.txt: cannot be read (No such file or directory (os error 2)): \
             check the link and the permissions",
            "link.txt = text x",
        ]
    );
    assert_eq!(progress.skipped_by_reason(), [("symbolic links back to a parent directory", 1)]);
}

#[test]
fn progress_counts_bytes() {
    let folder = Folder::new();
    folder.file("a.txt", "12345");
    folder.file("b.jsonl", "{\"text\":\"x\"}\n");
    let (_, progress) = read_counting(&[&folder.root()], ReadOptions::default());
    assert_eq!((progress.total_bytes(), progress.bytes_read()), (Some(18), 18));
}
