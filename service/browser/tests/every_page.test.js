// Every page that can be reached by following links from the menu, with posts in three languages: light and dark, wide
// and on a phone. A page that is added later is found and looked at without a change here.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { crawl, kind } from "../crawl.js";
import { LANGUAGES, posts } from "../posts.js";
import { Service } from "../service.js";
import { browser, PHONE, Visitor, WIDE } from "../visitor.js";

// Pages of one kind that are opened; only the first of them is examined in every light and on every screen.
const OF_A_KIND = 3;
// Pages without anything of the collection on them: long, and examined in one language only.
const SAME = ["/reference"];
// Kinds that must be met, so that a link that gets lost is noticed.
const KNOWN = ["/", "/add", "/cluster?id", "/clusters", "/compare", "/compare?a&b", "/document?id", "/holders", "/holders?id", "/moved", "/reference", "/search", "/search?q", "/status"];

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
    const starts = ["/", `/search?q=${encodeURIComponent(language.word)}`];
    const preferred = (path) => path.includes(`${language.language}-`) || path.includes("%");
    const wrong = [];
    const kinds = await crawl(visitor, starts, { ofAKind: OF_A_KIND, preferred }, async (path, seen) => {
      const anew = seen === 0 && (language === LANGUAGES[0] || !SAME.includes(path));
      const looked = anew ? examined(visitor, name(path, language.language)) : glanced(visitor);
      // What is wrong with one page does not hide what is wrong with the next.
      await looked.catch((error) => wrong.push(error.message));
    });
    assert.ok(wrong.length === 0, wrong.join("\n\n"));
    for (const one of KNOWN) assert.ok(kinds.has(one), `${one} was not met, but ${[...kinds].join(", ")}`);
    await visitor.leave();
  });
}

function name(path, language) {
  const plain = kind(path).replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
  return `${plain || "check"}-${language}`;
}

async function examined(visitor, name) {
  assert.match(await visitor.page.title(), /\S/);
  assert.equal(await visitor.page.getByRole("heading", { level: 1 }).count(), 1, `${visitor.page.url()}: one main heading`);
  await visitor.photograph(`${name}-wide`);
  await visitor.fits();
  await visitor.isAccessible();
  await visitor.page.emulateMedia({ colorScheme: "dark" });
  await visitor.isAccessible();
  await visitor.page.setViewportSize(PHONE);
  await visitor.photograph(`${name}-phone-dark`);
  await visitor.fits();
  await visitor.isAccessible();
  await visitor.page.emulateMedia({ colorScheme: "light" });
  await visitor.page.setViewportSize(WIDE);
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
