//! What goes to stdout: JSON Lines, or lines for people. Control characters of a stranger's page never reach a terminal.

use crate::arguments::GlobalArguments;
pub use firstcopy_engine::percent;
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Shingles and documents that were left out of an answer because there are very many of them.
#[derive(Serialize)]
pub struct Ignored<'a> {
    /// The document that was asked about.
    pub query: &'a str,
    pub ignored_shingles: usize,
    pub sampled_shingles: usize,
    /// Documents that share keys with it.
    pub not_compared: usize,
}

/// Buffered stdout.
pub struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub fn new() -> Self {
        Output(BufWriter::new(io::stdout().lock()))
    }

    /// One JSON object on a line of its own.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        // As the io error it is: a closed pipe must be told from a failure.
        serde_json::to_writer(&mut self.0, value).map_err(io::Error::from)?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// One line for people.
    pub fn line(&mut self, line: &str) -> anyhow::Result<()> {
        self.0.write_all(printable(line).as_bytes())?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    /// A named value; several lines of it are aligned. An empty one is left out.
    pub fn field(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        for (index, line) in value.lines().enumerate() {
            self.line(&format!("  {:<11}{line}", if index == 0 { name } else { "" }))?;
        }
        Ok(())
    }

    /// A line of comma-separated values (RFC 4180).
    pub fn csv(&mut self, values: &[impl AsRef<str>]) -> anyhow::Result<()> {
        self.0.write_all(csv_line(values).as_bytes())?;
        Ok(())
    }

    /// An indented line with some of its bytes marked.
    pub fn marked(
        &mut self,
        text: &str,
        places: &[(usize, usize)],
        (begin, end): (&str, &str),
    ) -> anyhow::Result<()> {
        let (mut line, mut last) = (String::new(), 0);
        for &(from, to) in places {
            let plain = text.get(last..from).unwrap_or_default();
            let marked = text.get(from..to).unwrap_or_default();
            line += &format!("{}{begin}{}{end}", printable(plain), printable(marked));
            last = to;
        }
        line += &printable(text.get(last..).unwrap_or_default());
        let line = line.replace(['\n', '\r'], " ");
        self.0.write_all(format!("  {line}\n").as_bytes())?;
        Ok(())
    }

    /// Text that was made printable and then styled.
    pub fn styled(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.0.write_all(text.as_bytes())?)
    }

    /// Says what was ignored in answering a question, if anything was: as a JSON object of its own, or on stderr.
    pub fn ignored(&mut self, ignored: &Ignored<'_>, global: &GlobalArguments) -> anyhow::Result<()> {
        let &Ignored { query, ignored_shingles, sampled_shingles, not_compared } = ignored;
        if ignored_shingles + not_compared == 0 {
            return Ok(());
        }
        if global.json {
            return self.json(ignored);
        }
        if !global.quiet {
            eprintln!(
                "firstcopy: {query}: {ignored_shingles} of {sampled_shingles} sampled shingles stand in very many documents and \
                 were ignored, {not_compared} documents were not compared: there may be more"
            );
        }
        Ok(())
    }

    pub fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.0.flush()?)
    }
}

/// A line of comma-separated values (RFC 4180), with its end.
pub fn csv_line(values: &[impl AsRef<str>]) -> String {
    let quoted = |value: &str| match value.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.to_owned(),
    };
    let values: Vec<String> = values.iter().map(|value| quoted(value.as_ref())).collect();
    values.join(",") + "\n"
}

/// The text without characters that could move the cursor, change colours or reorder what is seen.
pub fn printable(text: &str) -> String {
    let dangerous = |character: char| {
        character.is_control() && !matches!(character, '\n' | '\t')
            || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace(dangerous, "\u{fffd}")
}

/// Thousands apart, as people read numbers.
pub fn grouped_digits(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of things, one of them or many.
pub fn counted(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped_digits(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_cannot_write_to_the_terminal() {
        assert_eq!(printable("a\x1b[31mb\u{202e}c\r\t"), "a\u{fffd}[31mb\u{fffd}c\u{fffd}\t");
    }

    #[test]
    fn digits_are_grouped() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped_digits(number), expected);
        }
        assert_eq!(
            (counted(1, "block"), counted(2000, "block")),
            ("1 block".to_owned(), "2,000 blocks".to_owned())
        );
    }
}
