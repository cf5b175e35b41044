// Every page that can be reached by following links from the menu, with posts in three languages: light and dark, wide
// and on a phone. A page that is added later is found and looked at without a change here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES, posts } from "../posts.js";
import { Service } from "../service.js";
import { browser, PHONE, Visitor, WIDE } from "../visitor.js";

// Pages of one kind that are opened; only the first of them is examined in every light and on every screen.
const OF_A_KIND = 3;
// Kinds that must be met, so that a link that gets lost is noticed.
const KNOWN = ["/", "/search", "/search?q", "/document?id", "/compare", "/compare?a&b", "/status"];

let service, chromium;
before(async () => {
  [service, chromium] = await Promise.all([Service.start(), browser()]);
  for (const language of LANGUAGES) for (const post of posts(language)) await service.post(post);
  await service.settled();
});
after(async () => {
  await chromium?.close();
  await service?.stop();
});

for (const language of LANGUAGES) {
  test(`every page with posts in ${language.language}`, async () => {
    const visitor = await Visitor.to(chromium, service, { locale: language.locale });
    const [kinds, wrong] = [new Map(), []];
    const waiting = ["/", `/search?q=${encodeURIComponent(language.word)}`];
    const known = new Set(waiting);
    while (waiting.length > 0) {
      const path = next(waiting, language.language);
      const seen = kinds.get(kind(path)) ?? 0;
      if (seen >= OF_A_KIND || !(await isPage(path))) continue;
      kinds.set(kind(path), seen + 1);
      await visitor.open(path);
      const looked = seen === 0 ? examined(visitor, name(path, language.language)) : glanced(visitor);
      // What is wrong with one page does not hide what is wrong with the next.
      await looked.catch((error) => wrong.push(error.message));
      for (const link of await links(visitor.page)) {
        if (!known.has(link)) waiting.push(link);
        known.add(link);
      }
    }
    assert.ok(wrong.length === 0, wrong.join("\n\n"));
    for (const one of KNOWN) assert.ok(kinds.has(one), `${one} was not met, but ${[...kinds.keys()].join(", ")}`);
    await visitor.leave();
  });
}

// What an address is an example of: its path and the names of its parameters.
function kind(path) {
  const { pathname, searchParams } = new URL(path, service.origin);
  const given = [...searchParams].filter(([, value]) => value !== "").map(([key]) => key);
  const names = [...new Set(given)].join("&");
  return names === "" ? pathname : `${pathname}?${names}`;
}

function name(path, language) {
  const plain = kind(path).replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
  return `${plain || "check"}-${language}`;
}

// The next address: one about this language first, so that its posts are what is examined.
function next(waiting, language) {
  const about = waiting.findIndex((path) => path.includes(`${language}-`) || path.includes("%"));
  return waiting.splice(Math.max(about, 0), 1)[0];
}

// Whatever is linked is there; what is no page (an export, the description of the API) is not opened.
async function isPage(path) {
  const answer = await fetch(service.origin + path);
  await answer.arrayBuffer();
  assert.ok(answer.status < 400, `${path} is linked and answers ${answer.status}`);
  return answer.headers.get("content-type")?.startsWith("text/html") ?? false;
}

// The addresses on this host that a page links to.
async function links(page) {
  const all = await page.evaluate(() =>
    [...document.querySelectorAll("a[href]")].filter((link) => link.origin === location.origin).map((link) => link.pathname + link.search),
  );
  return [...new Set(all)];
}

async function examined(visitor, name) {
  assert.match(await visitor.page.title(), /\S/);
  assert.equal(await visitor.page.getByRole("heading", { level: 1 }).count(), 1, `${visitor.page.url()}: one main heading`);
  for (const colorScheme of ["light", "dark"]) {
    await visitor.page.emulateMedia({ colorScheme });
    for (const [screen, size] of [["wide", WIDE], ["phone", PHONE]]) {
      await visitor.page.setViewportSize(size);
      await visitor.photograph(`${name}-${colorScheme}-${screen}`);
      await visitor.fits();
    }
    await visitor.page.setViewportSize(WIDE);
    await visitor.isAccessible();
  }
  await visitor.page.emulateMedia({ colorScheme: "light" });
}

async function glanced(visitor) {
  await visitor.isWell();
  await visitor.page.setViewportSize(PHONE);
  await visitor.fits();
  await visitor.page.setViewportSize(WIDE);
}

test("a page that says what went wrong", async () => {
  const visitor = await Visitor.to(chromium, service);
  visitor.expect(404);
  for (const path of ["/document?id=nobody", "/compare?a=nobody&b=ko-first"]) {
    const response = await visitor.open(path);
    assert.equal(response.status(), 404, path);
    assert.match(await visitor.page.getByRole("alert").innerText(), /nobody/);
    await examined(visitor, `not-found-${path.split("?")[0].slice(1)}`);
  }
  await visitor.leave();
});
