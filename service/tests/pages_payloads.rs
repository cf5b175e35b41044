//! Whatever a post says, a page shows it and does not do it: a hundred payloads as id, address, title, author, text and
//! metadata, on every page. A page is read as a browser reads it: only the tags and attributes that we write are in it, and
//! every link leads to a page of ours or to the web.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use serde_json::json;
use std::collections::BTreeSet;
use support::Service;

const PAYLOADS: [&str; 104] = [
    "<script>alert(1)</script>",
    "<SCRIPT>alert(1)</SCRIPT>",
    "<script src=//evil.example/x.js></script>",
    "<script>/*",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "</script><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</pre><script>alert(1)</script>",
    "</code></p></main><script>alert(1)</script>",
    "<!--<script>alert(1)</script>-->",
    "--><script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version=\"1.0\"?><x onload=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror=alert(1)>",
    "'><img src=x onerror=alert(1)>",
    "<img src=\"javascript:alert(1)\">",
    "<img src=x:x onerror=\"alert(1)\" style=\"display:none\">",
    "<img/src/onerror=alert(1)>",
    "<img src=`x` onerror=`alert(1)`>",
    "<IMG \"\"\"><SCRIPT>alert(1)</SCRIPT>\">",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>",
    "<svg><use href=\"data:image/svg+xml,<svg id=x onload=alert(1)>\"/></svg>",
    "<svg><foreignObject><iframe src=javascript:alert(1)></foreignObject></svg>",
    "<svg><title></svg><img src=x onerror=alert(1)>",
    "<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe src=javascript:alert(1)>",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<object data=javascript:alert(1)>",
    "<embed src=javascript:alert(1)>",
    "<body onload=alert(1)>",
    "<body background=javascript:alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
    "<textarea autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)>",
    "<audio src=x onerror=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x",
    "<isindex action=javascript:alert(1) type=image>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href=\"java\nscript:alert(1)\">x</a>",
    "<a href=\"java\tscript:alert(1)\">x</a>",
    "<a href=\"&#106;avascript:alert(1)\">x</a>",
    "<a href=\"\u{1}javascript:alert(1)\">x</a>",
    "<base href=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
    "<style>@import '//evil.example/x.css';</style>",
    "<div style=\"background:url(javascript:alert(1))\">",
    "<div style=\"width:expression(alert(1))\">",
    "<x onclick=alert(1)>click",
    "<x contenteditable onblur=alert(1)>x",
    "<x onpointerover=alert(1)>x",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<plaintext>",
    "<xmp><script>alert(1)</script>",
    "<frameset onload=alert(1)>",
    "<keygen autofocus onfocus=alert(1)>",
    "<table background=\"javascript:alert(1)\">",
    "\" onmouseover=\"alert(1)",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=alert(1) x=\"",
    "' autofocus onfocus=alert(1) x='",
    "x\" style=\"position:fixed;inset:0",
    "\"/><a href=\"//evil.example\">",
    "`onmouseover=alert(1)",
    "\"]}//\"><script>alert(1)</script>",
    "javascript:alert(1)//<b>",
    "JaVaScRiPt:alert(1)//<b>",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==\"",
    "vbscript:msgbox(\"1\")",
    "//evil.example/<b>",
    "\\\\evil.example\\<b>",
    "https://evil.example/\"><script>alert(1)</script>",
    "http://a\"onclick=\"alert(1)",
    "HTTPS://x/'onclick='alert(1)",
    "{{constructor.constructor('alert(1)')()}}<b>",
    "${alert(1)}<b>",
    "<%= alert(1) %>",
    "#{alert(1)}<b>",
    "{%raw%}<script>alert(1)</script>{%endraw%}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "\u{0}<script>alert(1)</script>",
    "<scr\u{0}ipt>alert(1)</scr\u{0}ipt>",
    "<img src=x on\u{0}error=alert(1)>",
    "\u{202e}<script>alert(1)</script>\u{202c}",
    "\u{feff}<script>alert(1)</script>",
    "\u{ff1c}script\u{ff1e}alert(1)\u{ff1c}/script\u{ff1e}<b>",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-<b>",
    "\u{fffd}<\u{fffd}script\u{fffd}>alert(1)<b>",
    "가\u{301}\u{200d}\"><script>경고(1)</script>",
];

