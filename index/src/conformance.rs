//! What every index promises: random operations against a naive twin, crashes, and files that are not what was written.

use crate::default::{DefaultIndex, LIMITS};
use crate::rarest::{MOST_HOLDERS, count_shared};
use crate::runs::Limits;
use crate::{DuplicateIndex, IndexError, IndexKind, Rule, SharedKeys, open};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const RULES: [Rule; 2] = [Rule { keys: 6, needed: 2 }, Rule { keys: 4, needed: 1 }];

/// Keys that documents draw from at every position: few, so that they meet often; far apart in both halves, so that no
/// index mistakes one for another.
fn key(choice: u8) -> u64 {
    u64::from(choice).wrapping_mul(0xd1b5_4a32_d192_ed03)
}

#[derive(Debug, Clone)]
enum Step {
    Insert(Vec<u8>),
    InsertEmpty,
    /// Removes one of the documents there are.
    Remove(prop::sample::Index),
    /// Gives a removed number back, with these keys.
    Reinsert(prop::sample::Index, Vec<u8>),
    Look(Vec<u8>),
    Commit,
    Rollback,
    Flush,
    Count,
    Reopen,
    Crash,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let keys = || prop::collection::vec(0u8..12, 6);
    let step = prop_oneof![
        8 => keys().prop_map(Step::Insert),
        1 => Just(Step::InsertEmpty),
        4 => any::<prop::sample::Index>().prop_map(Step::Remove),
        2 => (any::<prop::sample::Index>(), keys()).prop_map(|(which, keys)| Step::Reinsert(which, keys)),
        6 => keys().prop_map(Step::Look),
        5 => Just(Step::Commit),
        1 => Just(Step::Rollback),
        1 => Just(Step::Flush),
        1 => Just(Step::Count),
        1 => Just(Step::Reopen),
        1 => Just(Step::Crash),
    ];
    prop::collection::vec(step, 1..120)
}

/// The documents there are, by number.
type Documents = BTreeMap<u32, Vec<u64>>;

/// An index and its naive twin.
struct Pair {
    kind: IndexKind,
    rule: Rule,
    limits: Limits,
    folder: TempDir,
    index: Option<Box<dyn DuplicateIndex>>,
    documents: Documents,
    removed: Vec<u32>,
    next_number: u32,
    /// What was committed, by position.
    committed: BTreeMap<u64, Documents>,
}

impl Pair {
    fn new(kind: IndexKind, rule: Rule, limits: Limits) -> Self {
        let mut pair = Pair {
            kind,
            rule,
            limits,
            folder: TempDir::new().unwrap(),
            index: None,
            documents: Documents::new(),
            removed: Vec::new(),
            next_number: 0,
            committed: BTreeMap::from([(0, Documents::new())]),
        };
        pair.open();
        pair
    }

    fn index(&mut self) -> &mut dyn DuplicateIndex {
        self.index.as_deref_mut().unwrap()
    }

    /// Opens what is in the folder: it stands at some committed position, from which the twin goes on.
    fn open(&mut self) {
        let index = open_small(self.kind, self.folder.path(), self.rule, self.limits).unwrap();
        let position = index.position();
        assert_eq!(index.durable_position(), position, "what is opened came from the disk");
        self.index = Some(index);
        self.documents = self.committed[&position].clone();
        self.committed.retain(|&other, _| other <= position);
        self.removed.clear();
    }

    fn last_position(&self) -> u64 {
        *self.committed.last_key_value().unwrap().0
    }

    fn insert(&mut self, number: u32, choices: &[u8]) {
        let keys: Vec<u64> = choices.iter().take(self.rule.keys).map(|&choice| key(choice)).collect();
        self.index().insert(number, &keys).unwrap();
        if !keys.is_empty() {
            self.documents.insert(number, keys);
        }
    }

    fn remove(&mut self, which: prop::sample::Index) {
        if self.documents.is_empty() {
            return;
        }
        let number = *self.documents.keys().nth(which.index(self.documents.len())).unwrap();
        let keys = self.documents.remove(&number).unwrap();
        self.index().remove(number, &keys).unwrap();
        self.removed.push(number);
    }

    fn look(&mut self, choices: &[u8]) {
        let keys: Vec<u64> = choices.iter().take(self.rule.keys).map(|&choice| key(choice)).collect();
        let shared = |other: &Vec<u64>| keys.iter().zip(other).filter(|(a, b)| a == b).count();
        let expected: Vec<u32> = self
            .documents
            .iter()
            .filter(|(_, other)| shared(other) >= self.rule.needed)
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(self.index().candidates(&keys).unwrap(), expected);
        if self.rule.needed == 1 {
            for preferred in 1..=2 {
                let expected = count_shared(&self.holders(&keys), preferred);
                assert_eq!(self.shared(&keys, preferred), expected, "{preferred}");
            }
        }
    }

