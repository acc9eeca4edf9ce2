// Input: keys, mouse, touch, files, links, and what the page does in the background.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PHONE, ROOT, eventually, loseContext, open, setHidden, useBrowser, visitTest } from "./browser.mjs";
import { cubeFraction, meanDifference, pointOnCube, readImage } from "./images.mjs";

useBrowser();

// Places of the UI in a page of 1280 x 720 points, as docs/hud.png shows them.
const CUBES_SLIDER = { x: 1160, y: 197, end: 1085 };
const MEASURE_SCORE = { x: 1200, y: 221 };
const COPY_LINK = { x: 1195, y: 126 };
// The margin of the panel of the selected cube.
const SELECTED_PANEL = { x: 1010, y: 600 };
// Where cubes are visible between the panels.
const OPEN_AIR = { left: 300, right: 960, top: 40, bottom: 440 };

// The smallest count that shows everything quickly.
const SMALL = "cubes=2k&quality=low&backend=webgl&attract=off";

async function screenshot(visit) {
  return readImage((await visit.download(() => visit.press("F12"))).path);
}

// Runs in a page: plays a video to its end, and returns its last frame as PNG, and its length in s.
async function lastFrame(base64) {
  const video = document.createElement("video");
  video.src = `data:video/webm;base64,${base64}`;
  video.muted = true;
  await video.play();
  await new Promise((resolve) => video.addEventListener("ended", resolve));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d").drawImage(video, 0, 0);
  return { png: canvas.toDataURL("image/png").split(",")[1], seconds: video.currentTime };
}

// Waits until a video has frames. The recorder is some frames behind, more of them on a busy machine.
async function recordFrames(visit) {
  await visit.frames(20);
  await visit.page.waitForTimeout(2000);
}

for (const backend of ["webgl", "webgpu"]) {
  const path = `/?${SMALL.replace("webgl", backend)}&hud=off`;
  visitTest(`a video of the page is recorded with ${backend}`, { path, needs: backend === "webgpu" && "WebGPU" }, async (visit) => {
    await visit.isRunning();
    await visit.press("F2");
    await visit.message(/^Recording a video; F2 ends it$/);
    await visit.frames(20);
    await visit.pause();
    await recordFrames(visit);
    const { name, path: file } = await visit.download(() => visit.press("F2"));
    await visit.message(/^Saved the download cubefall\.webm$/);
    assert.equal(name, "cubefall.webm");
    const shown = await screenshot(visit);
    await visit.press("Space");
    await visit.frames(20);
    const other = meanDifference(shown, await screenshot(visit));
    // A page without a policy, which may play videos.
    const player = await visit.page.context().newPage();
    const { png, seconds } = await player.evaluate(lastFrame, readFileSync(file).toString("base64"));
    const last = readImage(Buffer.from(png, "base64"));
    assert.ok(seconds > 0.5, `${seconds} s`);
    assert.deepEqual([last.width, last.height], [shown.width, shown.height]);
    // Compression changes the edges. A message would be in the video only with the UI.
    const compressed = meanDifference(shown, last);
    assert.ok(compressed < 10 && compressed < other / 2, `${compressed} and ${other} of 255`);
  });
}

// Runs before the scripts of the page: videos arrive late.
function delayVideos() {
  Object.defineProperty(MediaRecorder.prototype, "ondataavailable", {
    set(handler) {
      this.addEventListener("dataavailable", (event) => setTimeout(() => handler.call(this, event), 2000));
    },
  });
}

visitTest("a video that is started before the last one has arrived is saved, too", { path: `/?${SMALL}`, script: delayVideos }, async (visit) => {
  await visit.isRunning();
  await visit.press("F2");
  await visit.message(/^Recording a video; F2 ends it$/);
  await recordFrames(visit);
  await visit.download(async () => {
    await visit.press("F2");
    await visit.press("F2");
  });
  await recordFrames(visit);
  const { name } = await visit.download(() => visit.press("F2"));
  assert.equal(name, "cubefall.webm");
});

