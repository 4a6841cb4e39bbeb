import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file itself, or all manifests below a folder (`.yaml`, `.yml`, `.json`), by name; undefined where there is neither. */
export function manifestFiles(path: string): string[] | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  return stat.isDirectory() ? manifestsBelow(path) : [path];
}

function manifestsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return manifestsBelow(path);
      return /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [];
    });
}
