//! What must stay in the core text of a page, and what must go.

use firstcopy_text::extract;

/// Checks that the core text holds all of `keeps` and none of `drops`.
#[track_caller]
pub fn check_keeps(html: &str, keeps: &[&str], drops: &[&str]) {
    let text = extract(html).core.text;
    let lost: Vec<_> = keeps.iter().filter(|k| !text.contains(**k)).collect();
    let left: Vec<_> = drops.iter().filter(|d| text.contains(**d)).collect();
    assert!(lost.is_empty() && left.is_empty(), "lost {lost:?}\nleft {left:?}\n--- found\n{text}");
}
