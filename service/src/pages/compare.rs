//! Two documents side by side.

use super::Answer;
use super::layout::Layout;
use crate::app::App;
use crate::problem::Problem;
use axum::extract::{Query, State};
use firstcopy_change::{Comparison, Settings, Text, sides};
use firstcopy_report::escaped;
use firstcopy_text::Tokens;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Debug, Default, Deserialize)]
pub struct Parameters {
    #[serde(default)]
    a: String,
    #[serde(default)]
    b: String,
}

pub async fn compare(
    State(app): State<Arc<App>>,
    Query(parameters): Query<Parameters>,
) -> Answer<Layout<'static>> {
    let mut body = format!("<h1>Compare</h1>{}", form(&parameters));
    if !parameters.a.is_empty() && !parameters.b.is_empty() {
        let (a, b) = (text(&app, &parameters.a).await?, text(&app, &parameters.b).await?);
        let place = app.place()?;
        body += &app.work(place, move |_| Ok(compared(&parameters, &a, &b))).await?;
    }
    Ok(Layout { title: "Compare", here: "/compare", body })
}

fn form(parameters: &Parameters) -> String {
    format!(
        "<form class=\"search\"><label>Id or url of a document <input name=\"a\" value=\"{}\" required></label>\
         <label>and of another <input name=\"b\" value=\"{}\" required></label><button>Compare</button></form>",
        escaped(&parameters.a),
        escaped(&parameters.b)
    )
}

async fn text(app: &App, id: &str) -> Result<String, Problem> {
    let name = id.to_owned();
    let shown = app.read(move |reader| reader.show(&name)).await?;
    let text = shown.and_then(|shown| shown.core_text);
    text.ok_or_else(|| Problem::not_found(format!("There is no document {id:?}.")))
}

fn compared(parameters: &Parameters, a: &str, b: &str) -> String {
    let (tokens_a, tokens_b) = (Tokens::of(a), Tokens::of(b));
    let settings = Settings::default();
    let (a, b) = (Text { text: a, tokens: &tokens_a }, Text { text: b, tokens: &tokens_b });
    sides(&Comparison::of(a, b, &settings), &parameters.a, &parameters.b)
}
