// Drawing: the same images as the desktop program with each graphics API, and what happens to the canvas.

import assert from "node:assert/strict";
import { PHONE, eventually, loseContext, setHidden, useBrowser, visitTest } from "./browser.mjs";
import { cubeFraction, cubefall, desktopImage, meanDifference, readImage } from "./images.mjs";

useBrowser();

// A browser that has WebGPU, but no adapter for it.
function noAdapter() {
  if (globalThis.GPU) GPU.prototype.requestAdapter = () => Promise.resolve(null);
}

// Draws the state of the paused page on the desktop, and compares it with the screenshot of the page.
async function assertSameImage(visit, quality) {
  const state = await visit.download(() => visit.press("F5"));
  assert.match(state.name, /\.cubefall$/);
  const screenshot = await visit.download(() => visit.press("F12"));
  assert.match(screenshot.name, /\.png$/);
  const page = readImage(screenshot.path);
  const desktop = desktopImage(`${page.width}x${page.height}`, "--load", state.path, "--frames", "0", "--quality", quality);
  const fraction = cubeFraction(page);
  assert.ok(fraction > 0.1 && fraction < 0.9, `${fraction} of the image shows cubes`);
  const difference = meanDifference(page, desktop);
  assert.ok(difference < 2, `the images differ by ${difference} of 255`);
}

// The message after a lost device.
const REOPENED = /^The graphics device was lost \(.+\) and has been reopened$/;

const CASES = [
  { name: "WebGPU", backend: "webgpu", parameters: "cubes=10k&backend=webgpu", needs: "WebGPU" },
  { name: "WebGL 2", backend: "webgl", parameters: "cubes=10k&backend=webgl" },
  { name: "WebGL 2 where WebGPU has no adapter", backend: "webgl", parameters: "cubes=10k", script: noAdapter },
];

// A browser with an adapter of WebGPU that opens no device.
function refuseDevice() {
  if (globalThis.GPUAdapter) GPUAdapter.prototype.requestDevice = () => Promise.reject(new DOMException("out of order", "OperationError"));
}

visitTest("WebGL 2 draws where WebGPU opens no device", { path: "/?cubes=2k&quality=low", script: refuseDevice }, async (visit) => {
  await visit.isRunning();
  assert.equal((await visit.data()).backend, "webgl");
});

for (const { name, backend, parameters, script, needs } of CASES) {
  for (const quality of ["low", "high"]) {
    const path = `/?${parameters}&quality=${quality}&seed=7`;
    visitTest(`${name} draws as the desktop does, quality ${quality}`, { path, script, needs }, async (visit) => {
      await visit.isRunning();
      await visit.pause();
      const data = await visit.data();
      assert.deepEqual([data.backend, data.cubes, data.quality, data.mode], [backend, "10000", quality, "cubes-fall"]);
      await assertSameImage(visit, quality);
    });
  }
}

// Runs before the scripts of the page: each frame takes so long that even a fast device is slow.
function slowFrames() {
  const { requestAnimationFrame } = window;
  window.requestAnimationFrame = (callback) =>
    requestAnimationFrame.call(window, (time) => {
      const end = performance.now() + 60;
      callback(time);
      while (performance.now() < end);
    });
}

visitTest("a slow device gets fewer cubes", { script: slowFrames }, async (visit) => {
  await visit.isRunning();
  await visit.message(/^(2|5),000 cubes, chosen by the speed of this device$/);
  await visit.until((data) => data.cubes === "2000" || data.cubes === "5000");
});

visitTest("the visible page shows the cubes", { path: "/?cubes=10k&hud=off" }, async (visit) => {
  await visit.isRunning();
  const image = readImage(await visit.page.screenshot());
  assert.ok(cubeFraction(image) > 0.1, `${cubeFraction(image)} of the page shows cubes`);
});

visitTest("a lost WebGL context is replaced, and the same state drawn", { path: "/?cubes=10k&backend=webgl&quality=low&hud=off", errors: true }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  await loseContext(visit.page);
  await visit.message(REOPENED);
  await assertSameImage(visit, "low");
  await visit.press("Space");
  await visit.frames(3);
  assert.ok(cubeFraction(readImage(await visit.page.screenshot())) > 0.1);
});

// Takes the first WebGL context away soon after it exists, and gives it back half a second after the page learns of it.
function loseFirstContext() {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    const context = getContext.call(this, kind, ...rest);
    if (kind === "webgl2" && this.id === "cubefall" && !window.lost) {
      window.lost = context.getExtension("WEBGL_lose_context");
      setTimeout(() => window.lost.loseContext());
      this.addEventListener("webglcontextlost", () => setTimeout(() => window.lost.restoreContext(), 500));
    }
    return context;
  };
}

visitTest("a WebGL context that is lost at the start is replaced", { path: "/?cubes=1k&backend=webgl&quality=low", errors: true, script: loseFirstContext }, async (visit) => {
  await visit.message(REOPENED);
  await visit.frames(3);
});

// Runs before the scripts of the page: the browser learns late where the canvas is.
function delayIntersections() {
  const released = new Promise((resolve) => (window.release = resolve));
  window.IntersectionObserver = class extends IntersectionObserver {
    constructor(callback, options) {
      super((...args) => released.then(() => callback(...args)), options);
      window.observed = true;
    }
  };
}

visitTest("a page that is hidden and shown before its first frame starts", { path: "/?cubes=1k&backend=webgl&quality=low", script: delayIntersections }, async (visit) => {
  await eventually(() => visit.page.evaluate(() => window.observed), () => "the canvas is not observed");
  await visit.page.evaluate(setHidden, true);
  await visit.page.evaluate(setHidden, false);
  await visit.page.evaluate(() => window.release());
  await visit.isRunning();
  await visit.frames(3);
});

