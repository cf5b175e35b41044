//! What postings promise: random changes against a naive twin, crashes, readers beside the writer, and files that are not
//! what was written.

use super::*;
use crate::conformance::copy_folder;
use crate::{IndexKind, Rule};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use tempfile::TempDir;

/// Values that documents draw from: few, so that they meet often.
fn values(choices: &[u8]) -> Vec<u64> {
    choices.iter().map(|&choice| u64::from(choice) << 3).collect()
}

/// Values put to a document or taken from it, whether it has them or not.
#[derive(Debug, Clone)]
struct Change {
    number: u32,
    choices: Vec<u8>,
    removed: bool,
}

impl Change {
    fn apply(&self, postings: &mut Postings) {
        let values = values(&self.choices);
        if self.removed {
            postings.remove(self.number, &values)
        } else {
            postings.insert(self.number, &values)
        }
    }
}

#[derive(Debug, Clone)]
enum Step {
    Change(Change),
    Count(Vec<u8>, usize),
    Commit,
    Rollback,
    Flush,
    Weigh,
    Read,
    Reopen,
    Crash,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let choices = || prop::collection::vec(0u8..20, 0..12);
    let change = (0u32..12, choices(), any::<bool>()).prop_map(|(number, choices, removed)| Change {
        number,
        choices,
        removed,
    });
    let common = prop_oneof![0usize..8, Just(usize::MAX)];
    let step = prop_oneof![
        12 => change.prop_map(Step::Change),
        6 => (choices(), common).prop_map(|(choices, common)| Step::Count(choices, common)),
        5 => Just(Step::Commit),
        1 => Just(Step::Rollback),
        1 => Just(Step::Flush),
        1 => Just(Step::Weigh),
        1 => Just(Step::Read),
        1 => Just(Step::Reopen),
        1 => Just(Step::Crash),
    ];
    prop::collection::vec(step, 1..120)
}

/// Who holds what, and how that is counted by hand.
#[derive(Debug, Clone, Default, PartialEq)]
struct Holdings(BTreeMap<u32, BTreeSet<u64>>);

impl Holdings {
    fn apply(&mut self, change: &Change) {
        let held = self.0.entry(change.number).or_default();
        for value in values(&change.choices) {
            if change.removed {
                held.remove(&value)
            } else {
                held.insert(value)
            };
        }
    }

    fn counts(&self, values: &[u64], common: usize) -> Counted {
        let (mut counts, mut ignored) = (BTreeMap::new(), 0);
        for value in values.iter().collect::<BTreeSet<_>>() {
            let holders: Vec<u32> =
                self.0.iter().filter(|(_, held)| held.contains(value)).map(|(number, _)| *number).collect();
            if holders.len() > common {
                ignored += 1;
            } else {
                holders.into_iter().for_each(|number| *counts.entry(number).or_default() += 1);
            }
        }
        Counted { counts: counts.into_iter().collect(), ignored }
    }

    fn check(&self, postings: &Postings) {
        let all = values(&(0..20).collect::<Vec<_>>());
        for common in [0, 3, usize::MAX] {
            assert_eq!(postings.counts(&all, common), self.counts(&all, common), "{common}");
            let unlimited = postings.counts_unless(&all, common, usize::MAX, |_| true);
            assert_eq!(unlimited, self.counts(&all, usize::MAX), "{common}");
        }
    }
}

/// Postings and their naive twin.
struct Pair {
    limits: Limits,
    folder: TempDir,
    postings: Option<Postings>,
    holdings: Holdings,
    uncommitted: Vec<Change>,
    /// What was committed, by position, with the changes that each brought.
    committed: BTreeMap<u64, (Holdings, Vec<Change>)>,
}

impl Pair {
    fn new(limits: Limits) -> Self {
        let mut pair = Pair {
            limits,
            folder: TempDir::new().unwrap(),
            postings: None,
            holdings: Holdings::default(),
            uncommitted: Vec::new(),
            committed: BTreeMap::from([(0, Default::default())]),
        };
        pair.open();
        pair
    }

