//! One walk over the text, by glances and by classes; what classes cannot settle goes through [`canonical`].

use super::ascii::{self, BLOCK, Block, CHUNK, EDGE, Eyes, Sink, Whole};
use super::canonical;
use super::classes::{self, Class, Table};
use super::{PADDING, Tokens};

/// How many bytes a glance must settle for the next one to be tried unasked: then dashes and quotes do not stop it, and
/// Korean and Japanese are no slower for it (`firstcopy-bench minima`).
const FRUITFUL: usize = 16;

/// Finds the tokens of a text with the best eyes this CPU has.
pub(super) fn scan(text: &str, tokens: &mut Tokens) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512bw,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
        fn compressing(scanner: Scanner<'_, ascii::Compressing>) {
            scanner.scan();
        }
        #[target_feature(enable = "avx512bw,bmi1,bmi2,lzcnt,popcnt")]
        fn avx512(scanner: Scanner<'_, ascii::Avx512>) {
            scanner.scan();
        }
        if let Some(eyes) = ascii::Compressing::detect() {
            // SAFETY: a `Compressing` exists only where the CPU has these features.
            return unsafe { compressing(Scanner::new(text, tokens, eyes)) };
        }
        if let Some(eyes) = ascii::Avx512::detect() {
            // SAFETY: an `Avx512` exists only where the CPU has these features.
            return unsafe { avx512(Scanner::new(text, tokens, eyes)) };
        }
    }
    scan_with(ascii::Plain, text, tokens);
}

/// Finds the tokens of a text with these eyes.
pub(super) fn scan_with(eyes: impl Eyes, text: &str, tokens: &mut Tokens) {
    Scanner::new(text, tokens, eyes).scan();
}

/// Walks over the text once.
struct Scanner<'a, E> {
    eyes: E,
    text: &'a str,
    bytes: &'a [u8],
    classes: &'static Table,
    tokens: &'a mut Tokens,
    /// How much of the canonical buffer is filled; the rest is room.
    filled: usize,
    /// Whether the last glance settled enough to try another, whatever stands ahead.
    is_eager: bool,
}

impl<'a, E: Eyes> Scanner<'a, E> {
    fn new(text: &'a str, tokens: &'a mut Tokens, eyes: E) -> Self {
        // Whatever another text left there is overwritten, but for the padding, which is there from the first one on.
        tokens.canonical.resize(PADDING + text.len() + 2 * BLOCK, 0);
        // What a text of unspaced characters needs, three bytes each; spaced words need less.
        tokens.places.reserve(text.len() / 3);
        let (bytes, classes) = (text.as_bytes(), classes::table());
        Scanner { eyes, text, bytes, classes, tokens, filled: PADDING, is_eager: false }
    }

    #[inline(always)]
    fn scan(mut self) {
        let mut at = 0;
        while at < self.bytes.len() {
            at = if self.is_eager || self.is_ascii_ahead(at) { self.glance(at) } else { self.step(at) };
        }
        self.tokens.canonical.truncate(self.filled);
        // At once for all: everything beyond ASCII is folded already.
        self.tokens.canonical.make_ascii_lowercase();
    }

    /// Whether a glance is likely to settle more than one character where the one before did not.
    #[inline(always)]
    fn is_ascii_ahead(&self, at: usize) -> bool {
        const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
        self.bytes[at..].first_chunk().is_some_and(|&ahead| u64::from_le_bytes(ahead) & HIGH_BITS == 0)
    }

    /// Takes all words that end before the first byte that needs attention; returns where to go on.
    #[inline(always)]
    fn glance(&mut self, at: usize) -> usize {
        let Some(&ahead) = self.bytes[at..].first_chunk::<{ 2 * BLOCK }>() else {
            return self.last_glance(at);
        };
        self.glance_at(&ahead, at)
    }

    /// Near the end of the text, zeros stand for what is beyond it: they end words.
    #[cold]
    fn last_glance(&mut self, at: usize) -> usize {
        let mut ahead = [0; 2 * BLOCK];
        ahead[..self.bytes.len() - at].copy_from_slice(&self.bytes[at..]);
        self.glance_at(&ahead, at)
    }

