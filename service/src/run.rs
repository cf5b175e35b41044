//! From an open data directory to a service that is asked to end, and does so in peace.

use crate::app::App;
use crate::routes::routes;
use crate::server::serve;
use crate::settings::Limits;
use firstcopy_engine::Engine;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Serves a data directory until the process is told to end (Ctrl-C, SIGTERM). `ready` is told where it listens. What was
/// begun is finished, and everything closed, before it returns.
pub fn run(
    engine: Engine,
    limits: Limits,
    listen: SocketAddr,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let engine = Arc::new(engine);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let app = Arc::new(App::new(Arc::clone(&engine), limits.clone())?);
        let listener = TcpListener::bind(listen).await?;
        let end = asked_to_end()?;
        ready(listener.local_addr()?);
        serve(listener, routes(app), limits, end).await
    });
    // Whatever still runs has had its time; the engine closes when the last of them lets go of it.
    drop(runtime);
    served
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
    })
}

/// Ends when the process is told to end.
#[cfg(not(unix))]
fn asked_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
