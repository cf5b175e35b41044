//! What a data directory goes through: opened wrongly, damaged, rebuilt, recomputed, exported, backed up.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{
    Change, Engine, EngineError, Exported, Follower, OpenOptions, Policy, Verdict, Wanted,
};
use firstcopy_text::likeness::CopyRelation;
use firstcopy_text::{Content, Page};
use std::path::{Path, PathBuf};
use support::{Post, Random, SEEDS, assert_clean, options, pool, timeless};

/// Fills a directory with some hundred posts, dated and not, edited, deleted and posted again.
fn fill(engine: &Engine) {
    let (pool, mut random) = (pool(), Random(7));
    for _ in 0..300 {
        let id = random.below(120).to_string();
        if random.percent(10) {
            engine.delete(&id).unwrap();
            continue;
        }
        let created_at = random.percent(60).then(|| 1_000_000_000 + random.below(50) as i64);
        let post = Post { id, content: random.below(pool.len()), created_at, author: None, source: None };
        engine.add(post.page(&pool)).unwrap();
    }
}

fn filled(path: &Path) -> Vec<Verdict> {
    let engine = support::open(path, Policy::Resemblance);
    fill(&engine);
    timeless(&engine)
}

/// Changes a filled directory and checks that opening it fails, naming all of these.
#[track_caller]
fn check_refused(change: impl FnOnce(&Path) -> OpenOptions, expected: &[&str]) {
    let folder = support::folder();
    let path = folder.path().join("data");
    let before = filled(&path);
    let store = std::fs::read(path.join("store.sqlite")).unwrap();
    let error = Engine::open(&path, change(&path)).map(drop).unwrap_err().to_string();
    assert!(expected.iter().all(|word| error.contains(word)), "{error}");
    // What cannot be opened is left as it is.
    let after = std::fs::read(path.join("store.sqlite")).unwrap();
    assert!(store.len() == after.len() && !before.is_empty());
}

fn wanting(wanted: Wanted) -> OpenOptions {
    OpenOptions { wanted, ..options(Policy::Resemblance) }
}

#[test]
fn other_settings_are_refused_by_name() {
    let paper = Wanted { policy: Some(Policy::Paper), ..Wanted::default() };
    check_refused(|_| wanting(paper), &["policy resemblance", "asked for paper", "reindex --policy paper"]);
    let short = Wanted { shingle_words: Some(4), ..Wanted::default() };
    check_refused(|_| wanting(short), &["shingle-words 10", "asked for 4", "--shingle-words 4"]);
    let strict = Wanted { min_resemblance: Some(0.9), ..Wanted::default() };
    check_refused(|_| wanting(strict), &["min-resemblance 0.8", "asked for 0.9"]);
    let edited = |path: &Path| {
        let file = path.join("firstcopy.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("min_resemblance = 0.8", "min_resemblance = 0.6")).unwrap();
        wanting(Wanted::default())
    };
    check_refused(edited, &["min-resemblance 0.6", "min-resemblance 0.8", "firstcopy.toml"]);
}

#[test]
fn a_strangers_or_newer_or_mixed_up_directory_is_refused() {
    let pragma = |pragma: &'static str| {
        move |path: &Path| {
            rusqlite::Connection::open(path.join("store.sqlite")).unwrap().execute_batch(pragma).unwrap();
            options(Policy::Resemblance)
        }
    };
    check_refused(pragma("PRAGMA user_version = 99"), &["format 99", "newer"]);
    check_refused(pragma("PRAGMA user_version = 1"), &["format 1", "older", "firstcopy import"]);
    check_refused(pragma("PRAGMA application_id = 1"), &["not a database of firstcopy"]);
    let other_seeds = |path: &Path| {
        std::fs::write(path.join("seeds"), [1; 32]).unwrap();
        options(Policy::Resemblance)
    };
    check_refused(other_seeds, &["seeds", "does not belong", "backup"]);
    let folder = support::folder();
    let missing = OpenOptions { create: false, ..options(Policy::Resemblance) };
    let error = Engine::open(&folder.path().join("data"), missing).map(drop).unwrap_err().to_string();
    assert!(error.contains("no data directory"), "{error}");
}

