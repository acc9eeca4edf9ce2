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
  servers.strict = await serve({ "/": DIST }, { headers: { "Content-Security-Policy": "script-src 'self'" } });
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
    const broken = new ReadableStream({ pull: (to) => (chunks++ < 2 ? pull(to) : to.error(new TypeError("network error"))) });
    return new Response(broken, { headers: { "Content-Type": "application/wasm" } });
  };
}

visitTest("a download that breaks off is reported", { script: breakDownload, errors: true }, async (visit) => {
  assert.match(await failure(visit), /download of the program broke off: ./);
});

// A server that cannot be reached.
function refuseConnection() {
  window.fetch = () => Promise.reject(new TypeError("TypeError: Failed to fetch."));
}

visitTest("a server that cannot be reached is reported", { script: refuseConnection }, async (visit) => {
  assert.match(await failure(visit), /^The program cannot be downloaded: Failed to fetch\. Reload/);
  // It is not the browser's fault.
  assert.equal(await visit.page.getByText("What helps").isVisible(), false);
});

visitTest("a file dropped where the program does not run is not opened", { script: refuseConnection }, async (visit) => {
  await failure(visit);
  for (const type of ["dragover", "drop"]) {
    assert.ok(await visit.page.evaluate((name) => !dispatchEvent(new DragEvent(name, { cancelable: true })), type), type);
  }
});

// A network that answers everything with a page of its own.
function otherFile() {
  window.fetch = async () => new Response("<!doctype html>", { headers: { "Content-Type": "application/wasm" } });
}

visitTest("another file in place of the program is reported", { script: otherFile }, async (visit) => {
  assert.match(await failure(visit), /^The server sent another file than the program: 15 of \d+ bytes/);
});

visitTest("a policy of the server that forbids WebAssembly is reported", { at: () => servers.strict.origin, errors: true }, async (visit) => {
  assert.match(await failure(visit), /^The content security policy of the server forbids WebAssembly: .*[^.\s]\.$/s);
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
  assert.equal(await visit.page.title(), "Cubefall");
});

// Runs before the scripts of the page: as in a tab in the background, no frame is drawn until `release()`.
function holdFrames() {
  const draw = window.requestAnimationFrame;
  const held = [];
  window.requestAnimationFrame = (callback) => held.push(callback);
  window.release = () => {
    window.requestAnimationFrame = draw;
    held.forEach((callback) => draw(callback));
  };
}

visitTest("a page in the background starts when it is shown", { path: "/?cubes=1k&quality=low&backend=webgl", script: holdFrames }, async (visit) => {
  await eventually(() => visit.page.evaluate(() => document.getElementById("progress-text").textContent === "Starting"), () => "not loaded");
  await visit.page.waitForTimeout(1000);
  assert.equal((await visit.data()).state, undefined);
  await visit.page.evaluate(() => window.release());
  await visit.isRunning();
});

visitTest("after a panic the first reason stays, and the browser has keys and screen again", { errors: true }, async (visit) => {
  await visit.isRunning();
  await visit.press("F11");
  const isFull = () => visit.page.evaluate(() => document.fullscreenElement !== null);
  await eventually(isFull, () => "no full screen");
  await visit.page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
    for (const text of ["first", "second"]) {
      const reason = new WebAssembly.RuntimeError(text);
      dispatchEvent(new PromiseRejectionEvent("unhandledrejection", { promise: Promise.resolve(), reason }));
    }
  });
  assert.match(await failure(visit), /stopped: first/);
  assert.equal(await visit.page.getByText("What helps").isVisible(), false);
  await eventually(async () => !(await isFull()), () => "full screen stays");
  await visit.page.evaluate(() => {
    window.keys = [];
    addEventListener("keydown", (event) => window.keys.push(event.defaultPrevented));
  });
  await visit.press("Space");
  await eventually(() => visit.page.evaluate(() => window.keys.length > 0), () => "no key arrives");
  assert.deepEqual(await visit.page.evaluate(() => window.keys), [false], "the program takes no key");
});

const SMALL_SCREEN = { viewport: { width: 320, height: 480 }, reducedMotion: "reduce" };
visitTest("the explanation scrolls, and nothing moves where motion is reduced", { script: drawNothing, context: SMALL_SCREEN, needs: "reduced motion" }, async (visit) => {
  await visit.until((data) => data.state === "failed");
  await visit.page.mouse.move(160, 240);
  await visit.page.mouse.wheel(0, 2000);
  const image = visit.page.locator("#failure img");
  const bottom = async () => {
    const { y, height } = await image.boundingBox();
    return y + height;
  };
  await eventually(async () => (await bottom()) <= 480, async () => `the image ends at ${await bottom()}`);
  await eventually(() => image.evaluate((it) => it.currentSrc.endsWith("/cubes-fall.png")), () => "no still image");
  assert.equal(await visit.page.evaluate(() => document.getAnimations().length), 0);
});

visitTest("a screen reader finds the failure", { script: drawNothing }, async (visit) => {
  await failure(visit);
  assert.match(await visit.page.locator("html[lang=en]").ariaSnapshot(), /- alert:[^]*- img "/);
});

visitTest("a screen reader finds the demo and its messages", {}, async (visit) => {
  await visit.isRunning();
  const snapshot = await visit.page.locator("html[lang=en] main").ariaSnapshot();
  assert.match(snapshot, /heading "Cubefall"[^]*application "Cubefall"[^]*Keys: [^]*status/);
});

visitTest("the page can be installed", { needs: "installed pages" }, async (visit) => {
  const devtools = await visit.page.context().newCDPSession(visit.page);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId), ["in-incognito"]);
  const { errors, manifest } = await devtools.send("Page.getAppManifest");
  const expected = [[], new URL("/", visit.page.url()).href, "kStandalone"];
  assert.deepEqual([errors, manifest.startUrl, manifest.display], expected);
  for (const { url } of manifest.icons) assert.ok((await visit.page.request.get(url)).ok(), url);
});

// A browser with WebGPU and no WebGL.
function noWebGl() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
  };
}

visitTest("WebGPU alone suffices", { path: "/?cubes=1k", script: noWebGl, needs: "WebGPU" }, async (visit) => {
  await visit.isRunning();
  assert.equal((await visit.data()).backend, "webgpu");
  assert.equal(await visit.page.locator(".late").count(), 0);
});

const SCRIPTLESS = { at: () => servers.simple.origin, context: { javaScriptEnabled: false }, needs: "a page without JavaScript" };
visitTest("a browser without JavaScript gets an explanation", SCRIPTLESS, async (visit) => {
  await visit.page.locator("noscript p").waitFor();
  assert.equal(await visit.page.locator("#progress").isVisible(), false);
});
