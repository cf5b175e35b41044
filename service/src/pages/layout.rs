//! What every page has around it. Nothing inline, nothing from elsewhere: styles and scripts are files of the service.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use firstcopy_report::escaped;

/// What a browser may load and do on a page: what comes from here, and nothing else.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
                          base-uri 'none'; frame-ancestors 'none'";

/// The pages in the order of the menu.
const MENU: [(&str, &str); 4] =
    [("/", "Check"), ("/search", "Search"), ("/compare", "Compare"), ("/status", "Status")];

/// A page with a title; `here` is its place in the menu.
pub struct Layout<'a> {
    pub title: &'a str,
    pub here: &'a str,
    pub body: String,
}

impl Layout<'_> {
    fn html(&self) -> String {
        let item = |(path, name): (&str, &str)| {
            let current = if path == self.here { " aria-current=\"page\"" } else { "" };
            format!("<li><a href=\"{path}\"{current}>{name}</a></li>")
        };
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{} – firstcopy</title>\
             <link rel=\"stylesheet\" href=\"/assets/style.css\"><script src=\"/assets/page.js\" defer></script></head><body>\
             <a class=\"skip\" href=\"#main\">To the content</a>\
             <header><a class=\"name\" href=\"/\">firstcopy</a><nav aria-label=\"Pages\"><ul>{}</ul></nav></header>\
             <main id=\"main\">{}</main></body></html>\n",
            escaped(self.title),
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

/// A page that says what went wrong.
pub fn failed(status: StatusCode, detail: &str) -> Response {
    let title = status.canonical_reason().unwrap_or("Error");
    let body = format!("<h1>{}</h1><p role=\"alert\">{}</p>", escaped(title), escaped(detail));
    page(status, Layout { title, here: "", body }.html())
}

fn page(status: StatusCode, html: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, html).into_response()
}
