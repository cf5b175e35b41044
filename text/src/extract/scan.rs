//! Cuts markup into tags and text in one pass, without a tree and without memory of its own.
//! It knows where tags begin and end; what they mean is for its callers.

use memchr::{memchr, memmem};

/// A piece of markup.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "one piece at a time, never stored")]
pub(super) enum Piece<'a> {
    /// Text as written, character references unresolved.
    Text(&'a str),
    /// A start tag: its name as written and the attributes this crate reads.
    Start(&'a str, Attrs<'a>),
    /// An end tag: its name as written.
    End(&'a str),
}

/// The attributes read from a start tag, as written; the first of a name counts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attrs<'a> {
    pub(super) class: &'a str,
    pub(super) id: &'a str,
    pub(super) itemprop: &'a str,
    pub(super) role: &'a str,
    pub(super) rel: &'a str,
    pub(super) href: &'a str,
    pub(super) name: &'a str,
    pub(super) property: &'a str,
    pub(super) content: &'a str,
    pub(super) datetime: &'a str,
    pub(super) http_equiv: &'a str,
    pub(super) lang: &'a str,
    pub(super) kind: &'a str,
    pub(super) title: &'a str,
    pub(super) style: &'a str,
    pub(super) hidden: bool,
}

impl<'a> Attrs<'a> {
    fn set(&mut self, name: &str, value: &'a str) {
        let field = match name.len() {
            2 if name.eq_ignore_ascii_case("id") => &mut self.id,
            3 if name.eq_ignore_ascii_case("rel") => &mut self.rel,
            4 if name.eq_ignore_ascii_case("role") => &mut self.role,
            4 if name.eq_ignore_ascii_case("href") => &mut self.href,
            4 if name.eq_ignore_ascii_case("name") => &mut self.name,
            4 if name.eq_ignore_ascii_case("lang") => &mut self.lang,
            4 if name.eq_ignore_ascii_case("type") => &mut self.kind,
            5 if name.eq_ignore_ascii_case("class") => &mut self.class,
            5 if name.eq_ignore_ascii_case("title") => &mut self.title,
            5 if name.eq_ignore_ascii_case("style") => &mut self.style,
            6 if name.eq_ignore_ascii_case("hidden") => {
                self.hidden = !value.eq_ignore_ascii_case("false");
                return;
            }
            7 if name.eq_ignore_ascii_case("content") => &mut self.content,
            8 if name.eq_ignore_ascii_case("itemprop") => &mut self.itemprop,
            8 if name.eq_ignore_ascii_case("property") => &mut self.property,
            8 if name.eq_ignore_ascii_case("datetime") => &mut self.datetime,
            10 if name.eq_ignore_ascii_case("http-equiv") => &mut self.http_equiv,
            11 if name.eq_ignore_ascii_case("aria-hidden") => {
                self.hidden |= value.eq_ignore_ascii_case("true");
                return;
            }
            _ => return,
        };
        if field.is_empty() {
            *field = value;
        }
    }
}

