//! The one desk where everything is written: judged and written in one transaction, committed, and only then answered.
//! A thread takes what is waiting to it, all at once, so that whoever writes at the same time shares one sync of the
//! disk. Who waits for his answer and finds the desk free works there himself.

use crate::appeals::Decision;
use crate::draft::{Condition, Draft};
use crate::error::{EngineError, Result};
use crate::following::Bell;
use crate::ingest::Registrar;
use crate::open::now;
use crate::verdict::Verdict;
use firstcopy_store::{Document, StoreError, free_bytes};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Documents that one commit takes at most: more gain nothing, and those at the end wait for those at the front.
const GROUP: usize = 512;
/// Bytes that one commit takes at most, unless a single document is larger.
const GROUP_BYTES: usize = 16 << 20;
/// Documents that may wait: enough to fill the next group while one is being committed.
const WAITING: usize = 1024;

/// Work for the writer.
pub(crate) enum Task {
    /// Store a page.
    Add(Box<Draft>),
    /// Judge a page, and store nothing.
    Check(Box<Draft>),
    /// Remove what has this id or url.
    Delete(String, Condition),
    /// Declare what has this id or url to be something, whatever it matches.
    Decide(String, Box<Decision>),
    /// Write down how far a follower certainly got.
    Reached(String, u64),
    /// Anything else that needs the books to itself, between two groups.
    Alone(Box<dyn FnOnce(&mut Registrar) + Send>),
}

/// What the writer answers: a verdict, or none if there was no such document.
type Answer = Result<Option<Verdict>>;

struct Job {
    task: Task,
    answer: Sender<Answer>,
}

/// An answer that is on its way.
#[derive(Debug)]
pub struct Ticket(Receiver<Answer>);

impl Ticket {
    /// Waits until the document is committed and synced.
    pub fn wait(self) -> Result<Verdict> {
        self.answer().and_then(|verdict| verdict.ok_or_else(gone))
    }

    pub(crate) fn answer(self) -> Answer {
        self.0.recv().unwrap_or_else(|_| Err(gone()))
    }

    /// The answer, if it is there already.
    pub fn try_wait(&self) -> Option<Result<Verdict>> {
        match self.0.try_recv() {
            Ok(answer) => Some(answer.and_then(|verdict| verdict.ok_or_else(gone))),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(gone())),
        }
    }
}

fn gone() -> EngineError {
    EngineError::Stopped("the writer has ended".to_owned())
}

/// The desk, the thread that brings to it what is waiting, and the way to that thread.
pub(crate) struct Writer {
    door: Door,
    desk: Arc<Mutex<Desk>>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Writer")
    }
}

/// The way to the writer's thread, which works as long as anybody has one.
#[derive(Clone)]
pub(crate) struct Door {
    jobs: SyncSender<Job>,
    /// Jobs that were handed over and are not done.
    waiting: Arc<AtomicUsize>,
}

impl std::fmt::Debug for Door {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Door")
    }
}

impl Door {
    /// Hands work over; waits while too much is waiting already.
    pub(crate) fn submit(&self, task: Task) -> Ticket {
        let (answer, ticket) = channel();
        self.waiting.fetch_add(1, Ordering::SeqCst);
        // If the writer has ended, the ticket says so.
        let _ = self.jobs.send(Job { task, answer });
        Ticket(ticket)
    }

    fn nobody_waits(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) == 0
    }
}

/// What the writer looks after besides the books.
#[derive(Debug, Clone)]
pub(crate) struct WriterOptions {
    /// The data directory.
    pub(crate) folder: PathBuf,
    /// Bytes of the disk that are left free.
    pub(crate) reserve: u64,
    /// How long an answer may be ahead of the disk.
    pub(crate) sync_every: Duration,
    /// Whether nothing is ever committed: everything is judged as if it were.
    pub(crate) rehearsal: bool,
    /// Told of every commit.
    pub(crate) bell: Arc<Bell>,
}

