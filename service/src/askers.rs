//! Who answers questions: a few threads, each with the data directory open to be asked. A catalogue shows what was stored when
//! it was opened, so before a question is answered, what it needs is renewed: search by looking at its files, similarity and
//! passages by taking what was stored since, which costs as much as storing it, and so only for questions that need them.

use crate::problem::Problem;
use firstcopy_engine::{Catalogue, EngineError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How old an answer may be.
const FRESH: Duration = Duration::from_millis(300);

type Answer = Box<dyn FnOnce(Result<&Catalogue, EngineError>) + Send>;

struct Question {
    needs: Needs,
    answer: Answer,
}

/// What must be fresh for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Search,
    Similarity,
}

/// The threads that answer.
#[derive(Debug)]
pub struct Askers {
    queue: SyncSender<Question>,
}

impl Askers {
    /// Starts so many threads; so many questions may wait.
    pub fn start(path: &Path, threads: usize, waiting: usize) -> Self {
        let (queue, questions) = sync_channel(waiting.max(1));
        let questions = Arc::new(Mutex::new(questions));
        for _ in 0..threads.max(1) {
            let (path, questions) = (path.to_owned(), Arc::clone(&questions));
            std::thread::spawn(move || Asker { path, open: None }.answer_all(&questions));
        }
        Askers { queue }
    }

    /// Asks for what resembles, contains or shares passages; the client is turned away if too many wait already.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Catalogue) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.put(Needs::Similarity, question).await
    }

    /// Asks something that search alone answers.
    pub async fn search<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Catalogue) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        self.put(Needs::Search, question).await
    }

    async fn put<T: Send + 'static>(
        &self,
        needs: Needs,
        question: impl FnOnce(&Catalogue) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = oneshot::channel();
        let answer = Box::new(move |catalogue: Result<&Catalogue, EngineError>| {
            // Nobody waits any more if the client is gone.
            let _ = answer.send(catalogue.and_then(question));
        });
        match self.queue.try_send(Question { needs, answer }) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => return Err(Problem::overloaded()),
        }
        match answered.await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(Problem::internal("the question could not be answered: the log says why")),
        }
    }
}

struct Asker {
    path: PathBuf,
    open: Option<Open>,
}

/// A catalogue, and when each part of it was renewed.
struct Open {
    catalogue: Catalogue,
    search: Option<Instant>,
    similarity: Option<Instant>,
}

impl Asker {
    fn answer_all(mut self, questions: &Mutex<Receiver<Question>>) {
        loop {
            let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(Question { needs, answer }) = next else { return };
            let answered =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answer(self.catalogue(needs))));
            if answered.is_err() {
                self.open = None;
            }
        }
    }

    /// A catalogue that is fresh enough. One that cannot be renewed is opened anew.
    fn catalogue(&mut self, needs: Needs) -> Result<&Catalogue, EngineError> {
        if self.open.as_mut().is_none_or(|open| open.renew(needs).is_err()) {
            self.open = None;
        }
        match &mut self.open {
            Some(open) => Ok(&open.catalogue),
            closed => {
                let open = closed.insert(Open::at(&self.path)?);
                open.renew(needs)?;
                Ok(&open.catalogue)
            }
        }
    }
}

impl Open {
    /// Just after the first start the indexes may still be in the making: opening waits for them.
    fn at(path: &Path) -> Result<Self, EngineError> {
        let catalogue = Catalogue::as_written(path).or_else(|_| Catalogue::open(path))?;
        Ok(Open { catalogue, search: None, similarity: None })
    }

    /// Renews what is needed, if it is old.
    fn renew(&mut self, needs: Needs) -> Result<(), EngineError> {
        let renewed = match needs {
            Needs::Search => &mut self.search,
            Needs::Similarity => &mut self.similarity,
        };
        if renewed.is_some_and(|at| at.elapsed() < FRESH) {
            return Ok(());
        }
        match needs {
            Needs::Search => self.catalogue.renew_search()?,
            Needs::Similarity => self.catalogue.renew_similarity()?,
        }
        *renewed = Some(Instant::now());
        Ok(())
    }
}
