//! Small pages of every kind, in the markup such sites are made of: what must stay and what must go.

#[path = "pages/keeps.rs"]
mod keeps;

use keeps::check_keeps;

/// A menu without any helpful name.
const MENU: &str =
    "<ul><li><a href=/n>New</a><li><a href=/t>Tools</a><li><a href=/w>Wood</a><li><a href=/p>Paint</a></ul>";

#[test]
fn bulletin_board_thread() {
    let post = |i: usize, text: &str| {
        format!(
            r##"<div id="p{i}" class="post has-profile bg{b}"><div class="inner">
            <dl class="postprofile" id="profile{i}"><dt><a href="./member?u={i}" class="username">oakhand{i}</a></dt>
            <dd class="profile-rank">Regular</dd><dd class="profile-posts"><strong>Posts:</strong> 4{i}1</dd><dd><strong>Location:</strong> By the lake</dd></dl>
            <div class="postbody"><div id="post_content{i}"><h3><a href="#p{i}">Re: Sticky drawer</a></h3>
            <ul class="post-buttons"><li><a href="./quote">Quote this</a></li><li><a href="./report">Report this post</a></li></ul>
            <p class="author"><a href="./p">Post</a> by <strong>oakhand{i}</strong> » Tue Mar 0{i}, 2021 8:14 am</p>
            <div class="content">{text}</div><div id="sig{i}" class="signature">Measure twice and never lend out your good chisels, number {i}.</div></div></div>
            <div class="back2top"><a href="#top">Top</a></div></div></div><hr class="divider">"##,
            b = i % 2
        )
    };
    let posts = [
        post(
            1,
            "The top drawer of my old desk sticks when the weather is damp.<br><br>Should I plane the sides, or is wax enough?",
        ),
        post(2, "Try wax first."),
        post(
            3,
            "I had the same with a chest from my aunt. <blockquote><div><cite>oakhand2 wrote:</cite>Try wax first.</div></blockquote>Wax helped for a week; planing half a millimetre helped for good.",
        ),
    ];
    let html = format!(
        r##"<title>Sticky drawer - The Shed Forum</title><div id="wrap"><div id="page-header"><h1>The Shed Forum</h1><p>A place for people who work with wood and talk about it all day.</p></div>
        <div id="page-body"><h2 class="topic-title"><a href="./t1">Sticky drawer</a></h2>
        <div class="action-bar"><a href="./reply" class="button">Post Reply</a><div class="pagination">3 posts • Page 1 of 1</div></div>
        {}<div class="action-bar"><a href="./reply">Post Reply</a></div><p class="jumpbox-return"><a href="./f">Return to “Furniture”</a></p>
        <div class="stat-block"><h3>Who is online</h3><p>Users browsing this forum: No registered users and 3 guests</p></div></div><div id="page-footer">All times are UTC</div></div>"##,
        posts.join("")
    );
    check_keeps(
        &html,
        &["sticks when the weather is damp", "is wax enough?", "Try wax first.", "helped for good."],
        &["Measure twice", "Report this post", "By the lake", "Quote this", "All times are UTC", "Posts:"],
    );
}

