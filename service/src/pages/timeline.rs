//! Documents along a line of time: a dot each, linked to its page; those of the same time stand above each other.

use super::document_path;
use super::pieces::{name, shortened};
use firstcopy_engine::Member;
use firstcopy_report::{day, escaped};
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 44.0;
const RADIUS: f64 = 6.0;
/// Dots of one column before the next one would leave the plot: these lie on each other.
const HIGHEST: usize = 8;
const COLUMNS: f64 = (WIDTH - 2.0 * LEFT) / (2.0 * RADIUS + 1.0);

/// A dot for every document; the first is the original, `here` is the document that the page is about.
pub fn timeline(title: &str, original: &Member, copies: &[Member], here: &str) -> String {
    let times = || [original].into_iter().chain(copies).map(|member| member.at);
    let (from, to) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
    let mut stacks = std::collections::BTreeMap::new();
    let mut dots = String::new();
    for (place, member) in [original].into_iter().chain(copies).enumerate() {
        // Far dates may be further apart than a number holds.
        let share = (member.at as f64 - from as f64) / (to as f64 - from as f64).max(1.0);
        let column = (share * COLUMNS).round();
        let height = stacks.entry(column as u64).or_insert(0_usize);
        let level = (*height).min(HIGHEST - 1);
        *height += 1;
        dots += &dot(member, column, level, place == 0, member.id == here);
    }
    let rows = stacks.values().copied().max().unwrap_or(1).clamp(2, HIGHEST);
    let base = 14.0 + rows as f64 * (2.0 * RADIUS + 2.0);
    format!(
        "<svg class=\"chart dots\" viewBox=\"0 0 {WIDTH} {}\" role=\"group\" aria-label=\"{}\"><path d=\"M{} {base}H{}\" \
         stroke=\"currentColor\" opacity=\".4\"/>{}<g transform=\"translate(0 {})\">{dots}</g></svg>",
        base + 26.0,
        escaped(title),
        LEFT - 12.0,
        WIDTH - LEFT + 12.0,
        labels(from, to, base),
        base - RADIUS - 4.0,
    )
}

fn dot(member: &Member, column: f64, level: usize, is_original: bool, is_here: bool) -> String {
    let (x, y) = (LEFT + column * (2.0 * RADIUS + 1.0), -(level as f64) * (2.0 * RADIUS + 2.0));
    let class = match (is_original, is_here) {
        (true, _) => "first",
        (false, true) => "here",
        (false, false) => "copy",
    };
    let site = member.site.as_deref().map(|site| format!(", {}", shortened(site, 60))).unwrap_or_default();
    let what = if is_original { "original" } else { "copy" };
    let note = escaped(&format!(
        "{}, {what}{site}: {}",
        day(member.at),
        shortened(&name(member.title.as_deref(), &member.id), 60)
    ));
    format!(
        "<a href=\"{}\" aria-label=\"{note}\"><circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"><title>{note}</title></circle></a>",
        document_path(&member.id)
    )
}

/// The first day, the last and some between, as far as they differ.
fn labels(from: i64, to: i64, base: f64) -> String {
    let mut html = String::new();
    let mut last = String::new();
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let at = (from as f64 + (to as f64 - from as f64) * share) as i64;
        let day = day(at);
        if day == last || day.is_empty() {
            continue;
        }
        let x = LEFT + share * COLUMNS * (2.0 * RADIUS + 1.0);
        let _ = write!(
            html,
            "<path d=\"M{x:.1} {base}v5\" stroke=\"currentColor\" opacity=\".4\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            base + 20.0,
            escaped(&day)
        );
        last = day;
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(id: &str, at: i64) -> Member {
        Member {
            number: 1,
            id: id.to_owned(),
            url: None,
            site: Some("<b>".to_owned()),
            title: None,
            author: None,
            language: None,
            at,
            date: String::new(),
            resemblance: 1.0,
            containment: 1.0,
            reason: String::new(),
        }
    }

    #[test]
    fn a_linked_dot_a_document_whatever_its_date() {
        let copies = [member("<script>", 5), member("b", i64::MAX), member("c", i64::MIN)];
        let svg = timeline("\"><x>", &member("a", 0), &copies, "b");
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(
            svg.contains("href=\"/document?id=%3Cscript%3E\"") && svg.contains("class=\"here\""),
            "{svg}"
        );
        assert!(
            !svg.contains("<script") && !svg.contains("<x>") && !svg.contains("NaN") && !svg.contains("inf"),
            "{svg}"
        );
        assert!(timeline("t", &member("a", 0), &[], "a").contains(">1970-01-01</text>"));
    }
}
