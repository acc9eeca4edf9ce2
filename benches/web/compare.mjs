// Measures the CPU time per frame of the page and of three.js in the same browser:
//
//   node compare.mjs [--cubes 1000,10000,100000] [--backends webgl,webgpu] [--rounds 5] [--seconds 6] [--draw]
//
// The pages take turns, each in a tab of its own, in an order that rotates. See README.md.

import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launch } from "../../web/tests/browsers.mjs";
import { serve } from "../../web/tests/server.mjs";

const { values: options } = parseArgs({
  options: {
    cubes: { type: "string", default: "1000,10000,100000" },
    backends: { type: "string", default: "webgl,webgpu" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "6" },
    size: { type: "string", default: "320x180" },
    draw: { type: "boolean", default: false },
  },
});
const list = (text) => text.split(",");
const [width, height] = options.size.split("x").map(Number);
const SECONDS = Number(options.seconds);
// Frames before the measurement, so that the compilers of the browser have done their work.
const WARMUP_FRAMES = 30;

const PAGE = "quality=low&culling=off&small-cubes=0&hud=off&attract=off&seed=1";
const CONTESTANTS = {
  cubefall: (cubes, backend) => `/page/?cubes=${cubes}&backend=${backend}&${PAGE}`,
  "cubefall, evaluated": (cubes, backend) => `/page/?cubes=${cubes}&backend=${backend}&motion=evaluated&${PAGE}`,
  "three.js, objects": (cubes, backend) => `/bench/three/?cubes=${cubes}&backend=${backend}&matrices=objects`,
  "three.js, arrays": (cubes, backend) => `/bench/three/?cubes=${cubes}&backend=${backend}&matrices=arrays`,
};

// Runs before the scripts of each page: adds up the time in callbacks of requestAnimationFrame. Three.js and
// Cubefall ask for one callback per frame.
function wrapAnimationFrames() {
  const request = window.requestAnimationFrame.bind(window);
  window.callbackTimes = [];
  window.requestAnimationFrame = (callback) =>
    request((now) => {
      const start = performance.now();
      try {
        callback(now);
      } finally {
        window.callbackTimes.push(performance.now() - start);
      }
    });
}

// Runs before the scripts of each page: the GPU gets all data and commands but draws no triangles. Without a GPU,
// drawing takes the cores that are to be measured.
function skipDrawing() {
  const skip = (prototype, names) => names.forEach((name) => (prototype[name] = () => {}));
  if (globalThis.WebGL2RenderingContext)
    skip(WebGL2RenderingContext.prototype, ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]);
  if (globalThis.GPURenderPassEncoder)
    skip(GPURenderPassEncoder.prototype, ["draw", "drawIndexed", "drawIndirect", "drawIndexedIndirect", "executeBundles"]);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const folder = dirname(fileURLToPath(import.meta.url));
// An isolated page has a clock with steps of 5 us instead of 100 us.
const headers = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const server = await serve({ "/page/": join(folder, "../../web/dist"), "/bench/": folder }, { headers });
const browser = await launch();

// Returns the times of one visit, in ms per frame.
async function measure(path) {
  const page = await browser.newPage({ viewport: { width, height } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.addInitScript(wrapAnimationFrames);
  if (!options.draw) await page.addInitScript(skipDrawing);
  await page.goto(server.origin + path);
  const frames = () => page.evaluate(() => (document.body.dataset.state === "running" ? Number(document.body.dataset.frames) : 0));
  for (const end = Date.now() + 120_000; (await frames()) < WARMUP_FRAMES; ) {
    if (Date.now() > end) throw new Error(`${path} does not draw: ${errors.join(" ")}`);
    await page.waitForTimeout(100);
  }
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const metrics = async () => {
    const { metrics: found } = await devtools.send("Performance.getMetrics");
    return Object.fromEntries(found.map(({ name, value }) => [name, value]));
  };
  await page.evaluate(() => {
    window.callbackTimes = [];
  });
  const before = await metrics();
  await page.waitForTimeout(SECONDS * 1000);
  const after = await metrics();
  const times = await page.evaluate(() => window.callbackTimes);
  await page.context().close();
  if (errors.length || times.length < 3) throw new Error(`${path}: ${times.length} frames, ${errors.join(" ")}`);
  const task = (1000 * (after.TaskDuration - before.TaskDuration)) / times.length;
  return { callback: median(times), task, frames: times.length };
}

console.log(`${cpus()[0].model}, ${cpus().length} cores, Chromium ${browser.version()}, ${options.size}, ` +
  `${options.rounds} rounds of ${SECONDS} s\n`);
console.log("| backend | cubes | contestant | callback, ms | times Cubefall | main thread, ms | times Cubefall | frames |");
console.log("|---|---|---|---|---|---|---|---|");
const names = Object.keys(CONTESTANTS);
for (const backend of list(options.backends)) {
  for (const cubes of list(options.cubes).map(Number)) {
    const results = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < Number(options.rounds); round += 1) {
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(turn + round) % names.length];
        results[name].push(await measure(CONTESTANTS[name](cubes, backend)));
      }
    }
    for (const name of names) {
      const middle = (key) => median(results[name].map((result) => result[key]));
      // Ratios within a round, in which the machine is most alike.
      const ratio = (key) => median(results[name].map((result, round) => result[key] / results.cubefall[round][key]));
      console.log(`| ${backend} | ${cubes} | ${name} | ${middle("callback").toFixed(2)} | ${ratio("callback").toFixed(2)} | ` +
        `${middle("task").toFixed(2)} | ${ratio("task").toFixed(2)} | ${middle("frames")} |`);
    }
  }
}
await browser.close();
await server.close();