#[test]
fn modern_thread() {
    let post = |who: &str, text: &str| {
        format!(
            r#"<div class="topic-post clearfix regular"><article class="boxed onscreen-post"><div class="row"><div class="topic-avatar"></div>
            <div class="topic-body clearfix"><div class="topic-meta-data"><div class="names trigger-user-card"><span class="first username"><a href="/u/{who}">{who}</a></span></div><div class="post-infos"><a href="/1">3月2日</a></div></div>
            <div class="regular contents"><div class="cooked">{text}</div><section class="post-menu-area clearfix"><nav class="post-controls"><div class="actions"><button>いいね</button><button>返信</button></div></nav></section></div></div></div></article></div>"#
        )
    };
    let html = format!(
        r#"<title>炊飯器の内釜がはがれた - 家電 - 台所の広場</title><header class="d-header"><a href="/">台所の広場</a></header><div id="main-outlet"><div id="topic-title"><h1><a href="/t/1">炊飯器の内釜がはがれた</a></h1></div>
        <section class="topic-area"><div class="posts-wrapper"><div class="post-stream">{}{}{}</div></div></section>
        <div class="more-topics__container"><h3>関連トピック</h3><table class="topic-list"><tr><td><a href="/t/2">やかんの水あかを落とす方法を教えてください</a></td><td>12</td></tr><tr><td><a href="/t/3">包丁の研ぎ方で迷っています</a></td><td>4</td></tr></table></div></div>"#,
        post(
            "ame",
            "<p>五年使った炊飯器の内釜のコーティングがはがれてきました。このまま使っても大丈夫でしょうか。</p>"
        ),
        post("kaze", "<p>大丈夫です。</p>"),
        post("tsuki", "<p>体に害はないそうですが、ごはんがくっつくので、私は釜だけ取り寄せました。</p>")
    );
    check_keeps(
        &html,
        &["五年使った炊飯器", "大丈夫です。", "釜だけ取り寄せました。"],
        &["やかんの水あか", "いいね", "返信", "包丁"],
    );
}

#[test]
fn question_and_answers() {
    let answer = |text: &str, votes: u32| {
        format!(
            r#"<div class="answer js-answer"><div class="post-layout"><div class="votecell"><div class="vote-count">{votes}</div></div><div class="answercell"><div class="s-prose js-post-body" itemprop="text">{text}</div>
            <div class="post-menu"><a href="/share">공유하기</a> <a href="/edit">편집</a></div><div class="user-info"><a href="/u">밤톨</a> <span class="reputation-score">1,204</span></div></div></div>
            <div class="comments js-comments-container"><ul><li><span class="comment-copy">고맙습니다!</span></li></ul></div></div>"#
        )
    };
    let html = format!(
        r#"<title>식빵이 부풀지 않는 이유 - 물어보기</title><header><a href="/">물어보기</a></header><div id="content"><div id="question-header"><h1 itemprop="name"><a href="/q/1">식빵이 부풀지 않는 이유</a></h1></div>
        <div id="mainbar"><div class="question" id="question"><div class="post-layout"><div class="votecell">7</div><div class="postcell"><div class="s-prose js-post-body" itemprop="text"><p>이스트를 넣고 한 시간을 기다렸는데 반죽이 그대로입니다. 물은 따뜻하게 데워서 썼습니다.</p><pre><code>강력분 300g, 물 200ml, 이스트 4g</code></pre></div><div class="post-taglist"><a href="/t">제빵</a></div></div></div></div>
        <div id="answers">{}{}</div></div><div id="sidebar"><div class="module sidebar-related"><h4>비슷한 질문</h4><a href="/q/2">쿠키가 퍼지는 이유는 무엇인가요</a></div></div></div>"#,
        answer(
            "<p>물이 너무 뜨거우면 이스트가 죽습니다. 손을 담가 미지근할 정도가 좋습니다.</p><p>이스트의 유통기한도 살펴보세요.</p>",
            12
        ),
        answer("<p>소금이 이스트에 바로 닿지 않게 하세요.</p>", 3)
    );
    check_keeps(
        &html,
        &["반죽이 그대로입니다", "이스트 4g", "물이 너무 뜨거우면", "유통기한도", "소금이 이스트에"],
        &["비슷한 질문", "쿠키가 퍼지는", "공유하기", "1,204"],
    );
}

