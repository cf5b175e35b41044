//! Who answers questions: a few threads, each with the data directory open to be asked. A catalogue shows what was stored when
//! it was opened, so each thread opens a new one when its own is old and something was stored since.

use crate::problem::Problem;
use firstcopy_engine::{Catalogue, EngineError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How old an answer may be.
const FRESH: Duration = Duration::from_millis(300);

type Question = Box<dyn FnOnce(Result<&Catalogue, EngineError>) + Send>;

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

    /// Asks; the client is turned away if too many wait already.
    pub async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Catalogue) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = oneshot::channel();
        let question: Question = Box::new(move |catalogue| {
            // Nobody waits any more if the client is gone.
            let _ = answer.send(catalogue.and_then(question));
        });
        match self.queue.try_send(question) {
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
    open: Option<(Catalogue, Instant)>,
}

impl Asker {
    fn answer_all(mut self, questions: &Mutex<Receiver<Question>>) {
        loop {
            let next = questions.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(question) = next else { return };
            let answered =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| question(self.catalogue())));
            if answered.is_err() {
                self.open = None;
            }
        }
    }

    /// A catalogue that is fresh enough.
    fn catalogue(&mut self) -> Result<&Catalogue, EngineError> {
        let is_fresh = |(catalogue, opened): &(Catalogue, Instant)| {
            opened.elapsed() < FRESH || catalogue.is_in_step().unwrap_or(false)
        };
        if !self.open.as_ref().is_some_and(is_fresh) {
            self.open = None;
        }
        match &mut self.open {
            Some((catalogue, _)) => Ok(catalogue),
            closed => {
                // Just after the first start the indexes may still be in the making: opening waits for them.
                let catalogue = Catalogue::beside(&self.path).or_else(|_| Catalogue::open(&self.path))?;
                Ok(&closed.insert((catalogue, Instant::now())).0)
            }
        }
    }
}
