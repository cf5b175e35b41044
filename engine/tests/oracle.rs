//! After every one of 50,000 random operations, with abrupt restarts in between, the verdicts are those of a naive judge
//! who judges all stored documents afresh in the order of (created_at, arrival), after those that an editor declared to be
//! first: the order of arrival decides nothing that the dates decide.
//!
//! `FIRSTCOPY_OPERATIONS` sets another number of operations. A failure is shortened and printed as a list of steps.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod support;

use firstcopy_engine::{Change, Decision, Engine, Follower, Policy, Settings, Standing, State, Verdict};
use firstcopy_text::Content;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use support::{Expected, Judge, Model, Post, Random, SEEDS, changed, crash_image, options, pool, seconds};
use tempfile::TempDir;

/// One step of a run.
#[derive(Debug, Clone)]
enum Step {
    /// A new post, a late older one, an edit, a re-post, or nothing new.
    Add(Post),
    Delete(String),
    /// An editor declares a post to be an original, or takes that back.
    Decide(String, Option<Standing>),
    /// A post is judged, and not stored.
    Check(Post),
    /// The followers catch up.
    Follow,
    /// The data directory is closed and opened again.
    Reopen,
    /// The machine stops: what is on the disk goes on. The follower's file may be an older one, too.
    Crash {
        follower_goes_back: bool,
    },
}

/// Steps in which each id is added, edited, deleted and posted again, from few contents at a time, so that they meet.
fn steps(seed: u64, operations: usize, pool: &[Content]) -> Vec<Step> {
    const IDS: usize = 60;
    const CONTENTS_AT_A_TIME: usize = 14;
    const OPERATIONS_BETWEEN_RESTARTS: usize = 200;
    let mut random = Random(seed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
    let (mut live, mut contents) = (BTreeSet::new(), Vec::new());
    let mut steps = Vec::new();
    for operation in 0..operations {
        if operation % OPERATIONS_BETWEEN_RESTARTS == 0 {
            // Neighbours in the pool are of one family: half of the contents come from two of them.
            let starts = [(); 2].map(|()| random.below(pool.len() - 4));
            contents = starts.iter().flat_map(|&start| start..start + 4).collect();
            contents.extend((contents.len()..CONTENTS_AT_A_TIME).map(|_| random.below(pool.len())));
            steps.push(match random.percent(25) {
                true => Step::Reopen,
                false => Step::Crash { follower_goes_back: random.percent(30) },
            });
        }
        let id = format!("post-{}", random.below(IDS));
        if live.contains(&id) && random.percent(45) {
            live.remove(&id);
            steps.push(Step::Delete(id));
        } else {
            let post = post(id.clone(), &contents, now, &mut random);
            if random.percent(8) {
                steps.push(Step::Check(post.clone()));
            }
            live.insert(id);
            steps.push(Step::Add(post));
        }
        if random.percent(10) {
            let standing = *random.pick(&[None, None, Some(Standing::First), Some(Standing::Independent)]);
            steps.push(Step::Decide(format!("post-{}", random.below(IDS)), standing));
        }
        if random.percent(5) {
            steps.push(Step::Follow);
        }
    }
    steps
}

fn post(id: String, contents: &[usize], now: i64, random: &mut Random) -> Post {
    let created_at = match random.below(100) {
        0..30 => None,
        30..80 => Some(now - 1_000_000 + 1000 * random.below(15) as i64),
        80..90 => Some(now + random.below(100) as i64),
        90..95 => Some(now + 10_000_000 + random.below(5) as i64),
        _ => Some(600_000_000 + random.below(5) as i64),
    };
    let source = random.percent(10).then(|| format!("post-{}", random.below(60)));
    let author = *random.pick(&[None, None, Some("Ann"), Some(" ann "), Some("Bob")]);
    Post { id, content: *random.pick(contents), created_at, author, source }
}

/// The engine and its naive twin, side by side.
struct Run<'a> {
    pool: &'a [Content],
    judge: &'a Judge,
    policy: Policy,
    folder: TempDir,
    restarts: usize,
    engine: Option<Engine>,
    model: Model,
    expected: BTreeMap<String, Expected>,
    in_memory: Originals,
    in_file: OriginalsFile,
}

impl<'a> Run<'a> {
    fn new(pool: &'a [Content], judge: &'a Judge, policy: Policy) -> Self {
        let folder = support::folder();
        let engine = support::open(&folder.path().join("data-0"), policy);
        let in_file = OriginalsFile::open(folder.path().join("originals"));
        Run {
            pool,
            judge,
            policy,
            folder,
            restarts: 0,
            engine: Some(engine),
            model: Model::default(),
            expected: BTreeMap::new(),
            in_memory: Originals::default(),
            in_file,
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Add(post) => self.add(post)?,
            Step::Delete(id) => self.delete(id)?,
            Step::Decide(id, standing) => self.decide(id, *standing)?,
            Step::Check(post) => self.check(post)?,
            Step::Follow => self.follow()?,
            Step::Reopen => self.restart(false)?,
            Step::Crash { follower_goes_back } => {
                self.restart(true)?;
                if *follower_goes_back {
                    self.in_file.go_back();
                }
            }
        }
        self.compare()
    }

