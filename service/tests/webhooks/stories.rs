//! Texts in three languages that share as many sentences as is wanted.

/// Sentences of a language that nobody else has, by number.
fn sentences(language: &str, numbers: std::ops::Range<u64>) -> Vec<String> {
    let (words, gap, end): (&[&str], &str, &str) = match language {
        "ko" => (
            &[
                "바람이",
                "마을을",
                "지나",
                "오래된",
                "우체국",
                "앞에서",
                "편지를",
                "기다리던",
                "아이가",
                "천천히",
                "노래를",
                "부르며",
                "강가로",
                "걸어가고",
                "저녁에는",
                "등불이",
                "하나씩",
                "켜지고",
                "사람들은",
                "따뜻한",
                "국수를",
                "나누어",
                "먹었다",
            ],
            " ",
            ".",
        ),
        "ja" => (
            &[
                "風が",
                "村を",
                "渡り",
                "古い",
                "郵便局の",
                "前で",
                "手紙を",
                "待つ",
                "子供は",
                "静かに",
                "歌を",
                "口ずさみ",
                "川辺へ",
                "歩いて",
                "夕方には",
                "灯りが",
                "一つずつ",
                "ともり",
                "人々は",
                "温かい",
                "蕎麦を",
                "分け合って",
                "食べた",
            ],
            "",
            "。",
        ),
        _ => (
            &[
                "the", "wind", "crosses", "an", "old", "village", "while", "children", "wait", "before",
                "post", "offices", "for", "letters", "singing", "slowly", "toward", "rivers", "where",
                "evening", "lamps", "are", "lit",
            ],
            " ",
            ".",
        ),
    };
    let sentence = |number: u64| {
        let mut random = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678;
        let mut word = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            words[(random >> 33) as usize % words.len()]
        };
        let words: Vec<&str> = (0..14).map(|_| word()).collect();
        format!("{}{end}", words.join(gap))
    };
    numbers.map(sentence).collect()
}

/// A text of some sentences.
pub fn story(language: &str, numbers: std::ops::Range<u64>) -> String {
    sentences(language, numbers).join(" ")
}
