// Posts in three languages: an original, copies of it as people make them, and others. Written for these tests.

const KO = [
  "비가 그친 뒤에 동네 도서관까지 걸어갔다. 골목마다 물웅덩이가 남아 있어서 하늘이 여러 조각으로 나뉘어 땅에 떨어져 있는 것처럼 보였다.",
  "도서관 이 층에는 오래된 잡지를 모아 둔 방이 있다. 사람이 거의 오지 않아서 종이 넘기는 소리까지 크게 들리고, 창가 자리에서는 은행나무 꼭대기가 보인다.",
  "오늘은 삼십 년 전에 나온 여행 잡지를 읽었다. 지금은 없어진 기차역과 그 앞에 있던 국밥집 이야기가 실려 있었는데, 주인 할머니의 이름까지 적혀 있어서 괜히 반가웠다.",
  "돌아오는 길에는 시장에 들러 귤을 샀다. 봉지를 든 손이 시려웠지만 걸음은 가벼웠고, 다음 주에는 그 기차역이 있던 자리에 가 보기로 했다.",
];
const JA = [
  "雨上がりの朝、川沿いの道を自転車で走った。堤防の草はまだ濡れていて、タイヤが通るたびに小さなしぶきが上がり、靴の先が少しずつ冷たくなっていった。",
  "橋のたもとで豆腐屋のおじさんが店を開けるところだった。湯気の向こうから声をかけてくれて、出来たてのおからを紙に包んで持たせてくれた。",
  "川の曲がり角には、むかし渡し船が着いた石段が残っている。水が少ない季節だけ一番下の段まで見えて、そこに刻まれた古い数字を読むことができる。",
  "家に帰っておからを炊きながら、あの数字は何を数えたものだろうと考えた。船の数か、水の高さか、それとも誰かの年齢か、図書館で調べてみるつもりだ。",
];
const EN = [
  "After the rain stopped we walked up to the old signal house, where the railway used to cross the valley on a wooden bridge. The planks are gone, but the stone piers still stand in the river like a row of patient teeth.",
  "The last signalman kept a diary of every train that passed, and the village keeps the diary in a glass case next to the post office. On most days he wrote no more than a number and the weather.",
  "On the ninth of March, sixty years ago, he wrote half a page about a circus train with two elephants, which had to wait for an hour because a tree had fallen across the line, and how the elephants were led down to drink.",
  "We sat on the wall above the piers and tried to imagine it. Then the sun came out, the river turned from brown to green, and somebody remembered that there was still cake in the bag.",
];

// The posts of a language: `text` is the original, `copy` what somebody pastes, `word` what both are found by.
export const LANGUAGES = [
  { language: "ko", locale: "ko-KR", paragraphs: KO, word: "도서관", added: "퍼온 글입니다. 좋은 글이라 나눕니다." },
  { language: "ja", locale: "ja-JP", paragraphs: JA, word: "豆腐屋", added: "どこかで見つけた良い文章です。" },
  { language: "en", locale: "en-US", paragraphs: EN, word: "signalman", added: "Found on the web, too good not to share." },
].map((one) => ({
  ...one,
  original: `https://first.example/${one.language}/1`,
  copier: `https://copies.example/${one.language}/7`,
  text: one.paragraphs.join("\n\n"),
  copy: [...one.paragraphs, one.added].join("\n\n"),
  part: [one.added, one.paragraphs[2], one.added].join("\n\n"),
}));

// What is stored of a language: the original, a copy with a line added, a whole copy, a part of it elsewhere, a second version.
export function posts({ language, text, copy, part, original, copier, paragraphs }) {
  const author = { ko: "느린 걸음", ja: "川べりの記録", en: "Slow steps" }[language];
  return [
    { id: `${language}-first`, url: original, title: paragraphs[0].slice(0, 24), author, created_at: "2026-03-01T09:00:00Z", text },
    { id: `${language}-copy`, url: copier, title: `${paragraphs[0].slice(0, 20)} (2)`, author: "copies", created_at: "2026-03-04T09:00:00Z", text: copy },
    { id: `${language}-same`, url: `https://mirror.example/${language}`, created_at: "2026-04-01T09:00:00Z", text },
    { id: `${language}-part`, url: `https://parts.example/${language}`, created_at: "2026-04-02T09:00:00Z", text: part },
    { id: `${language}-diary`, url: `https://diary.example/${language}`, created_at: "2026-05-01T09:00:00Z", text: paragraphs.slice(1).reverse().join(" ") },
    { id: `${language}-diary`, url: `https://diary.example/${language}`, created_at: "2026-05-02T09:00:00Z", text: `${paragraphs[3]} ${paragraphs[1]}` },
  ];
}
