//! What a query finds, in which order, and what a snippet shows of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use firstcopy_search::{Ask, Entry, Query, SearchError, SearchIndex, Searcher, Sort, snippet};
use tempfile::TempDir;

const DAY: i64 = 86_400;

fn entries() -> Vec<Entry<'static>> {
    let entry = |number, title, text, author, site, language, day: i64| Entry {
        number,
        title,
        text,
        author,
        site,
        language,
        date: day * DAY,
    };
    vec![
        entry(
            1,
            "급식 이야기",
            "우리 학교급식은 맛있다. 학교에서 먹는 밥",
            "김민수",
            "blog.example.com",
            "ko",
            1,
        ),
        entry(2, "교수", "대학 교수가 급하게 식당으로 갔다", "Kim Min-su", "example.com", "ko-KR", 2),
        entry(
            3,
            "학교의 급식",
            "학교의 급식을 바꾸기로 결정하였습니다",
            "이 영희",
            "news.example.org",
            "ko",
            3,
        ),
        entry(
            4,
            "東京の天気",
            "東京は今日も晴れ、天気は良い。コンピュータを使った",
            "田中 太郎",
            "example.jp",
            "ja",
            4,
        ),
        entry(5, "食事", "昨日すしを食べた。美味しかった", "田中 花子", "example.jp", "ja", 5),
        entry(6, "北京", "北京的天气预报说明天下雨", "", "example.cn", "zh", 6),
        entry(
            7,
            "Copies",
            "The quick brown fox jumps over the lazy dog",
            "Ann Lee",
            "sub.blog.example.com",
            "en",
            7,
        ),
        entry(8, "Fox", "A brown dog and a quick reply", "ann LEE", "notexample.com", "en", 8),
        entry(9, "AI 시대", "AI는 3월에 물을 아꼈다", "", "", "", 9),
        entry(10, "", "", "", "", "", -1),
    ]
}

fn made() -> (TempDir, Searcher) {
    let folder = tempfile::tempdir().unwrap();
    let mut index = SearchIndex::open(folder.path()).unwrap();
    entries().iter().for_each(|entry| index.put(entry).unwrap());
    index.commit(1).unwrap();
    (folder, index.searcher())
}

fn numbers(searcher: &Searcher, query: &str, sort: Sort) -> Vec<u32> {
    let query = Query::parse(query).unwrap();
    let found = searcher.search(&query, &Ask { limit: 100, sort, after: None }).unwrap();
    assert_eq!(found.total, found.hits.len() as u64);
    found.hits.iter().map(|hit| hit.number).collect()
}

#[test]
fn what_is_found() {
    let cases: [(&str, &[u32]); 49] = [
        // Particles, spaces and compounds.
        ("학교", &[1, 2, 3]),
        ("학교는", &[1, 2, 3]),
        ("학교급식", &[1, 3]),
        ("학교 급식", &[1, 3]),
        ("학교급식을", &[1, 3]),
        ("결정했다", &[3]),
        ("대학교수", &[2]),
        ("물", &[9]),
        ("물이", &[]),
        ("AI", &[9]),
        ("ai를", &[9]),
        // Kana, Han.
        ("東京の天気", &[4]),
        ("東京", &[4]),
        ("天気 東京", &[4]),
        ("コンピューター", &[4]),
        ("食べる", &[5]),
        ("食べました", &[5]),
        ("すし", &[5]),
        ("北京天气", &[6]),
        ("晴", &[4]),
        // Words.
        ("QUICK brown", &[7, 8]),
        ("ｑｕｉｃｋ dog", &[7, 8]),
        ("quick cat", &[]),
        // Phrases.
        ("\"quick brown\"", &[7]),
        ("\"brown dog\"", &[8]),
        ("\"학교급식은 맛있다\"", &[1]),
        ("\"학교 급식은\"", &[1]),
        ("\"학교는\"", &[]),
        ("\"대학교수\"", &[2]),
        ("\"AI는 3월\"", &[9]),
        ("\"今日も晴れ天気\"", &[4]),
        ("\"물\"", &[9]),
        // What is not wanted.
        ("brown -fox", &[]),
        ("brown -\"quick brown\"", &[8]),
        ("-example -brown lang:en", &[]),
        ("-brown", &[1, 2, 3, 4, 5, 6, 9, 10]),
        // Filters.
        ("site:example.com", &[1, 2, 7]),
        ("site:blog.example.com", &[1, 7]),
        ("site:EXAMPLE.jp 田中", &[]),
        ("author:\"ann lee\"", &[7, 8]),
        ("author:田中", &[4, 5]),
        ("author:김민수", &[1]),
        ("lang:ko", &[1, 2, 3]),
        ("before:1970-01-04", &[1, 2, 10]),
        ("after:1970-01-04 before:1970-01-05", &[3]),
        ("-site:example.com lang:ko", &[3]),
        ("title:급식", &[1, 3]),
        ("title:fox", &[8]),
        ("!!!", &[]),
    ];
    let (_folder, searcher) = made();
    for (query, expected) in cases {
        let mut found = numbers(&searcher, query, Sort::Relevance);
        found.sort_unstable();
        assert_eq!(found, expected, "{query}");
    }
}

