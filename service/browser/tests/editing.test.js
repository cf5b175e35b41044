// What people change: they add texts and files, and an editor overrules a verdict, with a reason that everybody sees.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES, posts } from "../posts.js";
import { Service } from "../service.js";
import { browser, PHONE, Visitor, WIDE } from "../visitor.js";

let service, chromium;
before(async () => {
  [service, chromium] = await Promise.all([Service.start(), browser()]);
});
after(async () => {
  await chromium?.close();
  await service?.stop();
});

test("a file of posts and a pasted text are added", async () => {
  const visitor = await Visitor.to(chromium, service);
  const { page } = visitor;
  const lines = LANGUAGES.flatMap(posts).map((post) => JSON.stringify(post));
  await visitor.open("/add");
  await page.locator("main input[type=file]").setInputFiles({ name: "posts.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(lines.join("\n")) });
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.waitForLoadState();
  assert.equal((await service.get("/v1/stats")).documents, new Set(LANGUAGES.flatMap(posts).map(({ id }) => id)).size);
  await visitor.isAccessible();
  await visitor.photograph("added-wide");
  for (const { copy, language } of LANGUAGES) {
    await visitor.open("/add");
    await page.locator("main textarea").fill(`${copy} ${language}`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator(`main a[href*="${language}-first"]`).first().waitFor();
    await visitor.isAccessible();
  }
  await visitor.leave();
});

for (const { language, locale } of LANGUAGES) {
  test(`an editor overrules a verdict in ${language}, and takes it back`, async () => {
    const visitor = await Visitor.to(chromium, service, { locale });
    const { page } = visitor;
    const reason = `${language} 저자가 확인했다 著者が確認 <b onclick=window.__xss=1>`;
    await decided(visitor, `/document?id=${language}-copy`, "independent", reason);
    assert.equal((await service.get(`/v1/documents/${language}-copy`)).verdict, "original");
    assert.ok((await page.locator("main").innerText()).includes(reason), "everybody sees why");
    await visitor.isAccessible();
    await visitor.photograph(`appeal-${language}-wide`);
    await page.setViewportSize(PHONE);
    await visitor.fits();
    await page.setViewportSize(WIDE);
    await decided(visitor, `/document?id=${language}-copy`, "withdrawn", "a mistake");
    assert.equal((await service.get(`/v1/documents/${language}-copy`)).verdict, "duplicate");
    await visitor.isWell();
    await visitor.leave();
  });
}

async function decided(visitor, path, decision, reason) {
  const { page } = visitor;
  await visitor.open(path);
  await page.getByText("Decide as an editor").click();
  await page.locator(`input[name=decision][value=${decision}]`).check();
  await page.locator("input[name=reason]").fill(reason);
  await page.locator("input[name=by]").fill("편집자");
  await page.getByRole("button", { name: "Decide", exact: true }).click();
  await page.waitForURL(/\/document/);
}