visitTest("a paused page is recorded, and leaving it asks first", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  await visit.press("F2");
  const asks = () => visit.page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await eventually(asks, () => "leaving loses the video");
  await recordFrames(visit);
  const { path: file } = await visit.download(() => visit.press("F2"));
  const player = await visit.page.context().newPage();
  const { seconds } = await player.evaluate(lastFrame, readFileSync(file).toString("base64"));
  // The recorder of a busy machine leaves out many frames, but a paused page would have only one.
  assert.ok(seconds > 0.1, `${seconds} s`);
  assert.equal(await asks(), false);
});

visitTest("a video without a frame is no video", { path: `/?${SMALL}`, needs: "a recorder that waits for frames" }, async (visit) => {
  await visit.isRunning();
  await visit.page.evaluate(() => {
    // Both before the next frame.
    const press = () => document.getElementById("cubefall").dispatchEvent(new KeyboardEvent("keydown", { key: "F2", code: "F2" }));
    press();
    press();
  });
  await visit.message(/^No video: it ended before the first frame$/);
});

visitTest("a browser that cannot record says so", { path: `/?${SMALL}`, script: () => delete window.MediaRecorder }, async (visit) => {
  await visit.isRunning();
  await visit.press("F2");
  await visit.message(/^No video: this browser cannot record$/);
  await visit.frames(3);
});

visitTest("M switches between cubes-fall and camera-falls", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  assert.equal((await visit.data()).mode, "cubes-fall");
  await visit.press("m");
  await visit.until((data) => data.mode === "camera-falls");
  await visit.press("m");
  await visit.until((data) => data.mode === "cubes-fall");
});

visitTest("Space pauses and resumes", { path: `/?${SMALL}&hud=off` }, async (visit) => {
  await visit.isRunning();
  const moving = await screenshot(visit);
  await visit.pause();
  const [paused, later] = [await screenshot(visit), await screenshot(visit)];
  assert.ok(meanDifference(moving, paused) > 0, "cubes move");
  assert.equal(meanDifference(paused, later), 0);
  await visit.press("Space");
  await visit.until((data) => data.paused === "false");
  await visit.frames(3);
  assert.ok(meanDifference(paused, await screenshot(visit)) > 0, "cubes move again");
});

visitTest("a slider is dragged", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  const { mouse } = visit.page;
  await mouse.move(CUBES_SLIDER.x, CUBES_SLIDER.y);
  await mouse.down();
  await mouse.move(CUBES_SLIDER.end, CUBES_SLIDER.y, { steps: 4 });
  await visit.frames(2);
  await mouse.up();
  await visit.until((data) => Number(data.cubes) < 1000);
});

visitTest("the score is measured in the page, until it is canceled", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await visit.page.mouse.click(MEASURE_SCORE.x, MEASURE_SCORE.y);
  await visit.message(/^Measuring your score: 2,200 cubes$/);
  // Once more, from the start.
  await visit.page.evaluate(() => window.statusMessages.splice(0));
  await visit.page.mouse.click(MEASURE_SCORE.x, MEASURE_SCORE.y);
  await visit.message(/^Measuring your score: 1,000 cubes$/);
  // While the pointer moves, frames follow each other without a pause.
  let x = 600;
  const isNext = (text) => /^Measuring your score: 2,200 cubes$/.test(text);
  await eventually(async () => {
    await visit.page.mouse.move((x ^= 16), 300);
    return (await visit.messages()).some(isNext);
  }, () => "no progress while the pointer moves");
  await visit.press("Escape");
  await visit.message(/^Canceled: no score was measured$/);
  await visit.frames(3);
});

visitTest("a lost context ends the measurement of the score", { path: `/?${SMALL}`, errors: true }, async (visit) => {
  await visit.isRunning();
  await visit.page.mouse.click(MEASURE_SCORE.x, MEASURE_SCORE.y);
  await visit.message(/^Measuring your score: 1,000 cubes$/);
  await loseContext(visit.page);
  await visit.message(/^No score: the graphics device was lost$/);
  await visit.frames(3);
});