/// A place in the markup from which pieces are read.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    html: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(html: &'a str) -> Self {
        Scanner { html, at: 0 }
    }

    fn bytes(&self) -> &'a [u8] {
        self.html.as_bytes()
    }

    /// The markup not yet read.
    pub(super) fn rest(&self) -> &'a str {
        &self.html[self.at..]
    }

    /// Moves past `len` bytes of the rest.
    pub(super) fn skip(&mut self, len: usize) {
        self.at += len;
    }

    /// The next piece, or nothing at the end.
    pub(super) fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let bytes = self.bytes();
            match bytes.get(self.at)? {
                b'<' => match bytes.get(self.at + 1) {
                    Some(b) if b.is_ascii_alphabetic() => return self.start_tag(),
                    Some(b'/') if bytes.get(self.at + 2).is_some_and(u8::is_ascii_alphabetic) => {
                        return self.end_tag();
                    }
                    Some(b'!' | b'?' | b'/') => self.comment(),
                    _ => return Some(self.text(self.at + 1)),
                },
                _ => return Some(self.text(self.at)),
            }
        }
    }

    /// Text up to the next `<` that can begin a tag, at or after `from`.
    fn text(&mut self, mut from: usize) -> Piece<'a> {
        let bytes = self.bytes();
        let end = loop {
            match memchr(b'<', &bytes[from..]) {
                None => break bytes.len(),
                Some(i) => match bytes.get(from + i + 1) {
                    Some(b) if b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?') => break from + i,
                    _ => from += i + 1,
                },
            }
        };
        let start = std::mem::replace(&mut self.at, end);
        Piece::Text(&self.html[start..end])
    }

    /// Moves past a comment, a declaration or what a browser takes for one.
    fn comment(&mut self) {
        let rest = &self.bytes()[self.at..];
        let len = if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment, so the end may overlap the beginning.
            memmem::find(&rest[2..], b"-->").map(|i| i + 5)
        } else {
            memchr(b'>', rest).map(|i| i + 1)
        };
        self.at += len.unwrap_or(rest.len());
    }

    fn end_tag(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest();
        let name = tag_name(&rest[2..]);
        self.at += memchr(b'>', rest.as_bytes()).map_or(rest.len(), |i| i + 1);
        Some(Piece::End(name))
    }

    fn start_tag(&mut self) -> Option<Piece<'a>> {
        let name = tag_name(&self.html[self.at + 1..]);
        self.at += 1 + name.len();
        let mut attrs = Attrs::default();
        while let Some((key, value)) = self.attribute() {
            attrs.set(key, value);
        }
        Some(Piece::Start(name, attrs))
    }

    /// The next attribute of the tag being read; moves past the `>` when there is none.
    fn attribute(&mut self) -> Option<(&'a str, &'a str)> {
        let bytes = self.bytes();
        let mut at = self.at;
        while at < bytes.len() && (bytes[at].is_ascii_whitespace() || bytes[at] == b'/') {
            at += 1;
        }
        if at >= bytes.len() || bytes[at] == b'>' {
            self.at = (at + 1).min(bytes.len());
            return None;
        }
        let key_start = at;
        at += 1;
        while at < bytes.len() && !matches!(bytes[at], b'=' | b'>' | b'/') && !bytes[at].is_ascii_whitespace()
        {
            at += 1;
        }
        let key = &self.html[key_start..at];
        let mut eq = at;
        while eq < bytes.len() && bytes[eq].is_ascii_whitespace() {
            eq += 1;
        }
        if bytes.get(eq) != Some(&b'=') {
            self.at = at;
            return Some((key, ""));
        }
        Some((key, self.value(eq + 1)))
    }

    /// The value of an attribute that begins at or after `at`.
    fn value(&mut self, mut at: usize) -> &'a str {
        let bytes = self.bytes();
        while at < bytes.len() && bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let (start, end) = match bytes.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let end = memchr(quote, &bytes[at + 1..]).map_or(bytes.len(), |i| at + 1 + i);
                self.at = (end + 1).min(bytes.len());
                (at + 1, end)
            }
            _ => {
                let mut end = at;
                while end < bytes.len() && bytes[end] != b'>' && !bytes[end].is_ascii_whitespace() {
                    end += 1;
                }
                self.at = end;
                (at, end)
            }
        };
        &self.html[start..end]
    }
}

/// The name a tag begins with.
fn tag_name(rest: &str) -> &str {
    let end =
        rest.bytes().position(|b| matches!(b, b'>' | b'/') || b.is_ascii_whitespace()).unwrap_or(rest.len());
    &rest[..end]
}

/// Where the end tag of `name` begins in `rest`, and where it ends; with `nested`, the one that
/// closes the element opened just before `rest`.
pub(super) fn find_end_tag(rest: &str, name: &str, nested: bool) -> Option<(usize, usize)> {
    let bytes = rest.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    loop {
        at += memchr(b'<', &bytes[at..])?;
        let closing = bytes.get(at + 1) == Some(&b'/');
        let from = at + 1 + usize::from(closing);
        if is_name_at(bytes, from, name) {
            if closing && depth == 0 {
                let end = memchr(b'>', &bytes[from..]).map_or(bytes.len(), |i| from + i + 1);
                return Some((at, end));
            }
            match (closing, nested) {
                (true, _) => depth -= 1,
                (false, true) => depth += 1,
                (false, false) => {}
            }
        }
        at = from;
    }
}

fn is_name_at(bytes: &[u8], at: usize, name: &str) -> bool {
    bytes.get(at..at + name.len()).is_some_and(|b| b.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(at + name.len()).is_none_or(|b| matches!(b, b'>' | b'/') || b.is_ascii_whitespace())
}
