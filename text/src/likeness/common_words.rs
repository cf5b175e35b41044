//! Very common words of each language, which say little about whether two texts are the same.

/// Pairs of a language code and its most common words, lower case, in NFC, most frequent first.
///
/// A part of a word before or after an apostrophe is a word (`don` and `t`, `l` and `d`). Korean has single
/// syllables of particles and endings, counted in court decisions and petitions; Japanese and Chinese have single
/// characters. Left out: names, months, weekdays and numbers, except articles that are also numbers (`un`, `ein`)
/// and the character `一`.
#[rustfmt::skip]
pub(super) const COMMON: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "was", "on", "with", "as", "be",
            "i", "he", "you", "at", "by", "this", "are", "not", "have", "from", "or", "his", "had", "but",
            "an", "they", "we", "which", "she", "were", "all", "their", "there", "been", "her", "would",
            "has", "will", "more", "if", "s", "can", "when", "what", "so", "said", "who", "no", "do", "up",
            "my", "its", "about", "out", "them", "than", "some", "could", "into", "time", "only", "other",
            "then", "new", "now", "me", "these", "t", "your", "him", "any", "like", "over", "also", "such",
            "our", "people", "how", "most", "made", "after", "well", "should", "because", "many", "where",
            "just", "through", "those", "being", "us", "very", "before", "much", "must", "even", "between",
            "good", "way", "back", "down", "make", "see", "own", "know", "still", "while", "too", "get",
            "year", "both", "here", "work", "each", "long", "under", "same", "day", "did", "last", "used",
            "never", "take", "go", "come", "does", "off", "during", "against", "again", "think", "another",
            "great", "every", "use", "world", "want", "part", "look", "life", "without", "few", "around",
            "might", "however", "since", "though", "always", "something", "say", "little", "found", "yet",
            "right", "away", "going", "thing", "place", "old", "give", "put", "find", "need", "why", "don",
            "re", "ve", "ll", "m", "until", "nothing", "once", "things", "years", "later", "often", "am",
            "got", "went", "came", "let", "done", "having", "whether", "upon", "among", "tell", "really",
            "next", "end", "left", "far", "called", "within", "high",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "und", "in", "den", "von", "zu", "das", "mit", "sich", "des", "auf", "für", "ist",
            "im", "dem", "nicht", "ein", "eine", "als", "auch", "es", "an", "werden", "aus", "er", "hat",
            "dass", "sie", "nach", "wird", "bei", "einer", "um", "am", "sind", "noch", "wie", "einem", "über",
            "einen", "so", "zum", "war", "haben", "nur", "oder", "aber", "vor", "zur", "bis", "mehr", "durch",
            "man", "sein", "wurde", "sei", "hatte", "kann", "gegen", "vom", "können", "schon", "wenn", "habe",
            "seine", "ihre", "dann", "unter", "wir", "soll", "ich", "eines", "jahr", "diese", "dieser",
            "wieder", "keine", "seiner", "worden", "will", "zwischen", "immer", "was", "sagte", "gibt",
            "alle", "seit", "muss", "wurden", "beim", "doch", "jetzt", "waren", "ihr", "ihn", "ihm", "mir",
            "mich", "uns",
        ],
    ),
    (
        "fr",
        &[
            "de", "la", "le", "et", "les", "l", "des", "d", "en", "un", "du", "une", "à", "que", "est",
            "pour", "qui", "dans", "a", "par", "plus", "pas", "au", "sur", "ne", "se", "ce", "il", "sont",
            "n", "s", "qu", "avec", "on", "c", "cette", "ses", "son", "mais", "comme", "ou", "si", "leur",
            "y", "dont", "elle", "été", "être", "aux", "fait", "même", "ils", "nous", "j", "entre", "tout",
            "après", "encore", "bien", "aussi", "très", "sans", "où", "faire", "peut", "ces", "sa", "vous",
            "je", "tous", "autres", "autre", "avoir", "était", "lui", "peu", "avant", "dit", "contre", "sous",
            "depuis", "temps", "toujours", "moins", "donc", "quand", "non", "alors", "cela", "toute",
            "toutes", "leurs", "ont", "mon", "ma", "notre", "votre", "me", "ça", "rien",
        ],
    ),
    (
        "es",
        &[
            "de", "la", "que", "el", "en", "y", "a", "los", "se", "del", "las", "un", "por", "con", "no",
            "una", "su", "para", "es", "al", "lo", "como", "más", "o", "pero", "sus", "le", "ha", "me", "si",
            "sin", "sobre", "este", "ya", "entre", "cuando", "todo", "esta", "ser", "son", "también", "fue",
            "había", "era", "muy", "hasta", "desde", "está", "mi", "porque", "qué", "sólo", "solo", "han",
            "yo", "hay", "vez", "puede", "todos", "así", "nos", "ni", "parte", "tiene", "él", "donde", "bien",
            "tiempo", "mismo", "ese", "ahora", "cada", "e", "otro", "después", "te", "otros", "aunque", "esa",
            "eso", "hace", "otra", "tan", "durante", "siempre", "tanto", "ella", "contra", "gran", "ellos",
            "nada", "esto", "antes", "estos", "quien", "hacer", "algo", "sido", "cual", "estaba",
        ],
    ),
    (
        "it",
        &[
            "di", "e", "il", "la", "che", "in", "a", "per", "un", "l", "del", "è", "non", "una", "i", "si",
            "le", "con", "da", "della", "al", "dei", "nel", "come", "più", "gli", "sono", "alla", "delle",
            "ha", "lo", "anche", "ma", "dell", "dal", "se", "o", "su", "ed", "ai", "degli", "all", "questo",
            "nella", "suo", "dalla", "d", "sua", "hanno", "stato", "essere", "ci", "tra", "cui", "questa",
            "stata", "quando", "molto", "solo", "fa", "già", "era", "chi", "poi", "dopo", "tutti", "c",
            "suoi", "loro", "ad", "fra", "ancora", "dai", "fatto", "così", "cosa", "sul", "sulla", "tutto",
            "stati", "sempre", "mi", "nei", "po", "ogni", "senza", "dove", "può", "quella", "quello", "bene",
            "ne", "perché", "parte", "mai", "io", "lei", "lui", "noi", "sia",
        ],
    ),
    (
        "pt",
        &[
            "de", "a", "o", "que", "e", "do", "da", "em", "um", "para", "é", "com", "não", "uma", "os", "no",
            "se", "na", "por", "mais", "as", "dos", "como", "mas", "foi", "ao", "ele", "das", "tem", "à",
            "seu", "sua", "ou", "ser", "quando", "muito", "há", "nos", "já", "está", "são", "eu", "também",
            "só", "pelo", "pela", "até", "isso", "ela", "entre", "era", "depois", "sem", "mesmo", "aos",
            "ter", "seus", "quem", "nas", "me", "esse", "eles", "estão", "você", "tinha", "foram", "essa",
            "num", "nem", "suas", "meu", "às", "minha", "têm", "sobre", "ainda", "pode", "bem", "onde",
            "porque", "assim", "tudo", "todos", "cada", "fazer", "vez", "tempo", "outro", "outros", "este",
            "numa", "pelos", "elas", "havia", "seja", "qual", "será", "nós", "tenho", "lhe",
        ],
    ),
    (
        "nl",
        &[
            "de", "van", "het", "een", "en", "in", "is", "dat", "op", "te", "zijn", "met", "voor", "die",
            "niet", "aan", "er", "om", "ook", "als", "dan", "maar", "bij", "of", "uit", "nog", "worden",
            "door", "naar", "heeft", "tot", "ze", "wordt", "over", "hij", "ik", "je", "was", "deze", "hun",
            "werd", "meer", "had", "wel", "kan", "geen", "we", "zo", "al", "men", "hebben", "moet", "na",
            "wat", "zich", "veel", "waar", "dit", "hem", "zou", "onder", "zal", "nu", "u", "jaar", "tegen",
            "alleen", "weer", "goed", "haar", "toch", "kunnen", "zij", "andere", "omdat", "alle", "hier",
            "daar", "toen", "moeten", "onze", "ons", "heel", "mijn", "me", "mij", "wil", "zonder", "tussen",
            "waren", "iets", "altijd", "steeds", "gaan", "doen", "komt", "maken", "tijd", "dus", "hoe",
        ],
    ),
    (
        "ru",
        &[
            "и", "в", "не", "на", "я", "что", "он", "с", "как", "это", "по", "а", "то", "все", "она", "так",
            "его", "но", "за", "из", "у", "к", "от", "же", "мы", "вы", "ты", "бы", "было", "только", "о",
            "мне", "ещё", "меня", "они", "был", "для", "сказал", "до", "или", "если", "уже", "нет", "когда",
            "её", "их", "ему", "даже", "вот", "ни", "быть", "чтобы", "может", "была", "во", "со", "чем",
            "были", "при", "нас", "себя", "после", "где", "без", "очень", "под", "этого", "того", "том",
            "время", "раз", "можно", "там", "тем", "который", "потом", "надо", "тут", "этот", "здесь", "кто",
            "будет", "через", "более", "также", "которые", "между", "сейчас", "есть", "себе", "теперь",
            "чего", "вас", "над", "ним", "перед", "тоже", "всё", "него", "тогда",
        ],
    ),
    (
        "ko",
        &[
            "이", "하", "고", "다", "에", "의", "는", "을", "지", "한", "로", "가", "니", "인", "기", "서",
            "를", "도", "은", "으", "수", "시", "해", "있", "여", "어", "아", "들", "과", "라", "그", "리",
            "나", "적", "게", "것", "되", "습", "면", "만", "할", "요", "없", "입", "합", "와", "거", "야",
            "었", "였", "된", "같", "않", "까", "터", "며", "음", "데", "러", "려",
        ],
    ),
    (
        "ja",
        &[
            "日", "一", "人", "年", "大", "国", "本", "中", "会", "出", "時", "行", "上", "見", "分", "生",
            "前", "事", "者", "間", "後", "長", "部", "学", "自", "地", "場", "方", "同", "合", "的", "下",
            "手", "入", "今", "社", "業", "高", "当", "新", "対", "発", "立", "定", "動", "体", "所", "用",
            "内", "子", "気", "言", "小", "作", "思", "物", "何", "理", "実", "主",
        ],
    ),
    (
        "zh",
        &[
            "的", "一", "是", "不", "了", "在", "人", "有", "我", "他", "这", "个", "们", "中", "来", "上",
            "大", "为", "和", "国", "地", "到", "以", "说", "时", "要", "就", "出", "会", "可", "也", "你",
            "对", "生", "能", "而", "子", "那", "得", "于", "着", "下", "自", "之", "年", "过", "发", "后",
            "作", "里", "用", "道", "行", "所", "然", "家", "种", "事", "成", "方",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_of_a_language_are_unique() {
        for (language, words) in COMMON {
            let mut known = HashSet::new();
            for word in *words {
                assert!(known.insert(word), "{language}: {word}");
            }
        }
    }

    #[test]
    fn words_are_lower_case() {
        for (language, words) in COMMON {
            for word in *words {
                assert_eq!(*word, word.to_lowercase(), "{language}");
            }
        }
    }

    #[test]
    fn languages_are_unique() {
        let languages: HashSet<_> = COMMON.iter().map(|(language, _)| language).collect();
        assert_eq!(languages.len(), COMMON.len());
    }
}
