import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** What npm writes to disk for a package and its dependencies: of our own packages what `npm pack` would publish. */
export async function installedBytes(start: string): Promise<number> {
  const folders = new Set<string>();
  await collect(start, folders);
  let bytes = 0;
  for (const folder of folders) bytes += await (folder.includes("@coxswain") ? packedBytes : bytesBelow)(folder);
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

async function packedBytes(folder: string): Promise<number> {
  const packing = promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: folder });
  const [packed] = JSON.parse((await packing).stdout) as [{ unpackedSize: number }];
  return packed.unpackedSize;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // What is installed inside of it was collected for itself.
    if (entry.isFile() && !path.slice(folder.length).includes("/node_modules/")) bytes += (await stat(path)).size;
  }
  return bytes;
}
