//! `firstcopy completions`: what a shell needs to complete our arguments.

use crate::outcome::Outcome;
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

/// Prints the completion script of a shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy completions bash > /etc/bash_completion.d/firstcopy
  firstcopy completions zsh > ~/.zfunc/_firstcopy
  firstcopy completions fish > ~/.config/fish/completions/firstcopy.fish")]
pub struct Arguments {
    /// The shell.
    shell: Shell,
}

pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut script = Vec::new();
    let mut command = crate::arguments::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "firstcopy", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Outcome::Done)
}
