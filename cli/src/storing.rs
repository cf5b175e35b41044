//! Pages on their way through the store-time check: analysed in parallel, judged in input order, each verdict printed
//! as soon as it is durable.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::outcome::Outcome;
use crate::output::{Output, counted, percent, printable};
use crate::readable::Readability;
use crate::reading::for_each_sound_page;
use anyhow::{Result, anyhow};
use firstcopy_engine::{Draft, Engine, EngineError, PassageSeeker, Ticket, Verdict};
use firstcopy_passages::Passage;
use firstcopy_text::Page;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

/// Verdicts under way to the printer: more than the writer takes at a time, so that it never waits for a terminal.
const UNDER_WAY: usize = 2048;

/// What came of it.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    pub originals: usize,
    pub duplicates: usize,
    pub unchanged: usize,
    pub reappeared: usize,
    /// Documents that turned out to be no text only when they were judged.
    pub unreadable: usize,
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        let counter = if verdict.is_original() { &mut self.originals } else { &mut self.duplicates };
        *counter += 1;
        self.unchanged += usize::from(verdict.unchanged);
        self.reappeared += usize::from(verdict.reappeared);
    }

    /// Counts a document that is no text, and says so.
    fn count_unreadable(&mut self, error: &EngineError) {
        self.unreadable += 1;
        eprintln!("firstcopy: {}", printable(&error.to_string()));
    }

    /// The outcome of a run that was read with this one.
    fn outcome(&self, read: Outcome, is_strict: bool) -> Outcome {
        match read {
            Outcome::Done if self.unreadable == 0 => Outcome::Done,
            Outcome::Done if self.originals + self.duplicates == 0 => Outcome::NothingRead,
            Outcome::Done if is_strict => Outcome::BadRecords,
            other => other,
        }
    }

    /// The closing summary in one line.
    pub fn summary(&self) -> String {
        let unchanged = if self.unchanged > 0 {
            format!(", {} of them unchanged", self.unchanged)
        } else {
            String::new()
        };
        let reappeared =
            if self.reappeared > 0 { format!(", {} back again", self.reappeared) } else { String::new() };
        format!(
            "{}, {}{unchanged}{reappeared}",
            counted(self.originals, "original"),
            counted(self.duplicates, "duplicate")
        )
    }
}

