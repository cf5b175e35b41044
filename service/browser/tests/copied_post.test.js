// A person pastes a copied post, learns who wrote it first, opens the original, and sees both side by side.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES, posts } from "../posts.js";
import { Service } from "../service.js";
import { browser, PHONE, Visitor, WIDE } from "../visitor.js";

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

const heading = (page) => page.getByRole("heading", { level: 1 }).innerText();

// The first sentence of the verdict.
const answer = (page) => page.locator(".verdict .answer").innerText();

async function pasted(visitor, text) {
  await visitor.open("/");
  await visitor.page.locator("textarea").first().fill(text);
  await visitor.page.getByRole("button", { name: "Check", exact: true }).first().click();
  await visitor.page.waitForURL(/\/check/);
}

for (const { language, locale, copy, text, paragraphs } of LANGUAGES) {
  for (const javaScriptEnabled of [true, false]) {
    test(`a copied post in ${language}, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
      const visitor = await Visitor.to(chromium, service, { locale, javaScriptEnabled });
      const { page } = visitor;
      await pasted(visitor, `${copy}\n\n(1)`);
      assert.equal(await heading(page), "A copy with changes");
      assert.match(await answer(page), /^\d+ % of this text is in .*: the same text with changes\.$/);
      await visitor.isWell();
      const original = page.locator(`main a[href*="/document?id=${language}-first"]`).first();
      assert.ok(await original.isVisible(), "the original is named");
      if (javaScriptEnabled) await looked(visitor, `verdict-${language}`);
      await original.click();
      await page.waitForURL(/\/document/);
      assert.ok((await page.locator("main").innerText()).includes(paragraphs[1].slice(0, 40)), "its text is shown");
      await page.locator(`main a[href*="/compare?"][href*="${language}-copy"]`).first().click();
      await page.waitForURL(/\/compare/);
      const sides = page.locator(".sides section");
      assert.equal(await sides.count(), 2);
      for (const side of [0, 1]) {
        const shown = await sides.nth(side).innerText();
        assert.ok(shown.includes(paragraphs[3].slice(0, 40)), `side ${side} shows the shared text`);
        assert.ok((await sides.nth(side).locator(".p").count()) > 0, `side ${side} marks what both share`);
      }
      assert.ok((await sides.nth(1).locator("mark").count()) > 0, "what was added is coloured");
      assert.match(await answer(page), /^\d+ % of the words are the same: the same text with changes\.$/);
      if (javaScriptEnabled) await joined(visitor);
      await visitor.isWell();
      await visitor.leave();
    });
  }

  test(`a text of one's own in ${language}`, async () => {
    const visitor = await Visitor.to(chromium, service, { locale });
    await pasted(visitor, [...text].reverse().join(""));
    assert.equal(await heading(visitor.page), "No copy found");
    assert.match(await answer(visitor.page), /^No copy of this text is in the collection/);
    await looked(visitor, `own-${language}`);
    await visitor.leave();
  });

  test(`a few borrowed lines in ${language}`, async () => {
    const visitor = await Visitor.to(chromium, service, { locale });
    const own = [...paragraphs[0]].reverse().join("");
    await pasted(visitor, [own, paragraphs[1], paragraphs[2], own].join("\n\n"));
    const main = await visitor.page.locator("main").innerText();
    assert.doesNotMatch(main, /nobody|new text|no copy/i);
    assert.match(await answer(visitor.page), /^\d+ % of this text is in /);
    assert.ok(main.includes(paragraphs[2].slice(10, 40)), "the passage is shown");
    assert.ok((await visitor.page.locator(`main a[href*="${language}-first"]`).count()) > 0, "and where it is from");
    await looked(visitor, `borrowed-${language}`);
    await visitor.leave();
  });
}

// Bands join what both texts share, and pointing at one side lights both.
async function joined(visitor) {
  const { page } = visitor;
  await page.locator(".sides svg polygon").first().waitFor({ state: "attached" });
  await page.locator(".sides section").first().locator(".p").first().hover();
  assert.ok((await page.locator(".sides section").nth(1).locator(".p.on").count()) > 0, "the other side lights up");
}

for (const javaScriptEnabled of [true, false]) {
  test(`a file is chosen instead, ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
    const visitor = await Visitor.to(chromium, service, { javaScriptEnabled });
    await visitor.open("/");
    const file = { name: "post.txt", mimeType: "text/plain", buffer: Buffer.from(LANGUAGES[0].text) };
    await visitor.page.locator("form.check input[type=file], form[action='/check'] input[type=file]").first().setInputFiles(file);
    await visitor.page.getByRole("button", { name: "Check", exact: true }).first().click();
    await visitor.page.waitForURL(/\/check/);
    assert.equal(await heading(visitor.page), "A copy, byte for byte");
    assert.match(await answer(visitor.page), /^100 % of this text is in /);
    await visitor.isWell();
    await visitor.leave();
  });
}

async function looked(visitor, name) {
  await visitor.photograph(`${name}-wide`);
  await visitor.fits();
  await visitor.isAccessible();
  await visitor.page.emulateMedia({ colorScheme: "dark" });
  await visitor.page.setViewportSize(PHONE);
  await visitor.photograph(`${name}-phone-dark`);
  await visitor.fits();
  await visitor.isAccessible();
  await visitor.page.emulateMedia({ colorScheme: "light" });
  await visitor.page.setViewportSize(WIDE);
}
