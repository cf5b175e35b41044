//! Texts in families whose members resemble each other by 0.6 to 1.0, so that being alike is not transitive.

use firstcopy_text::{Content, Feature, Page};

/// Numbers that are the same for the same seed (splitmix64).
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Whether something that happens so often in a hundred times happens now.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// So many words of no language, practically all different.
pub fn words(seed: u64, count: usize) -> Vec<String> {
    let mut random = Random(seed);
    let mut syllable = || {
        let number = random.below(80);
        [b"bdfghjklmnprstvz"[number / 5], b"aeiou"[number % 5]].map(char::from)
    };
    let mut word = || [syllable(), syllable(), syllable(), syllable()].concat().into_iter().collect();
    (0..count).map(|_| word()).collect()
}

/// Windows of `length` words over one stream, each `step` words further.
fn windows(seed: u64, length: usize, step: usize, count: usize) -> Vec<String> {
    let stream = words(seed, length + step * count);
    (0..count).map(|number| stream[number * step..][..length].join(" ")).collect()
}

/// The same text with the words at these places replaced.
fn substituted(text: &str, places: &[usize]) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    places.iter().for_each(|&place| words[place] = "substitute");
    words.join(" ")
}

/// Sets of `length` numbers, each `step` further.
fn number_sets(length: i64, step: i64, count: i64) -> impl Iterator<Item = Content> {
    let set = move |start: i64| Content::Features((start..start + length).map(Feature::Number).collect());
    (0..count).map(move |number| set(number * step))
}

/// About sixty contents. With ten words a shingle, a window of n words that is d words further than another one has
/// n - 9 - d shingles in common with it, of n - 9 + d.
pub fn pool() -> Vec<Content> {
    let chain = windows(1, 120, 8, 6); // 0.87 to the next, 0.75 to the one after it
    let edge = windows(2, 121, 6, 7); // 0.81 two steps away, 0.72 three
    let short = windows(3, 26, 1, 6); // 17 shingles: 0.89, 0.79
    let long = windows(4, 220, 2, 9); // 0.98, 0.96, …: 2 of 6 features more or less often
    let base = words(5, 130).join(" ");
    let changed = [vec![], vec![60], vec![60, 64], vec![30, 90], vec![129], vec![0, 129]];
    let repetitive = ["tick tock ".repeat(60), "tick tock ".repeat(61) + "boom", "tick tock ".repeat(62)];
    let short_posts = ["good morning everyone", "Good morning, everyone!", "good night everyone", "yes"];
    let empty = ["", "  \n ", "!!! ..."];

    let mut texts: Vec<String> = changed.iter().map(|places| substituted(&base, places)).collect();
    texts.extend([chain[0].to_uppercase(), edge[2].replace(' ', ", "), long[3].replace(' ', "\n")]);
    texts.extend([chain, edge, short, long].concat());
    texts.extend(repetitive);
    texts.extend(short_posts.iter().chain(&empty).map(|text| (*text).to_owned()));

    let mut contents = vec![Content::html(format!("<p>{}</p>", texts[0])), Content::Features(Vec::new())];
    contents.extend(texts.into_iter().map(Content::text));
    contents.extend(number_sets(41, 2, 6)); // 0.91, 0.82, 0.74
    contents.push(Content::Features((0..41).map(|number| Feature::Name(number.to_string())).collect()));
    contents
}

/// A text of a hundred words; other numbers, other words.
pub fn text(number: u64) -> String {
    words(number, 100).join(" ")
}

/// The same text with its last words changed: it resembles it by 0.9.
pub fn near(number: u64) -> String {
    let mut words = words(number, 100);
    words.splice(96.., words[..4].to_vec());
    words.join(" ")
}

/// A post.
pub fn post(id: &str, text: impl Into<String>) -> Page {
    Page { id: id.to_owned(), content: Content::text(text), ..Page::default() }
}
