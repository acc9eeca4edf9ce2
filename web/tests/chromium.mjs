// How to start Chromium without a display or a GPU.

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

// Options of Playwright's `launch`.
export const CHROMIUM = { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS };
