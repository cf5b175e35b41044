//! Small pages in the markup of boards, home pages and plain hand-made sites: what must stay, what must go.

#[path = "pages/keeps.rs"]
mod keeps;

use keeps::check_keeps;

#[test]
fn korean_board() {
    let html = r##"<title>자전거 체인 갈았습니다 > 자유게시판 | 두바퀴</title><div id="hd"><ul id="gnb_1dul"><li><a href="/f">자유게시판</a></li><li><a href="/m">장터</a></li></ul></div><div id="wrapper"><div id="container"><h2 id="container_title">자유게시판</h2>
        <article id="bo_v"><header><h2 id="bo_v_title"><span class="bo_v_cate">정비</span> <span class="bo_v_tit">자전거 체인 갈았습니다</span></h2></header><section id="bo_v_info"><h2>페이지 정보</h2>작성자 <strong>페달</strong> 조회 124회 작성일 21-03-02</section>
        <section id="bo_v_atc"><h2 id="bo_v_atc_title">본문</h2><div id="bo_v_con">사천 킬로를 타고 체인을 갈았습니다.<br>생각보다 쉽네요.<br><br>공구만 있으면 이십 분이면 끝납니다.</div></section><div id="bo_v_share"><a href="/s">공유</a></div></article>
        <section id="bo_vc"><h2>댓글목록</h2><article><header>바람 작성일 21-03-02</header><div class="cmt_contents"><p>고생하셨습니다. 체인 링크 공구는 어떤 것을 쓰셨나요? 추천 부탁드립니다.</p></div></article></section>
        <div class="bo_list"><ul><li><a href="/1">안장 높이는 어떻게 맞추나요</a></li><li><a href="/2">주말에 강변 달리실 분</a></li><li><a href="/3">펌프 팝니다</a></li></ul></div></div></div><div id="ft">두바퀴 © 2021</div>"##;
    check_keeps(
        html,
        &["사천 킬로를", "생각보다 쉽네요.", "이십 분이면"],
        &["안장 높이는", "장터", "© 2021", "조회 124회"],
    );
}

#[test]
fn japanese_floating_board() {
    let html = r#"<html><head><title>近所の猫を語るスレ</title></head><body bgcolor=#efefef><div><a href="../">掲示板に戻る</a> <a href="./">全部</a> <a href="./l50">最新50</a></div><h1 style="color:red">近所の猫を語るスレ</h1>
        <dl class="thread"><dt>1 ：<b>名無しさん</b>：2009/04/01(水) 10:11:12 ID:abc<dd>うちの近所の三毛が、毎朝おなじ塀の上で寝ている。<br>今日もいた。<br><br><dt>2 ：<b>名無しさん</b>：2009/04/01(水) 10:20:01 ID:def<dd>かわいい<br><br><dt>3 ：<b>名無しさん</b>：2009/04/01(水) 11:02:45 ID:ghi<dd>うちは黒猫。雨の日は軒下でじっとこちらを見ている。<br><br></dl></body></html>"#;
    check_keeps(html, &["塀の上で寝ている", "今日もいた", "かわいい", "軒下でじっと"], &["掲示板に戻る"]);
}

#[test]
fn older_forum_software() {
    let post = |i: u32, text: &str| {
        format!(
            r#"<table class="tborder" id="post20{i}"><tr><td class="thead">Yesterday, 0{i}:15 PM</td></tr><tr><td class="alt2"><a class="bigusername" href="m{i}">kettle{i}</a><div class="smallfont">Senior Member</div><div class="smallfont">Join Date: Jan 2004</div></td></tr><tr><td class="alt1" id="td_post_20{i}"><div id="post_message_20{i}">{text}</div><div class="smallfont"><em>Last edited by kettle{i}</em></div></td></tr><tr><td class="alt2"><a href="r">Reply With Quote</a></td></tr></table>"#
        )
    };
    let html = format!(
        r#"<title>Descaling a kettle - Tea Talk</title><table><tr><td><a href="/">Tea Talk</a> &gt; <a href="/k">Kettles</a></td></tr></table><div id="posts">{}{}{}</div><table><tr><td><a href="/prev">Previous Thread</a> | <a href="/next">Next Thread</a></td></tr></table>"#,
        post(
            1,
            "Vinegar or lemon juice? The water here is hard and the kettle is white inside after a month."
        ),
        post(2, "Lemon."),
        post(3, "Vinegar, an hour, then boil clean water twice or your tea will remember it.")
    );
    check_keeps(
        &html,
        &["Vinegar or lemon juice?", "Lemon.", "your tea will remember it"],
        &["Join Date", "Reply With Quote", "Next Thread"],
    );
}

#[test]
fn newer_forum_software() {
    let post = |who: &str, text: &str| {
        format!(
            r#"<article class="message message--post js-post"><div class="message-inner"><div class="message-cell message-cell--user"><section class="message-user"><h4 class="message-name"><a href="/m">{who}</a></h4><h5 class="userTitle message-userTitle">Well-known member</h5><div class="message-userExtras"><dl class="pairs"><dt>Messages</dt><dd>1,204</dd></dl></div></section></div>
            <div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution"><a href="/p">Mar 2</a> <a href="/s">#1</a></header><div class="message-content js-messageContent"><div class="message-userContent lbContainer"><article class="message-body js-selectToQuote"><div class="bbWrapper">{text}</div></article></div><aside class="message-signature"><div class="bbWrapper">Tomatoes are fruit, and so am I, said {who}.</div></aside></div>
            <footer class="message-footer"><div class="reactionsBar"><a href="/r">Thyme and 3 others</a></div></footer></div></div></div></article>"#
        )
    };
    let html = format!(
        r#"<title>Yellow leaves on tomatoes | Plot Talk</title><div class="p-body"><div class="p-body-header"><h1 class="p-title-value">Yellow leaves on tomatoes</h1></div><div class="p-body-content"><div class="block block--messages">{}{}</div><div class="block"><h3>Similar threads</h3><ul><li><a href="/1">Brown spots on beans</a></li><li><a href="/2">When to sow peas</a></li><li><a href="/3">Slugs, again</a></li></ul></div></div></div>"#,
        post(
            "Basil",
            "The lower leaves of my tomatoes turn yellow from the edge. I water every morning and feed once a week."
        ),
        post("Thyme", "Too much water. Let the soil dry.")
    );
    check_keeps(
        &html,
        &["turn yellow from the edge", "Too much water. Let the soil dry."],
        &["so am I", "Brown spots", "1,204", "3 others"],
    );
}

