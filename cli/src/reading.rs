//! From inputs to documents: what every command that reads shares: threads, progress, rejects, Ctrl-C, the summary.

use crate::arguments::{GlobalArguments, ReadArguments, RejectArguments};
use crate::outcome::{Outcome, UsageError};
use crate::output::{counted, printable};
use anyhow::{Context, Result};
use firstcopy_input::{Inputs, Progress, Reject, for_each_part, open};
use firstcopy_text::Page;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Set when the user asks to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the user asked to stop.
pub fn is_stopped() -> bool {
    STOP.load(Relaxed)
}

/// Reads all inputs, works on every page in parallel, and hands the results to `sink` in input order.
pub fn for_each_page<T: Send>(
    inputs: &[String],
    (reading, bad): (&ReadArguments, &RejectArguments),
    global: &GlobalArguments,
    work: impl Fn(Page) -> T + Sync,
    sink: impl FnMut(T) -> Result<()>,
) -> Result<Outcome> {
    refuse_to_overwrite(inputs, bad.rejects.as_deref())?;
    let inputs = open(inputs, reading.options())?;
    for_each_page_after(0, inputs, bad, global, work, sink)
}

/// Does what [`for_each_page`] does with work that may find a page to be bad: its reason becomes a reject.
pub fn for_each_sound_page<T: Send>(
    inputs: &[String],
    (reading, bad): (&ReadArguments, &RejectArguments),
    global: &GlobalArguments,
    work: impl Fn(Page) -> Result<T, String> + Sync,
    sink: impl FnMut(T) -> Result<()>,
) -> Result<Outcome> {
    refuse_to_overwrite(inputs, bad.rejects.as_deref())?;
    let inputs = open(inputs, reading.options())?;
    for_each_part_after(0, inputs, bad, global, |page| [work(page)], sink)
}

/// The same for inputs whose first pages were worked on before.
pub fn for_each_page_after<T: Send>(
    done_before: u64,
    inputs: Inputs,
    bad: &RejectArguments,
    global: &GlobalArguments,
    work: impl Fn(Page) -> T + Sync,
    sink: impl FnMut(T) -> Result<()>,
) -> Result<Outcome> {
    for_each_part_after(done_before, inputs, bad, global, |page| [Ok(work(page))], sink)
}

/// The same for pages that are made of parts, some of which may turn out bad.
pub fn for_each_part_after<T: Send, P: IntoIterator<Item = Result<T, String>>>(
    done_before: u64,
    inputs: Inputs,
    bad: &RejectArguments,
    global: &GlobalArguments,
    work: impl Fn(Page) -> P + Sync,
    mut sink: impl FnMut(T) -> Result<()>,
) -> Result<Outcome> {
    let progress = inputs.progress();
    let mut rejects = Rejects::create(bad.rejects.as_deref(), global.quiet)?;
    stop_on_ctrl_c();
    let bar = progress_bar(&progress, global.quiet);
    let mut pages = inputs.pages();
    for _ in 0..done_before {
        while let Some(Err(reject)) = pages.next() {
            bar.suspend(|| rejects.take(&reject))?;
        }
        bar.set_position(progress.bytes_read());
    }
    let end = for_each_part(pages, global.threads(), work, |result| {
        bar.set_position(progress.bytes_read());
        let taken = match result {
            Ok(result) => sink(result),
            Err(reject) => bar.suspend(|| rejects.take(&reject)),
        };
        match taken {
            Err(error) => ControlFlow::Break(Err(error)),
            Ok(()) if STOP.load(Relaxed) => ControlFlow::Break(Ok(())),
            Ok(()) => ControlFlow::Continue(()),
        }
    });
    bar.finish_and_clear();
    rejects.finish()?;
    if let ControlFlow::Break(stopped) = end {
        stopped?;
        eprintln!("firstcopy: stopped after {}", counted(progress.pages() as usize, "document"));
        return Ok(Outcome::Interrupted);
    }
    if !global.quiet {
        summarize(&progress, bad);
    }
    Ok(match progress.rejects() {
        0 => Outcome::Done,
        _ if progress.pages() == 0 => Outcome::NothingRead,
        _ if bad.strict => Outcome::BadRecords,
        _ => Outcome::Done,
    })
}

