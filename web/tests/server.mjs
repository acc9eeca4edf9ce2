// A static web server on a free port of this machine, which lists the paths it was asked for.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".gif": "image/gif",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

// Serves `folders`, an object of path prefixes that end with a slash, such as { "/": "web/dist" }.
// `compress` sends gzip, and `types: false` sends no types for binary files, as simple servers do.
// `missing` are names of files to refuse, and `headers` go with every file.
export async function serve(folders, { compress = false, types = true, missing = [], headers = {} } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    requests.push(path);
    const prefix = Object.keys(folders).find((start) => path.startsWith(start));
    const name = normalize(path.slice(prefix?.length)) || "index.html";
    try {
      if (prefix === undefined || name.startsWith("..") || missing.includes(name)) throw new Error(name);
      const file = name === "." || name.endsWith("/") ? join(name, "index.html") : name;
      let content = await readFile(join(folders[prefix], file));
      const known = TYPES[extname(file)];
      const type = types || known?.startsWith("text/") ? known : "application/octet-stream";
      if (compress) {
        content = gzipSync(content);
        response.setHeader("Content-Encoding", "gzip");
      }
      response.setHeader("Content-Type", type ?? "application/octet-stream");
      response.setHeader("Content-Length", content.length);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.end(content);
    } catch {
      response.statusCode = 404;
      response.end("not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    requests,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}
