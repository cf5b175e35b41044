//! How is one thing shown, wherever it stands: a document's name, a day, a language, a share, a box that scrolls.

use super::document_link;
use firstcopy_engine::Member;
use firstcopy_report::{escaped, link, percent};

/// Characters of a name that a list shows.
const NAME: usize = 120;
/// Characters from which a language is told when none is declared.
const GLANCE: usize = 400;

/// A text of at most so many characters, with a sign if there were more.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The first so many characters, and whether there are more.
pub fn cut(text: &str, most: usize) -> (&str, bool) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], true),
        None => (text, false),
    }
}

/// The day of a time in RFC 3339.
pub fn day(time: &str) -> String {
    let (time, day) = (escaped(time), escaped(time.get(..10).unwrap_or(time)));
    format!("<time datetime=\"{time}\">{day}</time>")
}

/// The minute of a time in RFC 3339.
pub fn minute(time: &str) -> String {
    let short = match (time.get(..10), time.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute}"),
        _ => time.to_owned(),
    };
    format!("<time datetime=\"{}\">{}</time>", escaped(time), escaped(&short))
}

/// The attribute that says in which language a text is: as declared, else by its script. Empty if neither tells.
pub fn language(declared: Option<&str>, text: &str) -> String {
    let is_tag = |tag: &&str| {
        let parts_are_short = tag.split('-').all(|part| (1..=8).contains(&part.len()));
        (2..=35).contains(&tag.len())
            && parts_are_short
            && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let declared = declared.map(|tag| tag.replace('_', "-"));
    let tag = declared.as_deref().filter(is_tag).or_else(|| by_script(text));
    tag.map(|tag| format!(" lang=\"{tag}\"")).unwrap_or_default()
}

/// Hangul is Korean, Kana is Japanese: fonts draw the characters that both share with Chinese differently.
fn by_script(text: &str) -> Option<&'static str> {
    text.chars().take(GLANCE).find_map(|character| match character {
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' => Some("ko"),
        '\u{3041}'..='\u{30ff}' => Some("ja"),
        _ => None,
    })
}

/// A text in its own language.
pub fn in_its_language(declared: Option<&str>, text: &str) -> String {
    format!("<span{}>{}</span>", language(declared, text), escaped(text))
}

/// A share as a percentage.
pub fn share(part: f64) -> String {
    format!("{} %", percent(part))
}

/// A box that scrolls by itself if what is in it is wide, by keyboard too.
pub fn wide(label: &str, content: &str) -> String {
    format!(
        "<div class=\"wide\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">{content}</div>",
        escaped(label)
    )
}

/// Where the list goes on; nothing if it is all there is.
pub fn paging(label: &str, links: &[Option<String>]) -> String {
    let links: String = links.iter().flatten().map(String::as_str).collect();
    match links.is_empty() {
        true => links,
        false => format!("<nav class=\"paging\" aria-label=\"{}\">{links}</nav>", escaped(label)),
    }
}

/// What a document is called in lists: its title, else its id.
pub fn name(title: Option<&str>, id: &str) -> String {
    shortened(title.filter(|title| !title.trim().is_empty()).unwrap_or(id), NAME)
}

/// A link to a member of a group, by its name.
pub fn member_link(member: &Member) -> String {
    let name = name(member.title.as_deref(), &member.id);
    format!(
        "<span{}>{}</span>",
        language(member.language.as_deref(), &name),
        document_link(&member.id, &name)
    )
}

/// A web address of strangers, short.
pub fn address(url: &str) -> String {
    link(url, &shortened(url, NAME))
}

/// A number with its thousands apart.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// So many of a thing.
pub fn many(number: u64, one: &str, more: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { more })
}

/// Bytes as people say them.
pub fn bytes(number: u64) -> String {
    let steps = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let number = number as f64;
    steps
        .into_iter()
        .find(|(size, _)| number >= *size)
        .map_or_else(|| format!("{number} bytes"), |(size, name)| format!("{:.1} {name}", number / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_tags_or_nothing() {
        for (declared, text, expected) in [
            (Some("ko-KR"), "", " lang=\"ko-KR\""),
            (Some("en_US"), "가", " lang=\"en-US\""),
            (Some("\"><script>"), "plain", ""),
            (Some("x"), "가을", " lang=\"ko\""),
            (None, "朝の港", " lang=\"ja\""),
            (None, "plain", ""),
        ] {
            assert_eq!(language(declared, text), expected, "{declared:?} {text}");
        }
    }

    #[test]
    fn numbers_as_people_say_them() {
        assert_eq!(
            [thousands(0), thousands(999), thousands(1000), thousands(1234567)],
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!([bytes(7), bytes(1500), bytes(2_500_000_000)], ["7 bytes", "1.5 kB", "2.5 GB"]);
        assert_eq!([many(1, "copy", "copies"), many(2, "copy", "copies")], ["1 copy", "2 copies"]);
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(
            (shortened("가나다", 2), shortened("가나다", 3)),
            ("가나…".to_owned(), "가나다".to_owned())
        );
        assert_eq!((cut("가나다", 2), cut("", 2)), (("가나", true), ("", false)));
        assert_eq!(day("not a date"), "<time datetime=\"not a date\">not a date</time>");
    }
}