/// Takes away again what each format added.
const BACK_TO_4: &str =
    "ALTER TABLE documents DROP COLUMN weight; ALTER TABLE documents DROP COLUMN kept_share;
    ALTER TABLE documents DROP COLUMN copy_relation; ALTER TABLE documents DROP COLUMN likeness;
    ALTER TABLE documents DROP COLUMN covered; ALTER TABLE documents DROP COLUMN original_covered;
    PRAGMA user_version = 4";
const BACK_TO_3: &str = "DROP TRIGGER copy_replaced; DROP TRIGGER copy_added; DROP TRIGGER copy_judged;
    DROP TRIGGER copy_removed; DROP TABLE groups; DROP INDEX documents_drawn_1; DROP INDEX documents_drawn_2;
    DROP INDEX documents_drawn_3; DROP INDEX documents_drawn_4; PRAGMA user_version = 3";
const BACK_TO_2: &str = "DROP TABLE appeals; DROP TABLE requests; ALTER TABLE documents DROP COLUMN standing;
    ALTER TABLE documents DROP COLUMN natural_judged_at; PRAGMA user_version = 2";

#[test]
fn a_directory_of_a_format_before_is_brought_up() {
    let cases =
        [[BACK_TO_4, "", ""], [BACK_TO_4, BACK_TO_3, ""], [BACK_TO_4, BACK_TO_3, BACK_TO_2]].into_iter();
    for (back, reads_first) in cases.flat_map(|back| [(back, false), (back, true)]) {
        let folder = support::folder();
        let path = folder.path().join("data");
        let page =
            |id: &str| Page { id: id.to_owned(), content: Content::text("한 글"), ..Page::default() };
        let engine = support::open(&path, Policy::Resemblance);
        ["a", "first copy"].into_iter().for_each(|id| drop(engine.add(page(id)).unwrap()));
        drop(engine);
        rusqlite::Connection::open(path.join("store.sqlite"))
            .unwrap()
            .execute_batch(&back.join(";"))
            .unwrap();
        if reads_first {
            assert!(firstcopy_engine::Reader::open(&path).unwrap().show("a").unwrap().is_some());
        }
        let engine = support::open(&path, Policy::Resemblance);
        assert_eq!(engine.add(page("b")).unwrap().original.as_deref(), Some("a"));
        assert_eq!(engine.reader().copies_page("a", 0, 1).unwrap().unwrap().copies, 2);
        support::assert_clean(&engine);
    }
}

/// The settings file of a directory made before the policy `likeness` was there.
const OLD_SETTINGS: &str = "shingle_words = 10\npolicy = \"resemblance\"\nmin_resemblance = 0.8\n";

#[test]
fn directory_made_before_likeness_keeps_its_policy_until_reindexed() {
    let folder = support::folder();
    let path = folder.path().join("data");
    let text: String = (0..100).map(|number| format!("word{number} ")).collect();
    let edited = text.replace("word20 ", "other ").replace("word50 ", "third ").replace("word80 ", "fourth ");
    let page =
        |id: &str, text: &str| Page { id: id.to_owned(), content: Content::text(text), ..Page::default() };
    drop(support::open(&path, Policy::Resemblance));
    std::fs::write(path.join("firstcopy.toml"), OLD_SETTINGS).unwrap();
    let database = rusqlite::Connection::open(path.join("store.sqlite")).unwrap();
    database.execute("UPDATE meta SET value = ?1 WHERE key = 'parameters'", [OLD_SETTINGS]).unwrap();
    database.execute_batch(BACK_TO_4).unwrap();
    drop(database);
    let plain = OpenOptions { wanted: Wanted::default(), ..options(Policy::Resemblance) };
    let engine = Engine::open(&path, plain.clone()).unwrap();
    assert_eq!(engine.settings().policy, Policy::Resemblance);
    engine.add(page("a", &text)).unwrap();
    assert!(engine.add(page("b", &edited)).unwrap().is_original());
    drop(engine);
    let reindexed = Engine::reindex(&path, &options(Policy::Likeness), |_| ()).unwrap();
    assert_eq!((reindexed.recomputed, reindexed.changed_verdicts), (true, 1));
    let engine = Engine::open(&path, plain).unwrap();
    assert_eq!(engine.settings().policy, Policy::Likeness);
    let verdict = engine.reader().show("b").unwrap().unwrap().verdict.unwrap();
    assert_eq!((verdict.original.as_deref(), verdict.relation), (Some("a"), CopyRelation::Edited));
    support::assert_clean(&engine);
}

