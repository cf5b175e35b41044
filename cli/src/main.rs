//! The `firstcopy` command: arguments become settings, settings become a run, a run becomes an exit code.

mod arguments;
mod clustering;
mod commands;
mod data;
mod difference;
mod help;
mod outcome;
mod output;
mod readable;
mod reading;
mod storing;

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
        Command::Keys(keys) => commands::keys::run(keys, global),
        Command::Webhooks(webhooks) => commands::webhooks::run(webhooks, global),
        Command::Add(add) => commands::add::run(add, global),
        Command::Check(check) => commands::check::run(check, global),
        Command::Search(search) => commands::search::run(search, global),
        Command::Show(show) => commands::show::run(show, global),
        Command::Delete(delete) => commands::delete::run(delete, global),
        Command::Appeal(appeal) => commands::appeal::run(appeal, global),
        Command::Similar(similar) => commands::similar::run(similar, global),
        Command::Trace(trace) => commands::trace::run(trace, global),
        Command::Holders(holders) => commands::holders::run(holders, global),
        Command::Stats(stats) => commands::stats::run(stats, global),
        Command::Export(export) => commands::export::run(export),
        Command::Import(import) => commands::import::run(import, global),
        Command::Backup(backup) => commands::backup::run(backup, global),
        Command::Verify(verify) => commands::verify::run(verify, global),
        Command::Reindex(reindex) => commands::reindex::run(reindex, global),
        Command::Cluster(cluster) => commands::cluster::run(cluster, global),
        Command::Recluster(recluster) => commands::recluster::run(recluster, global),
        Command::Clusters(clusters) => commands::clusters::run(clusters, global),
        Command::Dedup(dedup) => commands::dedup::run(dedup, global),
        Command::Sources(sources) => commands::sources::run(sources, global),
        Command::Copies(copies) => commands::copies::run(copies, global),
        Command::Inspect(inspect) => commands::inspect::run(inspect, global),
        Command::Compare(compare) => commands::compare::run(compare, global),
        Command::Changes(changes) => commands::changes::run(changes, global),
        Command::Completions(completions) => commands::completions::run(completions),
        Command::Man(man) => commands::man::run(man),
    }
}
