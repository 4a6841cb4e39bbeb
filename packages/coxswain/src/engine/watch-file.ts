import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

export interface FileWatch {
  stop(): void;
}

/**
 * Calls `onChange` when the file may have changed: when something happens to its name in its directory, and at SIGHUP.
 * The directory is watched, because editors and mounted Secrets replace a file or a link beside it rather than write to it.
 * `onBlind` is called where the platform cannot watch; then SIGHUP is all there is.
 */
export function watchFile(file: string, onChange: () => void, onBlind: (error: unknown) => void): FileWatch {
  const name = basename(file);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(file), { persistent: false }, (_, changed) => {
      // A mounted Secret is a link to `..data/name`, and that link is what changes.
      if (changed === null || changed === name || changed.startsWith("..")) onChange();
    });
    watcher.on("error", onBlind);
  } catch (error) {
    onBlind(error);
  }
  process.on("SIGHUP", onChange);
  return {
    stop() {
      watcher?.close();
      process.off("SIGHUP", onChange);
    },
  };
}
