// The browser, and visits of the page in it.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { FIREFOX, launch } from "./browsers.mjs";
import { serve } from "./server.mjs";

const FOLDER = dirname(fileURLToPath(import.meta.url));
export const ROOT = join(FOLDER, "../..");
export const DIST = join(FOLDER, "../dist");
const FAILURES = join(FOLDER, "failures");

// The longest that one step of a test may take, in ms: software rendering on a busy machine is slow.
export const PATIENCE = 60_000;

// Options of Playwright for a visit by phone.
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

// The digest of `body {}`, a style that Playwright adds in Firefox before a screenshot, and the page forbids.
const SCREENSHOT_STYLE = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=";

const browsers = new Map();
let server;
let downloads;

// Provides a server of the page and browsers to the tests of a file.
export function useBrowser() {
  before(async () => {
    server = await serve({ "/scenes/": join(ROOT, "scenes"), "/": DIST });
    downloads = mkdtempSync(join(tmpdir(), "cubefall-"));
  });
  after(async () => {
    await Promise.all([...browsers.values()].map((browser) => browser.close()));
    await server?.close();
    rmSync(downloads, { recursive: true, force: true });
  });
}

// Returns a browser for a display of so many pixels per point. With an emulated scale, the browser does not report the
// size of elements in pixels.
async function browserFor(scale) {
  if (!browsers.has(scale)) browsers.set(scale, await launch(scale));
  return browsers.get(scale);
}

