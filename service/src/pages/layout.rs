//! What every page has around it. Nothing inline, nothing from elsewhere: styles and scripts are files of the service.

use super::pieces::shortened;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use firstcopy_report::escaped;

/// What a browser may load and do on a page: what comes from here, and nothing else.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
                          base-uri 'none'; frame-ancestors 'none'";

/// The pages in the order of the menu.
const MENU: [(&str, &str); 9] = [
    ("/", "Check"),
    ("/search", "Search"),
    ("/clusters", "Clusters"),
    ("/compare", "Compare"),
    ("/holders", "Holders"),
    ("/moved", "Moved"),
    ("/add", "Add"),
    ("/status", "Status"),
    ("/reference", "API"),
];
/// Characters of a subject that a window's title shows.
const SUBJECT: usize = 80;

/// A page with a title; `here` is its place in the menu.
pub struct Layout<'a> {
    pub title: &'a str,
    pub here: &'a str,
    pub body: String,
}

/// A page about something that has a name of its own.
pub struct About {
    pub subject: String,
    pub page: Layout<'static>,
}

impl Layout<'_> {
    fn html(&self) -> String {
        self.html_under(self.title)
    }

    fn html_under(&self, title: &str) -> String {
        let item = |(path, name): (&str, &str)| {
            let current = if path == self.here { " aria-current=\"page\"" } else { "" };
            format!("<li><a href=\"{path}\"{current}>{name}</a></li>")
        };
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\"><title>{} – firstcopy</title>\
             <link rel=\"icon\" href=\"/assets/icon.svg\" type=\"image/svg+xml\">\
             <link rel=\"stylesheet\" href=\"/assets/style.css\"><script src=\"/assets/page.js\" defer></script></head><body>\
             <a class=\"skip\" href=\"#main\">To the content</a>\
             <header><a class=\"name\" href=\"/\">firstcopy</a><nav aria-label=\"Pages\"><ul>{}</ul></nav></header>\
             <main id=\"main\" tabindex=\"-1\">{}</main>\
             <footer><p>firstcopy: who wrote this first?</p></footer></body></html>\n",
            escaped(title),
            MENU.map(item).concat(),
            self.body,
        )
    }
}

impl IntoResponse for Layout<'_> {
    fn into_response(self) -> Response {
        page(StatusCode::OK, self.html())
    }
}

impl IntoResponse for About {
    fn into_response(self) -> Response {
        let title = format!("{} – {}", shortened(&self.subject, SUBJECT), self.page.title);
        page(StatusCode::OK, self.page.html_under(&title))
    }
}

/// The same page with another status.
pub fn with_status(status: StatusCode, layout: &Layout<'_>) -> Response {
    page(status, layout.html())
}

/// A page that says what went wrong.
pub fn failed(status: StatusCode, detail: &str) -> Response {
    let title = status.canonical_reason().unwrap_or("Error");
    let body = format!(
        "<h1>{}</h1><p role=\"alert\" class=\"wrong\">{}</p><p><a href=\"/\">To the first page</a></p>",
        escaped(title),
        escaped(&shortened(detail, 2000))
    );
    page(status, Layout { title, here: "", body }.html())
}

fn page(status: StatusCode, html: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, html).into_response()
}
