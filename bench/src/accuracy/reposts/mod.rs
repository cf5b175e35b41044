//! Re-posts as they really happen, written by hand: for each language a table of originals, their re-posts
//! and the verdict a reader would give. Texts, names and addresses are invented; single-letter noise (zero-width,
//! look-alike, OCR) was inserted by a program.
//!
//! Every language has the same kinds under the same names. The tables hold data only; judging is up to the caller.

mod en;
mod ja;
mod ko;

/// How a re-post must be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A copy of the original.
    Duplicate,
    /// An original that names its source: the relation is `extended`, `quotes` or `excerpt`.
    SourceNamed,
    /// A different text.
    Unrelated,
}

/// An original and a text that came after it.
#[derive(Debug)]
pub struct Repost {
    /// Kind of change, unique within a language.
    pub name: &'static str,
    /// ISO 639-1 code: `ko`, `ja` or `en`.
    pub language: &'static str,
    /// Text that was published first.
    pub original: &'static str,
    /// Another original, if the re-post is merged from two.
    pub second_original: Option<&'static str>,
    /// Text that was published later.
    pub repost: &'static str,
    /// Verdict on the re-post.
    pub expected: Expected,
}

/// Lists the re-posts of all languages: Korean, Japanese, English.
pub fn all() -> impl Iterator<Item = &'static Repost> {
    [ko::CASES, ja::CASES, en::CASES].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const LANGUAGES: [&str; 3] = ["ko", "ja", "en"];

    /// Checks every re-post of this name, and that each language has one.
    fn check(name: &str, holds: impl Fn(&Repost) -> bool) {
        let cases: Vec<&Repost> = all().filter(|case| case.name == name).collect();
        assert_eq!(cases.len(), LANGUAGES.len(), "{name}");
        for case in cases {
            assert!(holds(case), "{} in {}", case.name, case.language);
        }
    }

    /// Counts characters other than white space.
    fn count_characters(text: &str) -> usize {
        text.chars().filter(|character| !character.is_whitespace()).count()
    }

    /// Returns the paragraphs in sorted order.
    fn sort_paragraphs(text: &str) -> Vec<&str> {
        let mut paragraphs: Vec<&str> = text.split("\n\n").collect();
        paragraphs.sort_unstable();
        paragraphs
    }

    /// Removes white space and the invisible characters of the zero-width cases.
    fn strip_invisible(text: &str) -> String {
        let invisible =
            |character: char| matches!(character, '\u{200b}' | '\u{200d}' | '\u{ad}' | '\u{2060}');
        text.chars().filter(|&character| !invisible(character) && !character.is_whitespace()).collect()
    }

    #[test]
    fn names_within_a_language_are_unique() {
        for language in LANGUAGES {
            let names: Vec<&str> =
                all().filter(|case| case.language == language).map(|case| case.name).collect();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{language}");
        }
    }

    #[test]
    fn every_language_has_the_same_names() {
        let names = |language| {
            all().filter(|case| case.language == language).map(|case| case.name).collect::<BTreeSet<_>>()
        };
        assert_eq!(names("ko"), names("ja"));
        assert_eq!(names("ko"), names("en"));
        assert!(all().all(|case| LANGUAGES.contains(&case.language)));
    }

    #[test]
    fn every_language_has_twelve_duplicates() {
        for language in LANGUAGES {
            let duplicates =
                all().filter(|case| case.language == language && case.expected == Expected::Duplicate);
            assert!(duplicates.count() >= 12, "{language}");
        }
    }

    #[test]
    fn no_original_equals_its_repost() {
        for case in all() {
            assert_ne!(case.original, case.repost, "{} in {}", case.name, case.language);
            assert_ne!(case.second_original, Some(case.repost), "{} in {}", case.name, case.language);
        }
    }

    #[test]
    fn no_two_cases_share_an_original() {
        let originals: BTreeSet<&str> = all().map(|case| case.original).collect();
        assert_eq!(originals.len(), all().count());
    }

    #[test]
    fn comment_in_front_leaves_four_fifths_to_the_original() {
        check("comment in front", |case| {
            case.repost.ends_with(case.original)
                && count_characters(case.original) * 5 >= count_characters(case.repost) * 4
        });
    }

    #[test]
    fn source_line_follows_the_whole_original() {
        check("source line at the end", |case| case.repost.contains(case.original));
    }

    #[test]
    fn reordered_paragraphs_are_those_of_the_original() {
        check("paragraphs reordered", |case| sort_paragraphs(case.original) == sort_paragraphs(case.repost));
    }

    #[test]
    fn merged_repost_holds_a_paragraph_of_each_original() {
        check("merged from two", |case| {
            let shares = |original: &str| original.split("\n\n").any(|part| case.repost.contains(part));
            shares(case.original) && case.second_original.is_some_and(shares)
        });
    }

    #[test]
    fn advertisements_add_at_most_fifteen_percent() {
        check("advertisements between", |case| {
            case.original.split("\n\n").all(|part| case.repost.contains(part))
                && count_characters(case.repost) * 100 <= count_characters(case.original) * 115
        });
    }

    #[test]
    fn truncated_repost_is_about_half_of_the_original() {
        check("truncated", |case| {
            let share = count_characters(case.repost) * 100 / count_characters(case.original);
            (40..=60).contains(&share)
        });
    }

    #[test]
    fn lyrics_keep_every_line() {
        check("lyrics with chords", |case| case.original.lines().all(|line| case.repost.contains(line)));
    }

    #[test]
    fn zero_width_repost_without_them_is_the_original() {
        check("zero-width characters", |case| strip_invisible(case.original) == strip_invisible(case.repost));
    }
}
