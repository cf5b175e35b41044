//! What a page says about itself: title, address, date, author, language. The most deliberate
//! statement wins: structured data before meta tags before what merely stands on the page.

use serde_json::Value;

use super::dates::parse_date;
use super::marks::Marks;
use super::own_title::Said;
use super::scan::Attrs;
use super::tree::Tree;

/// Structured data longer than this is a catalogue, not a post.
const MAX_JSON: usize = 1 << 20;
/// Longest value kept of a declaration.
const MAX_VALUE: usize = 2_000;
/// Most titles kept; pages give themselves four at most.
const MAX_TITLES: usize = 8;
/// Most names of the site kept, and the longest; links to the front page stand in most frames.
const MAX_SITES: usize = 12;
const MAX_SITE: usize = 120;

/// A value and how deliberate the statement was; the first of the most deliberate wins.
#[derive(Debug)]
struct Best<T> {
    found: Option<(u8, T)>,
}

impl<T> Default for Best<T> {
    fn default() -> Self {
        Best { found: None }
    }
}

impl<T> Best<T> {
    fn offer(&mut self, rank: u8, value: Option<T>) {
        if let Some(value) = value
            && self.found.as_ref().is_none_or(|(old, _)| rank > *old)
        {
            self.found = Some((rank, value));
        }
    }

    fn into_value(self) -> Option<T> {
        self.found.map(|(_, value)| value)
    }
}

/// The statements seen so far, as written.
#[derive(Debug, Default)]
pub(super) struct Declared {
    /// Every title the page gives itself, and how deliberately.
    titles: Vec<(u8, String)>,
    /// What the site calls itself.
    sites: Vec<String>,
    canonical_url: Best<String>,
    created_at: Best<i64>,
    author: Best<String>,
    language: Best<String>,
}

/// The statements, settled.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) said: Said,
    pub(super) canonical_url: Option<String>,
    pub(super) created_at: Option<i64>,
    pub(super) author: Option<String>,
    pub(super) language: Option<String>,
}

impl Declared {
    /// A `<meta>` tag.
    pub(super) fn meta(&mut self, attrs: &Attrs<'_>) {
        let key = [attrs.property, attrs.name, attrs.itemprop, attrs.http_equiv]
            .into_iter()
            .find(|k| !k.is_empty());
        let (key, value) = (key.unwrap_or_default().to_ascii_lowercase(), attrs.content);
        match key.as_str() {
            "article:published_time" | "og:article:published_time" => self.date(8, value),
            "datepublished" | "date.issued" | "dc.date.issued" | "dcterms.created" | "parsely-pub-date"
            | "sailthru.date" | "pubdate" | "publish_date" | "publish-date" | "article.published" => {
                self.date(6, value)
            }
            "datecreated" | "date" | "dc.date" | "dcterms.date" | "og:regdate" | "regdate" => {
                self.date(5, value)
            }
            "og:title" => self.title_of(6, value),
            "headline" => self.title_of(5, value),
            "twitter:title" | "dc.title" => self.title_of(4, value),
            "og:site_name" | "application-name" | "apple-mobile-web-app-title" => self.site(value),
            "og:url" => self.canonical_url.offer(4, decode(value)),
            "author" | "dc.creator" | "article:author_name" | "parsely-author" => {
                self.author.offer(5, decode(value))
            }
            "article:author" | "og:article:author" | "twitter:creator" | "dable:author"
                if !value.starts_with("http") =>
            {
                self.author.offer(3, decode(value));
            }
            "og:locale" => self.language.offer(2, decode(value).map(|v| v.replace('_', "-"))),
            "content-language" | "language" => self.language.offer(3, decode(value)),
            _ => {}
        }
    }

    /// A `<link>` tag.
    pub(super) fn link(&mut self, attrs: &Attrs<'_>) {
        if attrs.rel.split_ascii_whitespace().any(|r| r.eq_ignore_ascii_case("canonical")) {
            self.canonical_url.offer(8, decode(attrs.href));
        }
    }

    /// The `lang` of the page.
    pub(super) fn lang(&mut self, raw: &str) {
        self.language.offer(8, decode(raw));
    }

    /// The text of `<title>`.
    pub(super) fn title(&mut self, raw: &str) {
        self.title_of(2, raw);
    }