impl Writer {
    pub(crate) fn start(registrar: Registrar, options: WriterOptions) -> Self {
        let (jobs, queue) = sync_channel(WAITING);
        let waiting = Arc::new(AtomicUsize::new(0));
        let sync_every = options.sync_every;
        let desk = Arc::new(Mutex::new(Desk::open(registrar, options)));
        let clerk = Clerk { desk: desk.clone(), queue, held: None, waiting: waiting.clone(), sync_every };
        let thread = std::thread::spawn(move || clerk.work());
        Writer { door: Door { jobs, waiting }, desk, thread: Some(thread) }
    }

    /// The way to it.
    pub(crate) fn door(&self) -> &Door {
        &self.door
    }

    /// Hands work over; waits while too much is waiting already.
    pub(crate) fn submit(&self, task: Task) -> Ticket {
        self.door.submit(task)
    }

    /// Does work and waits for the answer. What this thread handed over before is done before it.
    pub(crate) fn perform(&self, task: Task) -> Answer {
        if self.door.nobody_waits()
            && let Ok(mut desk) = self.desk.try_lock()
        {
            return desk.one(task);
        }
        self.submit(task).answer()
    }

    /// Does work that ends in a verdict.
    pub(crate) fn verdict(&self, task: Task) -> Result<Verdict> {
        self.perform(task)?.ok_or_else(gone)
    }

    /// Runs something on the books, alone.
    pub(crate) fn alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Registrar) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (answer, result) = channel();
        let work = move |registrar: &mut Registrar| {
            // Whoever asked may have gone.
            let _ = answer.send(work(registrar));
        };
        self.perform(Task::Alone(Box::new(work)))?;
        result.recv().unwrap_or_else(|_| Err(gone()))
    }
}

impl Drop for Writer {
    /// What is waiting is still written.
    fn drop(&mut self) {
        // The thread ends when nobody has a way to it any more.
        self.door.jobs = sync_channel(0).0;
        if let Some(thread) = self.thread.take() {
            // A panic of the writer was answered to whoever waited.
            let _ = thread.join();
        }
    }
}

/// Where the writer works.
struct Desk {
    registrar: Registrar,
    options: WriterOptions,
    /// When the first commit was made that is not synced.
    ahead_since: Option<Instant>,
    /// Why nothing is written any more.
    stopped: Option<String>,
}

/// Who brings to the desk what is waiting.
struct Clerk {
    desk: Arc<Mutex<Desk>>,
    queue: Receiver<Job>,
    /// What was taken from the queue and has to be done alone.
    held: Option<Job>,
    waiting: Arc<AtomicUsize>,
    sync_every: Duration,
}

impl Clerk {
    fn work(mut self) {
        while let Some(first) = self.held.take().or_else(|| self.next()) {
            let desk = self.desk.clone();
            // Whoever panicked at the desk left it in disorder: nothing is written any more, and who waits is told.
            let Ok(mut desk) = desk.lock() else { return };
            let (tasks, answers) = self.group(first);
            let done = desk.group(tasks);
            drop(desk);
            self.waiting.fetch_sub(done.len(), Ordering::SeqCst);
            for (answer, done) in answers.into_iter().zip(done) {
                // Whoever asked may have gone.
                let _ = answer.send(done);
            }
        }
        if let Ok(mut desk) = self.desk.lock() {
            desk.close();
        }
    }

    /// Waits for a job. What was answered meanwhile does not wait for another to be synced.
    fn next(&self) -> Option<Job> {
        if self.sync_every.is_zero() {
            return self.queue.recv().ok();
        }
        loop {
            match self.queue.recv_timeout(self.sync_every / 2) {
                Ok(job) => return Some(job),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.desk.lock().ok()?.sync_while_idle(),
            }
        }
    }

    /// A job and what else is waiting. What must be alone ends a group, and is kept for the next.
    fn group(&mut self, first: Job) -> (Vec<Task>, Vec<Sender<Answer>>) {
        let mut bytes = first.task.weight();
        let alone = first.task.is_alone();
        let mut group = vec![first];
        while !alone && group.len() < GROUP && bytes < GROUP_BYTES {
            let Ok(job) = self.queue.try_recv() else { break };
            if job.task.is_alone() {
                self.held = Some(job);
                break;
            }
            bytes += job.task.weight();
            group.push(job);
        }
        group.into_iter().map(|job| (job.task, job.answer)).unzip()
    }
}

