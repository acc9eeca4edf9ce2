
// build.sh appends this file to the module that wasm-bindgen generates, and defines WASM_FILE and WASM_BYTES.

// Bytes of the program that have arrived, and whether these are all.
let received = 0;
let isComplete = false;

// The shortest time between two frames, in ms: some browsers draw at 30 Hz to save power.
let interval = Infinity;
let last = NaN;
// Frames since the page was shown, of which the first are irregular.
let measured = 0;
function measureInterval(now) {
  interval = Math.min(interval, now - last || Infinity);
  last = now;
  measured++;
  if (!document.body.dataset.state) requestAnimationFrame(measureInterval);
}
requestAnimationFrame(measureInterval);
// The time in the background is no interval.
document.addEventListener("visibilitychange", () => {
  last = NaN;
  measured = 0;
});

// Shows the page that explains a failure. The first reason is kept: later ones follow from it. The list of what helps is
// about the browser; failures of the download and of the program hide it.
function fail(reason, kind = "browser") {
  document.getElementById("failure").hidden = false;
  document.getElementById("failure-reason").textContent ||= reason;
  document.body.dataset.failure ??= kind;
  document.body.dataset.state = "failed";
  document.title = "Cubefall";
  // The canvas alone would fill the screen, and the page under it could not be scrolled.
  if (document.fullscreenElement) document.exitFullscreen();
}

// The message of an error, without the name of its class and the full stop that some browsers add.
const messageOf = (error) => error?.message?.replace(/^\w*Error: |[.\s]+$/g, "");

// Tells before the download whether there is something to draw with. Some browsers have WebGPU without an adapter.
async function canDraw() {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return Boolean(context || (await navigator.gpu?.requestAdapter().catch(() => null)));
}

// The response, counted while it arrives. Its Content-Length would not do: it is that of the compressed file.
function counted(response) {
  const progress = document.getElementById("progress");
  const text = document.getElementById("progress-text");
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const count = new TransformStream({
    transform(chunk, controller) {
      received += chunk.byteLength;
      progress.value = received / WASM_BYTES;
      text.textContent = `Loading: ${megabytes(received)} of ${megabytes(WASM_BYTES)} MB`;
      controller.enqueue(chunk);
    },
    flush() {
      isComplete = true;
      text.textContent = "Starting";
    },
  });
  // Some servers do not know the type, and without it the browser compiles only after the download.
  return new Response(response.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

// A panic of the program ends it, from whichever event it runs, and so does an exception from a call of the browser.
function watch(event) {
  const error = event.error ?? event.reason;
  if (error instanceof WebAssembly.RuntimeError || event.filename === import.meta.url) {
    fail(`The program stopped: ${messageOf(error)}. Reload the page to start it again.`, "program");
    try {
      end_video();
    } catch {
      // The program cannot run any more.
    }
  }
}

// Where the program does not handle them: otherwise the browser opens a dropped file in place of the page.
for (const type of ["dragover", "drop"])
  addEventListener(type, (event) => {
    event.preventDefault();
    if (event.dataTransfer && event.target.id !== "cubefall") event.dataTransfer.dropEffect = "none";
  });

// Embedded, the demo leaves the wheel to the page around it, as style.css does fingers, until it has the focus.
if (window !== window.top) document.body.dataset.embedded = "true";
const leavesWheel = (canvas) => document.body.dataset.embedded && !canvas.matches(":focus");
for (const type of ["wheel", "gesturestart", "gesturechange"])
  addEventListener(type, (event) => leavesWheel(document.getElementById("cubefall")) && event.stopPropagation(), {
    capture: true,
    passive: true,
  });

async function load() {
  // Removes the hint for browsers that cannot run this script.
  document.querySelector(".late")?.remove();
  if (!(await canDraw())) {
    fail("This browser offers neither WebGPU nor WebGL 2.");
    return;
  }
  let response;
  try {
    response = await fetch(new URL(WASM_FILE, import.meta.url));
  } catch (error) {
    fail(`The program cannot be downloaded: ${messageOf(error)}. Reload the page to try again.`, "download");
    return;
  }
  if (!response.ok) {
    fail(`The program cannot be downloaded: the server answers ${response.status}. Reload the page to try again.`, "download");
    return;
  }
  let counting;
  try {
    // A browser caches compiled code only of a response that comes from `fetch` itself, and compiles it during the download
    // only if it has the right type.
    let program = response;
    if (response.headers.get("Content-Type") === "application/wasm") {
      counting = counted(response.clone()).body.pipeTo(new WritableStream()).catch(() => {});
    } else {
      program = counted(response);
    }
    await __wbg_init({ module_or_path: program });
  } catch (error) {
    // A broken connection throws one of these (Firefox: a DOMException); a program that cannot be compiled does not.
    const isConnection = (error instanceof TypeError || error instanceof DOMException) && "WebAssembly" in window;
    const again = "Reload the page to try again.";
    if (!isConnection) await counting;
    if (isConnection) fail(`The download of the program broke off: ${messageOf(error)}. ${again}`, "download");
    else if (isComplete && received !== WASM_BYTES)
      fail(`The server sent another file than the program: ${received} of ${WASM_BYTES} bytes. ${again}`, "download");
    else if (/Content Security|\bCSP\b/i.test(error.message))
      fail(`The content security policy of the server forbids WebAssembly: ${messageOf(error)}.`, "download");
    else fail(`The browser cannot run the program, which needs WebAssembly with SIMD: ${messageOf(error)}.`);
    return;
  }
  // A page in the background has no frames to measure.
  while (measured < 5 || interval === Infinity) await new Promise(requestAnimationFrame);
  window.addEventListener("error", watch);
  window.addEventListener("unhandledrejection", watch);
  try {
    run(interval);
  } catch (error) {
    fail(`The program stopped: ${messageOf(error)}. Reload the page to start it again.`, "program");
  }
}

load();
