//! Which page, and when? Told by a path that holds a date: a folder or a file name of captures.

use super::versions::of_digits;
use std::ops::Range;

/// The page that a path names, without its date, and the date in Unix seconds; none if it holds none.
///
/// The 14 digits of a capture come first, then a folder or file that is called by a day, then a day in the file's name.
pub fn dated_path(path: &str) -> Option<(String, i64)> {
    let dates = dates(path);
    let file = path.rfind('/').map_or(0, |slash| slash + 1);
    let is_capture = |date: &&Found| date.place.len() == CAPTURE;
    let is_whole = |date: &&Found| stands_alone(path, &date.place);
    let is_in_file = |date: &&Found| date.place.start >= file;
    let found = dates.iter().find(is_capture).or_else(|| dates.iter().find(is_whole));
    let found = found.or_else(|| dates.iter().find(is_in_file))?;
    Some((without(path, &found.place), found.at))
}

/// The digits of a capture: year to second.
const CAPTURE: usize = 14;
/// What separates a date from a name.
const SEPARATORS: [char; 5] = ['-', '_', '.', '@', ' '];

struct Found {
    place: Range<usize>,
    at: i64,
}

/// All dates of a path, in order.
fn dates(path: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some(first) = path[start..].find(|c: char| c.is_ascii_digit()).map(|place| start + place) {
        let end =
            path[first..].find(|c: char| !c.is_ascii_digit()).map_or(path.len(), |length| first + length);
        let dashed = first..first + "2024-01-31".len();
        let date = of_digits(&path[first..end]).map(|at| Found { place: first..end, at });
        let date = date.or_else(|| day_with_dashes(path, dashed));
        start = date.as_ref().map_or(end, |date| date.place.end);
        found.extend(date);
    }
    found
}

/// A day like 2024-01-31 that no digit follows.
fn day_with_dashes(path: &str, place: Range<usize>) -> Option<Found> {
    let text = path.get(place.clone())?;
    let dashes = text.char_indices().filter(|(_, c)| *c == '-').map(|(index, _)| index);
    let is_followed = path[place.end..].starts_with(|c: char| c.is_ascii_digit());
    if is_followed || !dashes.eq([4, 7]) {
        return None;
    }
    of_digits(&text.replace('-', "")).map(|at| Found { place, at })
}

/// Whether a folder or file is called by the date and nothing else.
fn stands_alone(path: &str, place: &Range<usize>) -> bool {
    let (before, behind) = (&path[..place.start], &path[place.end..]);
    let is_file = !behind.contains('/');
    (before.is_empty() || before.ends_with('/'))
        && (behind.is_empty() || behind.starts_with('/') || (is_file && behind.starts_with('.')))
}

/// The path without the date and whatever separated it. A file called by nothing but its date becomes `*`.
fn without(path: &str, place: &Range<usize>) -> String {
    let (before, behind) = (&path[..place.start], &path[place.end..]);
    let begins = before.is_empty() || before.ends_with('/');
    if begins && behind.starts_with('/') {
        return format!("{before}{}", &behind[1..]);
    }
    if begins && (behind.is_empty() || (behind.starts_with('.') && !behind.contains('/'))) {
        return format!("{before}*{behind}");
    }
    match before.strip_suffix(SEPARATORS) {
        Some(before) => format!("{before}{behind}"),
        None => format!("{before}{}", behind.strip_prefix(SEPARATORS).unwrap_or(behind)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_paths() {
        let (day, second) = (1_706_659_200, 1_706_702_400);
        for (path, page, at) in [
            ("captures/20240131/about.html", "captures/about.html", day),
            ("captures/2024-01-31/about.html", "captures/about.html", day),
            ("20240131120000/example.com/a", "example.com/a", second),
            (
                "web/20240131120000id_/http/a/2019-05-01-title.html",
                "web/id_/http/a/2019-05-01-title.html",
                second,
            ),
            ("about-20240131.html", "about.html", day),
            ("about.2024-01-31.html", "about.html", day),
            ("2024-01-31_about.html", "about.html", day),
            ("약관/2024-01-31.html", "약관/*.html", day),
            ("20240131", "*", day),
            ("blog/2019-05-01-title/x-20240131.txt", "blog/2019-05-01-title/x.txt", day),
        ] {
            assert_eq!(dated_path(path), Some((page.to_owned(), at)), "{path}");
        }
        for path in [
            "about.html",
            "20241331/a.html",
            "1234567/a",
            "202401311/a",
            "a/2024-01-311.html",
            "12024-01-31",
            "",
        ] {
            assert_eq!(dated_path(path), None, "{path}");
        }
    }
}
