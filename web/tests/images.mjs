// Images of the page and of the desktop program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";

export function readImage(source) {
  return PNG.sync.read(typeof source === "string" ? readFileSync(source) : source);
}

// Runs the desktop program and returns its output.
export function cubefall(...flags) {
  return execFileSync(process.env.CUBEFALL_BINARY, flags, { encoding: "utf8" });
}

// Returns the image that the desktop program draws.
export function desktopImage(size, ...flags) {
  const folder = mkdtempSync(join(tmpdir(), "cubefall-"));
  try {
    const file = join(folder, "desktop.png");
    cubefall("render", "--size", size, "--out", file, ...flags);
    return readImage(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// The mean absolute difference of two images, from 0 to 255.
export function meanDifference(a, b) {
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  let sum = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    for (let channel = 0; channel < 3; channel += 1) sum += Math.abs(a.data[i + channel] - b.data[i + channel]);
  }
  return sum / ((a.data.length / 4) * 3);
}

// Whether a pixel has a color of the cubes of the classic scene, which nothing else has: more red than blue.
export function isCube(image, x, y) {
  const i = 4 * (y * image.width + x);
  return image.data[i] > image.data[i + 2] + 40;
}

// The fraction of pixels that show cubes.
export function cubeFraction(image) {
  let count = 0;
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) count += isCube(image, x, y);
  }
  return count / (image.width * image.height);
}

// A point in the middle of a cube, between two heights and to the right of `left`.
export function pointOnCube(image, { left, right, top, bottom }) {
  const radius = 6;
  for (let y = top; y < bottom; y += 3) {
    next: for (let x = left; x < right; x += 3) {
      for (let dy = -radius; dy <= radius; dy += 1) {
        for (let dx = -radius; dx <= radius; dx += 1) if (!isCube(image, x + dx, y + dy)) continue next;
      }
      return { x, y };
    }
  }
  throw new Error("no cube is large enough");
}
