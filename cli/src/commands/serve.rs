//! `firstcopy serve`: until the service exists, a demonstration of what does.

use crate::arguments::GlobalArguments;
use crate::outcome::Outcome;
use crate::output::Output;
use anyhow::Result;
use clap::Args;
use firstcopy_text::{Analyzer, Content, Document, Page, Parameters, Relation, Seed};

/// Demonstrates what is built so far; the HTTP service will take its place.
#[derive(Args)]
#[command(after_help = "\
Examples:
  firstcopy serve")]
pub struct Arguments {}

/// A post, the same post in another frame with other markup, an edited copy, and an unrelated one.
const POSTS: [(&str, &str); 4] = [
    ("original", include_str!("../../demo/original.html")),
    ("in another frame", include_str!("../../demo/reframed.html")),
    ("edited", include_str!("../../demo/edited.html")),
    ("unrelated", include_str!("../../demo/unrelated.html")),
];

pub fn run(_arguments: &Arguments, global: &GlobalArguments) -> Result<Outcome> {
    let analyzer = Analyzer::new(Parameters::default(), &Seed::PUBLIC);
    let documents = POSTS.map(|(id, html)| {
        analyzer.document(Page { id: id.to_owned(), content: Content::html(html), ..Page::default() })
    });
    let mut output = Output::new();
    if !global.json {
        output.line(
            "The HTTP service is not built yet. This is what is: four blog posts, compared with the first.\n",
        )?;
    }
    for document in &documents {
        let relation = Relation::of(&documents[0], document);
        if global.json {
            output.json(&row(document, &relation))?
        } else {
            print(&documents[0], document, &relation, &mut output)?
        }
    }
    if !global.json {
        output.line(
            "\nTry it on your own pages:\n  firstcopy inspect page.html\n  firstcopy compare a.html b.html",
        )?;
    }
    output.flush()?;
    Ok(Outcome::Done)
}

fn row(document: &Document, relation: &Relation) -> serde_json::Value {
    serde_json::json!({ "id": document.id, "title": document.title, "relation": relation })
}

fn print(first: &Document, document: &Document, relation: &Relation, output: &mut Output) -> Result<()> {
    output.line(&document.id)?;
    output.field("title", document.title.as_deref().unwrap_or_default())?;
    output.field("tokens", &document.tokens.len().to_string())?;
    output.field("resembles", &format!("{:.1} %", 100.0 * relation.resemblance))?;
    output.field("same words", if relation.lexical { "yes" } else { "no" })?;
    output.field("features", &format!("{} of 6 shared", first.features.shared(&document.features)))
}
