//! Tells the language of a text by its script, and English by its function words. Overrules what a page declares only
//! where the two clearly contradict each other.

/// Bytes of a text that are looked at, in [`WINDOWS`] pieces spread over it: more bytes hardly change a share.
const SAMPLE: usize = 1 << 10;
/// Pieces of the sample: a notice in English above a Korean text does not decide.
const WINDOWS: usize = 4;
/// Fewer letters of a script tell nothing: a name or a quotation.
const MIN_LETTERS: usize = 20;
/// The share of the letters, in percent, above which a script decides against a language of another script.
const DECIDING_PERCENT: usize = 30;
/// The share of the letters, in percent, below which a text is not in the script of its declared language.
const ABSENT_PERCENT: usize = 2;
/// The share of kana among kana and Han, in percent, from which a text is Japanese: a Chinese text quotes less, a
/// Japanese one has at least several times as many.
const KANA_PERCENT: usize = 5;
/// Fewer words do not tell English from other languages.
const MIN_WORDS: usize = 50;
/// The share of [`ENGLISH_WORDS`] among the words, in percent, from which a text is English: prose has about 20.
const ENGLISH_PERCENT: usize = 10;
/// Frequent words of English that other languages in Latin script seldom or never have.
const ENGLISH_WORDS: [&str; 8] = ["the", "of", "and", "to", "that", "for", "with", "this"];

/// The scripts that tell a language, or at least a few to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Hangul,
    Kana,
    Han,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Thai,
    Devanagari,
    Other,
}

/// Number of variants of [`Script`].
const SCRIPTS: usize = 11;

/// The languages of each script, the most frequent first. A declared one of the same script stays as it is.
const LANGUAGES: [(Script, &[&str]); 9] = [
    (Script::Hangul, &["ko", "kor"]),
    (Script::Kana, &["ja", "jpn", "ain", "ryu"]),
    (Script::Han, &["zh", "zho", "chi", "yue", "cmn", "lzh", "wuu", "nan", "hak", "gan"]),
    (
        Script::Cyrillic,
        &[
            "ru", "rus", "uk", "ukr", "be", "bg", "sr", "sh", "mk", "kk", "ky", "mn", "tg", "tt", "ba", "cv",
            "ce", "os", "uz", "az", "tk", "sah", "ab", "cu", "rue", "bs", "kv", "udm", "mhr", "myv",
        ],
    ),
    (Script::Greek, &["el", "ell", "gre", "grc"]),
    (
        Script::Arabic,
        &[
            "ar", "ara", "fa", "fas", "per", "ur", "ps", "ckb", "ku", "sd", "ug", "pnb", "arz", "ks", "az",
            "azb", "dv",
        ],
    ),
    (Script::Hebrew, &["he", "heb", "iw", "yi", "lad"]),
    (Script::Thai, &["th", "tha"]),
    (Script::Devanagari, &["hi", "hin", "mr", "ne", "sa", "mai", "bho", "kok", "doi", "new", "pi"]),
];

/// Tells the language of a text as a BCP 47 tag: the declared one as written, unless the text clearly contradicts it;
/// none if nothing is declared and the text does not tell.
pub(crate) fn tell_language(declared: Option<&str>, text: &str) -> Option<String> {
    let letters = Letters::count(text);
    let by_text = match letters.deciding_script() {
        Some(script) => contradicts(declared, script).then(|| languages(script)[0]),
        None => (may_be_english(declared, &letters) && is_english(text)).then_some("en"),
    };
    by_text.or(declared).map(str::to_owned)
}

/// Whether the declared language is written in another script.
fn contradicts(declared: Option<&str>, script: Script) -> bool {
    !declared.is_some_and(|tag| languages(script).contains(&primary(tag).as_str()))
}

/// Whether nothing is declared, or a language whose script is absent from the text.
fn may_be_english(declared: Option<&str>, letters: &Letters) -> bool {
    let Some(primary) = declared.map(primary) else { return true };
    let mut scripts =
        LANGUAGES.iter().filter(|(_, languages)| languages.contains(&primary.as_str())).peekable();
    scripts.peek().is_some()
        && scripts.all(|&(script, _)| letters.of(script) * 100 < letters.all() * ABSENT_PERCENT)
}

