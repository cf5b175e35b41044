//! Makes markup safe and small before a tree is built: one linear pass that drops what is not read,
//! balances the tags, caps depth and size, and collects what the page declares about itself.
//!
//! The parser's time grows with the square of the depth and of unclosed formatting elements, so
//! neither reaches it: formatting tags are unwrapped, links become wrappers around each piece of
//! their text, every tag that is passed on is closed.

use memchr::memchr2_iter;

use super::declared::Declared;
use super::marks::Marks;
use super::scan::{Attrs, Piece, Scanner, find_end_tag};
use super::tag::{Fate, Tag, fate};

/// Deepest nesting passed on to the parser.
const MAX_DEPTH: usize = 512;
/// Longest markup read; the largest real pages are a tenth of this.
const MAX_BYTES: usize = 32 << 20;
/// Most elements passed on; the largest real pages have a tenth of this.
const MAX_ELEMENTS: usize = 1 << 18;
/// Most character references resolved; each is slow.
const MAX_REFERENCES: usize = 1 << 18;
/// Longer names are no element we know.
const MAX_NAME: usize = 32;

/// Markup that is safe to parse, and what was learnt on the way.
#[derive(Debug, Default)]
pub(super) struct Tidied {
    pub(super) markup: String,
    pub(super) declared: Declared,
    pub(super) warnings: Vec<String>,
}

/// Tidies the markup of a page.
pub(super) fn tidy(html: &str) -> Tidied {
    let (html, was_cut) = cut(html);
    let mut pass = Pass::new(html);
    pass.run();
    pass.close_to(0);
    let mut warnings = Vec::new();
    if was_cut {
        warnings.push(format!("the page is longer than {MAX_BYTES} bytes: its end was not read"));
    }
    if pass.too_deep > 0 {
        warnings.push(format!("{} elements deeper than {MAX_DEPTH} were unwrapped", pass.too_deep));
    }
    if pass.elements > MAX_ELEMENTS {
        warnings.push(format!("elements after the first {MAX_ELEMENTS} were unwrapped"));
    }
    if pass.references > MAX_REFERENCES {
        warnings.push(format!("character references after the first {MAX_REFERENCES} were not resolved"));
    }
    Tidied { markup: pass.out, declared: pass.declared, warnings }
}

fn cut(html: &str) -> (&str, bool) {
    if html.len() <= MAX_BYTES {
        return (html, false);
    }
    let mut end = MAX_BYTES;
    while !html.is_char_boundary(end) {
        end -= 1;
    }
    (&html[..end], true)
}

/// An element whose end tag is awaited.
#[derive(Clone, Copy)]
struct Open {
    tag: Tag,
    /// Whether the parser has seen its start tag.
    passed_on: bool,
}

struct Pass<'a> {
    scanner: Scanner<'a>,
    out: String,
    open: Vec<Open>,
    /// Start tags dropped above the current place whose end tags must go as well.
    swallowed: usize,
    /// Names of skipped elements whose end was looked for and is not there.
    unclosed: Vec<String>,
    in_pre: usize,
    in_link: bool,
    /// Whether the open link leads to the front page of the site.
    in_home: bool,
    references: usize,
    elements: usize,
    too_deep: usize,
    declared: Declared,
}

impl<'a> Pass<'a> {
    fn new(html: &'a str) -> Self {
        Pass {
            scanner: Scanner::new(html),
            out: String::with_capacity(html.len() / 4),
            open: Vec::new(),
            swallowed: 0,
            unclosed: Vec::new(),
            in_pre: 0,
            in_link: false,
            in_home: false,
            references: 0,
            elements: 0,
            too_deep: 0,
            declared: Declared::default(),
        }
    }

    fn run(&mut self) {
        self.out.push_str("<!DOCTYPE html><body>");
        while let Some(piece) = self.scanner.next() {
            match piece {
                Piece::Text(text) => self.text(text),
                Piece::Start(name, attrs) => self.start(name, &attrs),
                Piece::End(name) => self.end(name),
            }
        }
    }

