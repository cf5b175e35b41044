//! The `firstcopy` command: arguments become settings, settings become a run, a run becomes an exit code.

mod arguments;
mod commands;
mod help;
mod outcome;
mod output;
mod reading;

use arguments::{Arguments, Command};
use clap::{CommandFactory, FromArgMatches};
use outcome::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    reading::keep_worker_panics_quiet();
    let matches = help::grouped(Arguments::command()).get_matches();
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    outcome::exit_code(run(&arguments))
}

fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let global = &arguments.global;
    match &arguments.command {
        Command::Serve(serve) => commands::serve::run(serve, global),
        Command::Inspect(inspect) => commands::inspect::run(inspect, global),
        Command::Compare(compare) => commands::compare::run(compare, global),
        Command::Completions(completions) => commands::completions::run(completions),
        Command::Man(man) => commands::man::run(man),
    }
}