/// Everything is stored; search and similarity may still be behind. Who stopped the run does not wait for them: whoever
/// opens the directory next catches up.
pub fn let_followers_catch_up(engine: &Engine, outcome: Outcome, global: &GlobalArguments) -> Result<()> {
    if outcome == Outcome::Interrupted {
        return Ok(());
    }
    match engine.catch_up() {
        Err(error @ EngineError::Behind(_)) if !global.quiet => eprintln!("firstcopy: {error}"),
        Err(EngineError::Behind(_)) | Ok(()) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// Reads all inputs and prints the verdict of every page.
pub fn judge_all(
    engine: &Engine,
    inputs: &[String],
    reading: (&ReadArguments, &RejectArguments),
    global: &GlobalArguments,
    analyze: impl Fn(Page) -> Draft + Sync,
) -> Result<(Outcome, Tally)> {
    let readability = Readability::new();
    let work = |page| readability.check(page).map(&analyze);
    let (tickets, waiting) = sync_channel(UNDER_WAY);
    std::thread::scope(|scope| {
        let printer = scope.spawn(|| print_all(waiting, global.json));
        let read = for_each_sound_page(inputs, reading, global, work, |draft| {
            // The printer has ended only with an error of its own, which is told below.
            tickets.send(engine.submit(draft)).map_err(|_| anyhow!("the verdicts cannot be printed"))
        });
        drop(tickets);
        let printed = printer.join().unwrap_or_else(|_| Err(anyhow!("printing the verdicts failed")));
        let tally = printed?;
        Ok((tally.outcome(read?, reading.1.strict), tally))
    })
}

/// The same with the passages that every page has from what was stored before it. One page after the other: what is said
/// of one must not depend on how far the next ones got.
pub fn judge_all_with_passages(
    engine: &Engine,
    mut seeker: PassageSeeker,
    inputs: &[String],
    reading: (&ReadArguments, &RejectArguments),
    global: &GlobalArguments,
    analyze: impl Fn(Page) -> Draft + Sync,
) -> Result<(Outcome, Tally)> {
    let readability = Readability::new();
    let work = |page| readability.check(page).map(&analyze);
    let (mut output, mut tally) = (Output::new(), Tally::default());
    let read = for_each_sound_page(inputs, reading, global, work, |draft| {
        let mut verdict = match engine.store(draft) {
            Err(error @ EngineError::Unreadable { .. }) => {
                tally.count_unreadable(&error);
                return Ok(());
            }
            verdict => verdict?,
        };
        seeker.add_to(&mut verdict)?;
        tally.count(&verdict);
        if global.json {
            output.json(&verdict)?
        } else {
            print(&verdict, &mut output)?
        }
        // Whoever feeds us one page at a time waits for its verdict.
        output.flush()
    })?;
    Ok((tally.outcome(read, reading.1.strict), tally))
}

fn print_all(waiting: Receiver<Ticket>, json: bool) -> Result<Tally> {
    let (mut output, mut tally) = (Output::new(), Tally::default());
    loop {
        let ticket = match waiting.try_recv() {
            Ok(ticket) => ticket,
            Err(TryRecvError::Disconnected) => break,
            Err(TryRecvError::Empty) => {
                // Whoever feeds us one page at a time waits for its verdict.
                output.flush()?;
                match waiting.recv() {
                    Ok(ticket) => ticket,
                    Err(_) => break,
                }
            }
        };
        let verdict = match ticket.try_wait() {
            Some(verdict) => verdict,
            None => {
                output.flush()?;
                ticket.wait()
            }
        };
        let verdict = match verdict {
            Err(error @ EngineError::Unreadable { .. }) => {
                tally.count_unreadable(&error);
                continue;
            }
            verdict => verdict?,
        };
        tally.count(&verdict);
        if json { output.json(&verdict)? } else { print(&verdict, &mut output)? }
    }
    output.flush()?;
    Ok(tally)
}

/// The least share of a page that must be read as its text for its text to stand for it.
const MUCH_READ: f64 = 0.5;

/// Prints a verdict for people: the answer in one sentence, then what it rests on.
pub fn print(verdict: &Verdict, output: &mut Output) -> Result<()> {
    output.line(&format!("{}: {}", verdict.id, headline(verdict)))?;
    output.line(&format!("           {}", grounds(verdict)))?;
    if verdict.template {
        output.line(
            "           template: numbers and names differ, so the words in common do not make it a copy",
        )?;
    }
    if verdict.read_share < MUCH_READ {
        output
            .line(&format!("           {} of the page was read as its text", percent(verdict.read_share)))?;
    }
    print_changes(verdict, output)?;
    for passage in verdict.passages.iter().flatten() {
        output.line(&format!("           {}", passage_line(passage)))?;
    }
    for warning in &verdict.warnings {
        output.line(&format!("           warning: {warning}"))?;
    }
    Ok(())
}

/// The share of a text in passages of others from which on it must not be called new.
const MUCH_COPIED: f64 = 0.2;

/// The answer in one sentence: the summary of the verdict, unless passages of several documents say more.
fn headline(verdict: &Verdict) -> String {
    let share = verdict.copied_share.filter(|&share| share >= MUCH_COPIED && share > verdict.covered);
    let (Some(share), Some(passages), true) = (share, &verdict.passages, verdict.is_original()) else {
        return verdict.summary.clone();
    };
    let mut sources: Vec<&str> = passages.iter().map(|passage| passage.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    format!("{} of this text is in passages of {}.", percent(share), sources.join(", "))
}

/// The documents whose verdict changed with this one.
pub fn print_changes(verdict: &Verdict, output: &mut Output) -> Result<()> {
    for changed in &verdict.changed {
        let now = match &changed.original {
            Some(original) => format!("is now a duplicate of {original}"),
            None => "is now an original".to_owned(),
        };
        output.line(&format!("           {} {now}", changed.id))?;
    }
    Ok(())
}

/// What is said of a passage, in one line.
pub fn passage_line(passage: &Passage) -> String {
    let Passage { source, start, end, segments, .. } = passage;
    let place = match (passage.source_start, passage.source_end) {
        (Some(start), Some(end)) => format!(" {start}-{end}"),
        _ => String::new(),
    };
    let url = passage.source_url.as_deref().filter(|url| url != source);
    let url = url.map(|url| format!(" {url}")).unwrap_or_default();
    let changes = match passage.gaps.len() {
        0 => String::new(),
        gaps => format!(", {}", counted(gaps, "change")),
    };
    let what = format!("{} copy, {}{changes}", passage.kind.name(), counted(*segments, "segment"));
    format!("{start}-{end} from {source}{url}{place} ({what})")
}

/// The verdict of a stored document in one line.
pub fn line(verdict: &Verdict) -> String {
    match &verdict.original {
        Some(original) => format!("duplicate  {} of {original}, {}", verdict.id, figures(verdict)),
        None => format!("original   {}", verdict.id),
    }
}

/// The verdict in a few words: the other document, and the figures that decided.
fn grounds(verdict: &Verdict) -> String {
    match (&verdict.original, &verdict.nearest) {
        (Some(original), _) => format!("duplicate of {original}, {}", figures(verdict)),
        (None, Some(nearest)) => format!("original; closest is {}, {}", nearest.id, figures(verdict)),
        (None, None) => "original".to_owned(),
    }
}

fn figures(verdict: &Verdict) -> String {
    // Policies that compare no words have no likeness.
    let measure = match verdict.likeness {
        0.0 => format!("resemblance {:.3}", verdict.resemblance),
        likeness => format!("likeness {likeness:.3}"),
    };
    let by = match verdict.attribution.as_deref() {
        Some("same_author") => ", by the same author",
        Some(_) => ", as it declares",
        None => "",
    };
    format!("{measure}, relation {}{by}", verdict.relation.name())
}
