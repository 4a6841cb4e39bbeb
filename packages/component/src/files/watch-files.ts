import { type FSWatcher, readFileSync, watch } from "node:fs";
import { dirname } from "node:path";

export interface WatchedFiles {
  stop(): void;
}

/**
 * Calls `onChange` when the content of one of the files is another than before. Directories are watched, not files: tools replace files
 * (or a link to their directory) rather than write into them.
 */
export function watchFiles(files: readonly string[], onChange: () => void): WatchedFiles {
  let known = contentOf(files);
  const check = (): void => {
    const now = contentOf(files);
    if (now === known) return;
    known = now;
    onChange();
  };
  const watchers: FSWatcher[] = [...new Set(files.map((file) => dirname(file)))].map((directory) => {
    const watcher = watch(directory, { persistent: false }, check);
    watcher.on("error", () => {}); // a directory that is gone brings no news
    return watcher;
  });
  return { stop: () => watchers.forEach((watcher) => watcher.close()) };
}

const contentOf = (files: readonly string[]): string => files.map((file) => readOr(file)).join("\0");

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // between two versions there may be none
  }
}
