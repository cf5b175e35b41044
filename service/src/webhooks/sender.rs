//! Who sends what is due to one webhook: a thread of its own, so that nobody waits for somebody else's endpoint.

use super::client::Client;
use super::deliveries::{Due, Refusal};
use super::error::WebhookError;
use super::pace::Pace;
use super::register::{Register, Subscriber};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Deliveries that are sent before it is written down what became of them: as many may be repeated after a crash.
const TOGETHER: u32 = 32;
/// How long a thread sleeps at most before it looks again.
const LONGEST_SLEEP: Duration = Duration::from_secs(5);

/// The thread of one webhook.
#[derive(Debug)]
pub(super) struct Sender {
    pub(super) subscriber: Subscriber,
    signal: Arc<Signal>,
    thread: Option<JoinHandle<()>>,
}

impl Sender {
    pub(super) fn start(data: &Path, subscriber: Subscriber, pace: Pace) -> std::io::Result<Self> {
        let signal = Arc::new(Signal::default());
        let work = Work {
            data: data.to_owned(),
            to: subscriber.clone(),
            pace,
            signal: Arc::clone(&signal),
            register: None,
            client: None,
            is_failing: false,
        };
        let thread = std::thread::Builder::new().name("webhook".to_owned()).spawn(move || work.go_on())?;
        Ok(Sender { subscriber, signal, thread: Some(thread) })
    }

    /// Something may be due.
    pub(super) fn wake(&self) {
        self.signal.change(|state| state.news = true);
    }

    /// It is to end after what it is sending.
    pub(super) fn end(&self) {
        self.signal.change(|state| state.is_ending = true);
    }

    /// Whether it has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.end();
        if let Some(thread) = self.thread.take() {
            // What it did not write down is sent again.
            let _ = thread.join();
        }
    }
}

struct Work {
    data: PathBuf,
    to: Subscriber,
    pace: Pace,
    signal: Arc<Signal>,
    register: Option<Register>,
    client: Option<Client>,
    /// Whether the log was told that the endpoint fails.
    is_failing: bool,
}

impl Work {
    fn go_on(mut self) {
        let mut failures = 0;
        while !self.signal.is_ending() {
            let sleep = match self.step() {
                Ok(sleep) => {
                    failures = 0;
                    sleep
                }
                // The database is full or broken: sending without writing down what became of it would only repeat it.
                Err(_) => {
                    (self.register, failures) = (None, failures + 1);
                    self.pace.pause(failures, 0.5)
                }
            };
            self.signal.wait(sleep.min(LONGEST_SLEEP));
        }
    }

    /// Sends what is due. Returns how long to sleep until something may be.
    fn step(&mut self) -> Result<Duration, WebhookError> {
        let mut register = match self.register.take() {
            Some(register) => register,
            None => match Register::open(&self.data)? {
                Some(register) => register,
                None => return Ok(LONGEST_SLEEP),
            },
        };
        let due = register.due(self.to.number, TOGETHER)?;
        let sleep = match due.is_empty() {
            true => register.until_due(self.to.number)?.unwrap_or(LONGEST_SLEEP),
            false => {
                let (taken, refusal) = self.send_all(&due);
                self.log(taken, refusal.as_ref());
                let refused = refusal.map(|refusal| (&due[taken], refusal));
                register.settle(self.to.number, &due[..taken], refused, &self.pace)?;
                Duration::ZERO
            }
        };
        self.register = Some(register);
        Ok(sleep)
    }

    /// Tells the log when an endpoint begins to fail, when it goes on, and when it wants no more. Never its address: that may
    /// be a secret.
    fn log(&mut self, taken: usize, refusal: Option<&Refusal>) {
        let webhook = self.to.name.as_str();
        if taken > 0 && std::mem::take(&mut self.is_failing) {
            tracing::info!(webhook, "its endpoint takes deliveries again");
        }
        match refusal {
            Some(Refusal::Gone(reason)) => tracing::warn!(webhook, reason, "it is disabled"),
            Some(Refusal::Later(reason, _)) if !self.is_failing => {
                tracing::warn!(webhook, reason, "its endpoint takes no deliveries; they are tried again");
                self.is_failing = true;
            }
            _ => {}
        }
    }

    /// Sends in order until one is refused. Returns how many were taken, and what was said of the next.
    fn send_all(&mut self, due: &[Due]) -> (usize, Option<Refusal>) {
        let client = match self.client.take().map_or_else(|| Client::new(&self.to.url, &self.pace), Ok) {
            Ok(client) => self.client.insert(client),
            Err(error) => return (0, Some(Refusal::Later(error, None))),
        };
        for (taken, delivery) in due.iter().enumerate() {
            if self.signal.is_ending() {
                return (taken, None);
            }
            let refusal = match client.send(&self.to, &delivery.event, &delivery.body) {
                Ok(status) => status.refusal(),
                Err(error) => Some(Refusal::Later(error, None)),
            };
            if refusal.is_some() {
                return (taken, refusal);
            }
        }
        (due.len(), None)
    }
}

/// How a thread is woken and ended.
#[derive(Debug, Default)]
struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    news: bool,
    is_ending: bool,
}

impl Signal {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn is_ending(&self) -> bool {
        self.lock().is_ending
    }

    /// Sleeps for so long, unless there is news or it is to end.
    fn wait(&self, time: Duration) {
        let is_quiet = |state: &mut State| !state.news && !state.is_ending;
        let waited = self.changed.wait_timeout_while(self.lock(), time, is_quiet);
        waited.unwrap_or_else(PoisonError::into_inner).0.news = false;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
