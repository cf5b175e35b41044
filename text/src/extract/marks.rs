//! What the names an author gave an element (class, id, itemprop, role) say about its part in the
//! page. General vocabulary of themes and microdata only: never the name of a site.

use super::scan::Attrs;

/// A set of hints about an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks(u16);

impl Marks {
    /// Part of the frame: menus, side bars, sharing, related posts, advertising.
    pub(super) const FRAME: Marks = Marks(1);
    /// As `FRAME`, by a name that is hardly ever given to anything else.
    pub(super) const STRONG: Marks = Marks(1024);
    /// What stands below a picture.
    pub(super) const CAPTION: Marks = Marks(2048);
    /// What readers wrote below the post.
    pub(super) const COMMENTS: Marks = Marks(2);
    /// The container of the text itself.
    pub(super) const BODY: Marks = Marks(4);
    /// One post with its heading and footer.
    pub(super) const ENTRY: Marks = Marks(8);
    /// Not shown.
    pub(super) const HIDDEN: Marks = Marks(16);
    /// Line numbers beside code.
    pub(super) const GUTTER: Marks = Marks(32);
    /// The title of the post.
    pub(super) const TITLE: Marks = Marks(64);
    /// Date, author, categories of the post.
    pub(super) const META: Marks = Marks(128);
    /// What one person wrote in a thread.
    pub(super) const POST: Marks = Marks(256);
    /// The container of the text, in microdata: rarely wrong.
    pub(super) const ARTICLE_BODY: Marks = Marks(512);

    /// A list of what the text below or the pages behind it hold.
    pub(super) const CONTENTS: Marks = Marks(4096);
    /// The main part of the page.
    pub(super) const MAIN: Marks = Marks(8192);
    /// `FRAME` or `COMMENTS` by the id alone: in a long text that is an anchor, made from the words below it.
    pub(super) const ANCHOR: Marks = Marks(16384);

