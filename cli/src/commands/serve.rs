//! `firstcopy serve`: the collection over HTTP, for programs and for people.

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::{Outcome, UsageError};
use anyhow::{Context, Result, bail};
use clap::Args;
use firstcopy_service::{
    Count, Keys, LogFormat, LogLevel, Origin, Rate, Settings, Size, Time, Wishes, log, run as serve,
};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Serves the collection over HTTP: an API, and pages to look at.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy serve
  firstcopy serve --data blog --listen 127.0.0.1:8000 --log-format json
  firstcopy serve --rate 50 --max-body 4MiB --cors-origin https://editor.example
  curl -d '{\"id\": \"1\", \"text\": \"Who wrote this first?\"}' http://127.0.0.1:7700/v1/documents

Open http://127.0.0.1:7700/ to look at it; /openapi.json describes the API. As long as there is no key, only programs on this
machine are let in: `firstcopy keys add` makes one. Ctrl-C ends it: what was begun is finished first; a second one ends it at
once.

A flag comes before its environment variable, that before firstcopy.toml in the data directory, that before the default. The
file has a table for it, which may be edited freely; it is read at the start:

  [serve]
  listen = \"127.0.0.1:7700\"
  log_level = \"info\"        # error, warn, info, debug
  log_format = \"text\"       # text, json
  max_body = \"16MiB\"
  max_headers = \"32KiB\"
  patience = 10             # seconds
  max_connections = 8192
  max_documents = 512
  max_questions = 128
  rate = 50                 # requests a second of one key; unlimited if absent
  drain = 20                # seconds
  cors_origins = [\"https://editor.example\"]")]
pub struct Arguments {
    /// The address to listen on [default: 127.0.0.1:7700].
    #[arg(long, value_name = "ADDRESS", env = "FIRSTCOPY_LISTEN")]
    listen: Option<SocketAddr>,
    /// Asks the service that listens there whether it is alive, and ends: with 0 if it is, with 3 if not.
    #[arg(long)]
    probe: bool,
    #[command(flatten)]
    logging: LogArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
}

/// What is logged, and how.
#[derive(Args)]
#[command(next_help_heading = "Log, on stderr")]
struct LogArguments {
    /// What is logged: error, warn (overload, answers 5xx), info (start, end, logins), or debug (every request)
    /// [default: info].
    #[arg(long, value_name = "LEVEL", env = "FIRSTCOPY_LOG_LEVEL")]
    log_level: Option<LogLevel>,
    /// How: text, or json, an object a line [default: text].
    #[arg(long, value_name = "FORMAT", env = "FIRSTCOPY_LOG_FORMAT")]
    log_format: Option<LogFormat>,
}

/// How much, how long, how many.
#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// The largest body, plain or after decompression, and the largest line of a bulk request [default: 16MiB].
    #[arg(long, value_name = "SIZE", env = "FIRSTCOPY_MAX_BODY")]
    max_body: Option<Size>,
    /// The largest headers of a request [default: 32KiB].
    #[arg(long, value_name = "SIZE", env = "FIRSTCOPY_MAX_HEADERS")]
    max_headers: Option<Size>,
    /// How long a silent client is waited for, and how far a slow one may fall behind 1 KiB a second: 10, 500ms, 2m
    /// [default: 10].
    #[arg(long, value_name = "TIME", env = "FIRSTCOPY_PATIENCE")]
    patience: Option<Time>,
    /// Connections at once; more are told to come again [default: 8192].
    #[arg(long, value_name = "N", env = "FIRSTCOPY_MAX_CONNECTIONS")]
    max_connections: Option<Count>,
    /// Documents that are judged at once; more are told to come again [default: 512].
    #[arg(long, value_name = "N", env = "FIRSTCOPY_MAX_DOCUMENTS")]
    max_documents: Option<Count>,
    /// Questions that may wait; more are told to come again [default: 128].
    #[arg(long, value_name = "N", env = "FIRSTCOPY_MAX_QUESTIONS")]
    max_questions: Option<Count>,
    /// Requests a second of one key; unlimited if absent.
    #[arg(long, value_name = "N", env = "FIRSTCOPY_RATE")]
    rate: Option<Rate>,
    /// How long what was begun may take at the end [default: 20].
    #[arg(long, value_name = "TIME", env = "FIRSTCOPY_DRAIN")]
    drain: Option<Time>,
    /// An origin whose pages may use the API from browsers, such as `https://editor.example`; may be given more than once.
    #[arg(long, value_name = "ORIGIN", env = "FIRSTCOPY_CORS_ORIGIN", value_delimiter = ',')]
    cors_origin: Vec<Origin>,
}

