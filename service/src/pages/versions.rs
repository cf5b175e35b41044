//! How much did a document change, from version to version?

use super::beside::degree_of_change;
use super::encoded;
use super::pieces::{many, minute, name, wide};
use firstcopy_engine::{EngineError, Outline, Reader, ShownVersion};
use firstcopy_report::{Series, escaped, lines};
use std::fmt::Write;

/// Versions that a page tells of.
pub const MOST: u32 = 50;
/// Bytes of all texts that are compared for the plot: it shows the latest that fit.
const COMPARED: usize = 4_000_000;

/// How much every version differs from the one before: the latest versions, as many as can be compared for a page.
pub fn degrees(reader: &Reader, id: &str, versions: &[ShownVersion]) -> Result<Vec<(u32, f64)>, EngineError> {
    let mut degrees = Vec::new();
    let (mut later, mut bytes): (Option<(u32, String)>, usize) = (None, 0);
    for version in versions.iter().rev() {
        let text = reader.version_text(id, Some(version.version))?.and_then(|version| version.text);
        let Some(text) = text else { break };
        bytes += text.len();
        if bytes > COMPARED {
            break;
        }
        if let Some((number, later)) = &later {
            degrees.push((*number, degree_of_change(&text, later)));
        }
        later = Some((version.version, text));
    }
    degrees.reverse();
    Ok(degrees)
}

/// The versions with a plot of how much they changed.
pub fn section(id: &str, outline: &Outline, degrees: &[(u32, f64)]) -> String {
    let mut html = format!("<section><h2>{}</h2>", many(outline.version_count, "version", "versions"));
    if outline.version_count == 1 {
        return html + "<p>It has not changed since it was received.</p></section>";
    }
    if outline.version_count > outline.versions.len() as u64 {
        let _ = write!(html, "<p class=\"note\">The latest {} are shown.</p>", outline.versions.len());
    }
    html += &plot(outline, degrees);
    let mut rows = String::new();
    for (place, version) in outline.versions.iter().enumerate().rev() {
        let before = place.checked_sub(1).and_then(|before| outline.versions.get(before));
        rows += &row(id, version, before, degrees);
    }
    let table = format!(
        "<table><thead><tr><th>Version</th><th>Date</th><th>Title</th><th class=\"n\">Change (IED)</th><th>Compare</th></tr></thead>\
         <tbody>{rows}</tbody></table>"
    );
    html + &wide("Versions", &table) + "</section>"
}

fn plot(outline: &Outline, degrees: &[(u32, f64)]) -> String {
    if degrees.is_empty() {
        return String::new();
    }
    let date = |number: u32| {
        let version = outline.versions.iter().find(|version| version.version == number);
        version.and_then(|version| dated(version).get(..10)).unwrap_or_default()
    };
    // More dates than that run into each other.
    let place = |number: u32| match degrees.len() > 5 {
        true => format!("v{number}"),
        false => format!("v{number}, {}", date(number)),
    };
    let places: Vec<String> = degrees.iter().map(|(number, _)| place(*number)).collect();
    let series = Series {
        name: "change against the version before (IED)".to_owned(),
        values: degrees.iter().map(|(_, degree)| *degree).collect(),
    };
    let chart = lines("How much each version changed", &places, &[series]);
    format!("<figure>{}</figure>", wide("How much each version changed", &chart))
}

/// When a version was created, as it says, else when it was received.
fn dated(version: &ShownVersion) -> &str {
    version.created_at.as_deref().unwrap_or(&version.received_at)
}

fn row(id: &str, version: &ShownVersion, before: Option<&ShownVersion>, degrees: &[(u32, f64)]) -> String {
    let degree = degrees.iter().find(|(number, _)| *number == version.version);
    let compare = before.map(|before| {
        format!(
            "<a href=\"/compare?a={0}&amp;va={1}&amp;b={0}&amp;vb={2}\">with version {1}</a>",
            encoded(id),
            before.version,
            version.version
        )
    });
    let title = version.title.as_deref().map(|title| name(Some(title), "")).unwrap_or_default();
    format!(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
        version.version,
        minute(dated(version)),
        escaped(&title),
        degree.map(|(_, degree)| format!("{degree:.3}")).unwrap_or_default(),
        compare.unwrap_or_default()
    )
}
