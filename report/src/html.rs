//! A page of HTML, and what stands in it.

/// What every report looks like; its own style follows. Colours go by Okabe and Ito: eyes that do not tell red from green
/// tell them apart.
const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8886;vertical-align:top;overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
.bar{display:inline-block;height:.7em;background:#0072b2;min-width:1px}
";

/// Whether a page has a script of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script<'a> {
    /// It has none, and may have none.
    None,
    /// This one, at its end.
    Own(&'a str),
}

/// A page that loads nothing from anywhere. `style`, the script and `body` are taken as they are.
pub fn page(title: &str, style: &str, script: Script, body: &str) -> String {
    let (allowed, script) = match script {
        Script::None => ("", String::new()),
        Script::Own(script) => ("; script-src 'unsafe-inline'", format!("<script>{script}</script>")),
    };
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{allowed}\">\
         <title>{}</title><style>{STYLE}{style}</style></head><body>{body}{script}</body></html>\n",
        escaped(title)
    )
}

/// A link to a web address; anything else is shown and leads nowhere.
pub fn link(url: &str, text: &str) -> String {
    let is_web = ["http://", "https://"]
        .iter()
        .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    match is_web {
        true => format!("<a href=\"{}\" rel=\"noreferrer noopener\">{}</a>", escaped(url), escaped(text)),
        false => escaped(text),
    }
}

/// Text of strangers as text.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            '\0' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A number of things, one of them or many.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The day of a moment, in UTC; nothing for one that no calendar has.
pub fn day(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).ok();
    time.map(|time| time.strftime("%Y-%m-%d").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_text_is_text() {
        assert_eq!(escaped("<a href='x'>\"&\0"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{fffd}");
        assert_eq!(link("javascript:alert(1)", "<b>"), "&lt;b&gt;");
        assert_eq!(
            link("HTTPS://a/\"", "a"),
            "<a href=\"HTTPS://a/&quot;\" rel=\"noreferrer noopener\">a</a>"
        );
    }

    #[test]
    fn scripts_are_allowed_only_where_there_is_one() {
        assert!(!page("t", "", Script::None, "").contains("script"));
        assert!(page("t", "", Script::Own("let a"), "").contains("script-src 'unsafe-inline'"));
    }
}
