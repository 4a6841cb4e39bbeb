import { statfs } from "node:fs/promises";

/** Pages of the trees on the way to what changes, and the list of free pages; a step of scrubbing changes up to 128 of them. */
const treeBytes = 768 * 1024;

const pageBytes = 4096;

/** Room in the data file that a commit of changes may need: one of half a page and a byte takes a page. @param changes how many, if known */
export const roomFor = (bytes: number, changes = Number.POSITIVE_INFINITY): number =>
  bytes + Math.min(bytes, changes * pageBytes) + treeBytes;

/** The same for changes that are at hand. */
export const roomForAll = (changes: readonly { readonly length: number }[]): number =>
  roomFor(lengthOf(changes), changes.length);

export const lengthOf = (all: readonly { readonly length: number }[]): number =>
  all.reduce((sum, { length }) => sum + length, 0);

/** What this process may still write on the disk of a directory; Infinity where that is not known. */
export async function freeBytes(directory: string): Promise<number> {
  try {
    const { blocks, bavail, bfree, bsize } = await statfs(directory);
    // Some file systems have no numbers at all. Those that keep blocks for root keep them for a server that is root, too.
    return blocks === 0 ? Number.POSITIVE_INFINITY : (process.getuid?.() === 0 ? bfree : bavail) * bsize;
  } catch {
    // Whatever is the matter with the disk, the write will report it.
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * To be asked before a commit: the engine must not find out itself that the disk is full. Where it cannot write a page, it prints its
 * message into 100 bytes, which are too few for large pages (`mdb_page_flush` in the mdb.c of lmdb 3.5.6): that damages the heap, and
 * ends the process sooner or later.
 * @throws ENOSPC
 */
export async function checkRoom(directory: string, room = roomFor(0)): Promise<void> {
  if ((await freeBytes(directory)) < room)
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
}
