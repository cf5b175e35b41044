//! The elements core text knows about, and what becomes of each before a tree is built.

/// What the tidy pass does with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Passed on to the parser.
    Keep,
    /// The tag goes, what it holds stays: it says nothing about structure.
    Unwrap,
    /// The tag goes with all it holds: nothing a reader reads.
    Skip,
    /// As `Skip`, and what it holds is not markup: it ends at the first end tag of its name.
    SkipRaw,
}

macro_rules! tags {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// An element by name; what has no part in core text is `Other`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Tag { $($variant,)* Other }

        impl Tag {
            /// The tag of a lower-case name.
            pub(super) fn of(name: &str) -> Tag {
                match name { $($name => Tag::$variant,)* _ => Tag::Other }
            }

            /// The name passed on to the parser.
            pub(super) fn name(self) -> &'static str {
                match self { $(Tag::$variant => $name,)* Tag::Other => "span" }
            }
        }
    };
}

// `Link` is never written by a page: the tidy pass wraps each piece of linked text in it, because the
// parser re-opens an unclosed `<a>` in every later block.
tags! {
    A "a", Address "address", Article "article", Aside "aside", Blockquote "blockquote", Body "body",
    Br "br", Caption "caption", Center "center", Dd "dd", Details "details", Div "div", Dl "dl",
    Dt "dt", Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Footer "footer",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Header "header", Hr "hr", Html "html",
    Li "li", Link "x-a", Main "main", Menu "menu", Nav "nav", Ol "ol", P "p",
    Pre "pre", Section "section", Span "span", Summary "summary", Table "table", Tbody "tbody",
    Td "td", Tfoot "tfoot", Th "th", Thead "thead", Time "time", Tr "tr", Ul "ul",
}

impl Tag {
    /// Whether the element stands on lines of its own.
    pub(super) fn is_block(self) -> bool {
        !matches!(self, Tag::A | Tag::Link | Tag::Span | Tag::Time | Tag::Br | Tag::Other)
    }

    /// Whether an end tag of another element does not reach past this one.
    pub(super) fn is_scope(self) -> bool {
        matches!(self, Tag::Table | Tag::Td | Tag::Th | Tag::Caption)
    }

    /// Whether this is part of a table and closes what is open inside the table.
    pub(super) fn is_table_part(self) -> bool {
        matches!(self, Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th | Tag::Caption)
    }

    /// Whether this is a heading.
    pub(super) fn is_heading(self) -> bool {
        matches!(self, Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
    }

    /// Whether a start tag of this element ends an open paragraph.
    pub(super) fn closes_paragraph(self) -> bool {
        self.is_block() && !self.is_table_part()
    }
}

/// What becomes of an element, by its lower-case name.
pub(super) fn fate(name: &str) -> Fate {
    match name {
        "script" | "style" | "iframe" | "noframes" | "noembed" | "noscript" | "textarea" | "title" => {
            Fate::SkipRaw
        }
        "svg" | "template" | "select" | "object" | "video" | "audio" | "canvas" | "button" | "applet"
        | "map" | "datalist" | "annotation" | "annotation-xml" | "dialog" | "rt" | "rp" => Fate::Skip,
        "amp-ad"
        | "amp-sticky-ad"
        | "amp-embed"
        | "amp-sidebar"
        | "amp-social-share"
        | "amp-consent"
        | "amp-user-notification"
        | "amp-analytics" => Fate::Skip,
        _ if Tag::of(name) != Tag::Other || name.contains('-') => Fate::Keep,
        _ => Fate::Unwrap,
    }
}
