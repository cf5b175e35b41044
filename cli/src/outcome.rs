//! How a run ends: the exit codes of the interface, and the one place where errors are printed.

use crate::output::printable;
use firstcopy_cluster::ClusterError;
use firstcopy_engine::EngineError;
use firstcopy_input::InputError;
use firstcopy_passages::PassageError;
use std::io;
use std::process::ExitCode;

/// How a run ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done.
    Done,
    /// The question was answered: yes, there are copies.
    Copies,
    /// Records were bad, and `--strict` was asked for.
    BadRecords,
    /// Nothing of what was given could be read.
    NothingRead,
    /// The user stopped it.
    Interrupted,
}

/// A user's mistake that parsing the arguments could not see.
#[derive(Debug)]
pub struct UsageError(pub String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

const COPIES: u8 = 1;
const USAGE: u8 = 2;
const DATA: u8 = 3;
const UNUSABLE: u8 = 4;
/// What shells expect of a program stopped by Ctrl-C.
const INTERRUPTED: u8 = 130;

pub fn exit_code(result: anyhow::Result<Outcome>) -> ExitCode {
    let error = match result {
        Ok(Outcome::Done) => return ExitCode::SUCCESS,
        Ok(Outcome::Copies) => return ExitCode::from(COPIES),
        Ok(Outcome::BadRecords | Outcome::NothingRead) => return ExitCode::from(DATA),
        Ok(Outcome::Interrupted) => return ExitCode::from(INTERRUPTED),
        Err(error) => error,
    };
    if is_closed_pipe(&error) {
        return ExitCode::SUCCESS;
    }
    eprintln!("firstcopy: {}", printable(&message(&error)));
    ExitCode::from(code_of(&error))
}

/// An error and its causes, each said once.
fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.ends_with(&cause) {
            message += &format!(": {cause}");
        }
    }
    message
}

fn code_of(error: &anyhow::Error) -> u8 {
    let named_wrongly = matches!(error.downcast_ref(), Some(InputError::NoInput | InputError::StdinTwice));
    match error.downcast_ref::<EngineError>() {
        Some(
            EngineError::OtherParameters { .. }
            | EngineError::Exists(_)
            | EngineError::Query(_)
            | EngineError::Appeal { .. }
            | EngineError::Sweep { .. },
        ) => USAGE,
        Some(
            EngineError::Ambiguous { .. } | EngineError::Content { .. } | EngineError::Unreadable { .. },
        ) => DATA,
        Some(_) => UNUSABLE,
        None if error.is::<UsageError>() || named_wrongly => USAGE,
        None if matches!(
            error.downcast_ref(),
            Some(ClusterError::Other { .. } | ClusterError::Memory { .. })
        ) =>
        {
            USAGE
        }
        None if matches!(error.downcast_ref(), Some(PassageError::Other { .. })) => USAGE,
        None => DATA,
    }
}

/// Whoever read our output (`head`, say) has had enough: no reason to complain.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(closed))
}
