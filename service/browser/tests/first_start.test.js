// The first minutes with a fresh service: an empty collection says what to do next, and the sample is loaded by its button.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Service } from "../service.js";
import { browser, PHONE, Visitor, WIDE } from "../visitor.js";

// In each language of the sample: a word, the post that is found by it, and how often it was copied.
const SAMPLE = [
  { word: "남한산성", found: "slow-walk-32", copies: 2 },
  { word: "秋刀魚", found: "harbor-12", copies: 1 },
  { word: "tangerines", found: "notes-201", copies: 0 },
];

let service, chromium;
before(async () => {
  [service, chromium] = await Promise.all([Service.start(), browser()]);
});
after(async () => {
  await chromium?.close();
  await service?.stop();
});

test("an empty collection leads to a full one", async () => {
  const visitor = await Visitor.to(chromium, service);
  const { page } = visitor;
  await visitor.open("/");
  await visitor.photograph("empty-wide");
  await visitor.isAccessible();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize(PHONE);
  await visitor.photograph("empty-phone-dark");
  await visitor.fits();
  await visitor.isAccessible();
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(WIDE);
  // Every page of the menu has something to say about nothing.
  const menu = await page.getByRole("navigation").first().getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  for (const path of menu) {
    await visitor.open(path);
    await visitor.isAccessible();
  }
  await visitor.open("/");
  await page.getByRole("button", { name: /sample/i }).click();
  await page.waitForURL(/\/search/);
  await service.settled();
  const { documents } = await service.get("/v1/stats");
  assert.ok(documents >= 10, `${documents} documents`);
  for (const { word, found, copies } of SAMPLE) {
    await visitor.open("/search");
    await page.getByRole("searchbox").fill(word);
    await page.getByRole("searchbox").press("Enter");
    await page.waitForURL(/[?&]q=/);
    const hit = page.locator(`main li:has(a[href*="${found}"])`).first();
    assert.ok(await hit.isVisible(), `${found} is found by ${word}`);
    assert.ok((await hit.locator("mark").count()) > 0, `${word} is marked`);
    assert.equal(await hit.locator("details").count(), copies > 0 ? 1 : 0, `copies of ${found}`);
    await visitor.isAccessible();
    await visitor.photograph(`sample-search-${found}`);
  }
  await visitor.leave();
});
