import { chownSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { FileOwner } from "./write-file-atomically.js";

/**
 * Makes a folder for its owner's eyes, and those on the way to it. Throws for the first that cannot be made:
 * Node's own recursive form goes round for ever where a parent is there and nothing can be made in it (`/proc`).
 */
export function makeDirectory(path: string, owner?: FileOwner): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent, owner);
  try {
    mkdirSync(path, { mode: 0o700 });
    if (owner) chownSync(path, owner.uid, owner.gid);
  } catch (err) {
    if (isDirectory(path)) return; // somebody else was faster
    throw new Error(`cannot make the directory ${path} (${(err as NodeJS.ErrnoException).code})`, { cause: err });
  }
}

/** Below a file nothing is: Node 20 reports that by an error (ENOTDIR), Node 24 as for any name that is not there. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw err;
  }
}