visitTest("a click selects a cube, and a drag turns the camera", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  const before = readImage(await visit.page.screenshot());
  const { x, y } = pointOnCube(before, OPEN_AIR);
  await visit.page.mouse.move(x, y);
  await visit.page.mouse.down();
  await visit.page.mouse.up();
  let color;
  const isPanel = async () => {
    const selected = readImage(await visit.page.screenshot());
    const i = 4 * (SELECTED_PANEL.y * selected.width + SELECTED_PANEL.x);
    color = [...selected.data.subarray(i, i + 3)];
    return color.every((value) => value < 30);
  };
  await eventually(isPanel, () => `${color} is not the color of a panel`);

  const still = await screenshot(visit);
  await visit.page.mouse.move(600, 300);
  await visit.page.mouse.down();
  await visit.page.mouse.move(700, 330, { steps: 5 });
  await visit.page.mouse.up();
  await eventually(async () => meanDifference(still, await screenshot(visit)) > 1, () => "the camera has not turned");
});

// Drops a file onto the page, as a file manager does.
async function drop(visit, name, content) {
  await visit.page.evaluate(([fileName, bytes]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], fileName));
    const canvas = document.getElementById("cubefall");
    for (const type of ["dragenter", "dragover", "drop"]) {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, clientX: 300, clientY: 300 });
      canvas.dispatchEvent(event);
      if (type !== "dragenter" && !event.defaultPrevented) throw new Error(`the browser would open the file on ${type}`);
    }
  }, [name, [...content]]);
}

const SCENE = readFileSync(join(ROOT, "scenes/sunset.json"));

visitTest("a scene file dropped onto the page runs", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await drop(visit, "sunset.json", SCENE);
  const { count } = Object.values(JSON.parse(SCENE).templates)[0];
  await visit.until((data) => Number(data.cubes) >= count);
  await visit.frames(3);
});

visitTest("an invalid scene file is reported, and the current scene keeps running", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await drop(visit, "broken.json", Buffer.from('{"version": 1, "gravity": "down"}'));
  await visit.message(/broken\.json/);
  await visit.frames(3);
  const { cubes, state } = await visit.data();
  assert.deepEqual([cubes, state], ["2000", "running"]);
});

visitTest("a saved state is loaded from its slot and from its file, to the pixel", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  const saved = await screenshot(visit);
  const { path } = await visit.download(() => visit.press("F5"));
  const load = {
    slot: () => visit.press("F9"),
    file: () => visit.page.locator("#file").setInputFiles({ name: "saved.cubefall", mimeType: "", buffer: readFileSync(path) }),
  };
  for (const [from, action] of Object.entries(load)) {
    await visit.press("Space");
    await visit.frames(5);
    assert.ok(meanDifference(saved, await screenshot(visit)) > 0);
    await action();
    await visit.message(from === "slot" ? /Loaded state/ : /Opened saved\.cubefall/);
    // The pause is part of the state.
    await visit.until((data) => data.paused === "true");
    assert.equal(meanDifference(saved, await screenshot(visit)), 0, from);
  }
});

// The number of cubes if the address names none, on a software adapter.
const DEFAULTS = /^(10000|5000|2000)$/;

const WRONG = "/?cubes=20M&seed=7&quality=enormous&size=5&backend=webgl&attract=off&look-at=0,-70,-5000&orbit=5";
visitTest("too many cubes and wrong parameters are reported and ignored", { path: WRONG }, async (visit) => {
  await visit.isRunning();
  await visit.message(/^Ignored in the address: .*20,000,000 cubes/);
  await visit.message(/^Ignored in the address: .*quality.*size/);
  await visit.message(/^look-at, which the camera orbits, is \S+ m from it, expected/);
  const status = await visit.page.locator("#status").textContent();
  assert.match(status, /^look-at[^]*\nIgnored in the address: /, "of one task: shown together");
  assert.match((await visit.data()).cubes, DEFAULTS);
});

// A browser that offers neither to a page over HTTP.
function noClipboardOrFullScreen() {
  Object.defineProperty(navigator, "clipboard", { value: undefined });
  for (const name of ["requestFullscreen", "webkitRequestFullscreen"]) delete Element.prototype[name];
}