    fn postings(&mut self) -> &mut Postings {
        self.postings.as_mut().unwrap()
    }

    /// Opens what is in the folder: it stands at some committed position, from which the twin goes on.
    fn open(&mut self) {
        let postings = Postings::open_within(self.folder.path(), self.limits).unwrap();
        let position = postings.position();
        assert_eq!(postings.durable_position(), position, "what is opened came from the disk");
        self.postings = Some(postings);
        self.committed.retain(|&other, _| other <= position);
        self.forget_uncommitted();
        assert_eq!(self.last_position(), position);
    }

    fn forget_uncommitted(&mut self) {
        self.holdings = self.committed[&self.last_position()].0.clone();
        self.uncommitted.clear();
    }

    fn last_position(&self) -> u64 {
        *self.committed.last_key_value().unwrap().0
    }

    fn change(&mut self, change: Change) {
        change.apply(self.postings());
        self.holdings.apply(&change);
        self.uncommitted.push(change);
    }

    fn commit(&mut self) {
        let position = self.last_position() + 3;
        self.postings().commit(position).unwrap();
        self.committed.insert(position, (self.holdings.clone(), std::mem::take(&mut self.uncommitted)));
        assert_eq!(self.postings().position(), position);
    }

    fn flush(&mut self) {
        self.postings().flush().unwrap();
        assert_eq!(self.postings().durable_position(), self.last_position());
    }

    fn weigh(&mut self) {
        let entries = self.holdings.0.values().map(|held| held.len() as u64).sum();
        let statistics = self.postings().statistics().unwrap();
        assert_eq!(statistics.entries, entries);
        assert!(statistics.bytes > 0);
    }

    /// A reader beside the writer stands at a committed position, and gets as far as the writer by the same changes.
    fn read(&mut self) {
        let durable = self.postings().durable_position();
        let mut reader = Postings::open_to_read(self.folder.path()).unwrap();
        let position = reader.position();
        assert!(position >= durable);
        self.committed[&position].0.check(&reader);
        // One position too early: applying a change twice does no harm.
        for (position, (holdings, changes)) in self.committed.range(position..) {
            changes.iter().for_each(|change| change.apply(&mut reader));
            reader.commit(*position).unwrap();
            holdings.check(&reader);
        }
        reader.flush().unwrap();
        assert_eq!((reader.position(), reader.durable_position()), (self.last_position(), position));
    }

    fn reopen(&mut self) {
        let durable = self.postings().durable_position();
        self.postings = None;
        self.open();
        assert!(self.last_position() >= durable);
    }