visitTest("events during a lost WebGL context are handled after it is restored", { path: "/?cubes=10k&backend=webgl&quality=low", errors: true }, async (visit) => {
  await visit.isRunning();
  await visit.page.evaluate(setHidden, true);
  await loseContext(visit.page, async () => {
    await visit.page.setViewportSize({ width: 700, height: 500 });
    await visit.page.evaluate(setHidden, false);
  });
  await hasCanvasSize(visit, 700, 500);
});

// Keeps the devices, and provides no adapter while `window.restarts`, as a driver that is updated.
function restartDriver() {
  window.devices = [];
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...rest) {
    const device = await requestDevice.apply(this, rest);
    window.devices.push(device);
    return device;
  };
  window.refusals = 0;
  const { requestAdapter } = GPU.prototype;
  GPU.prototype.requestAdapter = async function (...rest) {
    if (!window.restarts) return requestAdapter.apply(this, rest);
    window.refusals += 1;
    return null;
  };
}

visitTest("a lost WebGPU device is replaced, and the same state drawn", { path: "/?cubes=10k&backend=webgpu&quality=low&hud=off", script: restartDriver, errors: true, needs: "WebGPU" }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  // Nothing moves and no frame is drawn, so the loss itself must lead to one.
  await visit.page.waitForTimeout(2000);
  const before = await visit.page.evaluate(() => {
    const { length } = window.devices;
    window.devices.forEach((device) => device.destroy());
    return length;
  });
  const devices = () => visit.page.evaluate(() => window.devices.length);
  await eventually(async () => (await devices()) > before, () => "no new device");
  await visit.message(REOPENED);
  await assertSameImage(visit, "low");
  await visit.press("Space");
  await visit.frames(3);
  assert.ok(cubeFraction(readImage(await visit.page.screenshot())) > 0.1);
});

visitTest("an adapter that is missing for seconds is waited for", { path: "/?cubes=10k&quality=low&hud=off", script: restartDriver, errors: true, needs: "WebGPU" }, async (visit) => {
  await visit.isRunning();
  await visit.page.evaluate(() => {
    window.restarts = true;
    window.devices.forEach((device) => device.destroy());
  });
  await eventually(() => visit.page.evaluate(() => window.refusals > 2), () => "the adapter is not asked for");
  await visit.page.evaluate(() => (window.restarts = false));
  await visit.frames(3);
  assert.ok(cubeFraction(readImage(await visit.page.screenshot())) > 0.1);
});

// Waits until the canvas has a size in its own pixels and shows cubes.
async function hasCanvasSize(visit, ...size) {
  const actual = () => visit.page.evaluate(() => {
    const { width, height } = document.getElementById("cubefall");
    return [width, height];
  });
  await eventually(async () => String(await actual()) === String(size), async () => `${size}, but ${await actual()}`);
  await visit.frames(2);
  const image = readImage(await visit.page.screenshot());
  assert.deepEqual([image.width, image.height], size);
  assert.ok(cubeFraction(image) > 0.05, `${cubeFraction(image)} of the page shows cubes`);
}

for (const [backend, needs] of [["webgpu", "WebGPU"], ["webgl"]]) {
  visitTest(`the canvas follows the size of the page, ${backend}`, { path: `/?cubes=10k&backend=${backend}`, needs }, async (visit) => {
    await visit.isRunning();
    await hasCanvasSize(visit, 1280, 720);
    await visit.page.setViewportSize({ width: 700, height: 500 });
    await hasCanvasSize(visit, 700, 500);
    await visit.page.setViewportSize({ width: 1000, height: 600 });
    await hasCanvasSize(visit, 1000, 600);
  });
}

const DOUBLE = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
visitTest("a display of two pixels per point is drawn at its resolution", { path: "/?cubes=10k", context: DOUBLE }, async (visit) => {
  await visit.isRunning();
  await hasCanvasSize(visit, 1280, 800);
});

visitTest("a phone is filled in portrait and landscape, and never scrolls", { path: "/?cubes=10k", context: PHONE }, async (visit) => {
  await visit.isRunning();
  await hasCanvasSize(visit, 780, 1688);
  await visit.page.setViewportSize({ width: 844, height: 390 });
  await hasCanvasSize(visit, 1688, 780);
  const sizes = await visit.page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  });
  assert.deepEqual(sizes, [0, 0]);
});

// The state hash that the page computes.
function pageHash(visit, flags, frames) {
  return visit.page.evaluate(async ([parameters, count]) => {
    const program = await import(document.querySelector("script[type=module]").src);
    return program.state_hash(parameters, count);
  }, [flags, frames]);
}

visitTest("the state hashes are those of the desktop", {}, async (visit) => {
  await visit.isRunning();
  for (const { parameters, frames } of [
    { parameters: "cubes=10k&seed=1", frames: 600 },
    { parameters: "scene=galaxy&seed=3", frames: 120 },
    { parameters: "cubes=1k&mode=camera-falls", frames: 300 },
  ]) {
    const flags = [...new URLSearchParams(parameters)].flatMap(([name, value]) => [`--${name}`, value]);
    const desktop = cubefall("simulate", ...flags, "--frames", String(frames));
    const hash = /^state hash: (.*)$/m.exec(desktop)[1];
    const page = await pageHash(visit, parameters, frames);
    assert.equal(page, hash, parameters);
  }
});
