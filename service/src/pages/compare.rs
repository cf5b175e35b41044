//! Two documents side by side, or two versions.

use super::beside::{Named, SHOWN, beside};
use super::layout::Layout;
use super::pieces::{cut, shortened};
use super::verdict::comparison_box;
use super::{Answer, Failed, aside, asked, document_link};
use crate::app::App;
use crate::likeness::WordComparison;
use crate::problem::Problem;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use firstcopy_engine::VersionText;
use firstcopy_report::escaped;
use serde::Deserialize;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    a: String,
    #[serde(default)]
    b: String,
    /// Versions; blank is the present one.
    #[serde(default)]
    va: String,
    #[serde(default)]
    vb: String,
}

pub async fn compare(
    State(app): State<Arc<App>>,
    query: Result<Query<Parameters>, QueryRejection>,
) -> Answer<Layout<'static>> {
    let parameters = asked(query)?;
    let mut body = format!("<h1>Compare</h1>{}", form(&parameters));
    if !parameters.a.is_empty() && !parameters.b.is_empty() {
        let a = text(&app, &parameters.a, &parameters.va).await?;
        let b = text(&app, &parameters.b, &parameters.vb).await?;
        let names = format!(
            "<p>A is {}, B is {}. Point at a passage, or go to it with the keyboard, to see where it stands in the other text.</p>",
            document_link(&a.id, &named(&a)),
            document_link(&b.id, &named(&b))
        );
        let (place, core) = (app.place()?, app.measured().await?);
        let (words, shown) = app
            .work(place, move |engine| {
                let words = words(&a, &b, engine.settings().min_likeness);
                let shown = beside(&side(a), &side(b));
                drop(core);
                Ok((words, shown))
            })
            .await?;
        let _ = write!(body, "{words}{names}{shown}");
    }
    Ok(Layout { title: "Compare", here: "/compare", body })
}

/// The box with the comparison of their words; empty if one has ready-made features instead.
fn words(a: &VersionText, b: &VersionText, min_likeness: f64) -> String {
    let (Some(a), Some(b)) = (&a.text, &b.text) else { return String::new() };
    comparison_box(&WordComparison::of_texts(cut(a, SHOWN).0, cut(b, SHOWN).0, min_likeness))
}

fn form(parameters: &Parameters) -> String {
    let side = |name: &str, label: &str, id: &str, version: &str| {
        format!(
            "<fieldset><legend>{label}</legend><div class=\"grow\"><label for=\"{name}\">Id or url</label>\
             <input id=\"{name}\" name=\"{name}\" value=\"{}\" required></div>\
             <div><label for=\"v{name}\">Version</label><input id=\"v{name}\" name=\"v{name}\" value=\"{}\" inputmode=\"numeric\" \
             pattern=\"[0-9]*\" size=\"6\" placeholder=\"now\"></div></fieldset>",
            escaped(id),
            escaped(version)
        )
    };
    format!(
        "<form class=\"pair\">{}{}<button>Compare</button></form>",
        side("a", "A, the earlier one", &parameters.a, &parameters.va),
        side("b", "B, the later one", &parameters.b, &parameters.vb)
    )
}

async fn text(app: &Arc<App>, id: &str, version: &str) -> Answer<VersionText> {
    let number = match version.trim() {
        "" => None,
        number => Some(number.parse::<u32>().map_err(|_| {
            Failed(Problem::bad(format!("{:?} is no version: give its number.", shortened(version, 20))))
        })?),
    };
    let name = id.to_owned();
    let found = aside(app, move |reader| reader.version_text(&name, number)).await?;
    found.ok_or_else(|| {
        let of = number.map(|number| format!(" with a version {number}")).unwrap_or_default();
        Failed(Problem::not_found(format!("There is no document {:?}{of}.", shortened(id, 200))))
    })
}

fn named(version: &VersionText) -> String {
    let id = shortened(&version.id, 120);
    if version.is_present { id } else { format!("{id}, version {}", version.version) }
}

fn side(version: VersionText) -> Named {
    Named { name: named(&version), text: version.text.unwrap_or_default() }
}