    /// A `<time>` element.
    pub(super) fn time(&mut self, attrs: &Attrs<'_>) {
        let rank = if attrs.itemprop == "datePublished" || attrs.class.contains("published") { 4 } else { 2 };
        self.date(rank, attrs.datetime);
    }

    /// An `<abbr>`, which carries the date in the microformat of older blogs.
    pub(super) fn abbreviation(&mut self, attrs: &Attrs<'_>) {
        if attrs.class.contains("published") {
            self.date(4, attrs.title);
        }
    }

    /// An element whose names say what it holds.
    pub(super) fn marked(&mut self, marks: Marks, attrs: &Attrs<'_>) {
        if marks.any(Marks::META) && attrs.itemprop == "datePublished" {
            self.date(6, attrs.content);
        }
    }

    /// A block of structured data.
    pub(super) fn json_ld(&mut self, raw: &str) {
        if raw.len() > MAX_JSON {
            return;
        }
        if let Ok(value) = serde_json::from_str::<Value>(raw.trim()) {
            self.json_value(&value, 0);
        }
    }

    fn json_value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Array(items) if depth < 4 => items.iter().for_each(|v| self.json_value(v, depth + 1)),
            Value::Object(object) => {
                if is_post(object.get("@type")) {
                    self.json_post(object);
                }
                for key in ["@graph", "mainEntity"] {
                    if let Some(inner) = object.get(key).filter(|_| depth < 4) {
                        self.json_value(inner, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn json_post(&mut self, post: &serde_json::Map<String, Value>) {
        let text = |key: &str| post.get(key).and_then(Value::as_str).unwrap_or_default();
        self.date(9, text("datePublished"));
        self.date(7, text("dateCreated"));
        self.title_of(8, text("headline"));
        if let Some(site) = post.get("publisher").and_then(json_name) {
            self.site(&site);
        }
        self.author.offer(8, post.get("author").and_then(json_name));
        self.canonical_url.offer(2, decode(text("url")));
        self.language.offer(4, decode(text("inLanguage")));
    }

    fn date(&mut self, rank: u8, raw: &str) {
        self.created_at.offer(rank, parse_date(raw));
    }

    fn title_of(&mut self, rank: u8, raw: &str) {
        if let Some(title) = decode(raw)
            && self.titles.len() < MAX_TITLES
        {
            self.titles.push((rank, title));
        }
    }

    /// A name of the site: declared, or what stands in a link to its front page.
    pub(super) fn site(&mut self, raw: &str) {
        if self.sites.len() < MAX_SITES && raw.len() <= MAX_SITE {
            self.sites.extend(decode(raw));
        }
    }

    /// The winners.
    pub(super) fn settle(mut self) -> Settled {
        self.titles.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        let titles = self.titles.into_iter().map(|(_, title)| title).collect();
        let canonical_url = self.canonical_url.into_value();
        Settled {
            said: Said { titles, sites: self.sites, url: canonical_url.clone() },
            canonical_url,
            created_at: self.created_at.into_value(),
            author: self.author.into_value(),
            language: self.language.into_value(),
        }
    }
}

fn is_post(kind: Option<&Value>) -> bool {
    let is = |v: &Value| {
        v.as_str().is_some_and(|k| {
            k.contains("Article") || k.contains("Posting") || k == "WebPage" || k == "Product"
        })
    };
    match kind {
        Some(Value::Array(kinds)) => kinds.iter().any(is),
        Some(kind) => is(kind),
        None => false,
    }
}

/// The name of a person or of the first of several.
fn json_name(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => decode(name).filter(|n| !n.starts_with("http")),
        Value::Array(people) => people.first().filter(|p| !p.is_array()).and_then(json_name),
        Value::Object(person) => person.get("name").filter(|n| n.is_string()).and_then(json_name),
        _ => None,
    }
}

/// A value with character references resolved and white space collapsed; nothing when empty.
fn decode(raw: &str) -> Option<String> {
    let mut end = raw.len().min(MAX_VALUE);
    while !raw.is_char_boundary(end) {
        end -= 1;
    }
    let raw = &raw[..end];
    let text = if raw.contains('&') {
        let tree = Tree::parse(&raw.replace('<', "&lt;"));
        tree.text(0)
    } else {
        raw.to_owned()
    };
    let text = text.replace('\0', "").split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
