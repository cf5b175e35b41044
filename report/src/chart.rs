//! Charts as SVG that stands in a page: bars, lines, dots, and a timeline. They follow the page's colours, light or dark, and
//! every mark says what it is when pointed at. Titles and labels of strangers are shown as text.

use crate::html::{day, escaped};
use std::fmt::Write;

/// What a page with charts needs in its style.
pub const CHART_STYLE: &str = "\
svg.chart{display:block;width:100%;max-width:44rem;height:auto;font:12px system-ui,sans-serif}
svg.chart text{fill:currentColor}
figure{margin:1rem 0}
figcaption{font-weight:600}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:0 2rem}
";

/// Okabe and Ito's colours, told apart by all eyes on light and on dark ground; whoever needs more begins again.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9", "#cc79a7"];

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
/// Around the plot: room for numbers on the left, for labels below, for the legend above.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 30.0;
/// More labels than that run into each other.
const MOST_LABELS: usize = 10;
/// More dots than that are one blot: every so many-th is drawn.
const MOST_DOTS: usize = 1500;
/// The largest mark of a timeline, and the smallest that can be pointed at.
const LARGEST_MARK: f64 = 26.0;
const SMALLEST_MARK: f64 = 3.0;

/// A value with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Stands below it.
    pub label: String,
    /// How high it is.
    pub value: f64,
    /// What it says when pointed at, besides its label.
    pub note: String,
}

/// Values that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Stands in the legend.
    pub name: String,
    /// In order, one for every place along the axis.
    pub values: Vec<f64>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// When, in Unix seconds.
    pub at: i64,
    /// How much, from 0 to 1: an empty ring is nothing.
    pub size: f64,
    /// What it says when pointed at.
    pub note: String,
}

/// Bars beside each other.
pub fn bars(title: &str, bars: &[Bar]) -> String {
    let frame = Frame::up_to(bars.iter().map(|bar| bar.value).fold(0.0, f64::max));
    let step = frame.width() / bars.len().max(1) as f64;
    let mut svg = frame.begin(title, HEIGHT);
    for (index, bar) in bars.iter().enumerate() {
        let (x, y) = (LEFT + step * (index as f64 + 0.1), frame.y(bar.value));
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{}: {}</title></rect>",
            step * 0.8,
            frame.bottom() - y,
            COLOURS[0],
            escaped(&bar.label),
            escaped(&bar.note),
        );
    }
    svg += &labels(bars.iter().map(|bar| bar.label.as_str()), step);
    svg + "</svg>"
}

/// Lines over places with labels.
pub fn lines(title: &str, places: &[String], series: &[Series]) -> String {
    let frame = Frame::of(series);
    let step = frame.width() / places.len().max(1) as f64;
    let mut svg = frame.begin(title, HEIGHT) + &legend(series);
    for (line, colour) in series.iter().zip(colours()) {
        let x = |index: usize| LEFT + step * (index as f64 + 0.5);
        let points: Vec<String> = (0..)
            .zip(&line.values)
            .map(|(index, value)| format!("{:.1},{:.1}", x(index), frame.y(*value)))
            .collect();
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for ((index, value), place) in (0..).zip(&line.values).zip(places) {
            let note = format!("{}, {}: {}", line.name, place, short(*value));
            svg += &circle(x(index), frame.y(*value), SMALLEST_MARK, colour, &note);
        }
    }
    svg += &labels(places.iter().map(String::as_str), step);
    svg + "</svg>"
}

/// Dots over their ranks: the first series is the one they are sorted by.
pub fn dots(title: &str, below: &str, series: &[Series]) -> String {
    let frame = Frame::of(series);
    let count = series.iter().map(|series| series.values.len()).max().unwrap_or_default();
    let every = count.div_ceil(MOST_DOTS).max(1);
    let mut svg = frame.begin(title, HEIGHT) + &legend(series);
    // The first one is drawn last, so that the order it gives stays visible.
    let coloured: Vec<_> = series.iter().zip(colours()).collect();
    for (dots, colour) in coloured.into_iter().rev() {
        for (rank, value) in dots.values.iter().enumerate().step_by(every) {
            let x = LEFT + frame.width() * (rank as f64 + 0.5) / count as f64;
            svg += &circle(x, frame.y(*value), 2.0, colour, &format!("{}: {}", dots.name, short(*value)));
        }
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        LEFT + frame.width() / 2.0,
        HEIGHT - 8.0,
        escaped(below)
    );
    svg + "</svg>"
}