impl Arguments {
    fn settings(&self) -> Result<Settings> {
        let (logging, limits) = (&self.logging, &self.limits);
        let asked = Wishes {
            listen: self.listen,
            log_level: logging.log_level,
            log_format: logging.log_format,
            max_body: limits.max_body,
            max_headers: limits.max_headers,
            patience: limits.patience,
            max_connections: limits.max_connections,
            max_documents: limits.max_documents,
            max_questions: limits.max_questions,
            rate: limits.rate,
            drain: limits.drain,
            cors_origins: Some(limits.cors_origin.clone()).filter(|origins| !origins.is_empty()),
        };
        let file = Wishes::of(&self.data.data).map_err(|error| UsageError(error.to_string()))?;
        Ok(asked.or(file).settings())
    }
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    with_little_memory();
    let Settings { listen, log_level, log_format, limits } = arguments.settings()?;
    if arguments.probe {
        return probe(listen);
    }
    let engine = arguments.judge.open_or_create(&arguments.data, &arguments.write)?;
    let keys = Keys::open(engine.path()).context("cannot read the keys")?;
    if keys.all().is_empty() && !listen.ip().is_loopback() {
        bail!(UsageError(format!(
            "--listen {listen}: there is no key, so that anybody could write: make one with `firstcopy keys add`, or listen on \
             127.0.0.1",
        )));
    }
    log(if global.quiet { LogLevel::Error } else { log_level }, log_format);
    serve(engine, limits, listen).with_context(|| format!("cannot serve on {listen}"))?;
    Ok(Outcome::Done)
}

/// How long a service may take to say that it is alive.
const PROBE: Duration = Duration::from_secs(3);

/// Asks whether a service is alive, as whoever looks after it does.
fn probe(listen: SocketAddr) -> Result<Outcome> {
    let here: IpAddr = if listen.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    let address =
        SocketAddr::new(if listen.ip().is_unspecified() { here } else { listen.ip() }, listen.port());
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect_timeout(&address, PROBE)?;
        stream.set_read_timeout(Some(PROBE))?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.take(4096).read_to_string(&mut answer)?;
        Ok(answer)
    };
    match ask() {
        Ok(answer) if answer.starts_with("HTTP/1.1 200 ") => Ok(Outcome::Done),
        Ok(answer) => bail!("{address} is not well: {}", answer.lines().next().unwrap_or("no answer")),
        Err(error) => bail!("{address} does not answer: {error}"),
    }
}

/// What glibc is told: how many places of their own for memory threads may have, and from how many bytes on a piece is asked of
/// the system by itself and given back to it. With its own rules it has eight places a core, lets pieces of 32 MB lie about in
/// them, and keeps twice as much as is needed, since what one thread stores another lets go of.
#[cfg(target_os = "linux")]
const MEMORY: [(&str, &str); 2] = [("MALLOC_ARENA_MAX", "2"), ("MALLOC_MMAP_THRESHOLD_", "1048576")];

/// Starts the program anew, under the same number, with other rules for memory. Where the user has said one of them, or it cannot
/// be done, it is served all the same.
#[cfg(target_os = "linux")]
fn with_little_memory() {
    use std::os::unix::process::CommandExt;
    if MEMORY.iter().all(|(name, _)| std::env::var_os(name).is_none())
        && let Ok(program) = std::env::current_exe()
    {
        let _ = std::process::Command::new(program).args(std::env::args_os().skip(1)).envs(MEMORY).exec();
    }
}

#[cfg(not(target_os = "linux"))]
fn with_little_memory() {}