/// The tags and attributes of our pages.
const TAGS: [&str; 63] = [
    "!doctype",
    "html",
    "head",
    "meta",
    "title",
    "link",
    "script",
    "body",
    "a",
    "header",
    "nav",
    "ul",
    "ol",
    "li",
    "main",
    "footer",
    "section",
    "article",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "div",
    "span",
    "strong",
    "em",
    "small",
    "code",
    "pre",
    "br",
    "form",
    "label",
    "input",
    "textarea",
    "select",
    "option",
    "button",
    "fieldset",
    "legend",
    "details",
    "summary",
    "dl",
    "dt",
    "dd",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "mark",
    "blockquote",
    "time",
    "figure",
    "figcaption",
    "svg",
    "path",
    "g",
    "circle",
    "text",
    "rect",
    "polyline",
];
const ATTRIBUTES: [&str; 62] = [
    "html",
    "lang",
    "charset",
    "name",
    "content",
    "rel",
    "href",
    "type",
    "src",
    "defer",
    "class",
    "aria-label",
    "aria-current",
    "aria-labelledby",
    "aria-hidden",
    "id",
    "tabindex",
    "role",
    "method",
    "action",
    "enctype",
    "for",
    "rows",
    "data-drop",
    "accept",
    "required",
    "value",
    "placeholder",
    "size",
    "inputmode",
    "pattern",
    "min",
    "max",
    "step",
    "checked",
    "selected",
    "open",
    "download",
    "datetime",
    "title",
    "scope",
    "colspan",
    "viewbox",
    "d",
    "stroke",
    "opacity",
    "transform",
    "x",
    "y",
    "cx",
    "cy",
    "r",
    "width",
    "height",
    "fill",
    "fill-opacity",
    "stroke-width",
    "points",
    "text-anchor",
    "pointer-events",
    "maxlength",
    "autocomplete",
];

/// Reads a page as a browser's tokenizer does, and says what is in it that must not be.
#[track_caller]
fn check(path: &str, html: &str) {
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let is_tag = rest.starts_with(|next: char| next.is_ascii_alphabetic() || "/!?".contains(next));
        assert!(is_tag, "{path}: a lone <: {}", &rest[..rest.floor_char_boundary(80)]);
        let (name, after) =
            split(rest.trim_start_matches('/'), |next| next.is_whitespace() || "/>".contains(next));
        let name = name.to_lowercase();
        assert!(TAGS.contains(&name.as_str()), "{path}: a tag <{name}>");
        let is_script = name == "script" && !rest.starts_with('/');
        assert!(!is_script || after.starts_with(" src=\"/assets/page.js\" defer></"), "{path}: a script");
        rest = attributes(path, &name, after);
    }
}

/// Checks the attributes of a tag. Returns what is behind it.
#[track_caller]
fn attributes<'a>(path: &str, tag: &str, mut rest: &'a str) -> &'a str {
    loop {
        rest = rest.trim_start_matches(|next: char| next.is_whitespace() || next == '/');
        if let Some(behind) = rest.strip_prefix('>') {
            return behind;
        }
        assert!(!rest.is_empty(), "{path}: <{tag}> does not end");
        let (name, after) = split(rest, |next| next.is_whitespace() || "/>=".contains(next));
        let name = name.to_lowercase();
        assert!(ATTRIBUTES.contains(&name.as_str()), "{path}: <{tag} {name}>");
        let Some(after) = after.strip_prefix('=') else {
            rest = after;
            continue;
        };
        let quote = after.chars().next().filter(|next| "\"'".contains(*next));
        let (value, behind) = match quote {
            Some(quote) => after[1..].split_once(quote).unwrap(),
            None => split(after, |next| next.is_whitespace() || next == '>'),
        };
        if ["href", "src", "action"].contains(&name.as_str()) {
            let ours = value.starts_with('/') && !value.starts_with("//") && !value.starts_with("/\\");
            let lower = value.to_lowercase();
            let web = ["http://", "https://"].iter().any(|scheme| lower.starts_with(scheme));
            assert!(
                ours || value.starts_with('#') || (web && tag == "a"),
                "{path}: <{tag} {name}={value:?}>"
            );
        }
        rest = behind;
    }
}