    fn engine(&self) -> &Engine {
        self.engine.as_ref().unwrap()
    }

    fn add(&mut self, post: &Post) -> Result<(), String> {
        let verdict = self.engine().add(post.page(self.pool)).map_err(|error| error.to_string())?;
        let is_new = self.model.add(self.judge, post, seconds(&verdict.received_at));
        if verdict.unchanged == is_new {
            return Err(format!("unchanged: {}", verdict.unchanged));
        }
        let after = self.model.judge(self.judge);
        self.answered(&verdict, after.get(&post.id), &after)?;
        self.expected = after;
        Ok(())
    }

    fn delete(&mut self, id: &str) -> Result<(), String> {
        let verdict = self.engine().delete(id).map_err(|error| error.to_string())?;
        if self.model.delete(id) != verdict.is_some() {
            return Err(format!("deleted: {verdict:?}"));
        }
        let after = self.model.judge(self.judge);
        if let Some(verdict) = verdict {
            self.answered(&verdict, self.expected.get(id), &after)?;
        }
        self.expected = after;
        Ok(())
    }

    fn decide(&mut self, id: &str, standing: Option<Standing>) -> Result<(), String> {
        let decision = Decision { standing, by: "editor".to_owned(), reason: "seen".to_owned() };
        let verdict = self.engine().decide(id, decision).map_err(|error| error.to_string())?;
        if self.model.decide(id, standing) != verdict.is_some() {
            return Err(format!("decided: {verdict:?}"));
        }
        let after = self.model.judge(self.judge);
        if let Some(verdict) = verdict {
            same("standing", &verdict.appeal.is_some(), &standing.is_some())?;
            self.answered(&verdict, after.get(id), &after)?;
        }
        self.expected = after;
        Ok(())
    }

    /// A check says what adding would say, and leaves no trace.
    fn check(&mut self, post: &Post) -> Result<(), String> {
        let verdict = self.engine().check(post.page(self.pool)).map_err(|error| error.to_string())?;
        let mut model = self.model.clone();
        model.add(self.judge, post, seconds(&verdict.received_at));
        let after = model.judge(self.judge);
        self.answered(&verdict, after.get(&post.id), &after)
    }

    /// What was answered is what was to be said, and names whose verdict changed besides.
    fn answered(
        &self,
        verdict: &Verdict,
        expected: Option<&Expected>,
        after: &BTreeMap<String, Expected>,
    ) -> Result<(), String> {
        same("answer", &Some(&Expected::given(verdict)), &expected)?;
        let mut named = verdict.changed.clone();
        named.sort_by(|a, b| a.id.cmp(&b.id));
        same("changed verdicts", &named, &changed(&self.expected, after, &verdict.id))
    }

    /// The stored verdicts of all documents are the naive judge's.
    fn compare(&self) -> Result<(), String> {
        let stored = support::verdicts(self.engine());
        let ids = |ids: Vec<&String>| ids.into_iter().cloned().collect::<Vec<_>>();
        same("documents", &ids(stored.keys().collect()), &ids(self.expected.keys().collect()))?;
        for (id, expected) in &self.expected {
            same(&format!("verdict of {id}"), &Expected::given(&stored[id]), expected)?;
        }
        Ok(())
    }

    fn follow(&mut self) -> Result<(), String> {
        let engine = self.engine.as_ref().unwrap();
        engine.follow(&mut self.in_memory).map_err(|error| error.to_string())?;
        engine.follow(&mut self.in_file).map_err(|error| error.to_string())?;
        let originals = self.expected.iter().filter(|(_, expected)| expected.original.is_none());
        let originals: BTreeSet<String> = originals.map(|(id, _)| id.clone()).collect();
        same("originals in memory", &self.in_memory.ids, &originals)?;
        same("originals in a file", &self.in_file.saved.ids, &originals)
    }