/// A list of rejects in the place of an input would destroy it before it is read.
pub fn refuse_to_overwrite(inputs: &[String], rejects: Option<&Path>) -> Result<()> {
    let Some(place) = rejects.and_then(|path| path.canonicalize().ok()) else { return Ok(()) };
    let is_there = |input: &&String| Path::new(input).canonicalize().is_ok_and(|path| path == place);
    match inputs.iter().find(is_there) {
        Some(input) => {
            Err(UsageError(format!("{input}: --rejects would overwrite this input: name another file"))
                .into())
        }
        None => Ok(()),
    }
}

/// The bad records: named on stderr (the first few), all of them in the file that was asked for.
struct Rejects {
    file: Option<BufWriter<File>>,
    unnamed: usize,
    quiet: bool,
}

/// How many bad records are named on stderr before only their number is.
const NAMED_REJECTS: usize = 10;

impl Rejects {
    fn create(path: Option<&Path>, quiet: bool) -> Result<Self> {
        let create =
            |path: &Path| File::create(path).with_context(|| format!("cannot write {}", path.display()));
        Ok(Rejects { file: path.map(create).transpose()?.map(BufWriter::new), unnamed: 0, quiet })
    }

    fn take(&mut self, reject: &Reject) -> Result<()> {
        self.unnamed += 1;
        if !self.quiet && self.unnamed <= NAMED_REJECTS {
            eprintln!("firstcopy: {}", printable(&reject.to_string()));
        }
        if let Some(file) = &mut self.file {
            serde_json::to_writer(&mut *file, reject)?;
            file.write_all(b"\n").context("cannot write the rejects")?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        match self.file {
            Some(mut file) => file.flush().context("cannot write the rejects"),
            None => Ok(()),
        }
    }
}

/// What was read, in one line; nothing if it was a single good document.
fn summarize(progress: &Progress, bad: &RejectArguments) {
    let (pages, rejects) = (progress.pages() as usize, progress.rejects() as usize);
    if pages == 1 && rejects == 0 && progress.skipped() == 0 {
        return;
    }
    let mut summary = match (pages, rejects) {
        (0, 1..) => "firstcopy: nothing of what was given could be read".to_owned(),
        _ => format!("firstcopy: {}", counted(pages, "document")),
    };
    if rejects > 0 {
        let remedy = if bad.rejects.is_none() && rejects > NAMED_REJECTS {
            ", list them with --rejects FILE"
        } else {
            ""
        };
        summary += &format!("; {} left out{remedy}", counted(rejects, "bad record"));
    }
    for (reason, count) in progress.skipped_by_reason() {
        summary += &format!("; skipped {reason}: {count}");
    }
    eprintln!("{summary}");
}

/// A bar with rate and time to go; hidden when stderr is not a terminal.
fn progress_bar(progress: &Progress, quiet: bool) -> ProgressBar {
    const TEMPLATE: &str = "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go";
    const UNKNOWN_TOTAL: &str = "{spinner} {bytes}, {bytes_per_sec}";
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
    let bar = ProgressBar::with_draw_target(progress.total_bytes(), target);
    let template = if progress.total_bytes().is_some() { TEMPLATE } else { UNKNOWN_TOTAL };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A count of documents on a terminal, for work whose end is not known.
pub fn counting_bar(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} documents, {per_sec}") {
        bar.set_style(style);
    }
    bar
}

/// Pages on a terminal, with rate and time to go.
pub fn page_bar(pages: u64, quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(5) };
    let bar = ProgressBar::with_draw_target(Some(pages), target);
    let template = "{wide_bar} {human_pos} of {human_len} pages, {per_sec}, {eta} to go";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// The first Ctrl-C ends the run after the record at hand, the second at once.
pub fn stop_on_ctrl_c() {
    // Another handler is already there only if this is called twice: then there is nothing to do.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Relaxed) {
            std::process::exit(130);
        }
    });
}

/// A panic while working on a page becomes a reject that says so; the default message would say it twice.
pub fn keep_worker_panics_quiet() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() == Some("main") {
            default(panic);
        }
    }));
}
