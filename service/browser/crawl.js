// Follows links, so that a page that is added later is looked at without a change here.
import assert from "node:assert/strict";

// What an address is an example of: its path and the names of its parameters.
export function kind(path) {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const names = new Set([...searchParams].filter(([, value]) => value !== "").map(([name]) => name));
  return names.size === 0 ? pathname : `${pathname}?${[...names].join("&")}`;
}

// Opens every page that links lead to, beginning with `starts`, at most `ofAKind` of each kind, those that are `preferred`
// first; `look` is told the address and how many of its kind there were before. Returns the kinds that were met.
export async function crawl(visitor, starts, { ofAKind, preferred = () => false }, look) {
  const [waiting, known, kinds] = [[...starts], new Set(starts), new Map()];
  while (waiting.length > 0) {
    const [path] = waiting.splice(Math.max(waiting.findIndex(preferred), 0), 1);
    const seen = kinds.get(kind(path)) ?? 0;
    if (seen >= ofAKind || !(await isPage(visitor.origin, path))) continue;
    kinds.set(kind(path), seen + 1);
    await visitor.open(path);
    await look(path, seen);
    for (const link of await links(visitor.page)) {
      if (!known.has(link)) waiting.push(link);
      known.add(link);
    }
  }
  return new Set(kinds.keys());
}

// Whatever is linked is there; what is no page (an export, the description of the API) is not opened.
async function isPage(origin, path) {
  const answer = await fetch(origin + path);
  await answer.arrayBuffer();
  assert.ok(answer.status < 400, `${path} is linked and answers ${answer.status}`);
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

// The addresses on this host that a page links to, also in its drawings.
function links(page) {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? link.getAttribute("xlink:href") ?? "");
    const urls = all.filter((href) => URL.canParse(href, location.href)).map((href) => new URL(href, location.href));
    return [...new Set(urls.filter((url) => url.origin === location.origin).map((url) => url.pathname + url.search))];
  });
}
