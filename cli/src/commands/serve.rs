//! `firstcopy serve`: until the service exists, a demonstration of the store-time check.

use crate::arguments::GlobalArguments;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::storing::print;
use anyhow::{Context, Result};
use clap::Args;
use firstcopy_engine::{Engine, OpenOptions};
use firstcopy_text::{Content, Page};

/// Demonstrates the store-time check on four posts; the HTTP service will take its place.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy serve")]
pub struct Arguments {}

/// A post, the same post in another frame with other markup, an edited copy, and an unrelated one.
const POSTS: [(&str, &str); 4] = [
    ("original.html", include_str!("../../demo/original.html")),
    ("reframed.html", include_str!("../../demo/reframed.html")),
    ("edited.html", include_str!("../../demo/edited.html")),
    ("unrelated.html", include_str!("../../demo/unrelated.html")),
];

pub fn run(_arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder for the demonstration")?;
    let engine = Engine::open(&folder.path().join("firstcopy-data"), OpenOptions::default())?;
    let mut output = Output::new();
    if !global.json {
        output.line(
            "The HTTP service is not built yet. This is what is: four blog posts, judged as they are stored.\n",
        )?;
    }
    for (id, html) in POSTS {
        let page = Page { id: id.to_owned(), content: Content::html(html), ..Page::default() };
        let verdict = engine.add(page)?;
        if global.json { output.json(&verdict)? } else { print(&verdict, &mut output)? }
    }
    if !global.json {
        output.line("\nTry it on your own pages:\n  firstcopy add posts/\n  firstcopy check draft.html")?;
    }
    output.flush()?;
    Ok(Outcome::Done)
}
