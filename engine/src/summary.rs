//! The first sentence of every answer: one percentage and the source, in plain words.

use crate::verdict::{Nearest, Verdict};
use firstcopy_text::likeness::CopyRelation;

/// The share of copied words from which on nobody may call a text new.
const MUCH_COPIED: f64 = 0.2;
/// The share of copied words from which on a text has more than passages of another.
const MOST_COPIED: f64 = 0.7;
/// The most characters of a title in a sentence.
const TITLE_CHARS: usize = 40;

impl Verdict {
    /// Writes the first sentence, given whether nothing is stored that the document could be a copy of.
    pub(crate) fn summarized(self, collection_is_empty: bool) -> Self {
        Verdict { summary: summary(&self, collection_is_empty), ..self }
    }
}

fn summary(verdict: &Verdict, collection_is_empty: bool) -> String {
    let share = percent(verdict.covered);
    let Some(nearest) = &verdict.nearest else {
        return match (verdict.is_original(), collection_is_empty) {
            (true, true) => "The collection is empty: there is nothing to compare this text with.".to_owned(),
            (true, false) => "No copy of this text is in the collection.".to_owned(),
            (false, _) => format!("A copy of {}.", verdict.original.as_deref().unwrap_or_default()),
        };
    };
    let source = source(nearest);
    match verdict.relation {
        CopyRelation::Identical => format!("100 % of this text is in {source}: the same page."),
        CopyRelation::SameWords => format!("100 % of this text is in {source}: the same words."),
        CopyRelation::Edited if verdict.covered == 0.0 => {
            // Judged by a policy that compares no words.
            format!("A near copy of {source}: resemblance {}.", percent(verdict.resemblance))
        }
        CopyRelation::Edited => format!("{share} of this text is in {source}: the same text with changes."),
        CopyRelation::Excerpt => format!("{share} of this text is in {source}: an excerpt of it."),
        CopyRelation::Extended => {
            let original = percent(verdict.original_covered);
            format!(
                "{share} of this text is in {source}, and {original} of that one in this: it adds text of its own."
            )
        }
        _ if verdict.template => format!(
            "{share} of the words of this text are in {source}, but numbers and names differ: pages of one template."
        ),
        CopyRelation::Quotes => {
            format!("{share} of this text is in {source}: {}.", quotation_in_words(verdict.covered))
        }
        CopyRelation::None if verdict.covered >= MUCH_COPIED => {
            format!("{share} of this text is in {source}.")
        }
        CopyRelation::None => {
            format!(
                "No copy of this text is in the collection; the closest, {source}, has {share} of its words."
            )
        }
    }
}

/// The title or id of a document, where it was published and when.
fn source(nearest: &Nearest) -> String {
    let title = nearest.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let name = shortened(title.unwrap_or(&nearest.id));
    let host = nearest.url.as_deref().and_then(host);
    let date = nearest.date.split('T').next().unwrap_or_default();
    match host {
        Some(host) => format!("{name} ({host}, {date})"),
        None => format!("{name} ({date})"),
    }
}

fn shortened(name: &str) -> String {
    let one_line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(TITLE_CHARS) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}

fn host(url: &str) -> Option<&str> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next()?;
    (host.contains('.') && !host.contains(char::is_whitespace)).then_some(host)
}

/// Describes a text that quotes another, given the share of its words that the other has.
pub fn quotation_in_words(covered: f64) -> &'static str {
    match covered >= MOST_COPIED {
        true => "most of it, but too much differs for a copy",
        false => "a passage of it, not the whole",
    }
}

/// Writes a share in whole percent; never 100 if something is missing, never 0 if something is there.
pub fn percent(share: f64) -> String {
    let rounded = match (share * 100.0).round() as u32 {
        100 if share < 1.0 => 99,
        0 if share > 0.0 => 1,
        rounded => rounded,
    };
    format!("{rounded} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_never_too_good() {
        for (share, expected) in
            [(0.0, "0 %"), (0.001, "1 %"), (0.976, "98 %"), (0.9999, "99 %"), (1.0, "100 %")]
        {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn text_that_is_mostly_copied_is_no_passage() {
        assert!(quotation_in_words(0.3).starts_with("a passage"));
        assert!(quotation_in_words(0.8).starts_with("most of it"));
    }

    #[test]
    fn a_source_has_a_name_a_host_and_a_date() {
        let nearest = Nearest {
            id: "p1".to_owned(),
            url: Some("https://petition.example.kr/p/1".to_owned()),
            title: Some("세월호에  대한 청원".to_owned()),
            date: "2017-08-26T00:00:00Z".to_owned(),
            likeness: 0.9,
        };
        assert_eq!(source(&nearest), "세월호에 대한 청원 (petition.example.kr, 2017-08-26)");
        assert_eq!(source(&Nearest { url: None, title: None, ..nearest }), "p1 (2017-08-26)");
    }
}
