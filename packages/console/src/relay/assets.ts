import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

export interface Asset {
  readonly bytes: Buffer;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The files of a folder by the path that they are served at. Read once: no request ever opens a file. */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const asset = { bytes: readFileSync(join(folder, name)), type };
    assets.set(name === "index.html" ? "/" : name === "terminal.html" ? "/terminal" : `/${name}`, asset);
  }
  return assets;
}