#[test]
fn product() {
    let html = format!(
        r##"<title>Beech stool, 45 cm | Sitwell</title><header><a href="/">Sitwell</a>{MENU}</header><main class="product-page"><nav class="breadcrumb"><a href="/">Home</a> / <a href="/stools">Stools</a></nav>
        <div class="product-gallery"></div><div class="product-summary"><h1 class="product-title">Beech stool, 45 cm</h1><div class="star-rating">4.6 (31 ratings)</div><div class="price-box"><span class="price">€ 89.00</span><span class="vat">incl. VAT, plus delivery</span></div><form><label>Quantity</label><input><button>Add to basket</button></form></div>
        <div class="product-tabs"><div id="description" class="tab-panel"><h2>Description</h2><p>A stool of solid beech that holds the whole family: the seat is a little hollow, the legs are turned by hand and set at a slight angle, so that it never tips.</p><ul><li>Oiled with linseed</li><li>Felt under every leg</li></ul></div>
        <div id="specs" class="tab-panel"><h2>Details</h2><table class="spec-table"><tr><th>Height</th><td>45 cm</td></tr><tr><th>Carries</th><td>120 kg</td></tr><tr><th>Wood</th><td>Beech, oiled</td></tr></table></div></div>
        <section class="related-products"><h2>You may also like</h2><ul><li><a href="/p/2">Ash bench, 120 cm</a> <span>€ 189.00</span></li><li><a href="/p/3">Oak step</a> <span>€ 59.00</span></li></ul></section></main><footer>Sitwell Ltd. All prices in euros.</footer>"##
    );
    check_keeps(
        &html,
        &["A stool of solid beech", "Oiled with linseed", "Height\t45 cm", "Beech, oiled"],
        &["Ash bench", "All prices in euros", "Add to basket", "31 ratings"],
    );
}

#[test]
fn listing_of_teasers() {
    let teaser = |i: usize, text: &str| {
        format!(
            r#"<li class="item"><a href="/walks/{i}"><h3>걷는 길 {i}</h3></a><p>{text}</p><span class="date">2025.10.{i:02}</span> <a href="/walks/{i}" class="more">더 보기</a></li>"#
        )
    };
    let html = format!(
        r#"<title>걷는 길 모음 | 느린 산책</title><div id="header"><a href="/">느린 산책</a>{MENU}</div><div id="content"><h2>걷는 길 모음</h2><ul class="list">{}{}{}{}</ul><div class="paging"><a href="?p=2">2</a><a href="?p=3">3</a></div></div><div id="footer"><p>이 블로그의 모든 글은 허락 없이 퍼 갈 수 없습니다. 문의는 편지로 해 주세요.</p></div>"#,
        teaser(1, "성곽을 따라 두 시간, 소나무 그늘이 이어지는 완만한 길입니다."),
        teaser(2, "강가의 갈대밭을 지나 작은 나루터까지 다녀왔습니다."),
        teaser(3, "비 온 다음 날의 계곡 길은 미끄러우니 조심해야 합니다."),
        teaser(4, "골목마다 고양이가 앉아 있던 언덕 위의 오래된 마을.")
    );
    check_keeps(
        &html,
        &["소나무 그늘이", "작은 나루터까지", "계곡 길은", "고양이가 앉아", "걷는 길 3"],
        &["퍼 갈 수 없습니다", "Paint"],
    );
}

#[test]
fn recipe() {
    let html = format!(
        r##"<title>かぼちゃの煮物 | 台所だより</title><div class="header">{MENU}</div><div class="wrap"><h1>かぼちゃの煮物</h1><p>冷めてもおいしい、母に教わった作り方です。</p>
        <div class="recipe-ingredients"><h2>材料（二人分）</h2><ul><li>かぼちゃ 四分の一個</li><li>しょうゆ 大さじ二</li><li>砂糖 大さじ二</li><li>だし 二百ミリ</li></ul></div>
        <div class="recipe-steps"><h2>作り方</h2><ol><li>かぼちゃの種を取り、大きめに切ります。</li><li>皮を下にして鍋に並べ、だしと砂糖を加えて中火にかけます。</li><li>煮立ったらしょうゆを入れ、落としぶたをして十五分。</li></ol></div>
        <div class="social-share"><a href="/s">シェアする</a></div><div class="ranking"><h3>人気のレシピ</h3><ol><li><a href="/r1">大根の味噌汁</a></li><li><a href="/r2">鶏の照り焼き</a></li><li><a href="/r3">ほうれん草の胡麻和え</a></li></ol></div></div>"##
    );
    check_keeps(
        &html,
        &["冷めてもおいしい", "しょうゆ 大さじ二", "だし 二百ミリ", "種を取り", "落としぶたをして"],
        &["鶏の照り焼き", "シェアする", "Paint"],
    );
}