    /// What a crash leaves is what is in the files at that moment.
    fn crash(&mut self) {
        let durable = self.postings().durable_position();
        let left = TempDir::new().unwrap();
        copy_folder(self.folder.path(), left.path());
        self.postings = None;
        self.folder = left;
        self.open();
        assert!(self.last_position() >= durable);
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Change(change) => self.change(change),
            Step::Count(choices, common) => {
                let values = values(&choices);
                let expected = self.holdings.counts(&values, common);
                assert_eq!(self.postings().counts(&values, common), expected);
            }
            Step::Commit => self.commit(),
            Step::Rollback => {
                self.postings().rollback();
                self.forget_uncommitted();
            }
            Step::Flush => self.flush(),
            Step::Weigh => self.weigh(),
            Step::Read => self.read(),
            Step::Reopen => self.reopen(),
            Step::Crash => self.crash(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn postings_are_their_twin(steps in steps(), operations in 1usize..60, merge_part in 0usize..5) {
        let mut pair = Pair::new(Limits { operations, merge_part });
        steps.into_iter().for_each(|step| pair.step(step));
        pair.weigh();
        pair.holdings.clone().check(pair.postings());
    }

    #[test]
    fn postings_in_memory_are_their_twin(steps in steps()) {
        let mut pair = Pair::new(LIMITS);
        steps.into_iter().for_each(|step| pair.step(step));
        pair.weigh();
    }
}

/// Whoever opens beside a writer that replaces runs all the time sees exactly what one commit left.
#[test]
fn readers_beside_a_busy_writer_see_one_state() {
    const COMMITS: u64 = 400;
    let folder = TempDir::new().unwrap();
    let mut postings =
        Postings::open_within(folder.path(), Limits { operations: 20, merge_part: 2 }).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for number in 1..=COMMITS {
                postings.insert(number as u32, &(0..10).map(|value| value + number).collect::<Vec<_>>());
                postings.insert(number as u32, &[0]);
                postings.remove(number as u32 / 2, &[0]);
                postings.commit(number).unwrap();
            }
            postings.flush().unwrap();
        });
        let mut last = 0;
        loop {
            let is_last_look = writer.is_finished();
            let reader = Postings::open_to_read(folder.path()).unwrap();
            assert!(reader.position() >= last, "time goes forward");
            last = reader.position();
            let there: Vec<(u32, u32)> =
                (last as u32 / 2 + 1..=last as u32).map(|number| (number, 1)).collect();
            assert_eq!(reader.counts(&[0], usize::MAX).counts, there, "{last}");
            if is_last_look {
                break assert_eq!(last, COMMITS);
            }
        }
    });
}

#[test]
fn a_reader_writes_nothing() {
    let folder = filled();
    let files = || -> BTreeMap<_, _> {
        let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        files.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
    };
    fs::write(folder.path().join("0000000099.run"), "of the writer, not yet named").unwrap();
    let before = files();
    let mut reader = Postings::open_to_read(folder.path()).unwrap();
    for number in 0..20_000 {
        reader.insert(number, &values(&(0..100).collect::<Vec<_>>()));
        reader.commit(u64::from(number) + 10).unwrap();
    }
    reader.flush().unwrap();
    assert_eq!(reader.counts(&values(&[99]), usize::MAX).counts.len(), 20_000);
    drop(reader);
    assert_eq!(files(), before);
}

#[test]
fn what_is_not_there_is_missing() {
    let folder = TempDir::new().unwrap();
    for folder in [folder.path(), &folder.path().join("none")] {
        assert!(Postings::open_to_read(folder).is_err_and(|error| error.is_missing()), "{folder:?}");
    }
    assert!(!folder.path().join("none").exists());
}

/// A value that very many hold is not read to its end, wherever it lies, and counted right when they go.
#[test]
fn a_common_value_is_ignored_until_it_is_rare() {
    let folder = TempDir::new().unwrap();
    let limits = Limits { operations: 20_000, merge_part: 4 };
    let mut postings = Postings::open_within(folder.path(), limits).unwrap();
    let expect = |postings: &mut Postings, position, common, expected: (usize, usize)| {
        let counted = postings.counts(&[7], common);
        assert_eq!((counted.counts.len(), counted.ignored), expected, "in memory, {position}");
        postings.commit(position).unwrap();
        postings.flush().unwrap();
        assert_eq!(postings.counts(&[7], common), counted, "in runs, {position}");
    };
    (0..100_000).for_each(|number| postings.insert(number, &[7]));
    expect(&mut postings, 1, 99_999, (0, 1));
    expect(&mut postings, 2, 100_000, (100_000, 0));
    (10..100_000).for_each(|number| postings.remove(number, &[7]));
    expect(&mut postings, 3, 10, (10, 0));
    expect(&mut postings, 4, 9, (0, 1));
}

