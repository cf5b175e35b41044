//! What all routes share: the collection, who may do what, and how much at once.

use crate::askers::Askers;
use crate::body;
use crate::keys::Keys;
use crate::measures::{Condition, Measures};
use crate::problem::Problem;
use crate::rate::Rates;
use crate::readiness::Readiness;
use crate::sessions::Sessions;
use crate::settings::Limits;
use crate::webhooks;
use axum::body::Body;
use axum::http::HeaderMap;
use firstcopy_engine::{Engine, EngineError, Reader};
use firstcopy_input::{ReadOptions, record};
use firstcopy_text::Page;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;

/// Bytes of all bodies that are being read at once: who is slow takes no place from others, and many cannot fill the memory.
const BODIES: usize = 512 << 20;

/// A service over one data directory.
#[derive(Debug)]
pub struct App {
    pub(crate) engine: Arc<Engine>,
    pub(crate) askers: Askers,
    pub(crate) keys: Keys,
    pub(crate) limits: Limits,
    pub(crate) measures: Measures,
    pub(crate) rates: Rates,
    /// How often an address may try to log in.
    pub(crate) logins: Rates,
    pub(crate) sessions: Sessions,
    readiness: Readiness,
    /// The room that bodies have while they are read.
    pub(crate) bodies: Arc<Semaphore>,
    /// Documents that may be judged or stored at once.
    documents: Arc<Semaphore>,
    /// Of those, how many may be read and measured at once: more than there are cores would only slow each other.
    analysed: Arc<Semaphore>,
}

/// A place among the documents that are worked on.
pub(crate) type Place = tokio::sync::OwnedSemaphorePermit;

impl App {
    /// Over an open data directory.
    pub fn new(engine: Arc<Engine>, limits: Limits) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(App {
            askers: Askers::start(engine.path(), cores, limits.questions),
            keys: Keys::open(engine.path())?,
            measures: Measures::new().with(webhooks::measures(engine.path())),
            rates: Rates::new(limits.rate),
            logins: Rates::of_logins(),
            sessions: Sessions::default(),
            readiness: Readiness::default(),
            bodies: Arc::new(Semaphore::new((BODIES / body::UNIT).max(limits.body.div_ceil(body::UNIT)))),
            documents: Arc::new(Semaphore::new(limits.documents)),
            analysed: Arc::new(Semaphore::new(cores)),
            limits,
            engine,
        })
    }

    /// Whether search and similarity know what was stored two seconds ago.
    pub(crate) fn is_ready(&self) -> bool {
        self.readiness.is_ready(&self.engine.progress(), Instant::now())
    }

    /// How the collection is. Takes no place: who looks after a service looks most when there is too much to do.
    pub(crate) async fn condition(&self) -> Result<Condition, Problem> {
        let engine = Arc::clone(&self.engine);
        let read = tokio::task::spawn_blocking(move || Reader::open(engine.path())?.statistics()).await;
        let statistics = read.map_err(|_| Problem::internal("the collection could not be counted"))??;
        let progress = self.engine.progress();
        Ok(Condition {
            statistics,
            commits: self.engine.commit_latencies(),
            free: self.engine.free_bytes().ok(),
            lags: self.engine.lags(),
            lag: progress.stored.saturating_sub(progress.followed.unwrap_or(0)),
            is_ready: self.is_ready(),
        })
    }

    /// The body of a request, plain.
    pub(crate) async fn body(&self, body: Body, headers: &HeaderMap) -> Result<Vec<u8>, Problem> {
        body::whole(body, headers, self.limits.body, self.limits.patience, &self.bodies).await
    }

    /// The page that a JSON record is.
    pub(crate) fn page(&self, json: &[u8]) -> Result<Page, Problem> {
        let options = ReadOptions { max_document_size: self.limits.body as u64, ..ReadOptions::default() };
        record(json, &options).map_err(|reject| Problem::bad(reject.reason))
    }

    /// A place for a document; the client is turned away if all are taken.
    pub(crate) fn place(&self) -> Result<Place, Problem> {
        Arc::clone(&self.documents).try_acquire_owned().map_err(|_| Problem::overloaded())
    }

    /// A place for a document, as soon as there is one.
    pub(crate) async fn place_in_turn(&self) -> Result<Place, Problem> {
        Arc::clone(&self.documents).acquire_owned().await.map_err(|_| Problem::overloaded())
    }

    /// Works with the engine on a thread that may wait, in a place.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        place: Place,
        work: impl FnOnce(&Engine) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        let engine = Arc::clone(&self.engine);
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&engine);
            drop(place);
            done
        });
        match done.await {
            Ok(done) => Ok(done?),
            Err(_) => Err(Problem::internal("the document could not be worked on: the log says why")),
        }
    }

    /// Measures a page as soon as a core is free, then works on with it.
    pub(crate) async fn measured(&self) -> Result<Place, Problem> {
        Arc::clone(&self.analysed).acquire_owned().await.map_err(|_| Problem::overloaded())
    }

    /// Reads what was committed, on a thread that may wait.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, EngineError> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = self.place()?;
        self.work(place, move |engine| read(&engine.reader())).await
    }
}
