//! Which part of a typed word must a document hold?
//!
//! Not the particles and endings: who types 학교에서 or 食べました also wants 학교는 and 食べる. What is cut off here still
//! counts for the order of the hits, so a cut too many (고양이 keeps 고양) costs rank and no hit.

use crate::terms::Unit;

/// What must be held.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Core {
    /// A word of a script with spaces.
    Word(String),
    /// A single character.
    Character(String),
    /// Characters one after the other; space between them does not matter.
    Run(Vec<String>),
}

/// Korean particles, and the endings of 이다, 하다 and 되다 that follow a noun. One is cut off after the other.
const ENDINGS: &str = "\
    은 는 이 가 을 를 의 에 와 과 도 로 만 들 께 야 요 에서 에게 으로 까지 부터 처럼 \
    보다 마다 조차 마저 밖에 한테 께서 이나 이며 이고 이란 이라 라는 라고 라도 로서 로써 \
    이다 이랑 에는 에도 대로 만큼 입니다 이었다 이라는 이라고 으로서 으로써 습니다 하다 하는 \
    하고 하여 하기 하지 하면 하며 하게 하자 하던 하도록 한다 했다 했던 해서 해야 하였다 \
    합니다 했습니다 하였습니다 한 할 함 해 하 했 되다 되는 되어 되고 되지 되면 되며 된다 \
    됐다 되었다 됩니다 되었습니다 된 될 됨 돼 되 시킨 시키는 적인 적으로 였다 이던 인가 인데 \
    이면";
/// Japanese particles of one character.
const PARTICLES: &str = "はがをにのともへでや";
/// Syllables or characters that are left at least.
const LEAST: usize = 2;
/// Kana after a word that are no more than its ending or a particle.
const LONGEST_ENDING: usize = 5;

/// The cores of one typed word.
pub(super) fn cores(units: &[Unit]) -> Vec<Core> {
    let mut cores = Vec::new();
    let mut before: Option<&Unit> = None;
    for run in units.chunk_by(belong_together) {
        let follows_word = run[0].is_joined && before.is_some_and(|before| !before.is_character);
        match Script::of(&run[0]) {
            Script::Word => cores.extend(run.iter().map(|unit| Core::Word(unit.form.clone()))),
            Script::Hangul => cores.extend(hangul(run, follows_word)),
            _ => cores.extend(unspaced(run)),
        }
        before = run.last();
    }
    cores
}

fn belong_together(a: &Unit, b: &Unit) -> bool {
    let (first, second) = (Script::of(a), Script::of(b));
    let is_hangul = |script| script == Script::Hangul;
    b.is_joined && a.is_character && b.is_character && is_hangul(first) == is_hangul(second)
}

/// What is written with a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Word,
    Hangul,
    Hiragana,
    Katakana,
    Other,
}

impl Script {
    fn of(unit: &Unit) -> Self {
        match unit.form.chars().next() {
            Some('가'..='힣') => Script::Hangul,
            Some('\u{3041}'..='\u{309f}') => Script::Hiragana,
            Some('\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}') => Script::Katakana,
            _ if unit.is_character => Script::Other,
            _ => Script::Word,
        }
    }
}

/// An eojeol without its endings. After a word of another script it may be nothing but endings.
fn hangul(run: &[Unit], follows_word: bool) -> Option<Core> {
    let word: String = forms(run).concat();
    if follows_word && stem(&word, 0).is_empty() {
        return None;
    }
    let kept = stem(&word, LEAST).chars().count();
    Some(of_characters(&run[..kept]))
}

/// A word without the endings that can be cut off so that `least` syllables are left; the longest ending first.
fn stem(word: &str, least: usize) -> &str {
    let mut stem = word;
    while let Some(shorter) = cut_ending(stem, least) {
        stem = shorter;
    }
    stem
}

fn cut_ending(word: &str, least: usize) -> Option<&str> {
    let rest = ENDINGS.split(' ').filter_map(|ending| word.strip_suffix(ending));
    rest.filter(|rest| rest.chars().count() >= least).min_by_key(|rest| rest.len())
}

/// Runs of Han and Katakana. Hiragana between and after them are particles and endings, except that a single
/// character needs its neighbour: 食べ, but not the の of 車の.
fn unspaced(run: &[Unit]) -> Vec<Core> {
    let mut cores = Vec::new();
    let mut start = 0;
    for part in run.chunk_by(|a, b| Script::of(a) == Script::of(b)) {
        let end = start + part.len();
        let is_ending = Script::of(&part[0]) == Script::Hiragana && part.len() <= LONGEST_ENDING;
        if part.len() == run.len() {
            cores.push(of_characters(without_long_vowel(part)));
        } else if !is_ending {
            cores.push(of_characters(match part.len() {
                1 if is_particle(&run[end..]) => part,
                1 if end < run.len() => &run[start..=end],
                1 if is_particle(&run[start - 1..]) => part,
                1 => &run[start - 1..end],
                _ => without_long_vowel(part),
            }));
        }
        start = end;
    }
    cores
}

/// Whether this starts with a single particle.
fn is_particle(rest: &[Unit]) -> bool {
    let is_followed_by_ending = rest.get(1).is_some_and(|next| Script::of(next) == Script::Hiragana);
    rest.first().is_some_and(|first| PARTICLES.contains(&first.form)) && !is_followed_by_ending
}

/// コンピューター is コンピュータ.
fn without_long_vowel(part: &[Unit]) -> &[Unit] {
    match part {
        [rest @ .., last] if last.form == "ー" && rest.len() > LEAST => rest,
        part => part,
    }
}

fn of_characters(run: &[Unit]) -> Core {
    match run {
        [only] => Core::Character(only.form.clone()),
        run => Core::Run(forms(run)),
    }
}

fn forms(run: &[Unit]) -> Vec<String> {
    run.iter().map(|unit| unit.form.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Units;

    #[test]
    fn cores_of_words() {
        let cases: [(&str, &[&str]); 23] = [
            ("Hello", &["hello"]),
            ("학교", &["학교"]),
            ("학교에서는", &["학교"]),
            ("학생들에게", &["학생"]),
            ("결정하였습니다", &["결정"]),
            ("고양이", &["고양"]),
            ("물", &["물"]),
            ("물을", &["물을"]),
            ("AI는", &["ai"]),
            ("AI학교는", &["ai", "학교"]),
            ("3월에", &["3", "월에"]),
            ("東京", &["東京"]),
            ("東京の天気", &["東京", "天気"]),
            ("食べました", &["食べ"]),
            ("お茶", &["お茶"]),
            ("車の色", &["車", "色"]),
            ("車", &["車"]),
            ("ありがとう", &["ありがとう"]),
            ("コンピューター", &["コンピュータ"]),
            ("データを使う", &["データ", "使う"]),
            ("カー", &["カー"]),
            ("北京天气", &["北京天气"]),
            ("", &[]),
        ];
        for (word, expected) in cases {
            let units: Vec<Unit> = Units::of(word).collect();
            let spelled = |core: &Core| match core {
                Core::Word(text) | Core::Character(text) => text.clone(),
                Core::Run(characters) => characters.concat(),
            };
            assert_eq!(cores(&units).iter().map(spelled).collect::<Vec<_>>(), expected, "{word}");
        }
    }
}