// A browser that has a clipboard but refuses it.
function refuseClipboard() {
  Clipboard.prototype.writeText = () => Promise.reject(new DOMException("Write permission denied.", "NotAllowedError"));
}

visitTest("a refused clipboard is reported", { path: `/?${SMALL}`, script: refuseClipboard, needs: "a real clipboard" }, async (visit) => {
  await visit.isRunning();
  await visit.page.mouse.click(COPY_LINK.x, COPY_LINK.y);
  await visit.message(/^The browser refused the clipboard \(Write permission denied\.\); to copy by hand: http.*cubes=2000/);
  assert.ok(!(await visit.messages()).some((text) => text.startsWith("Copied")));
});

visitTest("a missing clipboard or full screen is reported, and the page keeps running", { path: `/?${SMALL}`, script: noClipboardOrFullScreen }, async (visit) => {
  await visit.isRunning();
  await visit.page.mouse.click(COPY_LINK.x, COPY_LINK.y);
  await visit.message(/^No clipboard; to copy by hand: http.*cubes=2000/);
  await visit.press("F11");
  await visit.message(/^Full screen is not available: the browser or the page around the demo does not allow it$/);
  await visit.frames(3);
});

// Clicks "Copy link", and returns the address from the clipboard.
async function copyLink(visit) {
  await visit.page.evaluate(() => navigator.clipboard.writeText(""));
  await visit.page.mouse.click(COPY_LINK.x, COPY_LINK.y);
  const text = () => visit.page.evaluate(() => navigator.clipboard.readText());
  await eventually(async () => (await text()) !== "", () => "nothing is copied");
  return new URL(await text());
}

const SHARED = {
  path: "/?cubes=3k&seed=11&motion=evaluated&quality=low&backend=webgl&attract=off",
  context: { permissions: ["clipboard-read", "clipboard-write"] },
};
visitTest("a share link opens the same scene and camera", SHARED, async (visit) => {
  await visit.isRunning();
  const start = await copyLink(visit);
  await visit.page.mouse.move(500, 300);
  await visit.page.mouse.down();
  await visit.page.mouse.move(620, 350, { steps: 5 });
  await visit.page.mouse.up();
  await visit.frames(2);
  const link = await copyLink(visit);
  assert.notEqual(link.search, start.search, "the camera has turned");
  assert.equal(link.origin, new URL(visit.page.url()).origin);
  const { cubes, mode, motion } = await visit.data();

  const copy = await open(`${link.href}&quality=low&backend=webgl&attract=off`, SHARED);
  await copy.isRunning();
  const data = await copy.data();
  assert.deepEqual({ cubes: data.cubes, mode: data.mode, motion: data.motion }, { cubes, mode, motion });
  assert.deepEqual([cubes, mode, motion], ["3000", "cubes-fall", "evaluated"]);
  assert.equal((await copyLink(copy)).href, link.href);
  assert.ok(cubeFraction(await screenshot(copy)) > 0.02);
  assert.deepEqual(copy.errors, []);
  assert.ok(copy.hosts.size <= 1, [...copy.hosts].join(" "));
  await copy.page.context().close();
});

visitTest("wrong parameters are reported and ignored", { path: "/?cubes=none&mode=sideways&color=red&seed=5&quality=low" }, async (visit) => {
  await visit.isRunning();
  for (const wrong of [/none/, /sideways/, /color/]) await visit.message(wrong);
  const { cubes, mode, state } = await visit.data();
  assert.match(cubes, DEFAULTS);
  assert.deepEqual([mode, state], ["cubes-fall", "running"]);
});

const ADDRESS = "/?scene-url=scenes/galaxy.json&mode=camera-falls&seed=9&cubes=5k&quality=low&backend=webgl&attract=off";
visitTest("parameters apply to the scene file of the address", { path: ADDRESS, context: SHARED.context }, async (visit) => {
  await visit.isRunning();
  await visit.message(/^Ignored in the address: cubes: the scene has its own number$/);
  await visit.message(/^Opened scenes\/galaxy\.json$/);
  await visit.until((data) => data.mode === "camera-falls" && data.cubes === "23400");
  assert.match((await copyLink(visit)).search, /scene=galaxy&seed=9&mode=camera-falls/);
});

