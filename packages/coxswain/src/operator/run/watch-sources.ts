import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { type Clock, systemClock, type Timer } from "@coxswain/runtime/clock";

/** What an operator's program and manifests are made of, beside main.ts. */
const watched = ["api", "controllers", "webhooks"];
/** Editors write a file in several steps, and people save several files at once. */
const quietMs = 50;

export interface SourceWatch {
  stop(): void;
}

/**
 * Calls `changed` with the paths of changed sources, once nothing has changed for a moment. Folders are watched one by one: Node's
 * recursive watch on Linux no longer sees a file that an editor has replaced (nodejs/node 49916).
 */
export function watchSources(
  directory: string,
  changed: (paths: readonly string[]) => void,
  clock: Clock = systemClock,
): SourceWatch {
  const paths = new Set<string>();
  const watchers = new Map<string, FSWatcher>();
  let timer: Timer | undefined;
  const note = (path: string): void => {
    if (!path.endsWith(".ts")) return;
    paths.add(path);
    timer?.cancel();
    timer = clock.setTimer(quietMs, () => {
      const all = [...paths].sort();
      paths.clear();
      changed(all);
    });
  };
  /** `isNew`: its files came with it, and no watch has reported them. */
  function watchFolder(folder: string, isNew: boolean): void {
    if (watchers.has(folder) || !isFolder(join(directory, folder))) return;
    let watcher: FSWatcher;
    try {
      watcher = watch(join(directory, folder), (_, name) => {
        if (name === null) return;
        const path = folder === "" ? name : `${folder}/${name}`;
        note(path);
        if (folder !== "" || watched.includes(name)) watchFolder(path, true);
      });
      watchers.set(folder, watcher);
    } catch {
      return; // gone again
    }
    const forget = (): void => {
      watcher.close();
      watchers.delete(folder);
    };
    watcher.on("error", forget);
    for (const entry of entriesOf(join(directory, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) {
        if (isNew) note(path);
      } else if (folder !== "" || watched.includes(entry.name)) watchFolder(path, isNew);
    }
  }
  watchFolder("", false);
  return {
    stop() {
      timer?.cancel();
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone again
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