    /// Whether any of `other` is set.
    pub(super) fn any(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets together.
    pub(super) fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The set as a number, to travel through the parser as an attribute.
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// The set of a number.
    pub(super) fn from_bits(bits: u16) -> Marks {
        Marks(bits)
    }

    /// What the attributes of an element say.
    pub(super) fn of(attrs: &Attrs<'_>) -> Marks {
        let mut marks = Marks::default();
        if attrs.hidden || is_hidden_style(attrs.style) || is_hidden_class(attrs.class) {
            marks = marks.with(Marks::HIDDEN);
        }
        marks = marks.with(of_role(attrs.role));
        for itemprop in attrs.itemprop.split_ascii_whitespace().take(MAX_TOKENS) {
            marks = marks.with(of_itemprop(itemprop));
        }
        for token in attrs.class.split_ascii_whitespace().take(MAX_TOKENS) {
            marks = marks.with(of_token(token));
        }
        let by_id = of_token(attrs.id);
        if !marks.any(Marks::FRAME.with(Marks::COMMENTS)) && is_anchor(attrs.id, by_id) {
            marks = marks.with(Marks::ANCHOR);
        }
        marks.with(by_id)
    }
}

/// Class lists longer than this are generated, and say no more in their tail.
const MAX_TOKENS: usize = 24;
/// Names longer than this are hashes or sentences.
const MAX_NAME: usize = 64;

fn is_hidden_style(style: &str) -> bool {
    let mut rest = style;
    while let Some(i) = rest.find("display") {
        let value = rest[i + 7..].trim_start();
        if value.strip_prefix(':').is_some_and(|v| v.trim_start().starts_with("none")) {
            return true;
        }
        rest = &rest[i + 7..];
    }
    false
}

/// Whether the classes of common style sheets hide an element on screens of every width.
fn is_hidden_class(class: &str) -> bool {
    let mut tokens = class.split_ascii_whitespace().take(MAX_TOKENS);
    // `hidden md:block` is shown on wide screens.
    let is_shown_again = |token: &str| token.contains(':') && !token.ends_with(":hidden");
    tokens.clone().any(|token| matches!(token, "hidden" | "visually-hidden")) && !tokens.any(is_shown_again)
}

fn of_itemprop(itemprop: &str) -> Marks {
    match itemprop {
        "articleBody" => Marks::BODY.with(Marks::ARTICLE_BODY),
        "text" | "reviewBody" => Marks::BODY,
        "blogPost" => Marks::ENTRY,
        "headline" => Marks::TITLE,
        "comment" => Marks::COMMENTS,
        "author" | "datePublished" | "dateModified" | "publisher" | "keywords" | "interactionStatistic" => {
            Marks::META
        }
        "breadcrumb" => Marks::FRAME,
        _ => Marks::default(),
    }
}

fn of_role(role: &str) -> Marks {
    match role {
        "navigation" | "banner" | "contentinfo" | "search" | "dialog" | "alertdialog" | "complementary"
        | "menu" | "menubar" | "toolbar" | "tablist" | "doc-toc" | "alert" => {
            Marks::FRAME.with(Marks::STRONG)
        }
        "main" => Marks::MAIN,
        _ => Marks::default(),
    }
}

/// Whether an id that reads like frame may be the anchor of a section; a numbered comment is none.
fn is_anchor(id: &str, by_id: Marks) -> bool {
    by_id.any(Marks::FRAME) || by_id.any(Marks::COMMENTS) && !id.ends_with(|c: char| c.is_ascii_digit())
}

/// What one class or id says.
fn of_token(token: &str) -> Marks {
    if token.is_empty() || token.len() > MAX_NAME || !token.is_ascii() {
        return Marks::default();
    }
    let token = token.trim_start_matches("js-").trim_start_matches("js_");
    // Page builders call every box a widget.
    if token.starts_with("elementor") {
        return Marks::default();
    }
    let mut words = Words::default();
    words.split(token);
    let joined = of_joined(words.joined());
    if joined != Marks::default() {
        return joined;
    }
    if words.iter().any(is_negation) {
        return Marks::default();
    }
    let mut marks = Marks::default();
    for word in words.iter() {
        // Generated names (`hJpAdS`) fall into short words that mean nothing.
        if word.len() > 3 || !words.is_camel {
            marks = marks.with(of_word(word));
        }
    }
    marks = marks.with(of_word(words.joined()));
    if marks == Marks::default() && BODY_ENDINGS.iter().any(|ending| words.joined().ends_with(ending)) {
        marks = Marks::BODY;
    }
    marks
}

/// How names end that call an element the text, whatever prefix the style sheet wants.
const BODY_ENDINGS: [&str; 6] =
    ["entrycontent", "postcontent", "articlebody", "articlecontent", "postbody", "storybody"];

/// A name cut into its lower-case words, at separators and where case changes.
struct Words {
    letters: [u8; MAX_NAME],
    ends: [u8; MAX_NAME],
    len: usize,
    count: usize,
    is_camel: bool,
}

impl Default for Words {
    fn default() -> Self {
        Words { letters: [0; MAX_NAME], ends: [0; MAX_NAME], len: 0, count: 0, is_camel: false }
    }
}

impl Words {
    fn split(&mut self, token: &str) {
        let mut was_lower = false;
        for b in token.bytes() {
            let is_hump = b.is_ascii_uppercase() && was_lower;
            self.is_camel |= is_hump;
            if !b.is_ascii_alphanumeric() || is_hump {
                self.end_word();
            }
            if b.is_ascii_alphanumeric() {
                self.letters[self.len] = b.to_ascii_lowercase();
                self.len += 1;
            }
            was_lower = b.is_ascii_lowercase();
        }
        self.end_word();
    }

    fn end_word(&mut self) {
        let from = self.count.checked_sub(1).map_or(0, |i| self.ends[i] as usize);
        if self.len > from {
            self.ends[self.count] = self.len as u8;
            self.count += 1;
        }
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        std::str::from_utf8(&self.letters[from..to]).unwrap_or_default()
    }

    /// All words together, without the number that tells one post from the next.
    fn joined(&self) -> &str {
        self.slice(0, self.len).trim_end_matches(|c: char| c.is_ascii_digit())
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.count).map(|i| {
            let from = if i == 0 { 0 } else { self.ends[i - 1] as usize };
            self.slice(from, self.ends[i] as usize)
        })
    }
}

/// Whether a word turns the meaning of its name (`no-sidebar`, `has-comments`).
fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "no" | "has"
            | "have"
            | "with"
            | "without"
            | "hide"
            | "enable"
            | "enabled"
            | "layout"
            | "not"
            | "open"
            | "closed"
            | "status"
    )
}

