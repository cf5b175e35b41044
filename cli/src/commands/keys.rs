//! `firstcopy keys`: who may use the service from elsewhere, and for what?

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::Outcome;
use crate::output::Output;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use firstcopy_engine::{Engine, OpenOptions};
use firstcopy_service::{Keys, Role};
use serde_json::json;

/// Makes, lists and removes the keys of the service.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy keys add --role write --name crawler
  firstcopy keys list
  firstcopy keys remove crawler

A key is shown once, when it is made: only its hash is kept. It is sent as `Authorization: Bearer KEY`. The first key closes the
service to programs on this machine that have none.")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Makes a key and prints it.
    Add {
        /// What it allows.
        #[arg(long, value_name = "ROLE")]
        role: RoleName,
        /// What it is called.
        #[arg(long, value_name = "NAME", default_value = "default")]
        name: String,
        #[command(flatten)]
        data: DataArguments,
    },
    /// Lists the keys: their names and roles.
    List {
        #[command(flatten)]
        data: DataArguments,
    },
    /// Removes a key.
    Remove {
        /// What it is called.
        name: String,
        #[command(flatten)]
        data: DataArguments,
    },
}

impl What {
    fn data(&self) -> &DataArguments {
        match self {
            What::Add { data, .. } | What::List { data } | What::Remove { data, .. } => data,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum RoleName {
    /// Asking, and checking without storing.
    Read,
    /// Storing and deleting, too.
    Write,
    /// Everything.
    Admin,
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let data = arguments.what.data();
    if let Err(missing) = data.reader() {
        // A key may be made before anything is stored: there is a data directory from then on.
        match arguments.what {
            What::Add { .. } => drop(Engine::open(&data.data, OpenOptions::default())?),
            _ => return Err(missing.into()),
        }
    }
    let keys = Keys::open(&data.data).context("cannot read the keys")?;
    let mut output = Output::new();
    match &arguments.what {
        What::Add { role, name, .. } => {
            let role = match role {
                RoleName::Read => Role::Read,
                RoleName::Write => Role::Write,
                RoleName::Admin => Role::Admin,
            };
            let key = keys.add(name, role).context("cannot add the key")?;
            if global.json {
                output.json(&json!({"name": name, "role": role, "key": key}))?
            } else {
                output.line(&key)?
            }
        }
        What::List { .. } => {
            for key in keys.all() {
                if global.json {
                    output.json(&json!({"name": key.name, "role": key.role}))?
                } else {
                    output.line(&format!("{:<20} {}", key.name, key.role.name()))?
                }
            }
        }
        What::Remove { name, .. } => {
            if !keys.remove(name).context("cannot remove the key")? {
                bail!("{name}: there is no such key: `firstcopy keys list` names them");
            }
        }
    }
    output.flush()?;
    Ok(Outcome::Done)
}