#[test]
fn learnt_weights_keep_pages_of_one_site_apart() {
    let folder = support::folder();
    let path = folder.path().join("data");
    let page = |number: u32| {
        let text = format!(
            "Opening hours, directions and contact of our shop: come and visit us, parking is free. We are the shop of \
             {} and open every day of the week except on holidays.",
            support::words(u64::from(number), 3).join(" "),
        );
        Page { id: number.to_string(), content: Content::text(text), ..Page::default() }
    };
    let engine = support::open(&path, Policy::Likeness);
    let is_duplicate = |number| engine.add(page(number)).unwrap().original.is_some();
    let before = (0..150).filter(|&number| is_duplicate(number)).count();
    drop(engine);
    let options = OpenOptions { learn_weights: true, ..options(Policy::Likeness) };
    Engine::reindex(&path, &options, |_| ()).unwrap();
    let engine = support::open(&path, Policy::Likeness);
    let after = engine.statistics().unwrap().duplicates;
    assert!(before > 100 && after == 0, "{before} {after}");
    assert!(engine.add(page(500)).unwrap().is_original());
    let copy = Page { id: "copy".to_owned(), ..page(7) };
    assert_eq!(engine.add(copy).unwrap().original.as_deref(), Some("7"));
    assert_clean(&engine);
}

#[test]
fn one_writer_at_a_time() {
    let folder = support::folder();
    let path = folder.path().join("data");
    let engine = support::open(&path, Policy::Resemblance);
    let second = Engine::open(&path, options(Policy::Resemblance)).map(drop).unwrap_err();
    assert!(matches!(second, EngineError::Store(firstcopy_store::StoreError::InUse { .. })), "{second}");
    drop(engine);
    support::open(&path, Policy::Resemblance);
}

/// All files under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_lost_or_damaged_index_is_rebuilt() {
    type Damage = fn(&Path);
    let cases: [(&str, Damage); 4] = [
        ("deleted", |index| std::fs::remove_dir_all(index).unwrap()),
        ("garbage", |index| files(index).iter().for_each(|file| std::fs::write(file, "garbage").unwrap())),
        ("empty", |index| files(index).iter().for_each(|file| std::fs::write(file, "").unwrap())),
        ("without files", |index| files(index).iter().for_each(|file| std::fs::remove_file(file).unwrap())),
    ];
    for (name, damage) in cases {
        let folder = support::folder();
        let path = folder.path().join("data");
        let before = filled(&path);
        assert!(files(&path.join("index")).len() >= 2);
        damage(&path.join("index"));
        let engine = support::open(&path, Policy::Resemblance);
        assert_clean(&engine);
        assert_eq!(timeless(&engine), before, "{name}");
        fill(&engine);
        assert_clean(&engine);
    }
}

/// A follower that takes nothing: the outbox is kept for it from the beginning.
struct Idle;

impl Follower for Idle {
    fn name(&self) -> &str {
        "idle"
    }

    fn position(&self) -> u64 {
        0
    }

    fn apply(&mut self, _: &[Change], _: u64) -> Result<(), String> {
        Err("busy".to_owned())
    }