// Runs before the scripts of the page: the scene of the address arrives when `window.arrive()` is called.
function holdScene() {
  const { fetch } = window;
  const arrived = new Promise((resolve) => (window.arrive = resolve));
  window.fetch = async (resource, options) => {
    if (String(resource.url ?? resource).includes("galaxy")) await arrived;
    return fetch(resource, options);
  };
}

const LATE = "/?scene-url=scenes/galaxy.json&quality=low&backend=webgl&attract=off";
visitTest("a scene of the address that arrives late replaces none that was opened", { path: LATE, script: holdScene }, async (visit) => {
  await visit.isRunning();
  await drop(visit, "sunset.json", SCENE);
  await visit.message(/^Opened sunset\.json$/);
  const { cubes } = await visit.data();
  await visit.page.evaluate(() => window.arrive());
  await visit.message(/^Ignored scenes\/galaxy\.json: another scene was opened while it loaded$/);
  assert.equal((await visit.data()).cubes, cubes);
});

visitTest("a scene file that cannot be fetched is reported in one line", { path: "/?scene-url=http://&quality=low&backend=webgl", errors: true }, async (visit) => {
  await visit.isRunning();
  await visit.message(/^Cannot read http:\/\/: [^\n(]*URL[^\n]*$/);
});

visitTest("parameters choose the count, the mode, the motion and the quality", { path: "/?cubes=1.5k&mode=camera-falls&motion=evaluated&quality=low&hud=off" }, async (visit) => {
  await visit.isRunning();
  const { cubes, mode, motion, quality } = await visit.data();
  assert.deepEqual([cubes, mode, motion, quality], ["1500", "camera-falls", "evaluated", "low"]);
});

visitTest("the keys of the demo do not move the page", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  const url = visit.page.url();
  for (const key of ["Tab", "Backspace", "F1", "F1", "ArrowDown"]) await visit.press(key);
  await visit.frames(2);
  const focused = await visit.page.evaluate(() => document.activeElement.id);
  assert.deepEqual([visit.page.url(), focused], [url, "cubefall"]);
});

visitTest("a hidden page draws nothing, and draws again when it is shown", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await visit.page.evaluate(setHidden, true);
  const frames = async () => Number((await visit.data()).frames);
  // A busy machine ends its last frame late, and counts it later still.
  const isStill = async () => {
    const before = await frames();
    await visit.page.waitForTimeout(3000);
    return (await frames()) === before;
  };
  await eventually(isStill, () => "frames are drawn");
  await visit.page.evaluate(setHidden, false);
  await visit.frames(3);
});

// Returns a function that sends touch events: their type, and where fingers are.
async function fingers(visit) {
  const devtools = await visit.page.context().newCDPSession(visit.page);
  return (type, ...touchPoints) => devtools.send("Input.dispatchTouchEvent", { type, touchPoints });
}

visitTest("one finger turns the camera", { path: `/?${SMALL}&hud=off`, context: PHONE, needs: "touch events" }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  const touch = await fingers(visit);
  const before = await screenshot(visit);
  // A finger that rolls a little does not turn it.
  await touch("touchStart", { x: 200, y: 400 });
  for (const x of [202, 204, 206]) await touch("touchMove", { x, y: 400 });
  assert.ok(meanDifference(before, await screenshot(visit)) < 0.1, "the camera has not turned");
  await touch("touchCancel");
  await touch("touchStart", { x: 200, y: 400 });
  for (let x = 200; x <= 300; x += 10) await touch("touchMove", { x, y: 400 });
  await touch("touchEnd");
  const after = await screenshot(visit);
  assert.ok(meanDifference(before, after) > 1, "the camera has turned");
  assert.ok(cubeFraction(after) > 0.05);
});

