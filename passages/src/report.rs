//! A report a person can read: a page with its copied passages marked, each joined to its source, in one file without
//! scripts; and an index of such pages. Text of strangers is shown as text, whatever is in it.

use crate::passage::{Copies, Passage};
use firstcopy_report::{Script, counted, day, escaped, link, page, percent};
use firstcopy_text::Document;
use std::fmt::Write;

/// A page in the index.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedPage {
    /// The page's id.
    pub id: String,
    /// The file that shows it.
    pub file: String,
    /// The share of it that is copied.
    pub copied_share: f64,
    /// How it relates to the source it has most of.
    pub kind: &'static str,
    /// How many passages it has.
    pub passages: usize,
    /// The source of its longest passage.
    pub source: String,
}

const STYLE: &str = "\
.columns{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:2rem}
@media(max-width:50rem){.columns{grid-template-columns:minmax(0,1fr)}}
mark{color:inherit;background:#56b4e955;border-bottom:2px solid #0072b2;text-decoration:none}
mark.odd{background:#e69f0055;border-bottom-color:#d55e00}
mark i{background:#fff8;font-style:normal;border-bottom:2px dotted currentColor}
@media(prefers-color-scheme:dark){mark i{background:#0008}}
sup a{font-weight:bold;text-decoration:none}
li{margin-bottom:1rem;overflow-wrap:anywhere}
li:target,span:target{outline:2px solid #0072b2}";

/// One page with its passages.
pub fn page_report(page: &Document, copies: &Copies) -> String {
    let title = page.title.as_deref().unwrap_or(&page.id);
    let mut html = String::new();
    let _ = write!(
        html,
        "<p><a href=\"index.html\">All pages</a></p><h1>{}</h1><p>{}{} % of this page is copied, in {}.</p>",
        escaped(title),
        page.url.as_deref().map(|url| format!("{}<br>", link(url, url))).unwrap_or_default(),
        percent(copies.copied_share),
        counted(copies.passages.len(), "passage"),
    );
    let _ = write!(
        html,
        "<div class=\"columns\"><div class=\"text\">{}</div><ol>{}</ol></div>",
        marked_text(&page.core.text, &copies.passages),
        (1..).zip(&copies.passages).map(|(number, passage)| item(number, passage)).collect::<String>(),
    );
    page_of(title, &html)
}

/// The pages that have passages, those with most of them first.
pub fn index_report(pages: &mut [ReportedPage], checked: u64) -> String {
    pages.sort_by(|a, b| b.copied_share.total_cmp(&a.copied_share).then_with(|| a.file.cmp(&b.file)));
    let mut html = String::new();
    let _ = write!(
        html,
        "<h1>Copied passages</h1><p>{} of {} have copied passages.</p><table><thead><tr><th>Page</th>\
         <th class=\"n\">Copied</th><th></th><th>Kind</th><th class=\"n\">Passages</th><th>Longest from</th></tr></thead><tbody>",
        pages.len(),
        counted(checked as usize, "page"),
    );
    for page in pages.iter() {
        let share = percent(page.copied_share);
        let _ = write!(
            html,
            "<tr><td><a href=\"{}\">{}</a></td><td class=\"n\">{share} %</td><td><span class=\"bar\" style=\"width:{}rem\"></span></td>\
             <td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
            page.file,
            escaped(&page.id),
            page.copied_share * 6.0,
            page.kind,
            page.passages,
            escaped(&page.source),
        );
    }
    page_of("Copied passages", &(html + "</tbody></table>"))
}

fn page_of(title: &str, body: &str) -> String {
    page(title, STYLE, Script::None, body)
}

/// What of the text is in which passage, character by character where that changes.
fn marked_text(text: &str, passages: &[Passage]) -> String {
    let offsets: Vec<usize> = text.char_indices().map(|(offset, _)| offset).chain([text.len()]).collect();
    let mut cuts: Vec<usize> = passages
        .iter()
        .flat_map(|passage| {
            [passage.start, passage.end].into_iter().chain(passage.gaps.iter().flat_map(|gap| [gap.0, gap.1]))
        })
        .chain([0, offsets.len() - 1])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut html = String::new();
    for pair in cuts.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let piece = escaped(&text[offsets[from]..offsets[to]]);
        for (number, passage) in (1..).zip(passages).filter(|(_, passage)| passage.start == from) {
            let _ = write!(
                html,
                "<span id=\"p{number}\"></span><sup><a href=\"#s{number}\" title=\"{}\">{number}</a></sup>",
                escaped(&passage.source)
            );
        }
        // Where passages overlap, the first of them is shown.
        match (1..).zip(passages).find(|(_, passage)| passage.start <= from && to <= passage.end) {
            Some((number, passage)) => {
                let is_edited = passage.gaps.iter().any(|gap| gap.0 <= from && to <= gap.1);
                let piece = if is_edited { format!("<i>{piece}</i>") } else { piece };
                let class = if number % 2 == 0 { " class=\"odd\"" } else { "" };
                let _ = write!(html, "<mark{class}>{piece}</mark>");
            }
            None => html += &piece,
        }
    }
    html
}

fn item(number: usize, passage: &Passage) -> String {
    let source = match &passage.source_url {
        Some(url) => link(url, &passage.source),
        None => escaped(&passage.source),
    };
    let date = passage.source_created_at.map(|seconds| format!(", {}", day(seconds))).unwrap_or_default();
    let place = match (passage.source_start, passage.source_end) {
        (Some(start), Some(end)) => format!(", characters {start} to {end}"),
        _ => String::new(),
    };
    let changed = match passage.gaps.len() {
        0 => String::new(),
        gaps => format!(", {} inside", counted(gaps, "change")),
    };
    format!(
        "<li id=\"s{number}\"><b>{source}</b>{date}{place}<br>{}{changed}, weight {:.1}, {} copy. <a href=\"#p{number}\">Show</a></li>",
        counted(passage.segments, "segment"),
        passage.weight,
        passage.kind.name(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::Kind;
    use firstcopy_text::CoreText;

    fn passage(start: usize, end: usize) -> Passage {
        Passage {
            source: "<script>alert(1)</script>".to_owned(),
            source_url: Some("javascript:alert(2)".to_owned()),
            source_created_at: Some(86_400),
            kind: Kind::Partial,
            segments: 3,
            weight: 3.5,
            start,
            end,
            source_start: Some(1),
            source_end: Some(2),
            gaps: vec![(start + 1, start + 2)],
            text: String::new(),
        }
    }

    #[test]
    fn passages_are_marked_and_strangers_text_is_text() {
        let page = Document {
            id: "\"><img src=x>".to_owned(),
            core: CoreText::from_blocks(["가나다라<b>마바사".to_owned()]),
            ..Document::default()
        };
        let copies =
            Copies { passages: vec![passage(1, 4), passage(2, 6)], copied_share: 0.5, ..Copies::default() };
        let html = page_report(&page, &copies);
        assert!(html.contains("<mark>나</mark>") && html.contains("<mark><i>다</i></mark>"), "{html}");
        assert!(html.contains("<mark class=\"odd\">&lt;b</mark>"), "{html}");
        assert!(html.contains("50.0 % of this page is copied, in 2 passages."));
        for harmful in ["<script", "<img", "javascript:", "<b>마"] {
            assert!(!html.contains(harmful), "{harmful}");
        }
    }

    #[test]
    fn the_index_begins_with_what_is_copied_most() {
        let page = |id: &str, copied_share| ReportedPage {
            id: id.to_owned(),
            file: format!("{id}.html"),
            copied_share,
            kind: "partial",
            passages: 1,
            source: "s".to_owned(),
        };
        let html = index_report(&mut [page("little", 0.1), page("much", 0.9)], 7);
        assert!(html.find("much.html") < html.find("little.html"));
        assert!(html.contains("2 of 7 pages"));
    }
}