impl Task {
    fn weight(&self) -> usize {
        match self {
            Task::Add(draft) | Task::Check(draft) => draft.weight(),
            Task::Delete(..) | Task::Decide(..) | Task::Reached(..) | Task::Alone(_) => 0,
        }
    }

    fn is_alone(&self) -> bool {
        matches!(self, Task::Check(_) | Task::Alone(_))
    }
}

impl Desk {
    fn open(mut registrar: Registrar, options: WriterOptions) -> Self {
        let begun = if options.rehearsal { registrar.store.begin() } else { Ok(()) };
        let stopped = begun.err().map(|error| error.to_string());
        Desk { registrar, options, ahead_since: None, stopped }
    }

    fn close(&mut self) {
        if self.options.rehearsal {
            let _ = self.registrar.rollback();
        } else if self.stopped.is_none() {
            // Closing the database syncs it, unless somebody is still reading from it.
            if self.ahead_since.is_some() {
                let _ = self.sync();
            }
            // What does not get this far is caught up with when the directory is opened again.
            let _ = self.registrar.close();
        }
    }

    fn one(&mut self, task: Task) -> Answer {
        self.group(vec![task]).pop().unwrap_or_else(|| Err(gone()))
    }

    /// Does a group of tasks: an answer for each.
    fn group(&mut self, tasks: Vec<Task>) -> Vec<Answer> {
        let count = tasks.len();
        if let Some(reason) = &self.stopped {
            return (0..count).map(|_| Err(EngineError::Stopped(reason.clone()))).collect();
        }
        self.transaction(tasks).unwrap_or_else(|error| self.failed(error, count))
    }

    /// One group in one transaction: all of it is committed, or none.
    fn transaction(&mut self, tasks: Vec<Task>) -> Result<Vec<Answer>> {
        let rehearsal = self.options.rehearsal;
        let checks = tasks.iter().any(|task| matches!(task, Task::Check(_)));
        if tasks.iter().any(|task| matches!(task, Task::Alone(_))) {
            return Ok(tasks.into_iter().map(|task| self.task(task)).collect());
        }
        if !rehearsal {
            if !checks {
                self.look_for_room()?;
            }
            self.registrar.begin()?;
        }
        let mut answers = Vec::with_capacity(tasks.len());
        for task in tasks {
            match self.task(task) {
                // The request was wrong, not the writing.
                Err(error) if error.is_of_the_request() => answers.push(Err(error)),
                answer => answers.push(Ok(answer?)),
            }
        }
        match (rehearsal, checks) {
            (true, _) => {}
            (false, true) => self.registrar.rollback()?,
            (false, false) => self.commit()?,
        }
        Ok(answers)
    }

    /// Once the store has committed, the group is stored, and that is the answer, whatever becomes of the indexes: what
    /// they lack they take from the outbox when there is room, or when the directory is opened again.
    fn commit(&mut self) -> Result<()> {
        self.registrar.commit_store()?;
        if !self.options.sync_every.is_zero() {
            self.ahead_since.get_or_insert_with(Instant::now);
            self.sync_if_due()?;
        }
        self.options.bell.ring(self.registrar.counters.position);
        if let Err(error) = self.registrar.commit_indexes()
            && !error.is_disk_full()
        {
            self.stopped = Some(error.to_string());
        }
        Ok(())
    }

    fn sync_while_idle(&mut self) {
        if let Err(error) = self.sync_if_due() {
            self.stopped = Some(error.to_string());
        }
    }

    /// Syncs what was answered half the time ago: it is asked every other half, so nothing waits longer than the whole.
    fn sync_if_due(&mut self) -> Result<()> {
        match self.ahead_since {
            Some(since) if since.elapsed() >= self.options.sync_every / 2 => self.sync(),
            _ => Ok(()),
        }
    }

    fn sync(&mut self) -> Result<()> {
        self.registrar.store.sync()?;
        self.ahead_since = None;
        Ok(())
    }