#[test]
fn api_reference() {
    let html = format!(
        r##"<title>fold — paperlib 2.1 documentation</title><div class="related" role="navigation">{MENU}</div><div class="document"><div class="body" role="main"><section id="sharing-sheets"><h1>fold<a class="headerlink" href="#fold">¶</a></h1>
        <div class="highlight"><pre>fold(sheet, along, times=1)</pre></div><p>Folds a sheet along a line and returns the folded sheet; the sheet itself is not changed.</p>
        <table class="params"><tr><th>Name</th><th>Type</th><th>Meaning</th></tr><tr><td>sheet</td><td><a href="s.html">Sheet</a></td><td>what to fold</td></tr><tr><td>times</td><td>int</td><td>how often</td></tr></table>
        <section id="related-errors"><h2>Errors</h2><p>Raises <code>TornError</code> when the line leaves the sheet, or when the sheet is folded more than seven times.</p></section>
        <div class="highlight"><pre><span class="k">from</span> paperlib <span class="k">import</span> fold</pre></div></section></div><div class="sphinxsidebar" role="navigation"><h3>Table of Contents</h3><ul><li><a href="#fold">fold</a></li></ul><h3>Previous topic</h3><p><a href="cut.html">cut</a></p></div></div><div class="footer">Made with care. Last updated on Mar 3.</div>"##
    );
    check_keeps(
        &html,
        &[
            "fold(sheet, along, times=1)",
            "sheet\tSheet\twhat to fold",
            "times\tint",
            "more than seven times",
            "from paperlib import fold",
        ],
        &["Previous topic", "Made with care", "Paint"],
    );
}

#[test]
fn one_paragraph_beside_a_longer_side() {
    let html = format!(
        r#"<title>첫눈</title><table width=900><tr><td width=200>{MENU}<b>소개</b><br>시골에서 밭을 가꾸며 사는 사람입니다. 봄에는 씨를 뿌리고 가을에는 거두고 겨울에는 책을 읽습니다. 이곳에는 그날그날의 일을 짧게 적어 둡니다. 편지는 언제든 반갑습니다. 읽은 책의 이름은 오른쪽 위의 책장에 모아 두었으니 함께 읽고 이야기를 나누면 좋겠습니다.</td><td width=700><h2>첫눈</h2>새벽에 첫눈이 왔다. 마당의 감나무 가지마다 눈이 소복하게 앉아 까치도 오지 않았다.</td></tr></table>"#
    );
    check_keeps(&html, &["감나무 가지마다"], &["씨를 뿌리고", "Paint"]);
}

#[test]
fn picture_with_a_caption() {
    let html = format!(
        r#"<title>夕方の港 | 写真帖</title><header><h1><a href="/">写真帖</a></h1>{MENU}</header><main><article><h2>夕方の港</h2><figure><img src=1.jpg><figcaption>六時すぎ、船が戻ってきたところ。</figcaption></figure></article></main><aside><h3>最近の写真</h3><ul><li><a href=/2>朝の市場</a></li><li><a href=/3>雨の坂道</a></li></ul></aside><footer>© 写真帖</footer>"#
    );
    check_keeps(&html, &["船が戻ってきた"], &["朝の市場", "Paint", "© 写真帖"]);
}

