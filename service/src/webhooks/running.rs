//! Webhooks while a service runs: one thread follows the store and starts a sender for everybody who wants to be told. Where
//! nobody does, nothing is followed, and the store keeps nothing for it.

use super::error::WebhookError;
use super::news::{FOLLOWER, News};
use super::pace::Pace;
use super::register::{Register, Subscriber};
use super::sender::Sender;
use firstcopy_engine::Engine;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

/// After so many looks for holders that failed the changes at hand are gone through without them: nothing may keep the outbox
/// from being followed for ever.
const PATIENCE: u32 = 10;
/// How long is waited before what failed is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// The threads of webhooks; they end when it is dropped.
#[derive(Debug)]
pub struct Webhooks {
    is_ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Webhooks {
    /// Starts telling those who want to be told, and those who will.
    pub fn start(engine: Arc<Engine>, pace: Pace) -> std::io::Result<Self> {
        let is_ending = Arc::new(AtomicBool::new(false));
        let running = Running {
            data: engine.path().to_owned(),
            engine,
            pace,
            is_ending: Arc::clone(&is_ending),
            news: None,
            senders: Vec::new(),
            leaving: Vec::new(),
            may_be_followed: true,
            failures: 0,
            vain_looks: 0,
        };
        let thread =
            std::thread::Builder::new().name("webhooks".to_owned()).spawn(move || running.go_on())?;
        Ok(Webhooks { is_ending, thread: Some(thread) })
    }
}

impl Drop for Webhooks {
    fn drop(&mut self) {
        self.is_ending.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            // What it has not done, it does when the service starts again.
            let _ = thread.join();
        }
    }
}

struct Running {
    data: PathBuf,
    engine: Arc<Engine>,
    pace: Pace,
    is_ending: Arc<AtomicBool>,
    news: Option<News>,
    senders: Vec<Sender>,
    /// Those of webhooks that were removed, until they have ended: nobody waits for them.
    leaving: Vec<Sender>,
    /// Whether the store may still keep changes for webhooks.
    may_be_followed: bool,
    failures: u32,
    /// How often looking for holders failed since it was done.
    vain_looks: u32,
}

impl Running {
    fn go_on(mut self) {
        while !self.is_ending.load(Relaxed) {
            match catch_unwind(AssertUnwindSafe(|| self.step())) {
                Ok(Ok(())) => self.failures = 0,
                Ok(Err(error)) => self.failed(&error.to_string()),
                Err(_) => self.failed("it panicked"),
            }
        }
        // All of them end at the same time, not one after the other.
        self.senders.iter().for_each(Sender::end);
    }

    /// Whatever it was, opening everything again finds out what can still be used.
    fn failed(&mut self, problem: &str) {
        if self.failures == 0 && !self.is_ending.load(Relaxed) {
            tracing::warn!(problem, "webhooks do not follow what is stored; they try again every second");
        }
        self.failures += 1;
        if self.news.take().is_some_and(|news| news.is_looking) {
            self.vain_looks += 1;
        }
        self.sleep(RETRY);
    }

    fn step(&mut self) -> Result<(), WebhookError> {
        let Some(news) = self.news()? else { return self.rest(Vec::new()) };
        let subscribers = news.register.subscribers()?;
        if subscribers.is_empty() {
            return self.rest(subscribers);
        }
        let (position, look) = (news.look()?, self.pace.look);
        self.serve(subscribers)?;
        let has_news = match position {
            Some(position) => self.engine.wait_for_news(position, look)?,
            None => true,
        };
        if has_news { self.follow() } else { Ok(()) }
    }

    /// The database, if there is one.
    fn news(&mut self) -> Result<Option<&mut News>, WebhookError> {
        if self.news.is_none()
            && let Some(register) = Register::open(&self.data)?
        {
            self.news = Some(News::open(&self.data, register, self.pace.kept, Arc::clone(&self.is_ending))?);
        }
        Ok(self.news.as_mut())
    }

    /// Brings the events up to the store.
    fn follow(&mut self) -> Result<(), WebhookError> {
        let Some(news) = &mut self.news else { return Ok(()) };
        self.may_be_followed = true;
        news.with_holders = self.vain_looks < PATIENCE;
        if !news.with_holders {
            tracing::warn!(
                "new holders cannot be looked for; what was stored meanwhile is told without them"
            );
        }
        self.engine.follow(news)?;
        self.vain_looks = 0;
        self.senders.iter().for_each(Sender::wake);
        Ok(())
    }

    /// Nobody wants to be told anything: the store need not keep anything for it.
    fn rest(&mut self, nobody: Vec<Subscriber>) -> Result<(), WebhookError> {
        self.serve(nobody)?;
        if self.may_be_followed {
            if let Some(news) = &mut self.news {
                news.register.forget_position()?;
            }
            self.engine.forget_follower(FOLLOWER)?;
            self.may_be_followed = false;
        }
        self.sleep(self.pace.look);
        Ok(())
    }

    /// A sender for everybody, and none for those who are gone.
    fn serve(&mut self, subscribers: Vec<Subscriber>) -> Result<(), WebhookError> {
        let stays = |sender: &Sender| subscribers.contains(&sender.subscriber);
        self.leaving.extend(self.senders.extract_if(.., |sender| !stays(sender)));
        self.leaving.iter().for_each(Sender::end);
        self.leaving.retain(|sender| !sender.has_ended());
        for subscriber in subscribers {
            if !self.senders.iter().any(|sender| sender.subscriber == subscriber) {
                let sender = Sender::start(&self.data, subscriber, self.pace.clone());
                self.senders.push(sender.map_err(|error| WebhookError::io(&self.data, error))?);
            }
        }
        Ok(())
    }

    fn sleep(&self, time: Duration) {
        let step = Duration::from_millis(100).min(time);
        let mut left = time;
        while !left.is_zero() && !self.is_ending.load(Relaxed) {
            std::thread::sleep(step.min(left));
            left = left.saturating_sub(step);
        }
    }
}