    /// Looks up the documents that share keys, ascending by number.
    fn shared(&mut self, keys: &[u64], preferred: usize) -> SharedKeys {
        let mut shared = self.index().shared(keys, preferred).unwrap();
        shared.holders.sort_unstable_by_key(|holder| holder.number);
        shared
    }

    /// The documents that hold each of some keys.
    fn holders(&self, keys: &[u64]) -> Vec<Vec<u32>> {
        let of = |(position, key): (usize, &u64)| {
            let holds = |(_, other): &(&u32, &Vec<u64>)| other[position] == *key;
            self.documents.iter().filter(holds).map(|(number, _)| *number).collect()
        };
        keys.iter().enumerate().map(of).collect()
    }

    fn commit(&mut self) {
        let position = self.last_position() + 3;
        self.index().commit(position).unwrap();
        self.committed.insert(position, self.documents.clone());
        assert_eq!(self.index().position(), position);
    }

    fn rollback(&mut self) {
        self.index().rollback().unwrap();
        self.documents = self.committed[&self.last_position()].clone();
        self.removed.clear();
    }

    fn flush(&mut self) {
        // SQLite cannot in the middle of a transaction; the default leaves out what is uncommitted.
        if self.kind != IndexKind::Default {
            self.rollback();
        }
        self.index().flush().unwrap();
        assert_eq!(self.index().durable_position(), self.last_position());
    }

    fn count(&mut self) {
        let statistics = self.index().statistics().unwrap();
        assert_eq!(statistics.entries, statistics.entries_a_document * self.documents.len() as u64);
        assert!(statistics.bytes > 0);
    }

    fn reopen(&mut self) {
        let durable = self.index().durable_position();
        self.index = None;
        self.open();
        assert!(self.last_position() >= durable);
    }

    /// What a crash leaves is what is in the files at that moment.
    fn crash(&mut self) {
        let durable = self.index().durable_position();
        let left = TempDir::new().unwrap();
        copy_folder(self.folder.path(), left.path());
        self.index = None;
        self.folder = left;
        self.open();
        assert!(self.last_position() >= durable);
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Insert(keys) => {
                self.next_number += 1;
                self.insert(self.next_number, &keys);
            }
            Step::InsertEmpty => self.insert(u32::MAX, &[]),
            Step::Remove(which) => self.remove(which),
            Step::Reinsert(which, keys) => {
                if !self.removed.is_empty() {
                    let number = self.removed.swap_remove(which.index(self.removed.len()));
                    self.insert(number, &keys);
                }
            }
            Step::Look(keys) => self.look(&keys),
            Step::Commit => self.commit(),
            Step::Rollback => self.rollback(),
            Step::Flush => self.flush(),
            Step::Count => self.count(),
            Step::Reopen => self.reopen(),
            Step::Crash => self.crash(),
        }
    }
}

/// The default index with a small memtable, so that a few documents make runs and merges.
fn open_small(
    kind: IndexKind,
    folder: &Path,
    rule: Rule,
    limits: Limits,
) -> Result<Box<dyn DuplicateIndex>, IndexError> {
    match kind {
        IndexKind::Default => Ok(Box::new(DefaultIndex::open(folder, rule, limits)?)),
        _ => open(kind, folder, rule),
    }
}

/// The file that names the others first: a thread may be replacing it, and what it named stays until the index looks.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    let copy = |path: PathBuf| fs::copy(&path, to.join(path.file_name().unwrap()));
    let _ = copy(from.join("manifest"));
    for file in fs::read_dir(from).unwrap() {
        let path = file.unwrap().path();
        if !path.ends_with("manifest") {
            // An unfinished file may get its name meanwhile.
            let _ = copy(path);
        }
    }
}

