//! The followers that every open engine has: the search index, the sketch postings and the digests. A thread of their own brings them
//! up to the store after every commit; what it has not done when the engine is closed, the next one does.

mod bell;
mod digests;
mod feed;
mod follower;
mod gists;
mod postings;
mod search;

pub(crate) use bell::Bell;
pub(crate) use digests::{apply_to_digests, digests_folder};
pub(crate) use feed::next_changes;
pub use follower::Follower;
pub(crate) use gists::{FreshGists, Gist, Gists, digest};
pub(crate) use postings::{apply_to_postings, postings_folder};
pub(crate) use search::{search_folders, site};

use crate::engine::Engine;
use crate::error::{EngineError, Result};
use crate::reader::Reader;
use crate::writer::Door;
use digests::DigestFollower;
use feed::Feed;
use firstcopy_text::Analyzer;
use gists::View;
use postings::PostingsFollower;
use search::SearchFollower;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How long changes are gathered after some were applied: a commit of the search index takes some ten milliseconds,
/// whether it brings one document or hundreds.
const GATHERING: Duration = Duration::from_millis(150);
/// The same after many were applied: who stores much commits rarely, and merges little.
const GATHERING_MANY: Duration = Duration::from_millis(400);
/// Changes that are many.
const MANY: u64 = 64;
/// How long is waited before what failed is tried again.
const RETRY: Duration = Duration::from_secs(1);
/// Changes after which the outbox is told that it can let go of them.
const KEPT_CHANGES: u64 = 4096;
/// How much followers give way to others, from 0 to 19.
#[cfg(target_os = "linux")]
const GIVES_WAY: i32 = 10;
/// Changes that postings and digests keep in memory at most, however small they are: whoever opens them has to take as many
/// from the store again.
pub(crate) const UNWRITTEN_CHANGES: u64 = 16_384;

/// The thread of the followers.
#[derive(Debug)]
pub(crate) struct Following {
    bell: Arc<Bell>,
    fresh: Arc<FreshGists>,
    thread: Option<JoinHandle<()>>,
}

/// All it takes to follow a data directory.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The data directory.
    pub(crate) path: PathBuf,
    /// Of the features that sketches depend on.
    pub(crate) generation: u32,
    pub(crate) analyzer: Arc<Analyzer>,
    pub(crate) writer: Door,
    pub(crate) bell: Arc<Bell>,
    pub(crate) fresh: Arc<FreshGists>,
}

impl Following {
    pub(crate) fn start(plan: Plan) -> Self {
        let (bell, fresh) = (plan.bell.clone(), plan.fresh.clone());
        let thread = std::thread::Builder::new().name("followers".to_owned());
        // Without a thread nobody follows until the directory is opened again; storing goes on.
        let thread = thread.spawn(move || plan.work()).ok();
        Following { bell, fresh, thread }
    }

    /// Waits while they are far behind.
    pub(crate) fn keep_pace(&self) {
        self.fresh.wait_for_room();
    }
}

impl Drop for Plan {
    /// However it ends, nobody waits for it any more.
    fn drop(&mut self) {
        self.fresh.close();
        self.bell.stop();
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.bell.stop();
        if let Some(thread) = self.thread.take() {
            // What a panic left undone is caught up with when the directory is opened again.
            let _ = thread.join();
        }
    }
}

/// How far search and similarity are, while the engine is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The position of the store.
    pub stored: u64,
    /// The position of all of them; none before they first got up to the store.
    pub followed: Option<u64>,
    /// Why they are not further.
    pub problem: Option<String>,
}

impl Engine {
    /// How far search and similarity are; they are nowhere where nobody follows.
    pub fn progress(&self) -> Progress {
        let (stored, followed, problem) =
            self.following.as_ref().map(|following| following.bell.state()).unwrap_or_default();
        Progress { stored, followed, problem }
    }

    /// How far each index is behind the store.
    pub fn lags(&self) -> [Lag; 3] {
        let changes = self.following.as_ref().map(|following| following.bell.lags()).unwrap_or_default();
        let names = ["search", "similarity", "passages"];
        std::array::from_fn(|at| Lag { index: names[at], changes: changes[at] })
    }

    /// Bytes that can still be written where the data directory is.
    pub fn free_bytes(&self) -> Result<u64> {
        Ok(firstcopy_store::free_bytes(self.path())?)
    }

    /// Waits until search and similarity know everything that was stored before this call.
    pub fn catch_up(&self) -> Result<()> {
        let position = self.reader().store.position()?;
        match &self.following {
            Some(following) => following.bell.wait_for(position),
            None => Ok(()),
        }
    }

    /// Waits until search and similarity know what was stored after a position, or for so long. Returns whether there is
    /// anything.
    pub fn wait_for_news(&self, position: u64, time: Duration) -> Result<bool> {
        match &self.following {
            Some(following) => Ok(following.bell.wait_beyond(position, time)),
            None => {
                std::thread::sleep(time);
                Ok(self.reader().position()? != position)
            }
        }
    }
}