    fn restart(&mut self, is_crash: bool) -> Result<(), String> {
        let data = |restart: usize| self.folder.path().join(format!("data-{restart}"));
        if is_crash {
            crash_image(&data(self.restarts), &data(self.restarts + 1));
            self.engine = None;
            std::fs::remove_dir_all(data(self.restarts)).unwrap();
            self.restarts += 1;
        }
        self.engine = None;
        let path = self.folder.path().join(format!("data-{}", self.restarts));
        self.engine = Some(Engine::open(&path, options(self.policy)).map_err(|error| error.to_string())?);
        let found = self.engine().verify(|_| ()).map_err(|error| error.to_string())?;
        same("problems that verify finds", &found.problems, &Vec::new())
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}

/// A follower that knows the originals, and nothing else.
#[derive(Debug, Clone, Default)]
struct Originals {
    position: u64,
    ids: BTreeSet<String>,
}

impl Follower for Originals {
    fn name(&self) -> &str {
        "in-memory"
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
        for change in changes {
            match change.now {
                State::Original => self.ids.insert(change.id.clone()),
                State::Duplicate | State::Absent => self.ids.remove(&change.id),
            };
        }
        self.position = position;
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        *self = Originals::default();
        Ok(())
    }
}

/// The same in a file that is replaced whole: the position and the ids, a line each.
#[derive(Debug)]
struct OriginalsFile {
    path: PathBuf,
    saved: Originals,
}

impl OriginalsFile {
    fn open(path: PathBuf) -> Self {
        OriginalsFile { saved: read(&path), path }
    }

    fn save(&self) {
        let (draft, before) = (self.path.with_extension("new"), self.path.with_extension("before"));
        let lines = [self.saved.position.to_string()].into_iter().chain(self.saved.ids.iter().cloned());
        std::fs::write(&draft, lines.collect::<Vec<_>>().join("\n")).unwrap();
        if self.path.exists() {
            std::fs::copy(&self.path, before).unwrap();
        }
        std::fs::rename(draft, &self.path).unwrap();
    }

    /// The last saved file is lost; the one before it is there.
    fn go_back(&mut self) {
        self.saved = read(&self.path.with_extension("before"));
    }
}

fn read(path: &Path) -> Originals {
    let Ok(text) = std::fs::read_to_string(path) else { return Originals::default() };
    let mut lines = text.lines();
    let position = lines.next().unwrap().parse().unwrap();
    Originals { position, ids: lines.map(str::to_owned).collect() }
}

impl Follower for OriginalsFile {
    fn name(&self) -> &str {
        "in-file"
    }

    fn position(&self) -> u64 {
        self.saved.position
    }

    fn apply(&mut self, changes: &[Change], position: u64) -> Result<(), String> {
        self.saved.apply(changes, position)?;
        self.save();
        Ok(())
    }

    fn restart(&mut self) -> Result<(), String> {
        self.saved.restart()?;
        self.save();
        Ok(())
    }
}

/// Runs all steps; the first that goes wrong, and how.
fn run(steps: &[Step], pool: &[Content], judge: &Judge, policy: Policy) -> Result<(), (usize, String)> {
    let mut run = Run::new(pool, judge, policy);
    for (number, step) in steps.iter().enumerate() {
        run.step(step).map_err(|error| (number, error))?;
    }
    run.step(&Step::Follow).and_then(|()| run.step(&Step::Reopen)).map_err(|error| (steps.len(), error))
}

/// Leaves out steps, many at once, then fewer, as long as it still fails and there is time.
fn shortened(mut steps: Vec<Step>, fails: impl Fn(&[Step]) -> Option<usize>) -> Vec<Step> {
    let (start, patience) = (Instant::now(), Duration::from_secs(60));
    let mut piece = steps.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < steps.len() && start.elapsed() < patience {
            let mut fewer = steps.clone();
            fewer.drain(at..(at + piece).min(fewer.len()));
            match fails(&fewer) {
                Some(last) => {
                    fewer.truncate(last + 1);
                    steps = fewer;
                }
                None => at += piece,
            }
        }
        piece /= 2;
    }
    steps
}

/// A part of all operations, in a process of its own: nextest runs them side by side.
#[track_caller]
fn check(policy: Policy, seed: u64, percent: usize) {
    let all = std::env::var("FIRSTCOPY_OPERATIONS").map_or(50_000, |number| number.parse().unwrap());
    let pool = pool();
    let judge = Judge::new(&pool, &Settings { policy, ..Settings::default() }, SEEDS);
    let (matches, open_chains) = judge.matches_and_open_chains();
    assert!(matches > 40 && open_chains > 40, "the pool tests little: {matches}, {open_chains}");
    let steps = steps(seed, all * percent / 100, &pool);
    let Err((failed, error)) = run(&steps, &pool, &judge, policy) else { return };
    let fails = |steps: &[Step]| run(steps, &pool, &judge, policy).err().map(|(last, _)| last);
    let short = shortened(steps[..=failed.min(steps.len() - 1)].to_vec(), fails);
    let short_error = run(&short, &pool, &judge, policy);
    panic!("seed {seed}, step {failed}: {error}\nshortened to {short:#?}\n{short_error:?}");
}

#[test]
fn likeness_first_part() {
    check(Policy::Likeness, 1, 30);
}

#[test]
fn likeness_second_part() {
    check(Policy::Likeness, 2, 30);
}

#[test]
fn resemblance() {
    check(Policy::Resemblance, 3, 25);
}

#[test]
fn paper() {
    check(Policy::Paper, 4, 15);
}
