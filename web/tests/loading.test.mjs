// Loading: from any path and server, and what is shown where the program cannot run.

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { DIST, eventually, useBrowser, visitTest } from "./browser.mjs";
import { serve } from "./server.mjs";

useBrowser();

const servers = {};
before(async () => {
  servers.folder = await serve({ "/some/folder/": DIST });
  servers.simple = await serve({ "/": DIST }, { types: false });
  servers.compressing = await serve({ "/": DIST }, { compress: true });
  servers.incomplete = await serve({ "/": DIST }, { missing: ["cubefall.wasm"] });
});
after(() => Promise.all(Object.values(servers).map((server) => server.close())));

visitTest("the page runs from a folder of a server", { at: () => `${servers.folder.origin}/some/folder/` }, async (visit) => {
  await visit.isRunning();
  const paths = new Set(servers.folder.requests);
  assert.ok([...paths].every((path) => path.startsWith("/some/folder/")), [...paths].join(" "));
  assert.ok(paths.has("/some/folder/cubefall.wasm"));
});

visitTest("the page runs from a server that does not know the type of programs", { at: () => servers.simple.origin }, async (visit) => {
  await visit.isRunning();
});

// Collects what the progress bar has shown.
function recordProgress() {
  window.progress = [];
  document.addEventListener("DOMContentLoaded", () => {
    const bar = document.getElementById("progress");
    const record = () => window.progress.push({ value: bar.value, shown: bar.checkVisibility({ visibilityProperty: true }) });
    record();
    new MutationObserver(record).observe(bar, { attributes: true });
  });
}

visitTest("the progress bar ends at one with a compressed program", { at: () => servers.compressing.origin, script: recordProgress }, async (visit) => {
  await visit.isRunning();
  const progress = await visit.page.evaluate(() => window.progress);
  assert.ok(progress.length > 2 && progress.every(({ shown }) => shown), JSON.stringify(progress));
  assert.ok(progress.every(({ value }, i) => i === 0 || value >= progress[i - 1].value), JSON.stringify(progress));
  assert.equal(progress.at(-1).value, 1);
  await visit.page.locator("#loading").waitFor({ state: "hidden" });
});

// Waits for the page of a failure, and returns its reason. Its animation must be there.
async function failure(visit) {
  await visit.until((data) => data.state === "failed");
  await visit.page.getByText("Cubefall cannot run here").waitFor();
  await visit.page.locator("#loading").waitFor({ state: "hidden" });
  const image = visit.page.locator("#failure img");
  await image.scrollIntoViewIfNeeded();
  const width = () => visit.page.evaluate(() => document.querySelector("#failure img").naturalWidth);
  await eventually(async () => (await width()) > 0, () => "the animation is not loaded");
  return visit.page.locator("#failure-reason").textContent();
}

// A browser without WebGPU and WebGL 2.
function drawNothing() {
  Object.defineProperty(Navigator.prototype, "gpu", { get: () => undefined });
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
  };
}

visitTest("a browser without WebGPU and WebGL 2 gets an explanation and the animation", { script: drawNothing }, async (visit) => {
  assert.match(await failure(visit), /neither WebGPU nor WebGL 2/);
  const requests = await visit.page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.ok(!requests.some((name) => name.includes(".wasm")), "the program is not downloaded for nothing");
});

visitTest("a program that is not there is reported", { at: () => servers.incomplete.origin, errors: true }, async (visit) => {
  assert.match(await failure(visit), /answers 404/);
});

// A connection that ends in the middle of the program.
function breakDownload() {
  const { fetch } = window;
  window.fetch = async (...request) => {
    const body = (await fetch(...request)).body.getReader();
    const pull = async (to) => to.enqueue((await body.read()).value);
    let chunks = 0;
    return new Response(new ReadableStream({ pull: (to) => (chunks++ < 2 ? pull(to) : to.error(new TypeError("network error"))) }));
  };
}

visitTest("a download that breaks off is reported", { script: breakDownload, errors: true }, async (visit) => {
  assert.match(await failure(visit), /download of the program broke off: ./);
});

// A browser with WebGPU and WebGL 2 whose WebAssembly is too old.
function oldWebAssembly() {
  WebAssembly.instantiateStreaming = () => Promise.reject(new WebAssembly.CompileError("invalid opcode"));
}

visitTest("a browser that cannot compile the program gets an explanation", { script: oldWebAssembly }, async (visit) => {
  assert.match(await failure(visit), /WebAssembly with SIMD/);
});

visitTest("a panic is reported", {}, async (visit) => {
  await visit.isRunning();
  // As after a panic, the program does not draw again.
  await visit.page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  await visit.page.waitForTimeout(1000);
  await visit.page.evaluate(() => dispatchEvent(new ErrorEvent("error", { error: new WebAssembly.RuntimeError("unreachable") })));
  assert.match(await failure(visit), /stopped: unreachable/);
});

const SCRIPTLESS = { at: () => servers.simple.origin, context: { javaScriptEnabled: false }, needs: "a page without JavaScript" };
visitTest("a browser without JavaScript gets an explanation", SCRIPTLESS, async (visit) => {
  await visit.page.locator("noscript p").waitFor();
});