impl Plan {
    fn work(self) {
        give_way();
        let (mut team, mut last) = (None, 0);
        while self.bell.wait_for_news() {
            let mut gathering = GATHERING;
            match self.bring_up(&mut team) {
                Ok(position) => {
                    self.bell.reached(position);
                    if position.saturating_sub(last) >= MANY {
                        gathering = GATHERING_MANY;
                    }
                    last = position;
                }
                Err(EngineError::Stopped(_)) => break,
                Err(error) => {
                    // Whatever it was, opening everything again finds out what can still be used.
                    team = None;
                    self.fresh.release(u64::MAX);
                    self.bell.failed(error.to_string());
                    self.bell.pause(RETRY);
                }
            }
            self.bell.pause(gathering);
        }
        if let Some(mut team) = team {
            // What does not get this far is caught up with when the directory is opened again.
            let _ = team.close();
        }
    }

    fn bring_up(&self, team: &mut Option<Team>) -> Result<u64> {
        let bell = self.bell.clone();
        let team = match team {
            Some(team) => team,
            None => {
                let writer = Some(self.writer.clone());
                let fresh = self.fresh.clone();
                team.insert(Team::open(&self.path, self.generation, self.analyzer.clone(), fresh, writer)?)
            }
        };
        team.bring_up_and(|positions| bell.each_reached(positions))
    }
}

/// Whoever waits for an answer comes first: this thread, and those that it starts, take what is left.
fn give_way() {
    #[cfg(target_os = "linux")]
    // Where that is not allowed, they take their share.
    let _ = rustix::process::nice(GIVES_WAY);
}

/// How far an index is behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lag {
    /// "search", "similarity" or "passages".
    pub index: &'static str,
    /// Changes of the store that it has still to take.
    pub changes: u64,
}

/// The followers and what they are fed from.
#[derive(Debug)]
pub(crate) struct Team {
    feed: Feed,
    /// For whoever follows at the same time.
    second_feed: Feed,
    search: SearchFollower,
    postings: PostingsFollower,
    digests: DigestFollower,
    fresh: Arc<FreshGists>,
    /// The position that the outbox was told.
    written_down: u64,
}

impl Team {
    /// Opens them. Without a writer the outbox is not told how far they got: it is kept a little longer.
    pub(crate) fn open(
        path: &Path,
        generation: u32,
        analyzer: Arc<Analyzer>,
        fresh: Arc<FreshGists>,
        writer: Option<Door>,
    ) -> Result<Self> {
        let indexes = Reader::open(path)?.directory.indexes();
        let view = || View::open(path, analyzer.clone(), fresh.clone());
        Ok(Team {
            feed: Feed::open(path, writer)?,
            second_feed: Feed::open(path, None)?,
            search: SearchFollower::open(search_folders(&indexes), view()?)?,
            postings: PostingsFollower::open(postings_folder(&indexes, generation), view()?)?,
            digests: DigestFollower::open(digests_folder(&indexes, generation), view()?)?,
            fresh: fresh.clone(),
            written_down: 0,
        })
    }

    /// Brings all of them up to the store. Returns where that was.
    pub(crate) fn bring_up(&mut self) -> Result<u64> {
        self.bring_up_and(|_| ())
    }

    /// The same; `told` is told where search, postings and digests are.
    fn bring_up_and(&mut self, told: impl Fn([u64; 3])) -> Result<u64> {
        let position = self.feed.position()?;
        told(self.positions());
        loop {
            let reached = self.bring_on()?;
            told(self.positions());
            self.fresh.release(reached);
            if reached >= position {
                break;
            }
        }
        if position >= self.written_down + KEPT_CHANGES {
            self.write_down()?;
            self.written_down = position;
        }
        Ok(position)
    }

    /// Gives each of them the next of what it lacks: search on a thread of its own, because it takes as long as all others.
    /// Returns where all of them are.
    fn bring_on(&mut self) -> Result<u64> {
        let Team { feed, second_feed, search, postings, digests, .. } = self;
        std::thread::scope(|scope| {
            let searching = scope.spawn(|| feed.bring_on(search));
            let others = second_feed.bring_on(postings).and_then(|_| second_feed.bring_on(digests));
            let searching = searching.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            searching.and(others)
        })?;
        Ok(self.positions().into_iter().min().unwrap_or(0))
    }

    fn positions(&self) -> [u64; 3] {
        [self.search.position(), self.postings.position(), self.digests.position()]
    }

    /// Lets the store know how far they certainly got, the one that is furthest behind first: the outbox forgets what all
    /// followers have that it knows of, and at first it knows of none.
    fn write_down(&self) -> Result<()> {
        let mut followers: [&dyn Follower; 3] = [&self.search, &self.postings, &self.digests];
        followers.sort_by_key(|follower| follower.durable_position());
        for follower in followers {
            if !self.feed.write_down(follower)? {
                break;
            }
        }
        Ok(())
    }

    /// Leaves everything so that it is opened without catching up.
    pub(crate) fn close(&mut self) -> Result<()> {
        self.postings.flush()?;
        self.digests.flush()?;
        self.write_down()
    }
}