fn languages(script: Script) -> &'static [&'static str] {
    LANGUAGES.iter().find(|(of, _)| *of == script).map_or(&["und"], |(_, languages)| languages)
}

/// Cuts a tag down to its language, in lower case: `ko` of `KO_kr`.
fn primary(tag: &str) -> String {
    tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase()
}

/// Letters of the sample, by script.
#[derive(Debug, Default)]
struct Letters([usize; SCRIPTS]);

impl Letters {
    fn count(text: &str) -> Letters {
        let mut letters = Letters::default();
        for window in sample(text) {
            if window.is_ascii() {
                letters.0[Script::Latin as usize] += window.bytes().filter(u8::is_ascii_alphabetic).count();
                continue;
            }
            for script in window.chars().filter_map(script_of) {
                letters.0[script as usize] += 1;
            }
        }
        letters
    }

    fn of(&self, script: Script) -> usize {
        self.0[script as usize]
    }

    fn all(&self) -> usize {
        self.0.iter().sum()
    }

    fn decides(&self, letters: usize) -> bool {
        letters >= MIN_LETTERS && letters * 100 > self.all() * DECIDING_PERCENT
    }

    /// Finds the script beyond Latin that the text is written in.
    fn deciding_script(&self) -> Option<Script> {
        let (hangul, kana, han) = (self.of(Script::Hangul), self.of(Script::Kana), self.of(Script::Han));
        if self.decides(hangul + kana + han) {
            return Some(match () {
                // Korean may write many of its nouns in Han.
                () if hangul > kana && hangul * 3 >= han => Script::Hangul,
                () if kana * 100 >= (kana + han) * KANA_PERCENT => Script::Kana,
                () => Script::Han,
            });
        }
        let one_script = LANGUAGES.iter().map(|&(script, _)| script).skip(3);
        one_script.filter(|&script| self.decides(self.of(script))).max_by_key(|&script| self.of(script))
    }
}

/// Cuts pieces out of a long text, evenly spread; all of a short one.
fn sample(text: &str) -> impl Iterator<Item = &str> {
    let length = text.len().min(SAMPLE).div_ceil(WINDOWS);
    let step = length.max(text.len() / WINDOWS);
    (0..WINDOWS).map(move |window| {
        let start = step * window;
        &text[text.floor_char_boundary(start)..text.floor_char_boundary(start + length)]
    })
}

fn script_of(character: char) -> Option<Script> {
    Some(match character {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        '\0'..='\u{7f}' => return None,
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' => Script::Hangul,
        '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9d}' => Script::Kana,
        '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Han,
        '\u{400}'..='\u{52f}' => Script::Cyrillic,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' => {
            Script::Arabic
        }
        '\u{590}'..='\u{5ff}' => Script::Hebrew,
        '\u{e01}'..='\u{e5b}' => Script::Thai,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        _ if character.is_alphabetic() => Script::Other,
        _ => return None,
    })
}

