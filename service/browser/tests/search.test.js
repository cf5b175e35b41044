// Search shows originals; their copies are folded under them, and opened by a click.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES, posts } from "../posts.js";
import { Service } from "../service.js";
import { browser, Visitor } from "../visitor.js";

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

for (const { language, locale, word, added } of LANGUAGES) {
  test(`copies are folded in ${language}`, async () => {
    const visitor = await Visitor.to(chromium, service, { locale });
    const { page } = visitor;
    await visitor.open(`/search?q=${encodeURIComponent(word)}`);
    const hits = page.locator("main ol.hits > li");
    const named = async (id) => (await hits.locator(`:is(h2, h3) a[href*="${id}"]`).count()) > 0;
    assert.ok(await named(`${language}-first`), "the original is a hit");
    assert.ok(!(await named(`${language}-copy`)) && !(await named(`${language}-same`)), "its copies are none");
    const hit = hits.filter({ has: page.locator(`a[href*="${language}-first"]`) }).first();
    const folded = hit.locator(`details a[href*="${language}-copy"]`);
    assert.ok(!(await folded.isVisible()), "copies are folded");
    await hit.locator("summary").first().click();
    assert.ok(await folded.isVisible(), "and unfold");
    // The diary is an excerpt, which is a copy, too.
    assert.match(await hit.locator("summary").first().innerText(), /3 copies/);
    await visitor.isAccessible();
    await visitor.photograph(`unfolded-${language}`);
    // What only a copy says is found when duplicates are looked through, too.
    await page.getByRole("searchbox").fill(`"${added}"`);
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForLoadState();
    assert.equal(await page.locator(`main a[href*="${language}-copy"]`).count(), 0, "no original says it");
    await page.getByText("Filters and order").click();
    await page.getByRole("checkbox", { name: /duplicates/i }).check();
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/all=/);
    assert.ok((await page.locator(`main a[href*="${language}-copy"]`).count()) > 0, "a copy does");
    await visitor.isAccessible();
    await visitor.leave();
  });
}

test("a query that makes no sense is answered in words", async () => {
  const visitor = await Visitor.to(chromium, service);
  visitor.expect(400);
  for (const query of ['"', "before:yesterday", "((", "-", "site:", "\u0000", "*".repeat(500)]) {
    const response = await visitor.open(`/search?q=${encodeURIComponent(query)}`);
    assert.ok(response.status() < 500, `${query}: ${response.status()}`);
    await visitor.isWell();
  }
  await visitor.leave();
});