    fn text(&mut self, text: &str) {
        let is_blank = text.bytes().all(|b| b.is_ascii_whitespace());
        if !self.in_link || is_blank || self.elements >= MAX_ELEMENTS {
            self.plain_text(text);
            return;
        }
        if self.in_home {
            self.declared.site(text);
        }
        self.elements += 1;
        self.out.push_str("<x-a>");
        self.plain_text(text);
        self.out.push_str("</x-a>");
    }

    /// Passes text on; references beyond any real page lose their `&` and are not resolved.
    fn plain_text(&mut self, text: &str) {
        self.references += memchr2_iter(b'&', b'<', text.as_bytes()).count();
        if self.references <= MAX_REFERENCES {
            self.out.push_str(text);
        } else {
            self.out.extend(text.chars().map(|c| if matches!(c, '&' | '<') { ' ' } else { c }));
        }
    }

    fn line_break(&mut self) {
        self.elements += 1;
        self.out.push_str(if self.elements <= MAX_ELEMENTS { "<br>" } else { " " });
    }

    fn start(&mut self, name: &str, attrs: &Attrs<'a>) {
        let mut buffer = [0; MAX_NAME];
        let name = lower(name, &mut buffer);
        match name {
            "meta" => self.declared.meta(attrs),
            "link" => self.declared.link(attrs),
            "abbr" => self.declared.abbreviation(attrs),
            "html" | "body" => self.declared.lang(attrs.lang),
            "br" => self.line_break(),
            "a" => {
                self.in_link = !attrs.href.is_empty();
                self.in_home = is_home(attrs.href);
            }
            _ => match fate(name) {
                Fate::Keep => self.open(Tag::of(name), attrs),
                Fate::Unwrap => {}
                Fate::Skip => self.skip(name, true, attrs),
                Fate::SkipRaw => self.skip(name, false, attrs),
            },
        }
    }

    /// Moves past an element and all it holds, unless it never ends.
    fn skip(&mut self, name: &str, nested: bool, attrs: &Attrs<'a>) {
        if self.unclosed.iter().any(|n| n == name) {
            return;
        }
        let rest = self.scanner.rest();
        match find_end_tag(rest, name, nested) {
            Some((end, next)) => {
                match name {
                    "title" => self.declared.title(&rest[..end]),
                    "script" if attrs.kind.contains("ld+json") => self.declared.json_ld(&rest[..end]),
                    _ => {}
                }
                self.scanner.skip(next);
            }
            // A browser takes the rest of the page for program text as well.
            None if matches!(name, "script" | "style") => self.scanner.skip(rest.len()),
            None => self.unclosed.push(name.to_owned()),
        }
    }

    fn open(&mut self, tag: Tag, attrs: &Attrs<'a>) {
        if !self.make_room(tag) {
            self.out.push(' ');
            return;
        }
        if tag == Tag::Hr {
            self.out.push_str("<hr>");
            return;
        }
        if tag == Tag::Time {
            self.declared.time(attrs);
        }
        if self.open.len() >= MAX_DEPTH {
            self.swallowed += 1;
            self.too_deep += 1;
            self.out.push(' ');
            return;
        }
        let marks = if tag.is_heading() {
            // Generators make the id of a heading from its words, which say nothing about the frame.
            Marks::of(&Attrs { id: "", ..*attrs })
        } else {
            Marks::of(attrs)
        };
        self.declared.marked(marks, attrs);
        self.elements += 1;
        let says_nothing = matches!(tag, Tag::Span | Tag::Time)
            && (marks == Marks::default() || self.in_pre > 0 && !marks.any(Marks::GUTTER));
        let passed_on = !says_nothing && self.elements <= MAX_ELEMENTS;
        if passed_on {
            self.write_start(tag, marks);
        } else if tag.is_block() {
            self.out.push(' ');
        }
        self.in_pre += usize::from(tag == Tag::Pre);
        self.open.push(Open { tag, passed_on });
    }

    fn write_start(&mut self, tag: Tag, marks: Marks) {
        self.out.push('<');
        self.out.push_str(tag.name());
        if marks != Marks::default() {
            self.out.push_str(" m=");
            self.out.push_str(&marks.bits().to_string());
        }
        self.out.push('>');
    }

