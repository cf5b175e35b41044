//! Blog frames to put posts into: the ones that the extractor is tested with.

/// Frames with places for a title and a body.
const FRAMES: [&str; 11] = [
    include_str!("../../text/tests/frames/ameba.html"),
    include_str!("../../text/tests/frames/blogger.html"),
    include_str!("../../text/tests/frames/discourse.html"),
    include_str!("../../text/tests/frames/hatena.html"),
    include_str!("../../text/tests/frames/hexo.html"),
    include_str!("../../text/tests/frames/jekyll.html"),
    include_str!("../../text/tests/frames/naver.html"),
    include_str!("../../text/tests/frames/news.html"),
    include_str!("../../text/tests/frames/phpbb.html"),
    include_str!("../../text/tests/frames/tistory.html"),
    include_str!("../../text/tests/frames/wordpress.html"),
];

/// How many frames there are.
pub const COUNT: usize = FRAMES.len();

/// A plain text as a page: a paragraph a line, in the frame of this number.
pub fn framed(number: usize, title: &str, text: &str) -> String {
    let paragraphs: String = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| format!("<p>{}</p>\n", escaped(line)))
        .collect();
    FRAMES[number % COUNT].replace("{{title}}", &escaped(title)).replace("{{body}}", &paragraphs)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