    fn task(&mut self, task: Task) -> Answer {
        match task {
            Task::Add(draft) | Task::Check(draft) => self.registrar.add(*draft, now()).map(Some),
            Task::Delete(name, condition) => match self.registrar.find(&name)? {
                Some(document) if condition.holds(Some(document.version)) => {
                    self.registrar.delete(&document, now()).map(Some)
                }
                Some(document) => Err(EngineError::OtherVersion { version: Some(document.version) }),
                None => Ok(None),
            },
            Task::Decide(name, decision) => match self.registrar.find(&name)? {
                Some(document) => self.registrar.decide(&document, &decision, now()).map(Some),
                None => Ok(None),
            },
            Task::Reached(name, position) => {
                self.registrar.store.follower_reached(&name, position)?;
                Ok(None)
            }
            Task::Alone(work) => {
                work(&mut self.registrar);
                Ok(None)
            }
        }
    }

    /// Refuses to write while there is still room for what reading and a clean end need.
    fn look_for_room(&self) -> Result<()> {
        let WriterOptions { folder, reserve, .. } = &self.options;
        if free_bytes(folder)? < *reserve {
            return Err(StoreError::DiskFull { path: folder.clone(), reserve: *reserve }.into());
        }
        Ok(())
    }

    /// Nothing of the group is stored. A full disk may have room again; after anything else the disk is in doubt.
    fn failed(&mut self, error: EngineError, count: usize) -> Vec<Answer> {
        let undone = if self.options.rehearsal { Ok(()) } else { self.registrar.rollback() };
        if !error.is_disk_full() || undone.is_err() || self.options.rehearsal {
            self.stopped = Some(error.to_string());
        }
        let others = (1..count).map(|_| Err(self.same_error()));
        std::iter::once(Err(error)).chain(others).collect()
    }

    /// What the others of a failed group are told.
    fn same_error(&self) -> EngineError {
        match &self.stopped {
            Some(reason) => EngineError::Stopped(reason.clone()),
            None => StoreError::DiskFull { path: self.options.folder.clone(), reserve: self.options.reserve }
                .into(),
        }
    }
}

impl Registrar {
    pub(crate) fn begin(&mut self) -> Result<()> {
        self.indexes.keep_up(&self.store, self.counters.position)?;
        self.store.begin()?;
        let reached = self.indexes.durable_position();
        if reached > self.trimmed_to {
            self.store.follower_reached(INDEX_FOLLOWER, reached)?;
            self.trimmed_to = reached;
        }
        Ok(())
    }

    /// Makes everything since `begin` durable: the store first, because it is the truth; then the indexes follow.
    pub(crate) fn commit(&mut self) -> Result<()> {
        self.commit_store()?;
        self.commit_indexes()
    }

    fn commit_store(&mut self) -> Result<()> {
        let clocks = self.clocks.clone();
        clocks.commit.time(|| {
            self.store.set_counters(&self.counters)?;
            self.store.commit()
        })?;
        self.uncommitted.clear();
        if let Some(fresh) = &self.fresh {
            fresh.put(self.counters.position, self.gists.drain(..));
        }
        Ok(())
    }

    fn commit_indexes(&mut self) -> Result<()> {
        self.clocks.index.time(|| self.indexes.commit(self.counters.position))
    }

    /// Forgets everything since `begin`, in memory too.
    pub(crate) fn rollback(&mut self) -> Result<()> {
        self.store.rollback()?;
        self.indexes.rollback()?;
        self.counters = self.store.counters()?;
        self.trimmed_to = 0;
        self.shingles.clear();
        self.forget_uncommitted();
        self.gists.clear();
        Ok(())
    }

    /// Leaves the directory so that it opens without catching up.
    pub(crate) fn close(&mut self) -> Result<()> {
        self.indexes.flush()?;
        self.begin()?;
        self.commit()?;
        Ok(self.store.checkpoint()?)
    }

    /// The document with this id, else the one with this url.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Document>> {
        crate::show::find(&self.store, name)
    }
}

/// How the duplicate indexes are called among the followers.
pub(crate) const INDEX_FOLLOWER: &str = "duplicate-index";