#[test]
fn home_page_of_a_blog() {
    let entry = |title: &str, text: &str| {
        format!(
            r#"<div class="entry hentry"><h2 class="entry-title"><a href="/x">{title}</a></h2><div class="entry-content"><p>{text}</p></div><p class="entry-meta">3月2日 <a href="/c">コメント(2)</a></p></div>"#
        )
    };
    let html = format!(
        r#"<title>庭の記録</title><h1><a href="/">庭の記録</a></h1><div id="main">{}{}{}</div><div id="side"><div class="module"><h3>最近の記事</h3><ul><li><a href="/1">梅が咲いた</a></li><li><a href="/2">土を起こす</a></li><li><a href="/3">霜の朝</a></li></ul></div></div>"#,
        entry("梅が咲いた", "今年の梅は去年より十日も早く咲いた。香りだけが縁側まで届いてくる。"),
        entry("土を起こす", "凍った土を鍬で起こすと、眠っていた蛙が出てきたので、そっと戻した。"),
        entry("霜の朝", "葉のふちに霜が並び、日が差すと一斉に消えた。")
    );
    check_keeps(&html, &["香りだけが", "眠っていた蛙が", "一斉に消えた"], &["最近の記事"]);
}

#[test]
fn verse_and_short_lines() {
    let html = r#"<title>돌담 - 시 모음</title><div class="nav"><a href="/">시 모음</a></div><div><h1>돌담</h1><div>돌 하나<br>그 위에 돌 하나<br><br>바람은<br>틈으로 지나가고<br><br>담은<br>그대로 서 있다</div></div><div class="foot"><a href="/p">앞의 시</a> <a href="/n">다음 시</a></div>"#;
    check_keeps(html, &["그 위에 돌 하나", "틈으로 지나가고", "그대로 서 있다"], &["다음 시"]);
}

#[test]
fn list_of_short_facts() {
    let html = r#"<title>Packing list | Slow Trains</title><header><a href="/">Slow Trains</a></header><nav><a href="/a">Routes</a><a href="/b">About</a></nav><main><h1>Packing list</h1><ul><li>Two shirts</li><li>One book</li><li>Bread and cheese</li><li>A bottle for water</li><li>Soap</li></ul></main><footer><a href="/i">Imprint</a></footer>"#;
    check_keeps(html, &["Two shirts", "Bread and cheese", "Soap"], &["Imprint", "Routes"]);
}

#[test]
fn questions_in_a_fold() {
    let html = r#"<title>よくある質問</title><div id="header"><a href="/">みなと図書館</a></div><div class="faq"><h1>よくある質問</h1><details><summary>本は何冊まで借りられますか。</summary><p>一人十冊まで、二週間借りられます。</p></details><details><summary>返すのが遅れたら。</summary><p>お電話ください。</p></details><dl><dt>休館日は</dt><dd>月曜日と年末年始です。</dd></dl></div><div id="footer">みなと図書館 電話 0000</div>"#;
    check_keeps(html, &["何冊まで", "十冊まで", "お電話ください", "月曜日と年末年始"], &["電話 0000"]);
}

#[test]
fn generated_class_names() {
    let html = r#"<title>Why I stopped ironing | by Ada | Plain</title><div id="root"><div class="a b c"><div class="d e"><a href="/">Plain</a><a href="/in">Sign in</a></div><article><div class="l"><section><div class="gk gl gm"><h1 class="pw-x ab">Why I stopped ironing</h1><div class="co"><a href="/@ada">Ada</a> <button>Follow</button> 4 min read</div><p class="ab cd ef">Last spring the iron broke, and nobody noticed that I had not bought another one.</p><p class="ab cd ef">Not even me.</p><p class="ab cd ef">A shirt that hangs in the steam of a bath is smooth enough for all the offices I know.</p></div></section></div></article><div class="u v"><h2>More from Ada</h2><div><a href="/1"><h3>The case for odd socks</h3><p>They were never a pair to begin with, and the drawer knows it better than you.</p></a></div></div></div></div>"#;
    check_keeps(
        html,
        &["the iron broke", "Not even me.", "smooth enough"],
        &["odd socks", "Sign in", "never a pair"],
    );
}

#[test]
fn comments_in_the_main_part() {
    let html = r#"<title>Short note</title><main><article><h1>Short note</h1><div class="entry-content"><p>The bridge is closed until Friday.</p></div></article><div id="comments" class="comments-area"><h2>Two thoughts</h2><ol class="comment-list"><li class="comment"><div class="comment-content"><p>I drove all the way there this morning and had to turn back, thank you for nothing, road office.</p></div></li><li class="comment"><div class="comment-content"><p>They said the same last year, and it took them until the end of summer to open it again.</p></div></li></ol></div></main>"#;
    check_keeps(html, &["closed until Friday"], &["turn back", "end of summer"]);
}
