//! Reports for people to look at: HTML pages, each one self-contained file that asks nobody for anything.
//!
//! [`page`] puts a body into a page; [`escaped`] and [`link`] show the text of strangers as text, whatever is in it. What
//! the reports say is not known here.
//!
//! ```
//! use firstcopy_report::{Script, escaped, page};
//!
//! let html = page("A & B", "h1{color:red}", Script::None, &format!("<h1>{}</h1>", escaped("<b>")));
//! assert!(html.contains("<title>A &amp; B</title>") && html.contains("<h1>&lt;b&gt;</h1>"));
//! ```

mod chart;
mod html;

pub use chart::{Bar, CHART_STYLE, Mark, Series, bars, dots, lines, timeline};
pub use html::{Script, counted, day, escaped, link, page, percent};