#[test]
fn old_table_layout() {
    let html = r#"<HTML><HEAD><TITLE>우리 동네 이야기</TITLE></HEAD><BODY><TABLE BORDER=0 WIDTH=760><TR><TD COLSPAN=2><FONT SIZE=5>우리 동네 이야기</FONT></TD></TR><TR><TD WIDTH=150 BGCOLOR=#EEEEEE><FONT SIZE=2><A HREF="a.htm">처음으로</A><BR><A HREF="b.htm">사진첩</A><BR><A HREF="c.htm">방명록</A><BR><A HREF="d.htm">자료실</A></FONT></TD>
        <TD><FONT SIZE=3>우리 동네에는 오래된 우물이 하나 있습니다. 지금은 뚜껑을 덮어 두었지만 어릴 적에는 여름마다 그 물로 수박을 식혔습니다.<BR><BR>우물 옆에는 느티나무가 있는데, 마을 어른들은 그 나무를 함부로 베지 않았습니다.<BR><BR>다음 글에서는 방앗간 이야기를 하겠습니다.</FONT></TD></TR><TR><TD COLSPAN=2 ALIGN=CENTER><FONT SIZE=1>이 홈페이지는 800x600에 맞추어져 있습니다.</FONT></TD></TR></TABLE></BODY></HTML>"#;
    check_keeps(html, &["오래된 우물이", "느티나무가", "방앗간 이야기를"], &["방명록", "800x600"]);
}

#[test]
fn nested_editor() {
    let text = |t: &str| {
        format!(
            r#"<div class="se-component se-text se-l-default"><div class="se-component-content"><div class="se-section se-section-text se-l-default"><div class="se-module se-module-text"><p class="se-text-paragraph se-text-paragraph-align-"><span class="se-fs- se-ff-">{t}</span></p></div></div></div></div>"#
        )
    };
    let html = format!(
        r#"<meta property="og:title" content="묵은지 찜 끓이기"><div id="whole-border"><div class="se-viewer se-theme-default"><div class="se-component se-documentTitle"><div class="se-title-text"><p class="se-text-paragraph"><span>묵은지 찜 끓이기</span></p></div><div class="blog2_container"><span class="writer">들깨</span><span class="se_publishDate pcol2">2025. 11. 2. 9:10</span></div></div>
        <div class="se-main-container">{}{}<div class="se-component se-image"><div class="se-module se-module-image"></div><div class="se-module se-module-text se-caption"><p>냄비 가득</p></div></div>{}<div class="se-component se-oglink"><a href="/x"><strong class="se-oglink-title">고등어 조림 편하게 하는 법</strong></a></div></div></div>
        <div class="post-btn"><a href="/like">공감 12</a> <a href="/c">댓글 3</a></div></div>"#,
        text("지난겨울 담근 김치가 푹 익어서 찜을 끓였어요."),
        text("물은 자작하게!"),
        text("약한 불에 한 시간쯤 두면 손으로 찢을 만큼 부드러워집니다.")
    );
    check_keeps(
        &html,
        &["푹 익어서 찜을", "물은 자작하게!", "부드러워집니다."],
        &["공감 12", "댓글 3", "2025. 11. 2."],
    );
}

#[test]
fn main_without_article() {
    let html = format!(
        r##"<title>Notes on rain | Low Tide</title><div class="top">{MENU}</div><main id="content"><h1>Notes on rain</h1><p>It rained for eleven days, and on the twelfth we began to measure it.</p><p>Short entry.</p><h2>What we used</h2><p>A jam jar, a ruler and a great deal of patience, which ran out first.</p><p>See also <a href="/wind">the notes on wind</a>.</p></main><section class="promo"><p>Low Tide is free to read. If you like it, tell a friend who also likes the weather.</p></section>"##
    );
    check_keeps(
        &html,
        &["eleven days", "Short entry.", "What we used", "A jam jar", "the notes on wind"],
        &["Paint", "tell a friend"],
    );
}