#[test]
fn of_common_values_the_rarest_are_counted() {
    let folder = TempDir::new().unwrap();
    let mut postings = Postings::open(folder.path()).unwrap();
    // Value 1 has one holder, value 2 has twenty, value 3 thirty.
    for (value, holders) in [(1, 1), (2, 20), (3, 30)] {
        (0..holders).for_each(|number| postings.insert(number, &[value]));
    }
    for (most_holders, expected) in [(0, (1, 2)), (19, (1, 2)), (20, (20, 1)), (49, (20, 1)), (50, (30, 0))] {
        let counted = postings.counts_unless(&[1, 2, 3], 5, most_holders, |ignored| ignored.len() == 2);
        assert_eq!((counted.counts.len(), counted.ignored), expected, "{most_holders}");
    }
    assert_eq!(postings.counts_unless(&[1, 2, 3], 5, 50, |_| false), postings.counts(&[1, 2, 3], 5));
}

/// Makes postings with something in them and closes them.
fn filled() -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut postings = Postings::open(folder.path()).unwrap();
    (0..50).for_each(|number| postings.insert(number, &[1, 2, 3, 4, 5, 6].map(|value| value << number)));
    postings.commit(9).unwrap();
    postings.flush().unwrap();
    folder
}

type Open = fn(&Path) -> Result<Postings, IndexError>;
const WAYS_TO_OPEN: [Open; 2] = [Postings::open, Postings::open_to_read];

fn expect_damaged(folder: &Path, what: &str) {
    for open in WAYS_TO_OPEN {
        let opened = open(folder);
        assert!(matches!(opened, Err(IndexError::Damaged { .. })), "{what}: {opened:?}");
    }
}

/// Changes every file in turn, expects it to be noticed, and puts it back.
fn expect_noticed(folder: &Path, what: &str, change: impl Fn(&mut Vec<u8>)) {
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let pristine = fs::read(&path).unwrap();
        let mut bytes = pristine.clone();
        change(&mut bytes);
        fs::write(&path, &bytes).unwrap();
        expect_damaged(folder, &format!("{what}: {path:?}"));
        fs::write(&path, &pristine).unwrap();
    }
}

#[test]
fn damage_is_noticed_when_opening() {
    let folder = filled();
    expect_noticed(folder.path(), "cut short", |bytes| bytes.truncate(bytes.len() - bytes.len() / 3));
    expect_noticed(folder.path(), "nothing left", Vec::clear);
    expect_noticed(folder.path(), "nothing but zeros", |bytes| bytes.fill(0));
    expect_noticed(folder.path(), "another version", |bytes| bytes[8] += 1);
    for bit in 0..8 * 52 {
        expect_noticed(folder.path(), "a bit", |bytes| bytes[bit / 8] ^= 1 << (bit % 8));
    }
    expect_noticed(folder.path(), "the last bit", |bytes| *bytes.last_mut().unwrap() ^= 0x80);
    WAYS_TO_OPEN.iter().for_each(|open| assert_eq!(open(folder.path()).unwrap().position(), 9));
}

#[test]
fn changed_entries_are_noticed_when_counting() {
    let folder = filled();
    let run = folder.path().join("0000000000.run");
    let mut bytes = fs::read(&run).unwrap();
    bytes[64 + 100] ^= 1;
    fs::write(&run, bytes).unwrap();
    for open in WAYS_TO_OPEN {
        assert!(matches!(open(folder.path()).unwrap().statistics(), Err(IndexError::Damaged { .. })));
    }
}

#[test]
fn a_missing_run_is_noticed() {
    let folder = filled();
    fs::remove_file(folder.path().join("0000000000.run")).unwrap();
    expect_damaged(folder.path(), "without its run");
}

#[test]
fn a_duplicate_index_is_no_postings_and_the_other_way_round() {
    let rule = Rule { keys: 6, needed: 2 };
    let folder = TempDir::new().unwrap();
    drop(crate::open(IndexKind::Default, folder.path(), rule).unwrap());
    expect_damaged(folder.path(), "a duplicate index");
    let opened = crate::open(IndexKind::Default, filled().path(), rule);
    assert!(matches!(opened, Err(IndexError::Damaged { .. })), "{opened:?}");
}
