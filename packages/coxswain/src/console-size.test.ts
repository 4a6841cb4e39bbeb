import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../dist/bundle/console", import.meta.url));
const size = (name: string): number => brotliCompressSync(readFileSync(join(folder, name))).length;

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** A file and all that it imports at once; what is imported later is loaded when it is needed. */
function withImports(outputs: Readonly<Record<string, Output>>, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const output = Object.entries(outputs).find(([path]) => basename(path) === name)?.[1];
  for (const { path, kind } of output?.imports ?? [])
    if (kind === "import-statement") withImports(outputs, basename(path), found);
  return found;
}

describe("the size of the console, compressed by brotli", () => {
  const outputs = JSON.parse(readFileSync(join(folder, "outputs.json"), "utf8")) as Record<string, Output>;
  const files = readdirSync(folder).filter((name) => /\.(js|css|html)$/.test(name));

  it("the first page needs at most 60 KB", () => {
    const first = new Set([
      ...withImports(outputs, "page.js"),
      ...withImports(outputs, "worker.js"),
      "console.css",
      "index.html",
    ]);
    expect([...first].reduce((sum, name) => sum + size(name), 0)).toBeLessThanOrEqual(60 * 1024);
  });

  it("all files have at most 520 KB", () =>
    expect(files.reduce((sum, name) => sum + size(name), 0)).toBeLessThanOrEqual(520 * 1024));

  it("the editor and the terminal are not part of the first page", () => {
    const first = [...withImports(outputs, "page.js"), ...withImports(outputs, "worker.js")];
    expect(first.filter((name) => /editor|terminal|yaml/.test(name))).toEqual([]);
  });
});