    #[inline(always)]
    fn glance_at(&mut self, ahead: &[u8; 2 * BLOCK], at: usize) -> usize {
        let Tokens { canonical, places } = &mut *self.tokens;
        let (Some(first), Some(room)) = (ahead.first_chunk(), canonical[self.filled..].first_chunk_mut())
        else {
            return self.step(at);
        };
        let block = Block::read(self.eyes, first);
        let whole = block.whole();
        self.filled += self.eyes.take(&whole, ahead, Sink { at, room, filled: self.filled, places });
        let limit = block.limit();
        self.is_eager = limit >= FRUITFUL;
        // What is cut off by the edge of the block is seen whole from its own start, unless it is longer than a block.
        if limit >= EDGE && whole.go_on > 0 { at + whole.go_on } else { self.resume(at, block, whole) }
    }

    /// Goes on where a glance stopped: at what needs attention, or at a word that may go on there.
    #[inline(always)]
    fn resume(&mut self, at: usize, block: Block, whole: Whole) -> usize {
        let (start, limit) = (at + whole.go_on, at + block.limit());
        if start == limit {
            return self.step(start);
        }
        let is_slice = block.spans == block.letters;
        match self.class_at(limit) {
            Some((Class::Separator | Class::Quote | Class::Unit, _)) if is_slice => {
                self.push_slice(start, limit)
            }
            _ => self.word(start),
        }
    }

    /// Takes what starts at `at`; returns where to go on.
    #[inline(always)]
    fn step(&mut self, at: usize) -> usize {
        let Some((class, width)) = self.class_at(at) else { return at };
        match class {
            Class::Letter | Class::FoldedLetter | Class::Digit | Class::FoldedDigit | Class::Joiner => {
                self.word(at)
            }
            Class::Unit => self.push_slice(at, at + width),
            Class::Slow => {
                let start = self.start_of_slow_run(at);
                self.run(start)
            }
            _ => at + width,
        }
    }

    /// The class and width of the character at a boundary; nothing at the end of the text.
    #[inline(always)]
    fn class_at(&self, at: usize) -> Option<(Class, usize)> {
        let first = *self.bytes.get(at)?;
        if first < 0x80 {
            return Some((self.classes[usize::from(first)], 1));
        }
        let continuation = |offset: usize| u16::from(self.bytes[at + offset] & 0x3f);
        Some(match first {
            0..=0xdf => (self.classes[usize::from(u16::from(first & 0x1f) << 6 | continuation(1))], 2),
            0xe0..=0xef => {
                let code_point = u16::from(first & 0x0f) << 12 | continuation(1) << 6 | continuation(2);
                (self.classes[usize::from(code_point)], 3)
            }
            // Beyond the basic plane: rare enough to go through the rules.
            _ => (Class::Slow, 4),
        })
    }

    /// Takes the word that starts at `start`; returns where to go on.
    fn word(&mut self, start: usize) -> usize {
        let (mut at, mut before, mut is_slice) = (start, Class::Separator, true);
        while let Some((class, width)) = self.class_at(at) {
            // The capitals of ASCII become small ones all at once, at the end.
            let stays =
                matches!(class, Class::Letter | Class::Digit) || class == Class::FoldedLetter && width == 1;
            match class {
                _ if stays => {}
                Class::Letter | Class::Digit | Class::FoldedLetter | Class::FoldedDigit | Class::Joiner => {
                    is_slice = false;
                }
                Class::MidLetter | Class::MidNumber | Class::MidBoth => {
                    match self.joins(before, class, at, at + width) {
                        Some(true) => is_slice = false,
                        Some(false) => break,
                        None => return self.run(start),
                    }
                }
                Class::Slow => return self.run(start),
                Class::Separator | Class::Unit | Class::Quote => break,
            }
            before = class;
            at += width;
        }
        if is_slice { self.push_slice(start, at) } else { self.push_folded(start, at) }
    }

