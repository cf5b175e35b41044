//! What an index promises its owner: replace, forget, follow, survive any text, and never read damage as something else.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_search::{Ask, Entry, Query, SearchError, SearchIndex, Searcher, snippet};
use std::fs;
use std::path::Path;
use std::time::Instant;

fn put(index: &mut SearchIndex, number: u32, text: &str) {
    index.put(&Entry { number, text, ..Entry::default() }).unwrap();
}

fn find(searcher: &Searcher, query: &str) -> Vec<u32> {
    let found = searcher.search(&Query::parse(query).unwrap(), &Ask::default()).unwrap();
    found.hits.iter().map(|hit| hit.number).collect()
}

#[test]
fn it_follows_commits_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = SearchIndex::open(folder.path()).unwrap();
    assert_eq!((index.position(), index.numbers().unwrap()), (0, vec![]));
    put(&mut index, 1, "first words");
    put(&mut index, 2, "second words");
    put(&mut index, 1, "replaced words");
    assert_eq!(index.searcher().documents(), 0);
    index.commit(7).unwrap();
    let before = index.searcher();
    assert_eq!((find(&before, "first"), find(&before, "replaced")), (vec![], vec![1]));
    index.remove(2).unwrap();
    index.remove(99).unwrap();
    put(&mut index, 3, "third words");
    index.rollback().unwrap();
    index.commit(8).unwrap();
    assert_eq!((index.position(), index.numbers().unwrap()), (8, vec![1, 2]));
    index.remove(2).unwrap();
    index.commit(9).unwrap();
    assert_eq!((find(&before, "words"), find(&index.searcher(), "words")), (vec![1, 2], vec![1]));
    let beside = Searcher::open(folder.path()).unwrap();
    assert_eq!(find(&beside, "words"), [1]);
    assert_eq!(index.statistics().unwrap().documents, 1);
    index.verify().unwrap();
    drop(index);
    let mut index = SearchIndex::open(folder.path()).unwrap();
    assert_eq!((index.position(), index.numbers().unwrap()), (9, vec![1]));
    put(&mut index, 5, "lost");
    index.clear().unwrap();
    assert_eq!((index.position(), index.numbers().unwrap()), (0, vec![]));
    put(&mut index, 5, "kept");
    index.commit(1).unwrap();
    index.close().unwrap();
    let index = SearchIndex::open(folder.path()).unwrap();
    assert_eq!((index.position(), index.numbers().unwrap()), (1, vec![5]));
}

#[test]
fn there_is_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let index = SearchIndex::open(folder.path()).unwrap();
    assert!(matches!(SearchIndex::open(folder.path()), Err(SearchError::InUse(_))));
    drop(index);
    SearchIndex::open(folder.path()).unwrap();
}

#[test]
fn many_small_commits_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = SearchIndex::open(folder.path()).unwrap();
    for number in 0..60 {
        put(&mut index, number % 30, &format!("words of {number}"));
        index.commit(u64::from(number)).unwrap();
    }
    index.close().unwrap();
    let segments = fs::read_dir(folder.path()).unwrap().flatten();
    let terms =
        segments.filter(|file| file.path().extension().is_some_and(|ending| ending == "term")).count();
    assert!(terms < 20, "{terms} segments");
    assert_eq!(find(&Searcher::open(folder.path()).unwrap(), "59"), [29]);
}

#[test]
fn any_text_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = SearchIndex::open(folder.path()).unwrap();
    let long_word = "x".repeat(200_000);
    let texts = [
        "",
        "\0\0",
        "\u{feff}\u{200d}",
        &long_word,
        &"가".repeat(100_000),
        &"か゛\u{3099}".repeat(10_000),
        &format!("{}beginning {}", "\n".repeat(70_000), "deep words ".repeat(1000)),
    ];
    for (number, text) in (0..).zip(texts) {
        let entry =
            Entry { number, title: text, text, author: text, site: text, language: text, date: i64::MIN };
        index.put(&entry).unwrap();
    }
    put(&mut index, 90, &"all different 글자 문서 ".repeat(1_500_000));
    put(&mut index, 91, "tail");
    index.commit(u64::MAX).unwrap();
    assert_eq!(index.position(), u64::MAX);
    assert_eq!(index.numbers().unwrap().len(), texts.len() + 2);
    let searcher = index.searcher();
    assert_eq!(find(&searcher, "different -deep"), [90]);
    assert_eq!(find(&searcher, "beginning"), [6]);
    assert_eq!(find(&searcher, &long_word), [3]);
    for query in
        [&"\"".repeat(1 << 20), &"가".repeat(1 << 20), &"a b ".repeat(1 << 18), "-", "\"\"", "-\"", "\0"]
    {
        let start = Instant::now();
        let query = Query::parse(query).unwrap();
        searcher.search(&query, &Ask::default()).unwrap();
        snippet(texts[4], &query, 100);
        assert!(start.elapsed().as_secs() < 10);
    }
}

fn damage(folder: &Path, ending: &str, work: impl Fn(&Path)) {
    for file in fs::read_dir(folder).unwrap().flatten() {
        if file.path().to_string_lossy().ends_with(ending) {
            work(&file.path());
        }
    }
}

#[test]
fn damage_is_an_error() {
    type Damage = fn(&Path);
    let cases: [(&str, Damage); 5] = [
        ("meta.json", |path| fs::write(path, "{").unwrap()),
        ("meta.json", |path| fs::remove_file(path).unwrap()),
        (".term", |path| fs::remove_file(path).unwrap()),
        (".idx", |path| fs::write(path, "short").unwrap()),
        (".fast", |path| fs::write(path, vec![0; 300]).unwrap()),
    ];
    for (ending, work) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut index = SearchIndex::open(folder.path()).unwrap();
        put(&mut index, 1, "words");
        index.commit(1).unwrap();
        drop(index);
        damage(folder.path(), ending, work);
        let error = SearchIndex::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("delete the folder and rebuild"), "{ending}: {error}");
    }
}

#[test]
fn a_flipped_byte_is_found_by_its_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = SearchIndex::open(folder.path()).unwrap();
    put(&mut index, 1, &"some words of a text ".repeat(100));
    index.commit(1).unwrap();
    damage(folder.path(), ".pos", |path| {
        let mut bytes = fs::read(path).unwrap();
        bytes[10] ^= 255;
        fs::write(path, bytes).unwrap();
    });
    assert!(matches!(index.verify(), Err(SearchError::Damaged { .. })));
}

#[test]
fn another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(SearchIndex::open(folder.path()).unwrap());
    let meta = folder.path().join("meta.json");
    let other = fs::read_to_string(&meta).unwrap().replace("firstcopy-text-1", "firstcopy-text-0");
    fs::write(&meta, other).unwrap();
    assert!(matches!(SearchIndex::open(folder.path()), Err(SearchError::OtherVersion(_))));
    assert!(matches!(Searcher::open(folder.path()), Err(SearchError::OtherVersion(_))));
    let nowhere = folder.path().join("nowhere");
    assert!(matches!(Searcher::open(&nowhere), Err(SearchError::Missing(_))));
}