// Waits until `condition()` holds; `describe()` returns what to report if it does not in time. Playwright's own waiting
// in the page needs `eval`, which the page forbids.
export async function eventually(condition, describe) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`timeout: ${await describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

// A visit of the page: `page` is Playwright's.
export class Visit {
  constructor(page) {
    this.errors = [];
    this.hosts = new Set();
    this.watch(page);
  }

  // Makes `page` the one of this visit.
  watch(page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE);
    page.on("console", (message) => {
      if (message.type() === "error") this.errors.push(message.text());
    });
    page.on("pageerror", (error) => {
      const text = error.stack ?? String(error);
      if (!text.includes(SCREENSHOT_STYLE)) this.errors.push(text);
    });
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http")) this.hosts.add(host);
    });
  }

  // Replaces the page by one that embeds it above a long text. Returns the frame of the demo once it runs.
  async embed(width, height, head = "") {
    const { page: alone } = this;
    this.watch(await alone.context().newPage());
    const embedded = `<iframe src="${alone.url()}" width="${width}" height="${height}"></iframe>`;
    await this.page.setContent(`${head}${embedded}<p style="height: 3000px"></p>`);
    await alone.close();
    const frame = this.page.frames()[1];
    const data = () => frame.evaluate(() => ({ ...document.body?.dataset }));
    const isRunning = ({ embedded, frames }) => embedded === "true" && Number(frames) >= 2;
    await eventually(async () => isRunning(await data()), async () => JSON.stringify(await data()));
    return frame;
  }

  // What the program says about itself.
  data() {
    return this.page.evaluate(() => ({ ...document.body.dataset }));
  }

  // Waits until `condition(dataset)` holds.
  async until(condition) {
    await eventually(async () => condition(await this.data()), async () => `${condition}: ${JSON.stringify(await this.data())}`);
  }

  // Waits for the first frames.
  async isRunning() {
    await this.until((data) => data.state === "failed" || (data.state === "running" && Number(data.frames) >= 2));
    const { state } = await this.data();
    assert.equal(state, "running", await this.page.locator("#failure-reason").textContent());
    await this.page.locator("#cubefall").focus();
  }

  async press(key) {
    await this.page.keyboard.press(key);
  }

  async pause() {
    await this.press("Space");
    await this.until((data) => data.paused === "true");
  }

  // Waits until `count` more frames are drawn. While nothing moves, no frames are.
  async frames(count) {
    const least = Number((await this.data()).frames) + count;
    await this.until((data) => Number(data.frames) >= least);
  }

  // Every text of the status line so far.
  messages() {
    return this.page.evaluate(() => window.statusMessages);
  }

  // Waits for a message that matches.
  async message(pattern) {
    await eventually(
      async () => (await this.messages()).some((text) => pattern.test(text)),
      async () => `no message matches ${pattern}: ${JSON.stringify(await this.messages())}`,
    );
  }

  // Returns the path of the file that `action` downloads, with its suggested name.
  async download(action) {
    if (FIREFOX) {
      await action();
      await eventually(() => this.page.evaluate(() => window.downloads.length > 0), () => "no download");
      const [{ name, base64 }] = await this.page.evaluate(() => window.downloads.splice(0));
      const path = join(downloads, name);
      writeFileSync(path, Buffer.from(base64, "base64"));
      return { name, path };
    }
    const [download] = await Promise.all([this.page.waitForEvent("download"), action()]);
    return { name: download.suggestedFilename(), path: await download.path() };
  }
}

// Takes the WebGL context away, and gives it back after `meanwhile()`.
export async function loseContext(page, meanwhile = async () => {}) {
  await page.evaluate(() => {
    window.lost = document.getElementById("cubefall").getContext("webgl2").getExtension("WEBGL_lose_context");
    window.lost.loseContext();
  });
  await page.waitForTimeout(500);
  await meanwhile();
  await page.evaluate(() => window.lost.restoreContext());
}

// Runs in a page: lets it believe that its tab is hidden or visible.
export function setHidden(hidden) {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
  document.dispatchEvent(new Event("visibilitychange"));
}

// Runs before the scripts of each page: keeps the messages, which replace each other.
function keepMessages() {
  window.statusMessages = [];
  document.addEventListener("DOMContentLoaded", () => {
    const status = document.getElementById("status");
    // A page around the demo has none.
    if (!status) return;
    const keep = (records) => {
      for (const { addedNodes } of records) {
        // Messages that are shown together have a line each.
        window.statusMessages.push(...[...addedNodes].flatMap((node) => node.textContent.split("\n")));
      }
    };
    new MutationObserver(keep).observe(status, { childList: true });
  });
}

// Runs before the scripts of each page of Firefox: keeps downloads, of which Playwright learns nothing, and the
// clipboard, which Firefox lets a page read only after a click of a person.
function keepOutput() {
  window.downloads = [];
  const blobs = new Map();
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const url = createObjectURL(blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    const { download: name, href } = this;
    const reader = new FileReader();
    reader.onload = () => window.downloads.push({ name, base64: reader.result.split(",")[1] });
    reader.readAsDataURL(blobs.get(href));
  };
  let copied = "";
  const clipboard = {
    writeText: async (text) => {
      copied = text;
    },
    readText: async () => copied,
  };
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
}

// Opens a page of its own profile. `script` runs in it before its own; `context` are options of Playwright.
export async function open(url, { script, context } = {}) {
  const browser = await browserFor(context?.deviceScaleFactor ?? 1);
  const { permissions, ...common } = { viewport: { width: 1280, height: 720 }, ...context };
  const own = await browser.newContext(FIREFOX ? common : { ...common, permissions, acceptDownloads: true });
  await own.addInitScript(keepMessages);
  if (FIREFOX) await own.addInitScript(keepOutput);
  if (script) await own.addInitScript(script);
  const visit = new Visit(await own.newPage());
  await visit.page.goto(url);
  return visit;
}

// A test with a visit. `path` is that of the page with its parameters. Afterwards there must be no error and no
// request to another host. `errors: true` allows errors; `needs` is what only Chromium has.
export function visitTest(name, { path = "/", at, errors = false, needs, ...options }, body) {
  test(name, { timeout: 8 * PATIENCE, skip: FIREFOX && needs && `needs ${needs}` }, async () => {
    const visit = await open(at ? at() : server.origin + path, options);
    try {
      await body(visit);
      if (!errors) assert.deepEqual(visit.errors, []);
      assert.ok(visit.hosts.size <= 1, `requests to ${[...visit.hosts].join(", ")}`);
    } catch (error) {
      mkdirSync(FAILURES, { recursive: true });
      const file = join(FAILURES, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`);
      writeFileSync(file, await visit.page.screenshot().catch(() => ""));
      console.error(`${file}\n${[...visit.errors, ...(await visit.messages().catch(() => []))].join("\n")}`);
      throw error;
    } finally {
      await visit.page.context().close();
    }
  });
}
