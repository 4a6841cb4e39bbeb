import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

export interface PlannedFile {
  /** Relative to the folder that it is written into. */
  readonly path: string;
  readonly text: string;
}

/** Writes the files whose text differs, and returns their paths: a build that watches files sees no change without one. */
export function writeChanged(directory: string, files: readonly PlannedFile[]): string[] {
  const changed = files.filter(({ path, text }) => {
    const file = join(directory, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  // Paths may be made of names in other people's manifests, which must not lead out of the folder (CWE-22).
  for (const { path } of changed)
    if (!resolve(directory, path).startsWith(resolve(directory) + sep))
      throw new Error(`${JSON.stringify(path)} is outside of ${directory}: nothing was written`);
  for (const { path, text } of changed) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return changed.map(({ path }) => path);
}
