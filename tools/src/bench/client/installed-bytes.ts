import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What npm would write to disk for a package and its dependencies: of our own packages only `dist` without tests, as they are published. */
export async function installedBytes(start: string): Promise<number> {
  const folders = new Set<string>();
  await collect(start, folders);
  let bytes = 0;
  for (const folder of folders)
    bytes += await sizeOf(folder, folder.includes("node_modules") && !folder.includes("@coxswain"));
  return bytes;
}

async function collect(folder: string, folders: Set<string>): Promise<void> {
  if (folders.has(folder)) return;
  folders.add(folder);
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) await collect(findPackage(folder, name), folders);
}

function findPackage(from: string, name: string): string {
  for (const path of createRequire(join(from, "package.json")).resolve.paths(name) ?? []) {
    const folder = join(path, name);
    try {
      createRequire(import.meta.url).resolve(join(folder, "package.json"));
      return folder;
    } catch {
      continue; // the next folder above
    }
  }
  throw new Error(`${name}, which ${dirname(from)} needs, is not installed`);
}

async function sizeOf(folder: string, isForeign: boolean): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(isForeign ? folder : join(folder, "dist"), {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (isForeign ? path.slice(folder.length).includes("/node_modules/") : /\.test\.|\.tsbuildinfo$/.test(path))
      continue;
    bytes += (await stat(path)).size;
  }
  return bytes;
}