    /// Whether the punctuation between two characters joins them into one word; unknown if the next one is slow.
    fn joins(&self, before: Class, middle: Class, at: usize, next: usize) -> Option<bool> {
        let letter = |class| matches!(class, Class::Letter | Class::FoldedLetter);
        let digit = |class| matches!(class, Class::Digit | Class::FoldedDigit);
        let Some((after, _)) = self.class_at(next) else { return Some(false) };
        if after == Class::Slow {
            return None;
        }
        let letters = letter(before) && letter(after) && middle != Class::MidNumber;
        let digits = digit(before) && digit(after) && middle != Class::MidLetter;
        Some(digits || letters && !self.is_between_hangul(at, next))
    }

    fn is_between_hangul(&self, at: usize, next: usize) -> bool {
        self.text[..at].ends_with(canonical::is_hangul) && self.text[next..].starts_with(canonical::is_hangul)
    }

    /// A token whose canonical form is its own lower case.
    #[inline(always)]
    fn push_slice(&mut self, start: usize, end: usize) -> usize {
        let length = end - start;
        let room = self.tokens.canonical[self.filled..].first_chunk_mut::<CHUNK>();
        match (room, self.bytes[start..].first_chunk::<CHUNK>()) {
            (Some(room), Some(chunk)) if length <= CHUNK => {
                *room = *chunk;
                self.filled += length;
            }
            _ => self.append(start, end),
        }
        self.push_token(start, end)
    }

    /// Appends a slice of the text of any length.
    #[cold]
    fn append(&mut self, start: usize, end: usize) {
        let length = end - start;
        self.make_room(length);
        self.tokens.canonical[self.filled..self.filled + length].copy_from_slice(&self.bytes[start..end]);
        self.filled += length;
    }

    /// Normalisation can make a text longer than it was.
    fn make_room(&mut self, length: usize) {
        if self.filled + length + CHUNK > self.tokens.canonical.len() {
            let longer = (self.filled + length + CHUNK) * 5 / 4;
            self.tokens.canonical.resize(longer, 0);
        }
    }

    /// Ends a token where the canonical buffer is filled to.
    #[inline(always)]
    fn push_token(&mut self, start: usize, end: usize) -> usize {
        self.tokens.places.push(start, end, self.filled);
        end
    }

    fn push_canonical(&mut self, canonical: &str, start: usize, end: usize) {
        self.make_room(canonical.len());
        self.tokens.canonical[self.filled..self.filled + canonical.len()]
            .copy_from_slice(canonical.as_bytes());
        self.filled += canonical.len();
        self.push_token(start, end);
    }

    /// A token with letters to be folded beyond ASCII or with punctuation inside; a word of joiners alone is none.
    fn push_folded(&mut self, start: usize, end: usize) -> usize {
        let text = self.text;
        let fold = |character: char| match self.classes[character as usize] {
            Class::Letter | Class::Digit => Some(character),
            Class::FoldedLetter | Class::FoldedDigit => classes::folded(character),
            _ => None,
        };
        let word: String = text[start..end].chars().filter_map(fold).collect();
        if !word.is_empty() {
            self.push_canonical(&word, start, end);
        }
        end
    }

    /// A slow character may combine with the unit right before it, which then belongs to its run.
    fn start_of_slow_run(&mut self, at: usize) -> usize {
        let Some(start) = self.tokens.places.pop_at(at) else { return at };
        self.filled = self.tokens.canonical_ends().last().map_or(PADDING, |&end| end as usize);
        start
    }

    /// Takes all tokens from `start` to the next character that no rule joins to what stands before it.
    fn run(&mut self, start: usize) -> usize {
        let (text, end) = (self.text, self.end_of_run(start));
        canonical::canonical_tokens(&text[start..end], |word, place| {
            self.push_canonical(word, start + place.start, start + place.end);
        });
        end
    }

    fn end_of_run(&self, start: usize) -> usize {
        // The first character is part of the run whatever it is: a unit was taken back for it.
        let mut at = start + self.class_at(start).map_or(0, |(_, width)| width);
        while let Some((class, width)) = self.class_at(at) {
            let ends = match class {
                Class::Separator | Class::Unit => true,
                Class::Quote => !matches!(self.class_at(at + width), Some((Class::Slow, _))),
                _ => false,
            };
            if ends {
                break;
            }
            at += width;
        }
        at
    }
}
