//! The tokenizer against its definition, and the words people would expect.

use super::*;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// The definition: normalise everything, find Unicode's words, cut and fold each.
fn naive(text: &str) -> Vec<String> {
    let normal = canonical::nfkc(text);
    let words = normal.split_word_bounds();
    words
        .flat_map(|word| {
            canonical::cut_word(word).into_iter().map(move |token| canonical::fold(&word[token]))
        })
        .collect()
}

fn words(text: &str) -> Vec<String> {
    Tokens::of(text).words().map(str::to_owned).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(words(text), expected, "{text:?}");
    assert_eq!(naive(text), expected, "the definition, {text:?}");
}

#[test]
fn spaced_scripts_give_words() {
    check("Hello, World! 3.14 can't can’t U.S.A.", &["hello", "world", "314", "cant", "cant", "usa"]);
    check("snake_case __init__ a_.b 1,000.5 1,a", &["snakecase", "init", "a", "b", "10005", "1", "a"]);
    check("Straße STRASSE ÉCOLE école Ёлка", &["strasse", "strasse", "école", "école", "ёлка"]);
    check("e\u{301}cole co\u{ad}operate ﬁne", &["école", "cooperate", "fine"]);
    check("שלום צה\"ל مرحبا بالعالم हिन्दी में", &["שלום", "צהל", "مرحبا", "بالعالم", "हिन्दी", "में"]);
}

#[test]
fn hangul_gives_eojeol() {
    check("나는 학교에 갔다. 그리고", &["나는", "학교에", "갔다", "그리고"]);
    check("갔다.그리고 왔다,그러나", &["갔다", "그리고", "왔다", "그러나"]);
    check("Rust로 2026년에", &["rust로", "2026년에"]);
    // Conjoining, compatibility and half-width letters are one syllable.
    check("\u{1112}\u{1161}\u{11ab}글 ﾡ", &["한글", "\u{1100}"]);
}

#[test]
fn unspaced_scripts_give_characters() {
    check("東京タワーへ行く。", &["東", "京", "タ", "ワ", "ー", "へ", "行", "く"]);
    check("ﾀﾞﾒですＲｕｓｔ１２", &["ダ", "メ", "で", "す", "rust12"]);
    check("か\u{3099}き 葛\u{e0100}飾", &["が", "き", "葛", "飾"]);
    check("iPhoneを3台", &["iphone", "を", "3", "台"]);
    check("你好，世界1,2", &["你", "好", "世", "界", "12"]);
    check("ไทย", &["ไ", "ท", "ย"]);
}

#[test]
fn nothing_is_nothing() {
    check("", &[]);
    check(" \0\u{200b}\u{feff}…!?😀👩‍👩‍👧 \u{301}", &[]);
}

#[test]
fn places_point_into_the_text() {
    let text = "The ﬁrst—ﾀﾞﾒ 한글, don't 東京 x\u{301}y";
    let tokens = Tokens::of(text);
    let places: Vec<&str> = (0..tokens.len()).map(|index| &text[tokens.place(index)]).collect();
    assert_eq!(places, ["The", "ﬁrst", "ﾀﾞ", "ﾒ", "한글", "don't", "東", "京", "x\u{301}y"]);
}

#[test]
fn ready_words_stay_as_they_are() {
    let tokens = Tokens::of_words("  W1, w1\n\u{3000}é! ");
    assert_eq!(tokens.words().collect::<Vec<_>>(), ["W1,", "w1", "é!"]);
}

/// Text of the pieces where rules meet: every class, combining and conjoining characters, several scripts.
fn tricky() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "B",
        "é",
        "É",
        "ß",
        "1",
        "٣",
        ".",
        ",",
        "'",
        "’",
        ":",
        "·",
        "_",
        "\"",
        " ",
        "\n",
        "-",
        "。",
        "，",
        "．",
        "가",
        "힣",
        "ㄱ",
        "ㄳ",
        "ㅏ",
        "\u{1100}",
        "\u{1161}",
        "\u{11ab}",
        "ﾡ",
        "ￂ",
        "か",
        "ガ",
        "ｶ",
        "ﾞ",
        "ー",
        "\u{3099}",
        "゛",
        "漢",
        "々",
        "神",
        "𠮷",
        "葛\u{e0100}",
        "ก",
        "ำ",
        "ั",
        "่",
        "ລ",
        "ក",
        "မ",
        "\u{301}",
        "\u{308}",
        "\u{ad}",
        "\u{200d}",
        "\u{200b}",
        "א",
        "״",
        "ب",
        "ि",
        "न",
        "ﬁ",
        "①",
        "½",
        "㈱",
        "㌖",
        "Ａ",
        "１",
        "😀",
        "🇰🇷",
        "\0",
        "\u{fffd}",
        "İ",
        "Σ",
        "ς",
        "ᾳ",
        "K",
    ]);
    let mostly_ascii = prop_oneof![
        30 => "[a-z]{1,9} ",
        4 => "[a-zA-Z0-9 .,':;_\"-]{1,20}",
        4 => "[a-zA-Z0-9 .'_’‘“”–—§\u{a0}-]{1,20}",
        2 => "[a-z]{14,70}",
        1 => piece.clone().prop_map(str::to_owned),
    ];
    prop_oneof![
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()),
        // Long enough for several glances.
        prop::collection::vec(mostly_ascii, 0..120).prop_map(|pieces| pieces.concat()),
        "\\PC{0,40}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn equals_the_definition(text in tricky()) {
        prop_assert_eq!(words(&text), naive(&text));
    }

    #[test]
    fn all_eyes_find_the_same(text in tricky()) {
        let of = |scan: &dyn Fn(&mut Tokens)| {
            let mut tokens = Tokens::default();
            scan(&mut tokens);
            (tokens.canonical, tokens.places)
        };
        let best = of(&|tokens| scan::scan(&text, tokens));
        prop_assert_eq!(&of(&|tokens| scan::scan_with(ascii::Plain, &text, tokens)), &best);
        #[cfg(target_arch = "x86_64")]
        if let Some(eyes) = ascii::Avx512::detect() {
            prop_assert_eq!(&of(&|tokens| scan::scan_with(eyes, &text, tokens)), &best);
        }
    }

    #[test]
    fn places_are_ordered_and_on_boundaries(text in tricky()) {
        let tokens = Tokens::of(&text);
        let mut before = 0;
        for index in 0..tokens.len() {
            let place = tokens.place(index);
            prop_assert!(text.get(place.clone()).is_some_and(|slice| !slice.is_empty()));
            prop_assert!(place.start >= before || index > 0 && place == tokens.place(index - 1), "{:?}", place);
            before = place.start;
        }
    }

    #[test]
    fn a_canonical_text_is_its_own_canon(text in tricky()) {
        let once = words(&text);
        prop_assert_eq!(words(&once.join(" ")), once);
    }
}
