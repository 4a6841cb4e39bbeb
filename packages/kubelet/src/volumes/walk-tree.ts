import { closeSync, constants, type Dir, fstatSync, opendirSync, openSync, type Stats } from "node:fs";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { nameIn, namesOnly, pathOf } from "./beneath.js";

/** Something in a tree that others may change meanwhile. */
export interface TreeEntry {
  /** Leads to this very file, by a descriptor; not to be used for links. */
  readonly path: string;
  /** Its name in an open directory: for calls that do not follow links. */
  readonly name: string;
  readonly stats: Stats;
}

/** Each level holds a descriptor: a pod that makes endless directories must not use up the kubelet's. */
const maxDepth = 1000;
/** Opening, examining and closing one file. */
const costMicros = 20;

/**
 * Visits everything below the directory, and the directory itself last, never following a link. The calls are synchronous, a hundred
 * times as fast as asynchronous ones, and the loop yields between files: a tree of a million files takes seconds and blocks nobody.
 * What disappears meanwhile is left out. @throws Error for a tree of more than a thousand levels
 */
export async function walkTree(root: string, visit: (entry: TreeEntry) => void, scheduler: Scheduler): Promise<void> {
  const levels: Level[] = [openLevel(root, root)];
  try {
    for (;;) {
      const level = levels.at(-1);
      if (!level) return;
      const entry = level.entries.readSync();
      if (entry) {
        const below = visitOne(nameIn(level.descriptor, entry.name), visit);
        if (below) levels.push(below);
        if (levels.length > maxDepth) throw new Error(`more than ${maxDepth} levels of directories`);
      } else {
        visit({ path: pathOf(level.descriptor), name: level.name, stats: fstatSync(level.descriptor) });
        closeLevel(level);
        levels.pop();
      }
      const pause = scheduler.yield(costMicros);
      if (pause) await pause;
    }
  } finally {
    levels.forEach(closeLevel);
  }
}

interface Level {
  readonly name: string;
  readonly descriptor: number;
  readonly entries: Dir;
}

const directoryOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function openLevel(path: string, name: string): Level {
  const descriptor = openSync(path, directoryOnly);
  try {
    return { name, descriptor, entries: opendirSync(pathOf(descriptor), { bufferSize: 256 }) };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function closeLevel({ descriptor, entries }: Level): void {
  entries.closeSync();
  closeSync(descriptor);
}

/** Visits what is no directory; a directory is opened, for its entries to be visited first. */
function visitOne(name: string, visit: (entry: TreeEntry) => void): Level | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(name, namesOnly);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return openLevel(`${pathOf(descriptor)}/.`, name);
    visit({ path: pathOf(descriptor), name, stats });
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