    /// Closes what a start tag ends without saying so; false when it has no place here.
    fn make_room(&mut self, tag: Tag) -> bool {
        if tag.is_table_part() {
            return self.make_room_in_table(tag);
        }
        match tag {
            Tag::Li => self.close_item(|t| t == Tag::Li),
            Tag::Dt | Tag::Dd => self.close_item(|t| matches!(t, Tag::Dt | Tag::Dd)),
            Tag::Table if self.open.last().is_some_and(|o| is_between_cells(o.tag)) => self.close(Tag::Table),
            _ => {}
        }
        if tag.closes_paragraph() {
            self.close_inline(Tag::P);
        }
        if tag.is_heading() && self.open.last().is_some_and(|o| o.tag.is_heading()) {
            self.close_to(self.open.len() - 1);
        }
        true
    }

    fn make_room_in_table(&mut self, tag: Tag) -> bool {
        let parents: &[Tag] = match tag {
            Tag::Td | Tag::Th => &[Tag::Table, Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Tr],
            Tag::Tr => &[Tag::Table, Tag::Tbody, Tag::Thead, Tag::Tfoot],
            _ => &[Tag::Table],
        };
        match self.open.iter().rposition(|o| parents.contains(&o.tag)) {
            Some(i) => {
                self.close_to(i + 1);
                true
            }
            None => false,
        }
    }

    /// Closes the list item that another item ends.
    fn close_item(&mut self, is_item: impl Fn(Tag) -> bool) {
        for i in (0..self.open.len()).rev() {
            let tag = self.open[i].tag;
            if is_item(tag) {
                return self.close_to(i);
            }
            if tag.is_block() && !matches!(tag, Tag::Address | Tag::Div | Tag::P) {
                return;
            }
        }
    }

    /// Closes an element if only inline elements stand open inside it.
    fn close_inline(&mut self, tag: Tag) {
        for i in (0..self.open.len()).rev() {
            let open = self.open[i].tag;
            if open == tag {
                return self.close_to(i);
            }
            if open.is_block() {
                return;
            }
        }
    }

    fn end(&mut self, name: &str) {
        let mut buffer = [0; MAX_NAME];
        let name = lower(name, &mut buffer);
        if fate(name) != Fate::Keep {
            return;
        }
        match Tag::of(name) {
            Tag::Br => self.line_break(),
            Tag::Html | Tag::Body | Tag::Hr => {}
            Tag::A => (self.in_link, self.in_home) = (false, false),
            _ if self.swallowed > 0 => {
                self.swallowed -= 1;
                self.out.push(' ');
            }
            tag => self.close(tag),
        }
    }

    /// Closes the element an end tag names, where a browser would.
    fn close(&mut self, tag: Tag) {
        for i in (0..self.open.len()).rev() {
            let open = self.open[i].tag;
            if open == tag || open.is_heading() && tag.is_heading() {
                return self.close_to(i);
            }
            let stops = match tag {
                Tag::Table => false,
                _ if tag.is_table_part() => open == Tag::Table,
                _ if tag.is_block() => open.is_scope(),
                _ => open.is_block(),
            };
            if stops {
                return;
            }
        }
    }

    /// Closes all elements from the `depth`th on.
    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(open) = self.open.pop() else { return };
            self.in_pre -= usize::from(open.tag == Tag::Pre);
            if open.passed_on {
                self.out.push_str("</");
                self.out.push_str(open.tag.name());
                self.out.push('>');
            } else if open.tag.is_block() {
                self.out.push(' ');
            }
        }
    }
}

fn is_between_cells(tag: Tag) -> bool {
    matches!(tag, Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr)
}

/// Whether an address is the front page of a site.
fn is_home(href: &str) -> bool {
    let rest = href.split_once("//").map_or(href, |(_, rest)| rest.find('/').map_or("/", |i| &rest[i..]));
    matches!(rest, "/" | "./" | "../" | "/index.html" | "index.html" | "./index.html" | "/index.php")
}

/// The name in lower case; a name too long to be known is none.
fn lower<'b>(name: &str, buffer: &'b mut [u8; MAX_NAME]) -> &'b str {
    let Some(buffer) = buffer.get_mut(..name.len()) else { return "" };
    buffer.copy_from_slice(name.as_bytes());
    buffer.make_ascii_lowercase();
    std::str::from_utf8(buffer).unwrap_or_default()
}
