//! Who may talk, and for how long: connections are counted, silent ones closed, and those that are answered end in peace.

use crate::settings::Limits;
use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// How often a connection is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Answers until `stop` is done, then lets what was begun end.
pub async fn serve(
    listener: TcpListener,
    routes: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(limits.connections));
    let (ending, ended) = watch::channel(false);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        // An error is of one connection, or of too many open files: neither is a reason to end.
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else { continue };
        let (routes, limits, ended) = (routes.clone(), limits.clone(), ended.clone());
        tokio::spawn(async move {
            talk(stream, address, routes, &limits, ended).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = ending.send(true);
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(limits.drain, room.acquire_many(all)).await;
    Ok(())
}

/// What is known of a connection while it is open.
struct Connection {
    opened: Instant,
    /// Milliseconds after it was opened when the last answer was given.
    answered: AtomicU64,
    /// Requests that are being answered.
    open: AtomicUsize,
}

impl Connection {
    fn begin(&self) {
        self.open.fetch_add(1, Relaxed);
    }

    fn end(&self) {
        self.answered.store(self.opened.elapsed().as_millis() as u64, Relaxed);
        self.open.fetch_sub(1, Relaxed);
    }

    /// For how long it has been waiting for a request.
    fn idle(&self) -> Duration {
        match self.open.load(Relaxed) {
            0 => self.opened.elapsed() - Duration::from_millis(self.answered.load(Relaxed)),
            _ => Duration::ZERO,
        }
    }
}

async fn talk(
    stream: TcpStream,
    address: SocketAddr,
    routes: Router,
    limits: &Limits,
    mut ended: watch::Receiver<bool>,
) {
    // Small answers are sent at once; a system that cannot do that sends them all the same.
    let _ = stream.set_nodelay(true);
    let connection = Arc::new(Connection {
        opened: Instant::now(),
        answered: AtomicU64::new(0),
        open: AtomicUsize::new(0),
    });
    let own = Arc::clone(&connection);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        let (routes, own) = (routes.clone(), Arc::clone(&own));
        async move {
            own.begin();
            let answer = routes.oneshot(request.map(axum::body::Body::new)).await;
            own.end();
            answer
        }
    });
    let talking = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .max_buf_size(limits.headers.max(8 << 10))
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(talking);
    let mut is_ending = false;
    loop {
        tokio::select! {
            _ = &mut talking => return,
            _ = ended.changed(), if !is_ending => {
                is_ending = true;
                talking.as_mut().graceful_shutdown();
            }
            () = tokio::time::sleep(LOOK) => {
                if connection.idle() > limits.patience {
                    return;
                }
            }
        }
    }
}
