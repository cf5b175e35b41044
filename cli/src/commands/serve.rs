//! `firstcopy serve`: the collection over HTTP, for programs and for people.

use crate::arguments::GlobalArguments;
use crate::data::{DataArguments, JudgeArguments, WriteArguments};
use crate::outcome::{Outcome, UsageError};
use anyhow::{Context, Result, bail};
use clap::Args;
use firstcopy_service::{Keys, Limits, run as serve};
use std::net::SocketAddr;

/// Serves the collection over HTTP: an API, and pages to look at.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy serve
  firstcopy serve --data blog --listen 127.0.0.1:8000
  curl -d '{\"id\": \"1\", \"text\": \"Who wrote this first?\"}' http://127.0.0.1:7700/v1/documents

Open http://127.0.0.1:7700/ to look at it; /openapi.json describes the API. As long as there is no key, only programs on this
machine are let in: `firstcopy keys add` makes one. Ctrl-C ends it: what was begun is finished first.")]
pub struct Arguments {
    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7700", env = "FIRSTCOPY_LISTEN")]
    listen: SocketAddr,
    #[command(flatten)]
    data: DataArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    #[command(flatten)]
    write: WriteArguments,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let engine = arguments.judge.open_or_create(&arguments.data, &arguments.write)?;
    let keys = Keys::open(engine.path()).context("cannot read the keys")?;
    if keys.all().is_empty() && !arguments.listen.ip().is_loopback() {
        bail!(UsageError(format!(
            "--listen {}: there is no key, so that anybody could write: make one with `firstcopy keys add`, or listen on \
             127.0.0.1",
            arguments.listen
        )));
    }
    let data = arguments.data.data.display().to_string();
    let ready = |address: SocketAddr| {
        if !global.quiet {
            eprintln!("firstcopy serves {data} on http://{address}/ (Ctrl-C ends it)");
        }
    };
    serve(engine, Limits::default(), arguments.listen, ready)
        .with_context(|| format!("cannot serve on {}", arguments.listen))?;
    Ok(Outcome::Done)
}