/// Whole names, separators taken out.
fn of_joined(name: &str) -> Marks {
    match name {
        "articlebody"
        | "entrycontent"
        | "postcontent"
        | "postbody"
        | "entrybody"
        | "articlecontent"
        | "storybody"
        | "articletext"
        | "posttext"
        | "blogcontent"
        | "blogpostcontent"
        | "econtent"
        | "markdownbody"
        | "storycontent"
        | "articlebodycontent"
        | "bodycontent"
        | "newsbody"
        | "newscontent"
        | "articlecontents"
        | "tdpostcontent"
        | "postarticle"
        | "postbodycontent"
        | "articlebodytext"
        | "skinentrybody"
        | "semaincontainer"
        | "postviewarea"
        | "ttarticleuselesspmargin"
        | "contentsstyle"
        | "entrytext"
        | "postentry"
        | "singlecontent"
        | "storybodytext"
        | "contentbody"
        | "articlemaincontent"
        | "articleview"
        | "newsview"
        | "newsarticle"
        | "storytext"
        | "postcontents"
        | "entrycontents" => Marks::BODY,
        "hentry" | "blogpost" | "articlewrapper" | "post" | "entry" | "article" | "blogposting" => {
            Marks::ENTRY
        }
        "entrytitle" | "posttitle" | "articletitle" | "headline" | "pname" | "storytitle"
        | "articleheadline" | "posttitlelink" | "blogposttitle" | "pagetitle" | "postname"
        | "entryheadline" => Marks::TITLE,
        "messagebody" | "messagecontent" | "cooked" | "postmessage" | "postbodytext" | "crawlerpost"
        | "topicbody" => Marks::POST,
        "gutter" | "linenumbers" | "linenos" | "lineno" | "linenumber" | "rougegutter" | "hljslnnumbers"
        | "blobnum" | "linenumbersrows" | "linenums" => Marks::GUTTER,
        "respond" | "disqusthread" | "commentlist" | "cmtlist" => Marks::COMMENTS,
        _ => Marks::default(),
    }
}

/// Single words of a name.
fn of_word(word: &str) -> Marks {
    match word {
        "comment" | "comments" | "commentlist" | "disqus" | "replies" | "reply" | "guestbook"
        | "utterances" | "giscus" | "trackback" | "trackbacks" | "pingback" | "pingbacks" | "livefyre" => {
            Marks::COMMENTS
        }
        "sidebar" | "sidebars" | "footer" | "cookie" | "cookies" | "consent" | "gdpr" | "modal" | "popup"
        | "related" | "relatedposts" | "recommend" | "recommended" | "recommendation" | "recommendations"
        | "breadcrumb" | "breadcrumbs" | "trending" | "outbrain" | "taboola" | "newsletter"
        | "navigation" | "nav" | "navbar" | "sitemap" | "navi" | "navigator" | "gnb" | "lnb" | "snb"
        | "submenu" | "crumb" | "crumbs" | "pagination" | "pager" | "paging" | "colophon" | "masthead"
        | "topbar" | "toolbar" | "share" | "sharing" | "shares" | "sharer" | "sharedaddy" | "social"
        | "sns" | "addthis" | "addtoany" | "zergnet" | "signup" | "advert" | "adverts" | "advertisement"
        | "advertisements" | "advertising" | "adsense" | "adsbygoogle" | "sponsor" | "sponsored"
        | "tagcloud" | "skip" | "blogroll" | "postnav" | "copyright" | "disclaimer" | "bio" | "authorbox"
        | "printfriendly" | "readmore" | "morelink" | "jprelatedposts" | "prevnext" | "screenreader"
        | "editsection" | "signature" => Marks::FRAME.with(Marks::STRONG),
        "toc" | "tableofcontents" => Marks::FRAME.with(Marks::CONTENTS),
        "widget" | "widgets" | "overlay" | "lightbox" | "promo" | "promos" | "promotion" | "promoted"
        | "rating" | "ratings" | "ranking" | "popular" | "profile" | "archives" | "survey" | "infobox"
        | "hatena" | "ad" | "ads" | "aside" | "follow" | "menu" | "menus" | "noprint" | "buttons"
        | "login" | "subscribe" | "subscription" | "recirc" => Marks::FRAME,
        "caption" | "captions" => Marks::CAPTION,
        "byline" | "meta" | "dateline" | "postmeta" | "entrymeta" | "author" | "authors" | "published"
        | "timestamp" | "date" | "tags" | "taglist" | "posttags" | "category" | "categories" | "postinfo"
        | "credit" | "credits" => Marks::META,
        _ => of_prefix(word),
    }
}

/// Words written together.
fn of_prefix(word: &str) -> Marks {
    const FRAME: [&str; 17] = [
        "navfooter",
        "navheader",
        "navlink",
        "sidebar",
        "breadcrumb",
        "footer",
        "related",
        "newsletter",
        "sharebutton",
        "sharebar",
        "socialshare",
        "cookie",
        "advert",
        "recommend",
        "pagination",
        "popular",
        "relation",
    ];
    if word.starts_with("comment") {
        Marks::COMMENTS
    } else if FRAME.iter().any(|prefix| word.starts_with(prefix)) {
        Marks::FRAME.with(Marks::STRONG)
    } else {
        Marks::default()
    }
}
