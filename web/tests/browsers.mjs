// How to start a browser without a GPU.

import { chromium, firefox } from "playwright-core";

// WebGPU and WebGL 2 on the CPU. With fewer of them canvases stay black.
const ARGUMENTS = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
  "--use-vulkan=swiftshader",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--enable-gpu",
  "--ignore-gpu-blocklist",
  "--no-sandbox",
];

// Whether Firefox is tested. It has no WebGPU without a GPU, and no WebGL without a display.
export const FIREFOX = process.env.CUBEFALL_BROWSER === "firefox";

// Returns Chromium without a display, or Firefox, on a screen of so many pixels per point.
export function launch(scale = 1) {
  if (FIREFOX) {
    return firefox.launch({
      // That of the distribution, instead of the one that Playwright downloads.
      channel: "moz-firefox",
      executablePath: process.env.CUBEFALL_BROWSER_PATH,
      headless: false,
      firefoxUserPrefs: { "layout.css.devPixelsPerPx": String(scale), "webgl.force-enabled": true },
    });
  }
  const args = [...ARGUMENTS, `--force-device-scale-factor=${scale}`];
  return chromium.launch({ executablePath: process.env.CUBEFALL_BROWSER_PATH ?? "/usr/bin/chromium", args });
}