    fn restart(&mut self) -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn recomputing_makes_what_a_fresh_directory_would_be() {
    let wanted = [
        Wanted { policy: Some(Policy::Paper), ..Wanted::default() },
        Wanted { policy: Some(Policy::Likeness), ..Wanted::default() },
        Wanted { policy: Some(Policy::Likeness), min_likeness: Some(0.5), ..Wanted::default() },
        Wanted { policy: Some(Policy::Resemblance), shingle_words: Some(3), ..Wanted::default() },
        Wanted { min_resemblance: Some(0.95), ..Wanted::default() },
        Wanted { min_resemblance: Some(0.4), shingle_words: Some(5), ..Wanted::default() },
    ];
    let pool = pool();
    // No edits: whether an edit keeps its place is decided when it comes.
    let add_all = |engine: &Engine| {
        for (number, content) in pool.iter().enumerate() {
            let page = Page { id: number.to_string(), content: content.clone(), ..Page::default() };
            engine.add(Page { created_at: Some(1_000_000_000 + (number * 7 % 31) as i64), ..page }).unwrap();
        }
    };
    for wanted in wanted {
        let folder = support::folder();
        let (path, fresh) = (folder.path().join("data"), folder.path().join("fresh"));
        let engine = support::open(&path, Policy::Resemblance);
        engine.follow(&mut Idle).unwrap();
        add_all(&engine);
        let before = timeless(&engine);
        drop(engine);
        let done = Engine::reindex(&path, &wanting(wanted.clone()), |_| ()).unwrap();
        let fresh = Engine::open(&fresh, wanting(wanted.clone())).unwrap();
        add_all(&fresh);
        let engine = Engine::open(&path, wanting(wanted.clone())).unwrap();
        assert_eq!(timeless(&engine), timeless(&fresh), "{wanted:?}");
        let differ = before.iter().zip(timeless(&fresh)).filter(|(before, now)| *before != now).count();
        assert_eq!((done.recomputed, done.changed_verdicts, done.generation), (true, differ as u64, 2));
        assert!(differ > 0, "{wanted:?} tests little");
        assert_clean(&engine);
        drop(engine);
        // The outbox still has the keys of the first generation, for a follower that is slow.
        std::fs::remove_dir_all(path.join("index")).unwrap();
        let engine = Engine::open(&path, wanting(wanted)).unwrap();
        assert_clean(&engine);
    }
}

#[test]
fn reindexing_with_the_same_settings_changes_no_verdict() {
    let folder = support::folder();
    let path = folder.path().join("data");
    let before = filled(&path);
    let done = Engine::reindex(&path, &options(Policy::Resemblance), |_| ()).unwrap();
    assert_eq!((done.recomputed, done.changed_verdicts, done.generation), (false, 0, 1));
    let engine = support::open(&path, Policy::Resemblance);
    assert_eq!(timeless(&engine), before);
    assert_clean(&engine);
}

#[test]
fn miscounted_groups_are_found_and_counted_anew() {
    let folder = support::folder();
    let path = folder.path().join("data");
    filled(&path);
    let store = rusqlite::Connection::open(path.join("store.sqlite")).unwrap();
    assert!(store.execute("UPDATE groups SET copies = copies + 1", []).unwrap() > 0);
    let found = support::open(&path, Policy::Resemblance).verify(|_| ()).unwrap();
    let is_told = |problem: &String| problem.starts_with("document ") && problem.contains("miscounted");
    assert!(!found.is_clean() && found.problems.iter().all(is_told), "{found:?}");
    Engine::reindex(&path, &options(Policy::Resemblance), |_| ()).unwrap();
    assert_clean(&support::open(&path, Policy::Resemblance));
}

/// The page of an exported line, as `import` reads it.
fn imported(mut line: Exported) -> Page {
    let mut text = |name: &str| line.shift_remove(name).map(|value| value.as_str().unwrap().to_owned());
    let (id, url, title, author) = (text("id").unwrap(), text("url"), text("title"), text("author"));
    let created_at = text("created_at").map(|time| support::seconds(&time));
    let content = match (text("text"), text("html")) {
        (Some(text), _) => Content::text(text),
        (_, Some(html)) => Content::html(html),
        _ => {
            let features = line.shift_remove("features").unwrap();
            Content::Features(serde_json::from_value(features).unwrap())
        }
    };
    Page { id, url, title, author, created_at, content, metadata: line, ..Page::default() }
}

#[test]
fn what_is_exported_can_be_imported() {
    let folder = support::folder();
    let engine = support::open(&folder.path().join("data"), Policy::Resemblance);
    fill(&engine);
    let mut lines = Vec::new();
    let keep = |line: &Exported| -> Result<(), Outcome> {
        lines.push(line.clone());
        Ok(())
    };
    engine.reader().export(keep).unwrap();
    let other = Engine::open(&folder.path().join("other"), options(Policy::Resemblance)).unwrap();
    for line in lines {
        other.submit(other.analyze_exported(imported(line))).wait().unwrap();
    }
    // An id that was deleted and posted again counts its versions from one there.
    let judgements = |engine: &Engine| -> Vec<Verdict> {
        let verdicts = engine.reader().verdicts().unwrap();
        let mut verdicts: Vec<_> = verdicts.into_iter().map(|it| Verdict { version: 0, ..it }).collect();
        verdicts.sort_by(|a, b| a.id.cmp(&b.id));
        verdicts
    };
    assert_eq!(judgements(&other), judgements(&engine));
    assert!(other.statistics().unwrap().versions > 20);
    assert_clean(&other);
}

/// Why exporting stopped.
#[derive(Debug)]
struct Outcome(#[expect(dead_code, reason = "shown by Debug when a test fails")] EngineError);

impl From<EngineError> for Outcome {
    fn from(error: EngineError) -> Self {
        Outcome(error)
    }
}

#[test]
fn a_backup_is_a_data_directory() {
    let folder = support::folder();
    let (path, backup) = (folder.path().join("data"), folder.path().join("backup"));
    let engine = support::open(&path, Policy::Resemblance);
    fill(&engine);
    let before = timeless(&engine);
    engine.reader().backup(&backup).unwrap();
    assert!(matches!(engine.reader().backup(&backup), Err(EngineError::Exists(_))));
    engine.add(Page { id: "later".to_owned(), content: Content::text("later"), ..Page::default() }).unwrap();
    let copy = Engine::open(&backup, options(Policy::Resemblance)).unwrap();
    assert_eq!(timeless(&copy), before);
    assert_eq!(std::fs::read(backup.join("seeds")).unwrap(), SEEDS);
    assert_clean(&copy);
    fill(&copy);
    assert_clean(&copy);
}

/// A follower that counts, and was ahead when an older store was brought back.
#[derive(Debug, Default)]
struct Counting {
    position: u64,
    changes: usize,
    restarts: usize,
}

impl Follower for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
        self.changes += changes.len();
        self.position = position;
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        *self = Counting { restarts: self.restarts + 1, ..Counting::default() };
        Ok(())
    }
}

#[test]
fn a_follower_that_is_ahead_of_a_restored_backup_starts_again() {
    let folder = support::folder();
    let engine = support::open(&folder.path().join("data"), Policy::Resemblance);
    fill(&engine);
    let backup = folder.path().join("backup");
    engine.reader().backup(&backup).unwrap();
    fill(&engine);
    let mut follower = Counting::default();
    engine.follow(&mut follower).unwrap();
    assert_eq!(follower.restarts, 0);
    let restored = support::open(&backup, Policy::Resemblance);
    restored.follow(&mut follower).unwrap();
    assert_eq!(follower.restarts, 1);
    let held = restored.statistics().unwrap();
    assert_eq!(follower.changes as u64, held.documents + held.versions);
}