#[test]
fn in_which_order() {
    let cases: [(&str, Sort, &[u32]); 8] = [
        ("학교", Sort::Relevance, &[3, 1, 2]),
        ("quick brown", Sort::Relevance, &[7, 8]),
        ("brown dog", Sort::Relevance, &[8, 7]),
        ("lang:ko", Sort::Newest, &[3, 2, 1]),
        ("lang:ko", Sort::Oldest, &[1, 2, 3]),
        ("lang:ko", Sort::Relevance, &[1, 2, 3]),
        ("", Sort::Oldest, &[10, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("fox", Sort::Relevance, &[8, 7]),
    ];
    let (_folder, searcher) = made();
    for (query, sort, expected) in cases {
        assert_eq!(numbers(&searcher, query, sort), expected, "{query} {sort:?}");
    }
}

#[test]
fn a_cursor_belongs_to_one_question() {
    let (_folder, searcher) = made();
    let (query, other) = (Query::parse("brown").unwrap(), Query::parse("dog").unwrap());
    let ask = Ask { limit: 1, ..Ask::default() };
    let next = searcher.search(&query, &ask).unwrap().next;
    let after = Ask { after: next, ..ask };
    assert!(next.is_some());
    assert_eq!(searcher.search(&query, &after).unwrap().next, None);
    for (query, ask) in [(&other, after), (&query, Ask { sort: Sort::Newest, ..after })] {
        assert!(matches!(searcher.search(query, &ask), Err(SearchError::ForeignCursor)));
    }
}

#[test]
fn snippets() {
    let long =
        format!("{} 학교 급식을 먹었다. {}", "처음에는 다른 이야기. ".repeat(50), "나중 이야기. ".repeat(50));
    let cases: [(&str, &str, usize, &str, &[&str]); 7] = [
        ("The quick brown fox", "brown", 100, "The quick brown fox", &["brown"]),
        ("The quick brown fox", "cat", 9, "The quick", &[]),
        ("우리 학교급식은", "학교 급식", 100, "우리 학교급식은", &["학교급식"]),
        ("우리 학교 급식은", "학교급식", 100, "우리 학교 급식은", &["학교 급식"]),
        ("a\nb", "b", 10, "a b", &["b"]),
        ("", "x", 10, "", &[]),
        (&long, "급식 학교", 20, "학교 급식을 먹었다. 나중 이야기. ", &["학교", "급식"]),
    ];
    for (text, query, chars, expected, highlighted) in cases {
        let shown = snippet(text, &Query::parse(query).unwrap(), chars);
        let marked: Vec<&str> = shown.highlights.iter().map(|range| &shown.text[range.clone()]).collect();
        assert_eq!((shown.text.as_str(), marked.as_slice()), (expected, highlighted), "{query}");
        assert_eq!(shown.text.len(), shown.place.len());
    }
}
