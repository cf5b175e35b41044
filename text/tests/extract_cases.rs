//! Small pages and what comes out of them, one line of the table each.

use firstcopy_text::{extract, extractors};

/// The blocks of a page, separated by `¶`.
fn blocks(html: &str) -> String {
    let core = extract(html).core;
    let mut text = core.text;
    for &start in core.block_starts.iter().skip(1).rev() {
        text.replace_range(start - 1..start, "¶");
    }
    text
}

fn check(html: &str, expected: &str) {
    assert_eq!(blocks(html), expected, "{html}");
}

#[test]
fn white_space_is_what_a_browser_shows() {
    let table = [
        ("", ""),
        ("plain text", "plain text"),
        ("<p> a \n\t b </p>", "a b"),
        ("<p>a</p><p>b</p>", "a¶b"),
        ("<p>a<br>b</p>", "a\nb"),
        ("<p>a<br><br>b</p>", "a¶b"),
        ("<p>a<br> <br/>b</p>", "a¶b"),
        ("<p>a<b>b</b>c</p>", "abc"),
        ("<p>a <b> b </b> c</p>", "a b c"),
        ("<p>a&nbsp;&nbsp;b&amp;c &lt;d&gt;</p>", "a b&c <d>"),
        ("<pre>a\n  b\n\n  c\n</pre>", "a\n  b\n\n  c"),
        ("<pre>\n  a\n  b</pre>", "  a\n  b"),
        ("<pre><code><span class=\"k\">let</span> x;<br>y</code></pre>", "let x;\ny"),
        ("<ul><li>a<li>b</ul>c", "a¶b¶c"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb¶c\td"),
        ("<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>", "a¶b"),
        ("<dl><dt>a<dd>b</dl>", "a¶b"),
        ("<div>a<div>b</div>c</div>", "a¶b¶c"),
        ("a<script>var x = '<p>no</p>';</script>b<style>p{}</style>c", "abc"),
        ("a<!-- <p>no</p> -->b<svg><text>no</text></svg>c", "abc"),
        ("<p>漢<rt>かん</rt>字</p>", "漢字"),
        ("<p>1 < 2 and 3 > 2</p>", "1 < 2 and 3 > 2"),
        ("<p>a\0b\u{feff}c\u{200b} &shy;d</p>", "abc d"),
    ];
    for (html, expected) in table {
        check(html, expected);
    }
}

const SENTENCE: &str = "This is one long sentence of the post, long enough to be told from a label.";

#[test]
fn frames_are_dropped() {
    let post = format!("<p>{SENTENCE}</p><p>{SENTENCE}</p>");
    let expected = format!("{SENTENCE}¶{SENTENCE}");
    let links = "<ul><li><a href=/a>One</a><li><a href=/b>Two</a><li><a href=/c>Three</a></ul>";
    let frames = [
        format!("<nav>{links}</nav>{post}"),
        format!("<div class=menu>{links}</div><div>{post}</div>"),
        format!("<div>{post}</div><div>{links}</div>"),
        format!("<main>{post}</main><aside><p>{SENTENCE}</p></aside>"),
        format!("<article>{post}<div class=\"share-buttons\">Share <a href=x>this</a></div></article>"),
        format!(
            "<article>{post}</article><section id=comments><p>{SENTENCE}</p><p>{SENTENCE}</p><p>{SENTENCE}</p></section>"
        ),
        format!("<div class=post-content>{post}</div><div class=cookie-notice><p>{SENTENCE}</p></div>"),
        format!("<div hidden><p>{SENTENCE}</p></div><article>{post}</article>"),
        format!("<div style='display: none'><p>{SENTENCE}</p></div><article>{post}</article>"),
        format!("<article>{post}<span class=hidden><span>{SENTENCE}</span></span></article>"),
        format!("<article>{post}<p class='note visually-hidden'>{SENTENCE}</p></article>"),
        format!("<div><p>{SENTENCE} Lead.</p><div class=entry-content>{post}</div></div>"),
        format!(
            "<main>{post}<section id=comments><h2>Comments</h2><div class=comment-body><p>{SENTENCE}</p></div></section></main>"
        ),
        format!(
            "<main>{post}<section id=comments><h2>Comments</h2><div id=comment-7><p>{SENTENCE}</p></div></section></main>"
        ),
        format!("<title>The title</title><h1>The title</h1><div>{post}</div>"),
        format!(
            "<title>The title - Site</title><p>{SENTENCE} Above.</p><article><h1>The title</h1>{post}</article>"
        ),
        format!("<table><tr><td>{links}</td><td>{post}</td></tr></table>"),
        format!("<div class=\"has-sidebar no-comments\">{post}</div>"),
    ];
    for html in &frames {
        check(html, &expected);
    }
}

#[test]
fn class_that_hides_on_narrow_screens_alone_keeps_the_text() {
    check(&format!("<article><p class='hidden md:block'>{SENTENCE}</p></article>"), SENTENCE);
}

#[test]
fn section_about_comments_is_part_of_a_manual() {
    for id in ["comments", "writing-kernel-doc-comments"] {
        check(
            &format!(
                "<main><p>{SENTENCE}</p><section id={id}><h2>Style</h2><p>{SENTENCE}</p></section></main>"
            ),
            &format!("{SENTENCE}¶Style¶{SENTENCE}"),
        );
    }
}

#[test]
fn page_of_a_title_alone_is_its_title() {
    let menu = "<div class=sidebar><a href=/a>One</a> <a href=/b>Two</a></div>";
    check(&format!("<title>Memory</title><body>{menu}<main><h1>Memory</h1></main>"), "Memory");
}

#[test]
fn line_numbers_are_dropped() {
    let code = "<figure class=\"highlight java\"><table><tr><td class=\"gutter\"><pre><span class=\"line\">1</span><br><span class=\"line\">2</span></pre></td><td class=\"code\"><pre><span class=\"line\">int a;</span><br><span class=\"line\">int b;</span></pre></td></tr></table></figure>";
    check(&format!("<p>{SENTENCE}</p>{code}"), &format!("{SENTENCE}¶int a;\nint b;"));
    let inline = "<pre><span class=\"lineno\">1 </span>int a;\n<span class=\"lineno\">2 </span>int b;</pre>";
    check(&format!("<p>{SENTENCE}</p>{inline}"), &format!("{SENTENCE}¶int a;\nint b;"));
}

#[test]
fn threads_keep_every_post() {
    let say = |who: &str, text: &str| {
        format!(
            "<div class=post><div class=postprofile><a href=u>{who}</a> <a href=p>311</a></div><div class=postbody><div class=content><p>{text}</p></div></div></div>"
        )
    };
    let posts: Vec<String> =
        (1..5).map(|i| format!("{SENTENCE} It is the answer number {i} in this thread.")).collect();
    let thread: String = posts.iter().map(|p| say("someone", p)).collect();
    check(
        &format!("<title>A question</title><h2>A question</h2><div id=page-body>{thread}</div>"),
        &posts.join("¶"),
    );
    let unnamed: String = posts
        .iter()
        .map(|p| format!("<tr><td><a href=u>someone</a><br>Posts: 12</td><td>{p}</td></tr>"))
        .collect();
    let found = blocks(&format!("<table>{unnamed}</table>"));
    assert!(posts.iter().all(|p| found.contains(p.as_str())), "{found}");
}

#[test]
fn lists_and_shops_keep_their_items() {
    let item = |i: usize| {
        format!(
            "<div class=card><h3><a href=/p/{i}>Chair number {i}</a></h3><p>A chair of oak with four legs, a straight back and the number {i}.</p><span class=price>{i}0.00</span></div>"
        )
    };
    let items: String = (1..9).map(item).collect();
    let found = blocks(&format!("<nav><a href=/>Home</a></nav><div class=grid>{items}</div>"));
    assert!((1..9).all(|i| found.contains(&format!("the number {i}."))), "{found}");
    let product = "<main><h1>Oak chair</h1><div class=price>120.00</div><div class=description><p>A chair of oak with four legs and a straight back, made by hand in a small workshop near the river.</p></div><table class=specs><tr><th>Height</th><td>90 cm</td></tr><tr><th>Weight</th><td>6 kg</td></tr></table></main>";
    let found = blocks(&format!("<title>Oak chair</title>{product}"));
    assert!(found.contains("made by hand") && found.contains("Height\t90 cm"), "{found}");
}

#[test]
fn a_page_of_comments_is_its_comments() {
    let comments = format!("<div class=comment><p>{SENTENCE}</p></div>").repeat(3);
    check(&format!("<div id=comments>{comments}</div>"), &[SENTENCE; 3].join("¶"));
}

#[test]
fn dates_are_read() {
    let midnight = 1_777_593_600;
    let table = [
        ("2026-05-01T00:00:00Z", midnight),
        ("2026-05-01T09:00:00+09:00", midnight),
        ("2026-05-01T09:00:00+0900", midnight),
        ("2026-05-01 09:00:00 +0900", midnight),
        ("2026-05-01T00:00Z", midnight),
        ("2026-05-01T00:00", midnight),
        ("2026-05-01", midnight),
        ("2026/5/1", midnight),
        ("2026.05.01", midnight),
        ("2026. 5. 1.", midnight),
        ("20260501", midnight),
        ("20260501000000", midnight),
        ("2026년 5월 1일", midnight),
        ("2026년 5월 1일 오후 3:04", midnight + 15 * 3600 + 240),
        ("2026年5月1日", midnight),
        ("2026年05月01日 09時30分", midnight + 9 * 3600 + 1800),
        ("May 1, 2026", midnight),
        ("1 May 2026", midnight),
        ("Fri, 01 May 2026 00:00:00 GMT", midnight),
        ("Sept. 3, 2025", 1_756_857_600),
    ];
    for (date, expected) in table {
        let html = format!("<meta property=\"article:published_time\" content=\"{date}\">");
        assert_eq!(extract(&html).created_at, Some(expected), "{date}");
    }
    for date in ["", "yesterday", "0000-00-00", "2026-13-01", "1", "9999-12-31T00:00:00Z", "日"] {
        assert_eq!(extract(&format!("<meta name=date content=\"{date}\">")).created_at, None, "{date}");
    }
}

#[test]
fn the_most_deliberate_statement_wins() {
    let html = r#"<html lang="ko-KR"><head><title>글 - 블로그 &amp; 친구</title><meta property="og:title" content="글 &quot;하나&quot;">
        <meta name="author" content="김"><link rel="canonical" href="https://a.example/?a=1&amp;b=2">
        <script type="application/ld+json">{"@graph":[{"@type":["BlogPosting"],"headline":"글 하나","datePublished":"2026-05-01T00:00:00Z","author":[{"name":"이"}]}]}</script>
        </head><body><time datetime="2020-01-01">x</time>"#;
    let found = extract(html);
    assert_eq!(found.title.as_deref(), Some("글 하나"));
    assert_eq!(found.author.as_deref(), Some("이"));
    assert_eq!(found.language.as_deref(), Some("ko-KR"));
    assert_eq!(found.canonical_url.as_deref(), Some("https://a.example/?a=1&b=2"));
    assert_eq!(found.created_at, Some(1_777_593_600));
}

#[test]
fn the_default_extractor_comes_first_and_names_are_unique() {
    let names: Vec<&str> = extractors().iter().map(|extractor| extractor.name()).collect();
    assert_eq!(names, ["firstcopy", "all-text"]);
}

#[test]
fn titles_go_without_the_site() {
    let table = [
        ("<title>A walk in autumn</title>", "A walk in autumn"),
        (
            "<title>가을 남한산성 걷기 :: 느린 산책</title><h2 class=title>가을 남한산성 걷기</h2>",
            "가을 남한산성 걷기",
        ),
        (
            "<title>느린 산책 : 가을 남한산성 걷기</title><h1><a href=/>느린 산책</a></h1><h3>가을 남한산성 걷기</h3>",
            "가을 남한산성 걷기",
        ),
        (
            "<title>가을 걷기 : 네모 블로그</title><meta property=og:site_name content='네모 블로그'>",
            "가을 걷기",
        ),
        (
            "<meta property=og:title content='秋の散歩 - 机の上の日記'><h1><a href='https://a.example/'>机の上の日記</a></h1>",
            "秋の散歩",
        ),
        ("<title>秋の散歩｜ひだまり通信</title><h1>秋の散歩</h1>", "秋の散歩"),
        (
            "<title>ひだまり通信：秋の散歩</title><meta property=og:site_name content='ひだまり通信'>",
            "秋の散歩",
        ),
        ("<meta property=og:title content='『秋の散歩』'><h1>秋の散歩</h1>", "秋の散歩"),
        (
            "<title>Boats: how to fold one – Paper Notes</title><h1>Boats: how to fold one</h1>",
            "Boats: how to fold one",
        ),
        (
            "<title>Paper Notes: Boats</title><h1 class=logo><a href='../'>Paper Notes</a></h1><h3 class=post-title>Boats</h3>",
            "Boats",
        ),
        (
            "<title>Boats | Folding | Paper Notes</title><meta name=application-name content='Paper Notes'>",
            "Boats | Folding",
        ),
        (
            "<title>Boats | Paper Notes</title><link rel=canonical href='https://www.papernotes.example/1'>",
            "Boats",
        ),
        (
            "<title>Boats - Paper Notes</title><header><h1>Paper Notes</h1></header><article><h2>Boats</h2></article>",
            "Boats",
        ),
        ("<title>Boats - Paper Notes</title><header><h1>Paper Notes</h1></header><p>x", "Boats"),
        ("<title>Boats - Paper Notes</title><header><h1>Boats</h1></header><p>x", "Boats"),
        ("<title>Boats - and ships</title><h1>Boats - and ships</h1>", "Boats - and ships"),
        ("<title>Boats - and ships</title><h1>Something else</h1>", "Boats - and ships"),
        ("<title>Paper Notes</title><a href=/>Paper Notes</a><h1>Boats</h1>", "Boats"),
        (
            "<meta property=og:title content='Paper Notes'><meta property=og:site_name content='Paper Notes'><title>Boats - Paper Notes</title>",
            "Boats",
        ),
        (
            "<meta property=og:title content='How to fold a bo...'><title>How to fold a boat - Paper Notes</title><h1>How to fold a boat</h1>",
            "How to fold a boat",
        ),
        ("<title>Paper Notes</title><a href=/>Paper Notes</a>", "Paper Notes"),
        (
            "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"Kites in spring\"}</script><meta property=og:title content='Boats in autumn'><h1>Boats in autumn</h1>",
            "Boats in autumn",
        ),
        ("<h1>Boats</h1><h2>Paper</h2>", "Boats"),
        ("<title>x: </title>", "x:"),
        ("<title> - | - </title>", "- | -"),
        (
            "<script type=application/ld+json>{\"@type\":\"NewsArticle\",\"headline\":\"Boats\",\"publisher\":{\"name\":\"The Lamp\"}}</script><title>Boats sail - The Lamp</title>",
            "Boats",
        ),
    ];
    for (html, expected) in table {
        assert_eq!(extract(html).title.as_deref(), Some(expected), "{html}");
    }
    assert_eq!(extract("<p>x</p>").title, None);
}
