//! The one writer: a thread that takes what is waiting, judges and writes it in one transaction, commits, and only then
//! answers. Whoever writes at the same time shares one sync of the disk.

use crate::draft::Draft;
use crate::error::{EngineError, Result};
use crate::following::Bell;
use crate::ingest::Registrar;
use crate::open::now;
use crate::verdict::Verdict;
use firstcopy_store::{Document, StoreError, free_bytes};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

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
    Delete(String),
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

/// The writer's thread and the way to it.
#[derive(Debug)]
pub(crate) struct Writer {
    door: Door,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The way to the writer. It works as long as anybody has one.
#[derive(Clone)]
pub(crate) struct Door(SyncSender<Job>);

impl std::fmt::Debug for Door {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Door")
    }
}

impl Door {
    /// Hands work over; waits while too much is waiting already.
    pub(crate) fn submit(&self, task: Task) -> Ticket {
        let (answer, ticket) = channel();
        // If the writer has ended, the ticket says so.
        let _ = self.0.send(Job { task, answer });
        Ticket(ticket)
    }
}

/// What the writer looks after besides the books.
#[derive(Debug, Clone)]
pub(crate) struct WriterOptions {
    /// The data directory.
    pub(crate) folder: PathBuf,
    /// Bytes of the disk that are left free.
    pub(crate) reserve: u64,
    /// Whether nothing is ever committed: everything is judged as if it were.
    pub(crate) rehearsal: bool,
    /// Told of every commit.
    pub(crate) bell: Arc<Bell>,
}

impl Writer {
    pub(crate) fn start(registrar: Registrar, options: WriterOptions) -> Self {
        let (jobs, waiting) = sync_channel(WAITING);
        let thread = std::thread::spawn(move || Desk { registrar, options, stopped: None }.work(&waiting));
        Writer { door: Door(jobs), thread: Mutex::new(Some(thread)) }
    }

    /// The way to it.
    pub(crate) fn door(&self) -> &Door {
        &self.door
    }

    /// Hands work over; waits while too much is waiting already.
    pub(crate) fn submit(&self, task: Task) -> Ticket {
        self.door.submit(task)
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
        self.submit(Task::Alone(Box::new(work))).answer()?;
        result.recv().unwrap_or_else(|_| Err(gone()))
    }
}

impl Drop for Writer {
    /// What is waiting is still written.
    fn drop(&mut self) {
        // The thread ends when nobody has a way to it any more.
        self.door = Door(sync_channel(0).0);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // A panic of the writer was answered to whoever waited.
            let _ = thread.join();
        }
    }
}

/// Where the writer works.
struct Desk {
    registrar: Registrar,
    options: WriterOptions,
    /// Why nothing is written any more.
    stopped: Option<String>,
}

impl Desk {
    fn work(mut self, waiting: &Receiver<Job>) {
        if self.options.rehearsal
            && let Err(error) = self.registrar.store.begin()
        {
            self.stopped = Some(error.to_string());
        }
        let mut held = None;
        while let Some(group) = next_group(waiting, &mut held) {
            self.group(group);
        }
        if self.options.rehearsal {
            let _ = self.registrar.rollback();
        } else if self.stopped.is_none() {
            // What does not get this far is caught up with when the directory is opened again.
            let _ = self.registrar.close();
        }
    }

    fn group(&mut self, group: Vec<Job>) {
        if let Some(reason) = &self.stopped {
            let answers = group.into_iter().map(|job| job.answer);
            return refuse(answers, || EngineError::Stopped(reason.clone()));
        }
        let (tasks, answers): (Vec<Task>, Vec<Sender<Answer>>) =
            group.into_iter().map(|job| (job.task, job.answer)).unzip();
        match self.transaction(tasks) {
            Ok(verdicts) => {
                for (answer, verdict) in answers.into_iter().zip(verdicts) {
                    let _ = answer.send(verdict);
                }
            }
            Err(error) => self.failed(error, answers),
        }
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
                // The name was wrong, not the writing.
                answer @ Err(EngineError::Ambiguous { .. }) => answers.push(answer),
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
        self.options.bell.ring(self.registrar.counters.position);
        if let Err(error) = self.registrar.commit_indexes()
            && !error.is_disk_full()
        {
            self.stopped = Some(error.to_string());
        }
        Ok(())
    }

    fn task(&mut self, task: Task) -> Answer {
        match task {
            Task::Add(draft) | Task::Check(draft) => self.registrar.add(*draft, now()).map(Some),
            Task::Delete(name) => match self.registrar.find(&name)? {
                Some(document) => self.registrar.delete(&document, now()).map(Some),
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
    fn failed(&mut self, error: EngineError, answers: Vec<Sender<Answer>>) {
        let undone = if self.options.rehearsal { Ok(()) } else { self.registrar.rollback() };
        if !error.is_disk_full() || undone.is_err() || self.options.rehearsal {
            self.stopped = Some(error.to_string());
        }
        let mut first = Some(error);
        refuse(answers, || first.take().unwrap_or_else(|| self.same_error()));
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

fn refuse(answers: impl IntoIterator<Item = Sender<Answer>>, mut error: impl FnMut() -> EngineError) {
    for answer in answers {
        let _ = answer.send(Err(error()));
    }
}

/// Waits for work, then takes what else is there. What must be alone ends a group, and `held` keeps it for the next.
fn next_group(waiting: &Receiver<Job>, held: &mut Option<Job>) -> Option<Vec<Job>> {
    let first = match held.take() {
        Some(job) => job,
        None => waiting.recv().ok()?,
    };
    let mut bytes = weight(&first);
    let alone = is_alone(&first);
    let mut group = vec![first];
    while !alone && group.len() < GROUP && bytes < GROUP_BYTES {
        let Ok(job) = waiting.try_recv() else { break };
        if is_alone(&job) {
            *held = Some(job);
            break;
        }
        bytes += weight(&job);
        group.push(job);
    }
    Some(group)
}

fn weight(job: &Job) -> usize {
    match &job.task {
        Task::Add(draft) | Task::Check(draft) => draft.weight(),
        Task::Delete(_) | Task::Reached(..) | Task::Alone(_) => 0,
    }
}

fn is_alone(job: &Job) -> bool {
    matches!(job.task, Task::Check(_) | Task::Alone(_))
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
            Ok(self.store.commit()?)
        })
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