fn split(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A text that begins with a payload and goes on with words that no other has, long enough to be copied.
fn text(number: usize, payload: &str) -> String {
    let words: Vec<String> = (0..40).map(|word| format!("word{number}of{word}")).collect();
    format!("{payload} enough {payload} {}. {payload}", words.join(" "))
}

#[test]
fn the_tokenizer_finds_what_must_not_be() {
    for bad in [
        "<p>a <script>",
        "<p onclick=x>",
        "<a href=\"javascript:x\">",
        "<a href=//evil>",
        "< 3",
        "<p style='x'>",
        "<script src=/x.js>",
        "<img src=http://a>",
    ] {
        assert!(std::panic::catch_unwind(|| check("bad", bad)).is_err(), "{bad}");
    }
    check(
        "good",
        "<!doctype html><p class=\"a\" id='b'>3 &lt; 4<a href=\"https://a/\" rel=x>a</a><a href=\"/a?b\">",
    );
}

#[test]
fn a_hundred_payloads_are_harmless_on_every_page() {
    let distinct: BTreeSet<&str> = PAYLOADS.into_iter().collect();
    assert_eq!(distinct.len(), PAYLOADS.len());
    let service = Service::start();
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let addresses = [
            payload.to_string(),
            format!("https://a{number}.example/{payload}"),
            format!("javascript:{payload}"),
        ];
        let post = |id: String, url: &str, text: &str| json!({"id": id, "url": url, "title": payload, "author": payload, "text": text, "note": {*payload: payload}, "source_url": payload});
        for (document, url) in [("first", &addresses[number % 3]), ("copy", &addresses[(number + 1) % 3])] {
            let id = format!("{payload}{document}{number}");
            let posted =
                service.post("/v1/documents", &post(id, &format!("{url}{document}"), &text(number, payload)));
            assert_eq!(posted.status, 201, "{payload:?}: {}", posted.text());
        }
        // Another version, so that there is something to plot.
        let edited = format!("{} edited", text(number, payload));
        let id = format!("{payload}copy{number}");
        assert_eq!(service.post("/v1/documents", &post(id, payload, &edited)).status, 201);
    }
    service.get_until("/v1/search?q=enough", |answer| answer["total"] == PAYLOADS.len());
    service.get_until("/readyz", |answer| answer["status"] == "ok");
    let harmless = |path: &str, payload: &str, text: &str, status: u16| {
        // A payload that begins like an image or a PDF is no text.
        let is_refused = status == 422 && path == "/check";
        assert!([200, 400, 404].contains(&status) || is_refused, "{path}: {status}");
        check(path, text);
        if payload.contains(['<', '"', '\'']) {
            assert!(!text.contains(payload), "{path}: {payload:?} is there as it is");
        }
        assert!(!text.contains('\0'), "{path}");
    };
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let (first, copy, plain) = (
            encoded(&format!("{payload}first{number}")),
            encoded(&format!("{payload}copy{number}")),
            encoded(payload),
        );
        for path in [
            format!("/document?id={first}"),
            format!("/document?id={copy}"),
            format!("/document?id={plain}"),
            format!("/cluster?id={first}"),
            format!("/cluster?id={plain}&after=x"),
            format!("/holders?id={first}"),
            format!("/holders?id={plain}&min={plain}"),
            format!("/compare?a={first}&b={copy}"),
            format!("/compare?a={copy}&va=1&b={copy}&vb=2"),
            format!("/compare?a={plain}&va={plain}&b={plain}"),
            format!("/search?q=word{number}of1"),
            format!(
                "/search?q={plain}&site={plain}&author={plain}&lang={plain}&sort={plain}&after={plain}&cursor={plain}"
            ),
            format!("/search?q={plain}&all=on"),
            format!("/moved?url={plain}first"),
            format!("/moved?url={plain}"),
            format!("/clusters?page={plain}"),
        ] {
            let page = service.get(&path);
            harmless(&path, payload, &page.text(), page.status);
        }
        let document = service.get(&format!("/document?id={first}"));
        assert_eq!(document.status, 200, "{payload:?}");
        let table = service.get(&format!("/holders.csv?id={first}"));
        assert_eq!(
            (table.status, table.header("content-type")),
            (200, Some("text/csv; charset=utf-8")),
            "{payload:?}"
        );
        let cells = table.text();
        let risky = cells.lines().filter(|line| line.starts_with(['=', '+', '-', '@', '\t'])).count();
        assert_eq!(risky, 0, "{cells}");
        for path in ["/check", "/add"] {
            let body = format!("text={}&title={plain}&url={plain}", encoded(&text(number, payload)));
            let page = service.send("POST", path, &[], body.as_bytes());
            harmless(path, payload, &page.text(), page.status);
        }
    }
    for path in [
        "/",
        "/search",
        "/clusters",
        "/clusters?page=2",
        "/clusters?page=3",
        "/compare",
        "/holders",
        "/moved",
        "/add",
        "/status",
        "/reference",
    ] {
        let page = service.get(path);
        assert_eq!(page.status, 200, "{path}");
        PAYLOADS.iter().for_each(|payload| harmless(path, payload, &page.text(), page.status));
    }
    // Bytes that are no text at all.
    for bytes in [
        &b"text=%C0%BCscript%C0%BE"[..],
        b"text=\xff\xfe<script>",
        b"text=%FF%3Cscript%3E%00",
        b"\x00=\x00&&&=%",
    ] {
        let page = service.send("POST", "/check", &[], bytes);
        harmless("/check", "<script>", &page.text(), page.status);
    }
}
