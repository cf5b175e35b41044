//! As many different posts as are asked for, from real texts where there are some; a fifth of them copies. The post of a
//! number is always the same.

use crate::data::{LANGUAGES, made_text, texts};
use crate::frames::framed;
use crate::random::Random;
use firstcopy_text::{Content, Page};
use serde_json::{Value, json};
use std::path::Path;

/// Bytes of an article, about.
const ARTICLE: usize = 3000;
/// Bytes of the pieces of real text that make a new one, at least: a few sentences.
const PIECE: usize = 300;
/// Frames that weigh about 2 KB.
const LIGHT_FRAMES: [usize; 5] = [0, 4, 6, 7, 8];
/// One post in so many is a copy.
const COPIES: usize = 5;
/// When the first post was created: 2020-01-01. Each is a second later than the one before, so that copies are.
const FIRST_CREATED: i64 = 1_577_836_800;
/// Words of a short text.
const SHORT: usize = 25;

/// A source of posts.
pub struct Posts {
    /// All texts of each language in one; empty if words are made.
    sources: Vec<String>,
    origin: &'static str,
}

impl Posts {
    /// Pages of about 5 KB around articles of about 3 KB.
    pub fn pages(data: &Path) -> Self {
        let all = LANGUAGES.map(|language| texts(data, language, 20_000_000));
        let origin = all[0].1;
        Posts { sources: all.into_iter().map(|(texts, _)| texts.join("\n")).collect(), origin }
    }

    /// Short texts of made words.
    pub fn made() -> Self {
        Posts { sources: Vec::new(), origin: "short made" }
    }

    /// Where the words come from.
    pub fn origin(&self) -> &'static str {
        self.origin
    }

    /// The post as a record of the input.
    pub fn record(&self, number: usize) -> Value {
        let field = if self.sources.is_empty() { "text" } else { "html" };
        json!({
            "id": id(number),
            "url": format!("https://blog.example/{number}"),
            "created_at": created_at(number),
            field: self.body(number),
        })
    }

    /// The post as a page.
    pub fn page(&self, number: usize) -> Page {
        let body = self.body(number);
        let content = if self.sources.is_empty() { Content::text(body) } else { Content::html(body) };
        Page { id: id(number), created_at: Some(created_at(number)), content, ..Page::default() }
    }

    /// Every fifth post is an earlier one, as it was or with a few words more.
    fn body(&self, number: usize) -> String {
        let mut random = Random::new(number as u64);
        let is_copy = number % COPIES == COPIES - 1;
        let source = if is_copy { original_before(number, &mut random) } else { number };
        let mut text = self.article(source);
        if is_copy && random.below(2) == 0 {
            text += &format!(" Shared by reader {number}, who liked it.");
        }
        if self.sources.is_empty() {
            return text;
        }
        framed(LIGHT_FRAMES[random.below(LIGHT_FRAMES.len())], &format!("Post {source}"), &text)
    }

    /// The text of a post that is no copy.
    pub fn article(&self, number: usize) -> String {
        let mut random = Random::new(number as u64 ^ 0xa11c);
        if self.sources.is_empty() {
            let made = made_text("en", number);
            return made.split_inclusive(' ').take(SHORT + random.below(SHORT)).collect();
        }
        let source = &self.sources[number % self.sources.len()];
        let mut text = String::with_capacity(ARTICLE + PIECE);
        while text.len() < ARTICLE {
            let start = source.floor_char_boundary(random.below(source.len().saturating_sub(2 * PIECE)));
            let end = source.floor_char_boundary(start + PIECE + random.below(PIECE));
            text += source[start..end].trim();
            text.push('\n');
        }
        text
    }
}

fn id(number: usize) -> String {
    format!("post-{number}")
}

fn created_at(number: usize) -> i64 {
    FIRST_CREATED + number as i64
}

/// The number of an earlier post that is no copy.
fn original_before(number: usize, random: &mut Random) -> usize {
    let earlier = random.below(number);
    earlier - usize::from(earlier % COPIES == COPIES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posts_stay_the_same_and_a_fifth_are_copies() {
        let posts = Posts::made();
        assert_eq!(posts.body(7), Posts::made().body(7));
        assert_ne!(posts.body(7), posts.body(8));
        for number in (COPIES - 1..500).step_by(COPIES) {
            let source = original_before(number, &mut Random::new(number as u64));
            assert!(source < number && source % COPIES != COPIES - 1);
            assert!(posts.body(number).starts_with(&posts.body(source)));
        }
    }
}