/// Lets both go through the steps, and compares them at the end once more.
fn check(kind: IndexKind, limits: Limits, steps: &[Step]) {
    for rule in RULES {
        let mut pair = Pair::new(kind, rule, limits);
        steps.iter().cloned().for_each(|step| pair.step(step));
        pair.count();
        (0..12).for_each(|choice| pair.look(&[choice; 6]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn default_is_its_twin(steps in steps(), operations in 1usize..60, merge_part in 0usize..4) {
        check(IndexKind::Default, Limits { operations, merge_part }, &steps);
    }

    #[test]
    fn default_in_memory_is_its_twin(steps in steps()) {
        check(IndexKind::Default, LIMITS, &steps);
    }

    #[test]
    fn b6d1_is_its_twin(steps in steps()) {
        check(IndexKind::B6d1, LIMITS, &steps);
    }

    #[test]
    fn r15d2_is_its_twin(steps in steps()) {
        check(IndexKind::R15d2, LIMITS, &steps);
    }

    #[test]
    fn r1d3_is_its_twin(steps in steps()) {
        check(IndexKind::R1d3, LIMITS, &steps);
    }
}

/// Thousands of documents, hundreds of runs and merges, a removal for every other document.
#[test]
fn default_holds_through_many_merges() {
    let mut pair = Pair::new(IndexKind::Default, RULES[0], Limits { operations: 200, merge_part: 3 });
    for round in 0..4000u64 {
        let choices: Vec<u8> =
            (0..6).map(|i| (key(i) ^ round).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0]).collect();
        pair.step(Step::Insert(choices.clone()));
        if round % 2 == 0 {
            let (&number, _) = pair.documents.iter().nth(pair.documents.len() / 2).unwrap();
            let keys = pair.documents.remove(&number).unwrap();
            pair.index().remove(number, &keys).unwrap();
        }
        if round % 10 == 0 {
            pair.look(&choices);
            pair.commit();
        }
    }
    pair.flush();
    pair.reopen();
    pair.count();
    let queries: Vec<Vec<u8>> = (0..200u8).map(|choice| vec![choice; 6]).collect();
    queries.iter().for_each(|choices| pair.look(choices));
    assert!(pair.committed.len() > 300);
}

#[test]
fn equal_keys_of_very_many_documents_are_all_found() {
    for kind in IndexKind::ALL {
        for rule in RULES {
            let folder = TempDir::new().unwrap();
            let mut index =
                open_small(kind, folder.path(), rule, Limits { operations: 1000, merge_part: 8 }).unwrap();
            let keys = vec![42; rule.keys];
            (0..300).for_each(|number| index.insert(number, &keys).unwrap());
            index.commit(1).unwrap();
            index.flush().unwrap();
            (300..310).for_each(|number| index.insert(number, &keys).unwrap());
            assert_eq!(index.candidates(&keys).unwrap(), (0..310).collect::<Vec<_>>(), "{kind:?}");
        }
    }
}

/// Two keys of a template that all documents share, a key that every tenth has, and one of its own.
#[test]
fn rarest_keys_are_followed_where_very_many_documents_share_the_others() {
    let keys = |number: u32| vec![1, 2, 1000 + u64::from(number % 10), u64::from(number) << 32 | 1];
    for kind in IndexKind::ALL {
        let mut pair = Pair::new(kind, RULES[1], Limits { operations: 3000, merge_part: 8 });
        let count = MOST_HOLDERS as u32 + 200;
        for number in 0..count {
            let keys = keys(number);
            pair.index().insert(number, &keys).unwrap();
            pair.documents.insert(number, keys);
        }
        for preferred in 1..=2 {
            let found = pair.shared(&keys(77), preferred);
            assert_eq!(found, count_shared(&pair.holders(&keys(77)), preferred), "{kind:?}");
            assert_eq!((found.skipped, found.holders.len()), (2, count as usize / 10), "{kind:?}");
            let rarest = found.holders.iter().max_by_key(|holder| holder.rarity).unwrap();
            assert_eq!((rarest.number, rarest.keys), (77, 2), "{kind:?}");
        }
        // Only the template is left: one of its keys is followed.
        let found = pair.shared(&[1, 2, 7, 7], 2);
        assert_eq!((found.skipped, found.holders.len()), (1, count as usize), "{kind:?}");
    }
}

#[test]
fn only_the_papers_indexes_count_pages() {
    for kind in IndexKind::ALL {
        let folder = TempDir::new().unwrap();
        let mut index = open(kind, folder.path(), RULES[0]).unwrap();
        index.insert(1, &[1; 6]).unwrap();
        index.candidates(&[1; 6]).unwrap();
        let pages = index.statistics().unwrap().page_accesses;
        assert_eq!(pages.is_some(), kind != IndexKind::Default, "{kind:?}");
        assert!(pages != Some(0), "{kind:?}");
    }
}

/// Makes an index with something in it and closes it.
fn filled(kind: IndexKind) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut index = open(kind, folder.path(), RULES[0]).unwrap();
    (0..50).for_each(|number| index.insert(number, &[u64::from(number) << 32; 6]).unwrap());
    index.commit(9).unwrap();
    index.flush().unwrap();
    folder
}

/// Changes every file of an index in some way, one at a time, and expects it to be noticed.
fn expect_damaged(kind: IndexKind, what: &str, change: impl Fn(&Path, &mut Vec<u8>) -> bool) {
    expect_damaged_copy(kind, &filled(kind), what, change);
}

fn expect_damaged_copy(
    kind: IndexKind,
    pristine: &TempDir,
    what: &str,
    change: impl Fn(&Path, &mut Vec<u8>) -> bool,
) {
    let mut changed = 0;
    for file in fs::read_dir(pristine.path()).unwrap() {
        let name = file.unwrap().file_name();
        let folder = TempDir::new().unwrap();
        copy_folder(pristine.path(), folder.path());
        let path = folder.path().join(&name);
        let mut bytes = fs::read(&path).unwrap();
        if change(&path, &mut bytes) {
            fs::write(&path, &bytes).unwrap();
            let opened = open(kind, folder.path(), RULES[0]);
            assert!(
                matches!(opened, Err(IndexError::Damaged { .. })),
                "{kind:?} {what}: {name:?}: {opened:?}"
            );
            changed += 1;
        }
    }
    assert!(changed > 0);
}

#[test]
fn damage_is_noticed_when_opening() {
    for kind in IndexKind::ALL {
        expect_damaged(kind, "cut short", |_, bytes| {
            bytes.truncate(bytes.len() - bytes.len() / 3);
            true
        });
        expect_damaged(kind, "other magic", |_, bytes| {
            bytes[3] ^= 0x10;
            true
        });
        expect_damaged(kind, "nothing but zeros", |_, bytes| {
            bytes.fill(0);
            true
        });
        for other in [Rule { keys: 6, needed: 1 }, Rule { keys: 5, needed: 2 }] {
            let opened = open(kind, filled(kind).path(), other);
            assert!(matches!(opened, Err(IndexError::Damaged { .. })), "{kind:?} {other:?}: {opened:?}");
        }
        for other in IndexKind::ALL.into_iter().filter(|other| *other != kind) {
            let opened = open(other, filled(kind).path(), RULES[0]);
            assert!(matches!(opened, Err(IndexError::Damaged { .. })), "{kind:?} {other:?}: {opened:?}");
        }
    }
}

#[test]
fn another_version_is_noticed() {
    // The version is in the bytes 8 to 12 of the default's files, and in SQLite's `user_version` at 60 to 64.
    for kind in IndexKind::ALL {
        let at = if kind == IndexKind::Default { 8 } else { 63 };
        expect_damaged(kind, "version", |_, bytes| {
            bytes[at] += 1;
            true
        });
    }
}

#[test]
fn every_bit_of_a_run_is_watched() {
    let is_run = |path: &Path| path.extension().is_some_and(|ending| ending == "run");
    let pristine = filled(IndexKind::Default);
    let directory = 64 + 8 * 300;
    for bit in (0..8 * 64).chain([8 * directory + 1, 8 * (directory + 4 * 65_536) + 3]) {
        expect_damaged_copy(IndexKind::Default, &pristine, "bit", |path, bytes| {
            if is_run(path) {
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            is_run(path)
        });
    }
    // Entries are checked by whoever counts them, not by opening.
    let folder = filled(IndexKind::Default);
    let run = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().path())
        .find(|path| is_run(path))
        .unwrap();
    let mut bytes = fs::read(&run).unwrap();
    bytes[64 + 100] ^= 1;
    fs::write(&run, bytes).unwrap();
    let mut index = open(IndexKind::Default, folder.path(), RULES[0]).unwrap();
    assert!(matches!(index.statistics(), Err(IndexError::Damaged { .. })));
}

#[test]
fn a_missing_file_is_noticed() {
    let folder = filled(IndexKind::Default);
    for file in fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let opened = open(IndexKind::Default, folder.path(), RULES[0]);
        assert!(matches!(opened, Err(IndexError::Damaged { .. })), "{path:?}: {opened:?}");
        fs::write(&path, bytes).unwrap();
    }
}

#[test]
fn what_a_crash_left_is_cleared_away() {
    let folder = filled(IndexKind::Default);
    for name in ["0000000099.run", "0000000099.run.unfinished", "manifest.unfinished"] {
        fs::write(folder.path().join(name), "half").unwrap();
    }
    let mut index = open(IndexKind::Default, folder.path(), RULES[0]).unwrap();
    assert_eq!(index.statistics().unwrap().entries, 300);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
