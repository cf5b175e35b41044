// What strangers store, in every field that they fill, is shown as text on every page: nothing of it runs, loads or becomes markup.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { crawl } from "../crawl.js";
import { PAYLOADS } from "../payloads.js";
import { LANGUAGES } from "../posts.js";
import { Service } from "../service.js";
import { browser, Visitor } from "../visitor.js";

const WORD = "strangers";

let service, chromium, ids;
before(async () => {
  [service, chromium] = await Promise.all([Service.start(), browser()]);
  ids = [];
  for (const [place, payload] of PAYLOADS.entries()) ids.push((await service.post(post(payload, place))).id);
  await service.settled();
});
after(async () => {
  await chromium?.close();
  await service?.stop();
});

// The payload in every field; every second one as markup, and with a copy, so that lists of copies show it, too.
function post(payload, place) {
  const of = LANGUAGES[place % LANGUAGES.length];
  const shared = of.paragraphs[(place >> 2) % 4];
  const text = `${payload}\n${WORD} ${payload} ${place >> 1} ${shared} ${payload} ${place >> 1}`;
  return {
    id: `${place} ${payload}`,
    url: place % 3 === 0 ? payload : `https://strangers.example/${place}?${payload}`,
    title: `${WORD} ${payload}`,
    author: payload,
    created_at: "2026-03-01T09:00:00Z",
    extra: payload,
    ...(place % 2 === 0 ? { text } : { html: `<html><body><article><p>${text}</p>${payload}</article></body></html>` }),
  };
}

test("there are a hundred of them", () => assert.ok(PAYLOADS.length >= 100, `${PAYLOADS.length}`));

test("on the page of a document", async () => {
  const visitor = await Visitor.to(chromium, service);
  for (const id of ids) {
    await visitor.open(`/document?id=${encodeURIComponent(id)}`);
    await visitor.isWell();
  }
  await visitor.leave();
});

test("side by side", async () => {
  const visitor = await Visitor.to(chromium, service);
  for (let place = 0; place + 1 < ids.length; place += 2) {
    await visitor.open(`/compare?a=${encodeURIComponent(ids[place])}&b=${encodeURIComponent(ids[place + 1])}`);
    await visitor.isWell();
  }
  await visitor.leave();
});

test("wherever links lead", async () => {
  const visitor = await Visitor.to(chromium, service);
  const kinds = await crawl(visitor, ["/", `/search?q=${WORD}`], { ofAKind: 12 }, () => visitor.isWell());
  for (const one of ["/document?id", "/clusters", "/holders?id"]) assert.ok(kinds.has(one), one);
  await visitor.leave();
});

test("in the hits of a search, and in its form", async () => {
  const visitor = await Visitor.to(chromium, service);
  visitor.expect(400);
  await visitor.open(`/search?q=${WORD}&all=on`);
  for (let pages = 0; ; pages += 1) {
    await visitor.isWell();
    const more = visitor.page.getByRole("link", { name: /more|next/i }).last();
    if ((await more.count()) === 0) {
      assert.ok(pages > 1, "there is more than one page of hits");
      break;
    }
    await more.click();
  }
  for (const payload of PAYLOADS) {
    await visitor.open(`/search?q=${encodeURIComponent(payload)}&sort=${encodeURIComponent(payload)}`);
    await visitor.isWell();
  }
  await visitor.leave();
});

test("when it is pasted", async () => {
  const visitor = await Visitor.to(chromium, service);
  await visitor.open("/");
  // The answer has a form for the next text.
  for (const [place, payload] of PAYLOADS.entries()) {
    await visitor.page.locator("textarea").first().fill(place % 2 === 0 ? payload : post(payload, place).html);
    await visitor.page.getByRole("button", { name: "Check", exact: true }).first().click();
    await visitor.page.waitForURL(/\/check/, { waitUntil: "load" });
    await visitor.isWell();
  }
  await visitor.leave();
});

test("in whatever a page is asked for, and on every page of the menu", async () => {
  const visitor = await Visitor.to(chromium, service);
  [400, 404].forEach((status) => visitor.expect(status));
  await visitor.open("/");
  const menu = await visitor.page.getByRole("navigation").first().getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const path of menu) {
    await visitor.open(path);
    await visitor.isWell();
    // Its own forms, filled with what a stranger would send, whatever their fields are called.
    const fields = await visitor.page.locator("main form:not([method=post]) [name]").evaluateAll((all) => all.map((one) => one.name));
    for (const payload of PAYLOADS.filter((_, place) => place % 5 === 0)) {
      const asked = new URLSearchParams(fields.map((field) => [field, payload]));
      if (fields.length > 0) await visitor.open(`${path}?${asked}`);
      await visitor.isWell();
    }
  }
  await visitor.leave();
});
