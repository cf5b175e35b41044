// Everything by keyboard alone: the skip link, forms, and a place of the focus that can always be seen.
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

// What has the focus, and whether that can be seen.
function focus(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
    // In a drawing, a thicker line around the shape says it.
    const drawn = [...element.querySelectorAll("circle, rect, path")].map((shape) => getComputedStyle(shape));
    const lined = drawn.some((shape) => shape.stroke !== "none" && parseFloat(shape.strokeWidth) >= 3);
    const inView = box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
    return {
      tag: element.localName,
      html: element.outerHTML.slice(0, 120),
      inMain: element.closest("main") !== null,
      visible: (outlined || lined || style.boxShadow !== "none") && inView,
    };
  });
}

// Presses Tab until what has the focus is the one that is looked for.
async function tabTo(page, isIt) {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const at = await focus(page);
    assert.ok(at === null || at.visible, `the focus cannot be seen on ${at?.html}`);
    if (at && (await page.evaluate(isIt))) return;
  }
  assert.fail(`80 times Tab did not lead to ${isIt}`);
}

for (const { language, locale, copy, word } of LANGUAGES) {
  test(`a post in ${language} is checked and a word searched without a mouse`, async () => {
    const visitor = await Visitor.to(chromium, service, { locale });
    const { page } = visitor;
    await visitor.open("/");
    await tabTo(page, () => document.activeElement.localName === "textarea");
    await page.keyboard.insertText(copy);
    await tabTo(page, () => document.activeElement.localName === "button" && document.activeElement.closest("main") !== null);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/check/);
    await tabTo(page, () => document.activeElement.matches('main a[href*="/document"]'));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/document/);
    await visitor.open("/search");
    await tabTo(page, () => document.activeElement.matches("main input[type=search]"));
    await page.keyboard.insertText(word);
    await page.keyboard.press("Enter");
    await page.waitForURL(/[?&]q=/);
    await tabTo(page, () => document.activeElement.localName === "summary");
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.parentElement.open), "copies unfold");
    await visitor.isWell();
    await visitor.leave();
  });
}

test("the skip link leads past the menu", async () => {
  const visitor = await Visitor.to(chromium, service);
  const { page } = visitor;
  for (const path of ["/", "/search", "/status"]) {
    await visitor.open(path);
    await page.keyboard.press("Tab");
    assert.deepEqual(await page.evaluate(() => document.activeElement.getAttribute("href")), "#main", path);
    assert.ok((await focus(page)).visible, "the skip link is seen when it has the focus");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    const at = await focus(page);
    assert.ok(at?.inMain, `${path}: the focus is in the content, not on ${at?.html}`);
  }
  await visitor.leave();
});

test("the focus can be seen wherever Tab leads, and leaves every page again", async () => {
  const visitor = await Visitor.to(chromium, service);
  const { page } = visitor;
  await visitor.open("/");
  const menu = await page.getByRole("navigation").first().getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  const pages = [...menu, "/search?q=signalman", "/document?id=en-first", "/compare?a=en-first&b=en-copy"];
  for (const size of [WIDE, PHONE]) {
    await page.setViewportSize(size);
    for (const path of pages) {
      await visitor.open(path);
      let last = "";
      for (let presses = 0; presses < 400; presses += 1) {
        await page.keyboard.press("Tab");
        const at = await focus(page);
        last = at?.html;
        if (at === null) break;
        assert.ok(at.visible, `${path}: the focus cannot be seen on ${at.html}`);
      }
      assert.equal(last, undefined, `${path}: Tab never leaves, last on ${last}`);
    }
  }
  await visitor.leave();
});