#[test]
fn amp_page() {
    let html = r##"<html amp lang="ko"><head><title>배추 심는 날 - 밭일기</title><style amp-boilerplate>body{}</style></head><body><header class="amp-wp-header"><a href="/">밭일기</a></header><amp-sidebar id="sidebar"><ul><li><a href="/a">처음</a></li><li><a href="/b">소개</a></li></ul></amp-sidebar><article class="amp-wp-article"><header class="amp-wp-article-header"><h1 class="amp-wp-title">배추 심는 날</h1><div class="amp-wp-meta amp-wp-byline">글 김밭</div></header><div class="amp-wp-article-content"><p>팔월 끝자락에 배추 모종 백 포기를 심었습니다.</p><amp-img src="1.jpg"></amp-img><amp-ad type="x"><div>광고입니다</div></amp-ad><p>비가 오기 전에 서둘러야 뿌리가 잘 내립니다.</p></div><amp-social-share type="x"></amp-social-share></article><amp-user-notification>쿠키를 사용합니다. 계속 이용하시면 동의하신 것으로 봅니다.</amp-user-notification><footer>밭일기 © 2025</footer></body></html>"##;
    check_keeps(
        html,
        &["모종 백 포기를", "뿌리가 잘 내립니다."],
        &["소개", "광고입니다", "동의하신", "© 2025"],
    );
}

#[test]
fn wiki_article() {
    let html = r##"<title>Millstone - Openpedia</title><div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><h1 id="firstHeading">Millstone</h1><div id="siteSub">From Openpedia, where everyone writes</div><div id="mw-content-text"><div class="mw-parser-output"><p>A <b>millstone</b> is a round <a href="/s">stone</a> used to <a href="/g">grind</a> <a href="/w">wheat</a> and other <a href="/gr">grain</a>.</p>
        <div id="toc" class="toc"><h2>Contents</h2><ul><li><a href="#History">1 History</a></li><li><a href="#Types">2 Types</a></li></ul></div><h2><span id="History">History</span><span class="mw-editsection">[<a href="/e">edit</a>]</span></h2><p>The first stones were pushed by hand. Later ones were turned by water, and in flat country by wind.</p><ul><li>Base stones lie still.</li><li>Runner stones turn above them.</li></ul>
        <div class="navbox" role="navigation"><a href="/1">Quern</a> <a href="/2">Mortar</a></div></div></div><div id="catlinks" class="catlinks"><a href="/c">Categories</a>: <a href="/c1">Mills</a></div></div><div id="mw-navigation"><ul><li><a href="/r">Random page</a></li></ul></div><div id="footer"><p>Text is available to everyone under the terms that are printed on the page about terms.</p></div>"##;
    check_keeps(
        html,
        &["grind wheat and other grain", "turned by water", "Runner stones turn"],
        &["1 History", "[edit]", "Quern", "Random page", "Text is available"],
    );
}

#[test]
fn contents_and_indexes_keep_their_links() {
    let entries: String =
        (1..12).map(|i| format!("<dt><a href=c{i}.html>{i}. Joints of kind number {i}</a></dt>")).collect();
    let contents = format!(
        r#"<title>Part II. Joints</title><div class="navheader"><a href=a>Prev</a></div><div class="part"><h1>Part II. Joints</h1><p>This part shows how two boards become one.</p><div class="toc"><p>Table of Contents</p><dl>{entries}</dl></div></div><div class="navfooter"><a href=a>Prev</a></div>"#
    );
    check_keeps(&contents, &["how two boards", "3. Joints of kind number 3"], &["Prev"]);
    let index = format!(
        r#"<title>All joints</title><nav>{MENU}</nav><main><h1>All joints</h1><ul>{}</ul></main><footer>The end</footer>"#,
        entries.replace("dt>", "li>")
    );
    check_keeps(&index, &["7. Joints of kind number 7"], &["Paint", "The end"]);
}
