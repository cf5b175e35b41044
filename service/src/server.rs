//! Who may talk, and for how long: connections are counted, silent and slow ones closed, and those that are answered end in
//! peace.

use crate::app::App;
use crate::logs::Seldom;
use crate::pace::Pace;
use crate::problem::Problem;
use crate::routes::routes;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// How often a connection is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// Connections that are told at once that there are too many; others are closed without a word.
const LEAVING: usize = 64;
/// How long one of these may take to hear it.
const FAREWELL: Duration = Duration::from_secs(1);

/// Answers until `stop` is done, then lets what was begun end.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) -> io::Result<()> {
    static TROUBLE: Seldom = Seldom::new();
    let (routes, limits) = (routes(Arc::clone(&app)), app.limits.clone());
    let room = Arc::new(Semaphore::new(limits.connections));
    let leaving = Arc::new(Semaphore::new(LEAVING));
    let (ending, ended) = watch::channel(false);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // It is of one connection, or of too many open files: neither is a reason to end.
                if let Some(others) = TROUBLE.may_tell() {
                    tracing::warn!(error = error.to_string(), others, "a connection could not be taken");
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
            app.measures.refused_connection();
            if let Ok(place) = Arc::clone(&leaving).try_acquire_owned() {
                tokio::spawn(async move {
                    let _ = tokio::time::timeout(FAREWELL, turn_away(stream)).await;
                    drop(place);
                });
            }
            continue;
        };
        let (routes, ended) = (routes.clone(), ended.clone());
        let (patience, headers) = (limits.patience, limits.headers);
        tokio::spawn(async move {
            talk(stream, address, routes, patience, headers, ended).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = ending.send(true);
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if tokio::time::timeout(limits.drain, room.acquire_many(all)).await.is_err() {
        let open = limits.connections - room.available_permits();
        tracing::warn!(open, "what was begun took too long: it is left unfinished");
    }
    Ok(())
}

/// Tells a client that there are too many, whatever it asks.
async fn turn_away(mut stream: TcpStream) -> io::Result<()> {
    static OVERLOAD: Seldom = Seldom::new();
    if let Some(others) = OVERLOAD.may_tell() {
        tracing::warn!(others, "too many connections: some are turned away");
    }
    let body = serde_json::to_string(&Problem::overloaded())?;
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // What it has sent meanwhile is read: otherwise the system would take the answer back.
    let mut heard = [0; 4096];
    while stream.read(&mut heard).await? > 0 {}
    Ok(())
}

/// What is known of a connection while it is open.
struct Connection {
    opened: Instant,
    /// Milliseconds after it was opened when the last answer was handed over.
    answered: AtomicU64,
    /// Requests whose answers are not handed over yet.
    open: AtomicUsize,
    /// How the client reads.
    reading: Mutex<Pace>,
}

impl Connection {
    fn new() -> Self {
        Connection {
            opened: Instant::now(),
            answered: AtomicU64::new(0),
            open: AtomicUsize::new(0),
            reading: Mutex::default(),
        }
    }

    fn reading(&self) -> MutexGuard<'_, Pace> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the client was waited for too long: for its next request, or until it read what it was sent.
    fn is_over(&self, patience: Duration) -> bool {
        let now = Instant::now();
        let reading = self.reading();
        if reading.is_waiting() {
            return reading.behind(now) > patience;
        }
        let is_idle = self.open.load(Relaxed) == 0;
        is_idle && self.opened.elapsed() - Duration::from_millis(self.answered.load(Relaxed)) > patience
    }

    /// What became of an attempt to write.
    fn wrote(&self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Pending => self.reading().wait(Instant::now()),
            Poll::Ready(Ok(bytes)) => self.reading().moved(*bytes, Instant::now()),
            Poll::Ready(Err(_)) => {}
        }
    }
}

/// A request, from its first byte until its answer is handed over.
struct Open(Arc<Connection>);

impl Open {
    fn begin(connection: &Arc<Connection>) -> Self {
        connection.open.fetch_add(1, Relaxed);
        Open(Arc::clone(connection))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.answered.store(self.0.opened.elapsed().as_millis() as u64, Relaxed);
        self.0.open.fetch_sub(1, Relaxed);
    }
}

async fn talk(
    stream: TcpStream,
    address: SocketAddr,
    routes: Router,
    patience: Duration,
    headers: usize,
    mut ended: watch::Receiver<bool>,
) {
    // Small answers are sent at once; a system that cannot do that sends them all the same.
    let _ = stream.set_nodelay(true);
    let connection = Arc::new(Connection::new());
    let own = Arc::clone(&connection);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(address));
        let (routes, open) = (routes.clone(), Open::begin(&own));
        async move {
            let answer = routes.oneshot(request.map(Body::new)).await;
            answer.map(|answer| answer.map(|body| Answer { body, _open: open }))
        }
    });
    let stream = Watched { stream, connection: Arc::clone(&connection) };
    let talking = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(headers.max(8 << 10))
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
                if connection.is_over(patience) {
                    return;
                }
            }
        }
    }
}

/// The body of an answer; its request is open until it is handed over.
struct Answer {
    body: Body,
    _open: Open,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream that notes how its client reads.
struct Watched {
    stream: TcpStream,
    connection: Arc<Connection>,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.connection.wrote(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.connection.wrote(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