fn is_english(text: &str) -> bool {
    let (mut all, mut found) = (0, 0);
    let mut take = |word: &[u8]| {
        all += usize::from(!word.is_empty());
        found += usize::from(ENGLISH_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())));
    };
    for window in sample(text) {
        if window.is_ascii() {
            window.as_bytes().split(|byte| !byte.is_ascii_alphabetic()).for_each(&mut take);
        } else {
            window.split(|c: char| !c.is_alphabetic()).for_each(|word| take(word.as_bytes()));
        }
    }
    all >= MIN_WORDS && found * 100 >= all * ENGLISH_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;

    const KOREAN: &str =
        "저장하는 순간에 판단하고 원본의 이름을 밝히며 복사본은 검색에서 뺀다. See the README file.";
    const JAPANESE: &str =
        "保存する瞬間に判断し、原本の名前を示し、複製は検索から外す。詳しくは説明書を参照。";
    const CHINESE: &str =
        "保存时立即判断，注明原文名称，复制的文章不再出现在搜索结果里面，详情请看说明文件。";
    const RUSSIAN: &str = "Решение принимается в момент сохранения, и копии убираются из поиска.";
    const ENGLISH: &str = "The verdict is given at the moment of saving, and the name of the original is given with it. \
        Copies are taken out of the search, and that is all there is to say for the moment about this subject. The \
        rest of the manual is for those who want to know how it works, with a chapter for each of the parts of it.";
    const GERMAN: &str = "Das Urteil fällt im Augenblick des Speicherns, und der Name des Originals wird mit ihm genannt. \
        Kopien werden aus der Suche genommen, und mehr ist im Augenblick nicht zu sagen. Der Rest des Handbuchs ist für \
        die, die wissen wollen, wie es geht, mit einem Kapitel für jeden der Teile, und einem Anhang für alle anderen.";

    #[track_caller]
    fn check(cases: &[(Option<&str>, &str, Option<&str>)]) {
        for (declared, text, expected) in cases {
            assert_eq!(tell_language(*declared, text).as_deref(), *expected, "{declared:?} {text}");
        }
    }

    #[test]
    fn undeclared_language_comes_from_the_text() {
        check(&[
            (None, KOREAN, Some("ko")),
            (None, JAPANESE, Some("ja")),
            (None, CHINESE, Some("zh")),
            (None, RUSSIAN, Some("ru")),
            (None, "Η απόφαση λαμβάνεται τη στιγμή της αποθήκευσης.", Some("el")),
            (None, "يتخذ القرار في لحظة الحفظ ويذكر اسم الأصل.", Some("ar")),
            (None, "ההחלטה מתקבלת ברגע השמירה ושם המקור מצוין.", Some("he")),
            (None, "การตัดสินเกิดขึ้นในขณะที่บันทึก", Some("th")),
            (None, "निर्णय सहेजने के क्षण में लिया जाता है।", Some("hi")),
            (None, ENGLISH, Some("en")),
            (None, GERMAN, None),
        ]);
    }

    #[test]
    fn contradicted_declaration_yields_to_the_text() {
        check(&[
            (Some("en"), KOREAN, Some("ko")),
            (Some("en-US"), JAPANESE, Some("ja")),
            (Some("kr"), KOREAN, Some("ko")),
            (Some("ko"), JAPANESE, Some("ja")),
            (Some("ja"), CHINESE, Some("zh")),
            (Some("ko-KR"), ENGLISH, Some("en")),
        ]);
    }

    #[test]
    fn agreeing_declaration_stays_as_written() {
        check(&[
            (Some("ko-KR"), KOREAN, Some("ko-KR")),
            (Some("KO_kr"), KOREAN, Some("KO_kr")),
            (Some("zh-Hant-TW"), CHINESE, Some("zh-Hant-TW")),
            (Some("uk"), RUSSIAN, Some("uk")),
            (Some("de-AT"), GERMAN, Some("de-AT")),
            (Some("en-GB"), ENGLISH, Some("en-GB")),
        ]);
    }

    #[test]
    fn text_that_does_not_tell_keeps_the_declaration() {
        check(&[
            (Some("ko"), "", Some("ko")),
            (Some("en"), "김치 kimchi", Some("en")),
            (Some("ko"), GERMAN, Some("ko")),
            (Some("de"), ENGLISH, Some("de")),
            (Some("en"), &format!("{ENGLISH} 저장하는 순간에 판단하고"), Some("en")),
            (None, "12 345", None),
            (None, "", None),
        ]);
    }

    #[test]
    fn long_text_is_sampled_beyond_its_start() {
        let notice = "This page is not translated yet. ".repeat(100);
        check(&[(Some("en"), &format!("{notice}{}", KOREAN.repeat(1000)), Some("ko"))]);
        let sampled: usize = sample(&KOREAN.repeat(1000)).map(str::len).sum();
        assert!(sampled <= SAMPLE, "{sampled}");
        assert_eq!(sample(KOREAN).collect::<String>(), KOREAN);
    }
}
