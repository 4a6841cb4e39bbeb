import { closeSync, constants, fstatSync, opendirSync, openSync, renameSync, rmdirSync } from "node:fs";
import { unlink } from "node:fs/promises";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { nameIn, pathOf } from "./beneath.js";

/**
 * Removes a directory with all that is in it, without following a link and without leaving its file system, in whatever depth: a
 * directory within a directory is first moved to the top, so that two descriptors are enough for any tree. Files are unlinked by other
 * threads, since freeing the blocks of a large one takes long; what is done to directories is short.
 * Gone already is no error. @throws Error for a directory on another device: something is mounted there
 */
export async function removeTree(directory: string, scheduler: Scheduler): Promise<void> {
  let top: number;
  try {
    top = openSync(directory, directoryOnly);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return;
    if (code === "ENOTDIR" || code === "ELOOP") return unlink(directory);
    throw error;
  }
  try {
    const { dev } = fstatSync(top);
    let moved = 0;
    // A directory that is moved up is found by a later reading of the top.
    for (;;) {
      const names = namesIn(top);
      if (names.length === 0) break;
      for (const name of await unlinkFiles(top, names)) {
        moved = await removeDirectory({ top, name, dev, moved });
        const pause = scheduler.yield(costMicros);
        if (pause) await pause;
      }
    }
  } finally {
    closeSync(top);
  }
  rmdirSync(directory);
}

const directoryOnly = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Names are read in portions: a directory may have millions. */
const portion = 256;
/** Emptying one directory, without the time that files take. */
const costMicros = 100;

function namesIn(directory: number): string[] {
  const entries = opendirSync(pathOf(directory), { bufferSize: portion });
  const names: string[] = [];
  for (let entry = entries.readSync(); entry && names.length < portion; entry = entries.readSync())
    names.push(entry.name);
  entries.closeSync();
  return names;
}

/** @returns the names that are directories */
async function unlinkFiles(directory: number, names: readonly string[]): Promise<string[]> {
  const isGone = await Promise.all(
    names.map((name) =>
      unlink(nameIn(directory, name)).then(
        () => true,
        (error: unknown) => {
          const code = codeOf(error);
          if (code === "EISDIR" || code === "EPERM") return false;
          if (code === "ENOENT") return true;
          throw error;
        },
      ),
    ),
  );
  return names.filter((_, i) => !isGone[i]);
}

interface Removal {
  readonly top: number;
  readonly name: string;
  readonly dev: number;
  /** How many names in the top directory were tried for what is moved there. */
  readonly moved: number;
}

async function removeDirectory({ top, name, dev, moved: before }: Removal): Promise<number> {
  let moved = before;
  const directory = openSync(nameIn(top, name), directoryOnly);
  try {
    if (fstatSync(directory).dev !== dev) throw new Error(`${name} is on another device and is not removed`);
    for (;;) {
      const names = namesIn(directory);
      if (names.length === 0) break;
      // A name that is taken belongs to something that is being removed, too: the next one is tried.
      for (const each of await unlinkFiles(directory, names))
        while (!tryMove(nameIn(directory, each), nameIn(top, `.removed-${moved++}`)));
    }
  } finally {
    closeSync(directory);
  }
  rmdirSync(nameIn(top, name));
  return moved;
}

/** False where the new name is taken. */
function tryMove(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR") return false;
    throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
