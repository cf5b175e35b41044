//! `firstcopy webhooks`: who is told of duplicates, promoted originals and new holders, and has it arrived?

use crate::arguments::GlobalArguments;
use crate::data::DataArguments;
use crate::outcome::{Outcome, UsageError};
use crate::output::Output;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use firstcopy_service::webhooks::{
    self, Delivery, Kind, NewWebhook, Pace, Register, Webhook, WebhookError, ping,
};
use serde_json::json;

/// Deliveries that are read at a time.
const PAGE: u32 = 1000;

/// Adds, lists, tries and removes webhooks.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy webhooks add https://example.org/hooks/firstcopy --name editors --events duplicate.new,original.promoted
  firstcopy webhooks test editors
  firstcopy webhooks deliveries editors
  firstcopy webhooks remove editors

While `firstcopy serve` runs, every webhook is sent a signed request for each of its events: duplicate.new (a document became a
duplicate), original.promoted (a duplicate became an original), holder.new (a document was stored that holds an earlier original,
whole, contained or in part). What fails is tried again for a day. The secret is shown once, when a webhook is added: it is what
a receiver checks signatures with (docs/webhooks.md says how).")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Adds a webhook, which is told of what happens from now on, and prints its secret.
    Add {
        /// Where events are sent: an http or https address.
        url: String,
        /// What it wants to be told, separated by commas: duplicate.new, original.promoted, holder.new. Everything if absent.
        #[arg(long, value_name = "EVENTS", value_delimiter = ',', value_parser = parse_kind)]
        events: Vec<Kind>,
        /// What it is called.
        #[arg(long, value_name = "NAME", default_value = "default")]
        name: String,
        #[command(flatten)]
        data: DataArguments,
    },
    /// Lists the webhooks: how each is doing.
    List {
        #[command(flatten)]
        data: DataArguments,
    },
    /// Sends a `ping` to a webhook now, and says what came back.
    Test {
        /// What it is called.
        name: String,
        #[command(flatten)]
        data: DataArguments,
    },
    /// Lists what has still to be delivered, and what was given up.
    Deliveries {
        /// Only those of this webhook.
        name: Option<String>,
        #[command(flatten)]
        data: DataArguments,
    },
    /// Removes a webhook, with what it was still to be told.
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
            What::Add { data, .. }
            | What::List { data }
            | What::Test { data, .. }
            | What::Deliveries { data, .. }
            | What::Remove { data, .. } => data,
        }
    }
}

fn parse_kind(name: &str) -> Result<Kind, String> {
    Kind::from_name(name.trim()).ok_or_else(|| format!("one of {}", Kind::ALL.map(Kind::name).join(", ")))
}

pub fn run(arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let data = arguments.what.data();
    let position = data.reader()?.position()?;
    let mut output = Output::new();
    match &arguments.what {
        What::Add { url, events, name, .. } => {
            let events = if events.is_empty() { Kind::ALL.to_vec() } else { events.clone() };
            let new = NewWebhook { url: url.clone(), name: name.clone(), events };
            let (webhook, secret) = add(data, &new, position)?;
            match global.json {
                true => {
                    let mut shown = serde_json::to_value(&webhook)?;
                    shown["secret"] = secret.into();
                    output.json(&shown)?;
                }
                false => output.line(&secret)?,
            }
        }
        What::List { .. } => {
            for webhook in register(data)?.map_or(Ok(Vec::new()), |register| register.all())? {
                if global.json { output.json(&webhook)? } else { output.line(&line(&webhook))? }
            }
        }
        What::Test { name, .. } => return test(data, name, global, &mut output),
        What::Deliveries { name, .. } => deliveries(data, name.as_deref(), global, &mut output)?,
        What::Remove { name, .. } => webhooks::remove(&data.data, name).context("cannot remove it")?,
    }
    output.flush()?;
    Ok(Outcome::Done)
}

fn register(data: &DataArguments) -> Result<Option<Register>> {
    Ok(Register::open(&data.data)?)
}

fn add(data: &DataArguments, new: &NewWebhook, position: u64) -> Result<(Webhook, String)> {
    match Register::create(&data.data)?.add(new, position) {
        Err(WebhookError::Wrong { field, detail }) => bail!(UsageError(format!("{field}: {detail}"))),
        added => added.context("cannot add it"),
    }
}

fn line(webhook: &Webhook) -> String {
    let events: Vec<&str> = webhook.events.iter().map(|kind| kind.name()).collect();
    let mut line = format!("{:<20} {:<8} {} {}", webhook.name, webhook.state, webhook.url, events.join(","));
    if webhook.pending + webhook.failed > 0 {
        line += &format!(" ({} pending, {} failed)", webhook.pending, webhook.failed);
    }
    if let Some(error) = &webhook.last_error {
        line += &format!(": {error}");
    }
    line
}

fn test(data: &DataArguments, name: &str, global: &GlobalArguments, output: &mut Output) -> Result<Outcome> {
    let Some(register) = register(data)? else { bail!(WebhookError::Unknown(name.to_owned())) };
    let answer = ping(&register, name, &Pace::default())?;
    match (global.json, answer.status) {
        (true, _) => output.json(&answer)?,
        (false, Some(status)) => output.line(&format!("{status} after {} ms", answer.milliseconds))?,
        (false, None) => output.line(&format!("no answer after {} ms", answer.milliseconds))?,
    }
    output.flush()?;
    match answer.error {
        Some(error) => bail!("{name}: {error}"),
        None => Ok(Outcome::Done),
    }
}

fn deliveries(
    data: &DataArguments,
    name: Option<&str>,
    global: &GlobalArguments,
    output: &mut Output,
) -> Result<()> {
    let register = match (register(data)?, name) {
        (Some(register), _) => register,
        (None, None) => return Ok(()),
        (None, Some(name)) => bail!(WebhookError::Unknown(name.to_owned())),
    };
    let mut after = None;
    loop {
        let page = register.deliveries(name, PAGE, after)?;
        for delivery in &page.deliveries {
            match global.json {
                true => output.json(&json!(delivery))?,
                false => output.line(&delivery_line(delivery))?,
            }
        }
        after = match page.next {
            Some(next) => Some(next.parse()?),
            None => return Ok(()),
        };
    }
}

fn delivery_line(delivery: &Delivery) -> String {
    let Delivery { event, kind, state, tries, at, next_at, last_error } = delivery;
    let mut line = format!("{event} {kind:<17} {state:<7} of {at}, tried {tries} times");
    if let Some(next_at) = next_at {
        line += &format!(", next {next_at}");
    }
    if let Some(error) = last_error {
        line += &format!(": {error}");
    }
    line
}
