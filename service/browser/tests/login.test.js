// Where there are keys, pages ask for one: a wrong one is told so, a right one leads on, and whoever logs out is out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LANGUAGES, posts } from "../posts.js";
import { Service } from "../service.js";
import { browser, PHONE, Visitor } from "../visitor.js";

let service, chromium, keys;
before(async () => {
  [service, chromium] = await Promise.all([Service.start(), browser()]);
  for (const post of posts(LANGUAGES[2])) await service.post(post);
  await service.settled();
  keys = { read: await service.key("read"), admin: await service.key("admin") };
});
after(async () => {
  await chromium?.close();
  await service?.stop();
});

test("a person logs in and out", async () => {
  const visitor = await Visitor.to(chromium, service);
  const { page } = visitor;
  [401, 403].forEach((status) => visitor.expect(status));
  await visitor.open("/search?q=signalman");
  const field = page.locator("input[type=password]");
  await field.waitFor();
  await visitor.isAccessible();
  await visitor.photograph("login-wide");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize(PHONE);
  await visitor.photograph("login-phone-dark");
  await visitor.fits();
  await visitor.isAccessible();
  await field.fill("fck_wrong");
  await field.press("Enter");
  await page.getByRole("alert").waitFor();
  assert.ok(!(await page.locator("main").innerText()).includes("en-first"));
  await page.locator("input[type=password]").fill(keys.read);
  await page.locator("input[type=password]").press("Enter");
  await page.waitForURL(/\/search\?q=signalman/);
  assert.ok((await page.locator('main a[href*="en-first"]').count()) > 0, "it leads to where one wanted to go");
  await visitor.isAccessible();
  // Scripts of the page, if there were any of a stranger, cannot read what lets it in.
  assert.equal(await page.evaluate(() => document.cookie), "");
  await visitor.open("/login");
  await page.getByRole("button", { name: /log out/i }).click();
  await visitor.open("/search?q=signalman");
  await page.locator("input[type=password]").waitFor();
  await visitor.isWell();
  await visitor.leave();
});

test("a cookie alone changes nothing for another site", async () => {
  const visitor = await Visitor.to(chromium, service);
  [401, 403].forEach((status) => visitor.expect(status));
  await visitor.open("/login");
  await visitor.page.locator("input[type=password]").fill(keys.admin);
  await visitor.page.locator("input[type=password]").press("Enter");
  await visitor.page.waitForURL((url) => !url.pathname.startsWith("/login"));
  const cookies = await visitor.context.cookies();
  assert.ok(cookies.length > 0 && cookies.every((cookie) => cookie.httpOnly && cookie.sameSite !== "None"), JSON.stringify(cookies));
  const header = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const before = (await service.get("/v1/stats", keys.read)).documents;
  const forged = await fetch(`${service.origin}/sample`, { method: "POST", headers: { cookie: header, origin: "https://evil.example" }, redirect: "manual" });
  assert.ok(forged.status >= 400, `${forged.status}`);
  assert.equal((await service.get("/v1/stats", keys.read)).documents, before);
  await visitor.leave();
});
