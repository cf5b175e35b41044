//! What was begun and what was answered, one line each, written with one call so that no kill leaves half of one.

use firstcopy_text::{Content, Page};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

/// The text of a post: posts on the same topic are copies of each other, whatever their variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    pub topic: u64,
    /// 0 as it is, 1 in capitals, others with a word of their own at the end.
    pub variant: u64,
}

/// Words of a post: long enough that one word more leaves the resemblance above 0.98.
const WORDS: u64 = 80;

impl Text {
    pub fn words(self) -> String {
        let word = |place: u64| {
            let mixed = (self.topic * 1_000 + place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            format!("w{mixed:x}")
        };
        let text = (0..WORDS).map(word).collect::<Vec<_>>().join(" ");
        match self.variant {
            0 => text,
            1 => text.to_uppercase(),
            other => format!("{text} end{other}"),
        }
    }

    /// The post with this text.
    pub fn page(self, id: &str, created_at: Option<i64>) -> Page {
        Page { id: id.to_owned(), created_at, content: Content::text(self.words()), ..Page::default() }
    }
}

/// What is to be there under an id: a text, or nothing.
pub type Stored = Option<Text>;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The directory is open.
    Open,
    /// It could not be opened.
    Refused(String),
    /// This is going to be written under an id.
    Begin(String, Stored),
    /// It was answered that this is so.
    Done(String, Stored),
    /// It was answered that this could not be done, and why.
    Failed(String, Fate),
    /// A read was answered.
    Read(bool),
    /// Everything was tried, and the directory was closed.
    Closed,
    /// The shim failed this call on this file.
    Fault(String, String),
    /// The shim saw this call on this file.
    Call(String, String),
}

/// Why a write was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The disk is full: it may be tried again.
    Full,
    /// Writing was stopped before.
    Stopped,
    /// Something else: writing stops here.
    Other,
}

const FATES: [(Fate, &str); 3] = [(Fate::Full, "full"), (Fate::Stopped, "stopped"), (Fate::Other, "other")];

/// The pen of a journal. Threads write to the same one.
pub struct Journal(File);

impl Journal {
    pub fn open(path: &Path) -> Self {
        Journal(OpenOptions::new().append(true).create(true).open(path).unwrap())
    }

    pub fn write(&self, line: &Line) {
        let content = |content: &Stored| match content {
            Some(Text { topic, variant }) => format!("{topic} {variant}"),
            None => "- -".to_owned(),
        };
        let text = match line {
            Line::Open => "open".to_owned(),
            Line::Refused(reason) => format!("refused {}", reason.replace('\n', " ")),
            Line::Begin(id, text) => format!("begin {id} {}", content(text)),
            Line::Done(id, text) => format!("done {id} {}", content(text)),
            Line::Failed(id, fate) => {
                let name = FATES.iter().find(|(known, _)| known == fate).unwrap().1;
                format!("failed {id} {name}")
            }
            Line::Read(is_right) => format!("read {is_right}"),
            Line::Closed => "closed".to_owned(),
            Line::Fault(..) | Line::Call(..) => unreachable!("the shim writes these itself"),
        };
        let written = (&self.0).write(format!("{text}\n").as_bytes()).unwrap();
        assert_eq!(written, text.len() + 1);
    }
}

/// The lines of a journal.
pub fn read(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(parse).collect()
}

fn parse(line: &str) -> Line {
    let words: Vec<&str> = line.split(' ').collect();
    let content = |topic: &str, variant: &str| {
        (topic != "-").then(|| Text { topic: topic.parse().unwrap(), variant: variant.parse().unwrap() })
    };
    match words[..] {
        ["open"] => Line::Open,
        ["closed"] => Line::Closed,
        ["refused", ..] => Line::Refused(line["refused ".len()..].to_owned()),
        ["read", is_right] => Line::Read(is_right == "true"),
        ["begin", id, topic, variant] => Line::Begin(id.to_owned(), content(topic, variant)),
        ["done", id, topic, variant] => Line::Done(id.to_owned(), content(topic, variant)),
        ["failed", id, fate] => {
            Line::Failed(id.to_owned(), FATES.iter().find(|(_, name)| *name == fate).unwrap().0)
        }
        ["fault", _, call, file] => Line::Fault(call.to_owned(), file.to_owned()),
        ["call", _, call, file] => Line::Call(call.to_owned(), file.to_owned()),
        _ => panic!("no line of a journal: {line:?}"),
    }
}