/// Marks along a line of time, each as large as what happened.
pub fn timeline(title: &str, marks: &[Mark]) -> String {
    let height = 2.0 * LARGEST_MARK + 40.0;
    let middle = LARGEST_MARK + 6.0;
    let (from, to) = span(marks);
    let x = |at: i64| LEFT + (WIDTH - 2.0 * LEFT) * (at - from) as f64 / (to - from).max(1) as f64;
    let mut svg = begin(title, height);
    let _ = write!(
        svg,
        "<path d=\"M{} {middle}H{}\" stroke=\"currentColor\" opacity=\".4\"/>",
        LEFT - 20.0,
        WIDTH - LEFT + 20.0
    );
    for at in ticks(from, to) {
        let (x, y) = (x(at), height - 6.0);
        let _ = write!(
            svg,
            "<path d=\"M{x:.1} {}V{}\" stroke=\"currentColor\" opacity=\".4\"/>\
             <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
            middle - 4.0,
            middle + 4.0,
            day(at)
        );
    }
    let mut largest_first: Vec<&Mark> = marks.iter().collect();
    largest_first.sort_by(|a, b| b.size.total_cmp(&a.size));
    for mark in largest_first {
        // Eyes compare areas.
        let radius = (LARGEST_MARK * mark.size.clamp(0.0, 1.0).sqrt()).max(SMALLEST_MARK);
        let colour = if mark.size > 0.0 { COLOURS[1] } else { "none" };
        svg += &ring(x(mark.at), middle, radius, colour, &mark.note);
    }
    svg + "</svg>"
}

/// One after the other, without end.
fn colours() -> impl Iterator<Item = &'static str> {
    COLOURS.into_iter().cycle()
}

/// The beginning, the end and the quarters between, as far as they are different days.
fn ticks(from: i64, to: i64) -> Vec<i64> {
    let mut ticks: Vec<i64> = (0..=4).map(|quarter| from + (to - from) / 4 * quarter).collect();
    ticks.dedup_by_key(|at| day(*at));
    ticks
}

fn span(marks: &[Mark]) -> (i64, i64) {
    let times = || marks.iter().map(|mark| mark.at);
    (times().min().unwrap_or_default(), times().max().unwrap_or_default())
}

/// The axis of values and what lies beneath the marks.
struct Frame {
    most: f64,
}

impl Frame {
    fn of(series: &[Series]) -> Self {
        Frame::up_to(series.iter().flat_map(|series| &series.values).copied().fold(0.0, f64::max))
    }

    /// Up to a round number that is not below.
    fn up_to(most: f64) -> Self {
        let power = 10f64.powf(most.max(1e-9).log10().floor());
        let round = [1.0, 2.0, 4.0, 5.0, 8.0, 10.0].map(|factor| factor * power);
        Frame { most: round.into_iter().find(|round| *round >= most - 1e-12).unwrap_or(most) }
    }

    fn width(&self) -> f64 {
        WIDTH - LEFT - RIGHT
    }

    fn bottom(&self) -> f64 {
        HEIGHT - BOTTOM
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom() - (self.bottom() - TOP) * (value / self.most).clamp(0.0, 1.0)
    }

    fn begin(&self, title: &str, height: f64) -> String {
        let mut svg = begin(title, height);
        for quarter in 0..=4 {
            let value = self.most * f64::from(quarter) / 4.0;
            let y = self.y(value);
            let _ = write!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"currentColor\" opacity=\".2\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                short(value)
            );
        }
        svg
    }
}

fn begin(title: &str, height: f64) -> String {
    let title = escaped(title);
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>"
    )
}