visitTest("the first swipe of a finger scrolls the panels", { path: `/?${SMALL}`, context: PHONE, needs: "touch events" }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  const touch = await fingers(visit);
  const before = readImage(await visit.page.screenshot());
  await touch("touchStart", { x: 195, y: 780 });
  for (let y = 770; y >= 640; y -= 10) await touch("touchMove", { x: 195, y });
  await touch("touchEnd");
  await eventually(async () => meanDifference(before, readImage(await visit.page.screenshot())) > 1, () => "the panels are not scrolled");
});

const PINCHED = { ...SHARED, path: `/?${SMALL}` };

// A touch screen for five fingers.
function touchScreen() {
  Object.defineProperty(Navigator.prototype, "maxTouchPoints", { get: () => 5 });
}

for (const [name, script, moves] of [
  ["a pinch on the trackpad of a Mac moves the camera", undefined, true],
  ["gestures of fingers on a touch screen are not counted twice", touchScreen, false],
]) {
  visitTest(name, { ...PINCHED, script }, async (visit) => {
    await visit.isRunning();
    await visit.press(" ");
    const before = await copyLink(visit);
    // Over a panel, gestures do not reach the camera.
    await visit.page.mouse.move(500, 300);
    // As Safari sends them.
    const prevented = await visit.page.evaluate(() =>
      [
        ["gesturestart", 1],
        ["gesturechange", 1.5],
      ].map(([type, scale]) => {
        const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { scale });
        return !document.getElementById("cubefall").dispatchEvent(event);
      }),
    );
    assert.deepEqual(prevented, [true, true]);
    const camera = async () => (await copyLink(visit)).searchParams.get("camera");
    assert.equal((await camera()) !== before.searchParams.get("camera"), moves);
  });
}

visitTest("an embedded demo leaves the wheel to the page around it until it has the focus", { path: `/?${SMALL}&hud=off`, needs: "clicks into a frame" }, async (visit) => {
  const frame = await visit.embed(640, 360);
  const { page } = visit;
  const scrolled = (to) => eventually(async () => (await page.evaluate(() => window.scrollY)) === to, () => `not scrolled to ${to}`);
  await page.mouse.move(300, 200);
  await page.mouse.wheel(0, 100);
  await scrolled(100);
  await page.mouse.wheel(0, -100);
  await scrolled(0);
  const gesture = () =>
    frame.evaluate(() => {
      const event = new Event("gesturestart", { bubbles: true, cancelable: true });
      return document.getElementById("cubefall").dispatchEvent(event);
    });
  assert.ok(await gesture(), "a pinch acts on the page around it");
  await page.mouse.click(300, 200);
  await eventually(async () => !(await gesture()), () => "the demo takes no pinch");
  await page.mouse.wheel(0, 100);
  // Beside the frame: with the one before, the page would be scrolled further.
  await page.mouse.move(900, 200);
  await page.mouse.wheel(0, 150);
  await scrolled(150);
});

visitTest("an embedded demo out of view draws nothing, also after its tab was hidden", { path: `/?${SMALL}&hud=off`, needs: "rests in a frame" }, async (visit) => {
  const frame = await visit.embed(640, 360);
  const { page } = visit;
  const frames = () => frame.evaluate(() => Number(document.body.dataset.frames));
  await page.evaluate(() => scrollTo(0, 2000));
  const isStill = async () => {
    const before = await frames();
    await page.waitForTimeout(2000);
    return (await frames()) === before;
  };
  await eventually(isStill, () => "frames are drawn out of view");
  for (const hidden of [true, false]) await frame.evaluate(setHidden, hidden);
  assert.ok(await isStill(), "frames are drawn after the tab is shown");
  await page.evaluate(() => scrollTo(0, 0));
  await eventually(async () => !(await isStill()), () => "drawing does not resume");
});

visitTest("a pen that is lifted outside the canvas is released", { path: `/?${SMALL}&hud=off&attract=off`, needs: "events of a pen" }, async (visit) => {
  const frame = await visit.embed(400, 300);
  const { page } = visit;
  await frame.evaluate(() => {
    window.lifted = 0;
    document.getElementById("cubefall").addEventListener("pointerup", () => window.lifted++);
  });
  const devtools = await page.context().newCDPSession(page);
  const pen = (type, x, y, buttons) =>
    devtools.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons, pointerType: "pen", clickCount: 1 });
  await pen("mousePressed", 200, 150, 1);
  await pen("mouseMoved", 300, 150, 1);
  await pen("mouseMoved", 520, 150, 1);
  await pen("mouseReleased", 520, 150, 0);
  await eventually(() => frame.evaluate(() => window.lifted === 1), () => "the canvas gets no pointerup event");
});

