// A person with a browser, who notices whatever goes wrong on a page: errors, refusals of the security policy, dialogs,
// scripts of strangers, requests to elsewhere, findings of axe, content wider than the screen.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SCREENSHOTS = process.env.SCREENSHOTS;
// A browser of its own accord asks for updates and the like: all of that is off, so that any request is the page's.
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const WIDE = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 740 };
// Time for one screenshot of a long page on a loaded machine.
const SCREENSHOT_TIMEOUT_MS = 60_000;
// Findings of axe that fail a test.
const GRAVE = ["serious", "critical"];

export function browser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
}

// Axe takes a page that names no background for white, which it is not in the dark: say what the browser paints.
function paintedBackground() {
  const plain = (element) => getComputedStyle(element).backgroundColor === "rgba(0, 0, 0, 0)";
  if (plain(document.documentElement) && plain(document.body)) document.documentElement.style.backgroundColor = "Canvas";
}

export class Visitor {
  // `options` are those of a browser context: viewport, colorScheme, locale, javaScriptEnabled.
  static async to(browser, service, options = {}) {
    const context = await browser.newContext({ viewport: WIDE, locale: "en-US", ...options });
    const visitor = new Visitor(context, service.origin);
    await visitor.#begin();
    return visitor;
  }

  #wrong = [];
  #expected = new Set();

  constructor(context, origin) {
    Object.assign(this, { context, origin });
  }

  async #begin() {
    await this.context.exposeBinding("__refused", (_, what) => this.#notice(`security policy refused ${what}`));
    await this.context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        window.__refused(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
      );
    });
    // Nothing may be asked of anybody else: it is noticed, and does not happen.
    await this.context.route(
      (url) => url.origin !== this.origin,
      (route) => {
        this.#notice(`request to elsewhere: ${route.request().url()}`);
        return route.abort();
      },
    );
    this.page = await this.context.newPage();
    this.page.on("console", (message) => {
      if (message.type() === "error") this.#heard(message);
    });
    this.page.on("pageerror", (error) => this.#notice(`error: ${error.stack ?? error}`));
    this.page.on("dialog", (dialog) => {
      this.#notice(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    this.page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== this.origin && url.protocol !== "data:") this.#notice(`request: ${request.url()}`);
    });
    this.page.on("requestfailed", (request) => {
      const why = request.failure()?.errorText;
      // A page that is left while it loads is no failure.
      if (why !== "net::ERR_ABORTED") this.#notice(`failed: ${request.url()}: ${why}`);
    });
    this.page.on("response", (response) => {
      const status = response.status();
      if (status >= 400 && !this.#expected.has(status)) this.#notice(`${status}: ${response.url()}`);
    });
  }

  // Chromium also writes every refused status to the console: `response` has judged it already.
  #heard(message) {
    if (/^Failed to load resource: the server responded with a status/.test(message.text())) return;
    this.#notice(`console: ${message.text()} (${message.location().url})`);
  }

  #notice(what) {
    this.#wrong.push(`${this.page?.url() ?? ""}: ${what}`);
  }

  // From now on a page may answer with this status.
  expect(status) {
    this.#expected.add(status);
  }

  open(path) {
    return this.page.goto(new URL(path, this.origin).href, { waitUntil: "load" });
  }

  // Nothing was wrong until now, and nothing of a stranger has run or stands ready to.
  async isWell() {
    const found = await this.page.evaluate(() => {
      const wrong = [];
      if (window.__xss !== undefined) wrong.push("a script of a stranger ran");
      for (const element of document.querySelectorAll("*")) {
        for (const { name, value } of element.attributes) {
          const scripted = /^\s*(javascript|data|vbscript):/i.test(value) && ["href", "src", "action", "formaction"].includes(name);
          if (/^on/i.test(name) || name === "srcdoc" || scripted) wrong.push(`<${element.localName} ${name}="${value}">`);
        }
      }
      for (const element of document.querySelectorAll("script, iframe, object, embed, base, link, img, video, audio, style, meta[http-equiv]")) {
        const source = element.getAttribute("src") ?? element.getAttribute("href") ?? "";
        if (!source.startsWith("/") || source.startsWith("//")) wrong.push(element.outerHTML.slice(0, 200));
      }
      return wrong;
    });
    found.forEach((what) => this.#notice(what));
    const wrong = this.#wrong.splice(0);
    assert.ok(wrong.length === 0, wrong.join("\n"));
  }

  // Nothing makes the page as a whole wider than the screen.
  async fits() {
    const [content, screen] = await this.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    if (content <= screen) return;
    const wide = await this.page.evaluate(() => {
      const right = document.documentElement.clientWidth + 1;
      const beyond = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > right);
      return beyond.slice(0, 5).map((one) => one.outerHTML.slice(0, 160));
    });
    assert.fail(`${this.page.url()} is ${content} px wide on a screen of ${screen} px: ${wide.join("\n")}`);
  }

  // What axe finds grave on the page as it is.
  async isAccessible() {
    await this.isWell();
    // Run by the debugger, which the page's policy does not bind; style sheets are looked at as applied, none is fetched.
    await this.page.evaluate(AXE);
    await this.page.evaluate(paintedBackground);
    const { violations } = await this.page.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ["violations"] }));
    const grave = violations.filter(({ impact }) => GRAVE.includes(impact));
    const told = grave.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`);
    assert.ok(told.length === 0, `${this.page.url()}: ${told.join("\n")}`);
  }

  // A screenshot of the whole page, if a folder was named.
  async photograph(name) {
    if (!SCREENSHOTS) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    const options = { path: join(SCREENSHOTS, `${name}.png`), fullPage: true, timeout: SCREENSHOT_TIMEOUT_MS };
    // On a loaded machine headless Chromium sometimes never delivers the frame it was asked for: ask once more.
    await this.page.screenshot(options).catch(() => this.page.screenshot(options));
  }

  async leave() {
    await this.context.close();
  }
}