fn circle(x: f64, y: f64, radius: f64, colour: &str, note: &str) -> String {
    let note = escaped(note);
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\"><title>{note}</title></circle>"
    )
}

fn ring(x: f64, y: f64, radius: f64, colour: &str, note: &str) -> String {
    let note = escaped(note);
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\".55\" stroke=\"currentColor\" \
         pointer-events=\"all\"><title>{note}</title></circle>"
    )
}

/// Names beside their colours, above the plot.
fn legend(series: &[Series]) -> String {
    let step = (WIDTH - LEFT - RIGHT) / series.len().max(1) as f64;
    let entry = |(index, (series, colour)): (usize, (&Series, &str))| {
        let x = LEFT + step * index as f64;
        format!(
            "<rect x=\"{x:.1}\" y=\"5\" width=\"12\" height=\"12\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"15\">{}</text>",
            x + 18.0,
            escaped(&series.name)
        )
    };
    series.iter().zip(colours()).enumerate().map(entry).collect()
}

/// Labels below their places; only so many that they do not run into each other.
fn labels<'a>(labels: impl ExactSizeIterator<Item = &'a str>, step: f64) -> String {
    let every = labels.len().div_ceil(MOST_LABELS).max(1);
    let label = |(index, label): (usize, &str)| {
        format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            LEFT + step * (index as f64 + 0.5),
            HEIGHT - 10.0,
            escaped(label)
        )
    };
    labels.enumerate().step_by(every).map(label).collect()
}

/// A number with as many digits as tell something.
fn short(value: f64) -> String {
    let digits = match value.abs() {
        large if large >= 10.0 || value.fract() == 0.0 => 0,
        middle if middle >= 0.1 => 3,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        for (most, end) in [(0.07, 0.08), (0.2, 0.2), (0.21, 0.4), (1.0, 1.0), (3.0, 4.0), (170.0, 200.0)] {
            assert!((Frame::up_to(most).most - end).abs() < 1e-9, "{most}");
        }
        for (value, text) in [
            (0.0, "0"),
            (0.025, "0.025"),
            (0.375, "0.375"),
            (0.5, "0.5"),
            (0.75, "0.75"),
            (12.5, "12"),
            (400.0, "400"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn strangers_labels_are_text_and_nothing_is_no_trouble() {
        let name = "<script>".to_owned();
        let bar = Bar { label: name.clone(), value: 0.5, note: name.clone() };
        let series = Series { name: name.clone(), values: vec![0.0, 1.0] };
        let mark = Mark { at: 0, size: 0.3, note: name.clone() };
        let charts = [
            bars(&name, &[bar]),
            bars("", &[]),
            lines(&name, &[name.clone(), name.clone()], std::slice::from_ref(&series)),
            lines("", &[], &[]),
            dots(&name, &name, &[series]),
            dots("", "", &[]),
            timeline(&name, &[mark]),
            timeline("", &[]),
        ];
        for chart in charts {
            assert!(
                !chart.contains("<script") && !chart.contains("NaN") && !chart.contains("inf"),
                "{chart}"
            );
            assert!(chart.starts_with("<svg") && chart.ends_with("</svg>"));
        }
    }

    #[test]
    fn marks_are_as_large_as_what_happened() {
        let mark = |at, size| Mark { at, size, note: size.to_string() };
        let svg = timeline("t", &[mark(0, 0.0), mark(86_400, 0.25), mark(864_000, 1.0)]);
        assert!(
            svg.contains("r=\"26.0\"")
                && svg.contains("r=\"13.0\"")
                && svg.contains("r=\"3.0\" fill=\"none\"")
        );
        assert!(svg.contains(">1970-01-01</text>") && svg.contains(">1970-01-11</text>"));
    }

    #[test]
    fn many_dots_are_thinned_out() {
        let series = Series { name: "s".to_owned(), values: vec![0.5; 4000] };
        assert!(dots("t", "x", &[series]).matches("<circle").count() <= MOST_DOTS);
    }
}