visitTest("a pen that the browser takes away is released", { path: `/?${SMALL}&hud=off&attract=off`, needs: "events of a pen" }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  const devtools = await visit.page.context().newCDPSession(visit.page);
  const pen = (type, x, y) =>
    devtools.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, pointerType: "pen", clickCount: 1 });
  const drag = async () => {
    const before = await screenshot(visit);
    for (const x of [220, 320, 420]) await pen("mouseMoved", x, 150);
    await visit.page.waitForTimeout(500);
    return meanDifference(before, await screenshot(visit));
  };
  await pen("mousePressed", 200, 150);
  assert.ok((await drag()) > 1, "the camera has not turned");
  await visit.page.evaluate(() => {
    document.getElementById("cubefall").dispatchEvent(new PointerEvent("pointercancel", { pointerType: "pen" }));
  });
  await visit.frames(1);
  await pen("mouseMoved", 200, 150);
  const difference = await drag();
  assert.ok(difference < 0.5, `the camera turns without a press: ${difference}`);
});

visitTest("a key counts with the modifiers that were held before the page had the focus", { path: `/?${SMALL}` }, async (visit) => {
  await visit.isRunning();
  await visit.page.evaluate(() => {
    // No press of Ctrl before it.
    const event = { key: "m", code: "KeyM", ctrlKey: true, bubbles: true, cancelable: true };
    document.getElementById("cubefall").dispatchEvent(new KeyboardEvent("keydown", event));
  });
  await visit.pause();
  assert.equal((await visit.data()).mode, "cubes-fall");
});

visitTest("an embedded demo leaves fingers to the page around it until it has the focus", { path: `/?${SMALL}&hud=off`, context: PHONE, needs: "touch events" }, async (visit) => {
  const frame = await visit.embed(300, 400, '<meta name="viewport" content="width=device-width">');
  const { page } = visit;
  const touch = await fingers(visit);
  const swipe = async () => {
    await touch("touchStart", { x: 150, y: 350 });
    for (let y = 340; y >= 200; y -= 10) await touch("touchMove", { x: 150, y });
    await touch("touchEnd");
  };
  await swipe();
  await eventually(() => page.evaluate(() => window.scrollY > 0), () => "the page is not scrolled");
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.touchscreen.tap(150, 200);
  const outline = () => frame.evaluate(() => getComputedStyle(document.getElementById("cubefall")).outlineStyle);
  await eventually(async () => (await outline()) === "solid", () => "no frame shows the focus");
  // The first swipe may not have ended before.
  const before = await page.evaluate(() => window.scrollY);
  await swipe();
  await page.waitForTimeout(1000);
  assert.equal(await page.evaluate(() => window.scrollY), before);
});

visitTest("three fingers hide the UI and show it again, and it still works", { path: `/?${SMALL}`, context: PHONE, needs: "touch events" }, async (visit) => {
  await visit.isRunning();
  await visit.pause();
  const touch = await fingers(visit);
  // With the UI.
  const picture = async () => readImage(await visit.page.screenshot());
  const threeFingers = async () => {
    const points = [100, 200, 300].map((x, id) => ({ x, y: 150, id }));
    for (const count of [1, 2, 3]) await touch("touchStart", ...points.slice(0, count));
    await touch("touchEnd");
  };
  const shown = await picture();
  const difference = async () => meanDifference(shown, await picture());
  await threeFingers();
  await eventually(async () => (await difference()) > 5, () => "the UI is not hidden");
  await threeFingers();
  await eventually(async () => (await difference()) < 1, () => "the UI is not shown again");
  // The button "Camera falls" of the page in portrait.
  await visit.page.touchscreen.tap(280, 499);
  await visit.until((data) => data.mode === "camera-falls");
});
