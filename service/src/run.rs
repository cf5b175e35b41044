//! From an open data directory to a service that is asked to end, and does so in peace.

use crate::app::App;
use crate::files::keep_open;
use crate::readiness::Readiness;
use crate::server::serve;
use crate::settings::Limits;
use crate::webhooks::{Pace, Webhooks};
use firstcopy_engine::Engine;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Weak, mpsc};
use std::time::Duration;
use tokio::net::TcpListener;

/// Threads that wait for the disk: enough to fill the commits, and each keeps memory of its own.
const WAITING_THREADS: usize = 128;

/// How long the indexes are waited for at the end. Most are closed at once; large parts of a search index may be merged for
/// minutes, and nothing depends on that.
const CLOSING: Duration = Duration::from_secs(20);

/// What shells expect of a program stopped by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Serves a data directory until the process is told to end (Ctrl-C, SIGTERM); the log is told where. What was begun is
/// finished, and everything closed, before it returns; told a second time, the process ends at once.
pub fn run(engine: Engine, limits: Limits, listen: SocketAddr) -> io::Result<()> {
    let engine = Arc::new(engine);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(WAITING_THREADS)
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let limits = Limits { connections: keep_open(limits.connections), ..limits };
        let app = Arc::new(App::new(Arc::clone(&engine), limits)?);
        let listener = TcpListener::bind(listen).await?;
        let end = asked_to_end()?;
        let (address, data) = (listener.local_addr()?, engine.path().display().to_string());
        tracing::info!(data, "firstcopy serves on http://{address}/ (Ctrl-C ends it)");
        tokio::spawn(look_after(Arc::downgrade(&app)));
        let webhooks = Webhooks::start(Arc::clone(&engine), Pace::default())?;
        let served = serve(listener, app, end).await;
        // Who is in the middle of a delivery ends it.
        drop(webhooks);
        served
    });
    // Whatever still runs has had its time; the engine closes when the last of them lets go of it.
    drop(runtime);
    match is_done_within(CLOSING, move || drop(engine)) {
        true => tracing::info!("ended: everything is stored and closed"),
        false => {
            tracing::info!(
                "ended: everything is stored; the indexes go on with what they were at when it starts again"
            )
        }
    }
    served
}

/// Does something on the side, and waits for it, but no longer than that.
fn is_done_within(time: Duration, work: impl FnOnce() + Send + 'static) -> bool {
    let (done, is_done) = mpsc::channel();
    std::thread::spawn(move || {
        work();
        // Nobody may be waiting any more.
        let _ = done.send(());
    });
    is_done.recv_timeout(time).is_ok()
}

/// Notes how the indexes follow, and tells the log when they stop or go on.
async fn look_after(app: Weak<App>) {
    let mut told = None;
    while let Some(app) = app.upgrade() {
        app.is_ready();
        let problem = app.engine.progress().problem;
        match &problem {
            Some(problem) if told.as_ref() != Some(problem) => {
                tracing::warn!(problem, "search and similarity do not follow; they try again every second");
            }
            None if told.is_some() => tracing::info!("search and similarity follow again"),
            _ => {}
        }
        told = problem;
        drop(app);
        tokio::time::sleep(Readiness::pause()).await;
    }
}

/// Ends when the process is told to end, heard from now on.
#[cfg(unix)]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupted, mut terminated) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
        tracing::info!("asked to end: what was begun is finished first");
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
            tracing::warn!("asked to end again: ends at once; what was answered is stored");
            std::process::exit(INTERRUPTED);
        });
    })
}

/// Ends when the process is told to end.
#[cfg(not(unix))]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
        tracing::info!("asked to end: what was begun is finished first");
        tokio::spawn(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(INTERRUPTED);
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_as_long_as_it_may() {
        assert!(is_done_within(Duration::from_secs(60), || ()));
        let (end, until) = mpsc::channel::<()>();
        assert!(!is_done_within(Duration::from_millis(20), move || {
            let _ = until.recv();
        }));
        drop(end);
    }
}
