import { close, fchownSync, fsync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";

/** Whom a file is given to by a process of root; by default it is the process' own. */
export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Replaces a file in one step: a reader sees the old content or the new one, never a part.
 * The mode is that of the new file, whatever the old one had.
 *
 * Caveat: it is synced to disk just after this returns, since a start that makes a dozen files would wait too long.
 * A power failure in that moment may leave it empty.
 */
export function writeFileAtomically(path: string, content: string | Uint8Array, mode: number, owner?: FileOwner): void {
  const draft = `${path}.${process.pid}.tmp`;
  const handle = openNew(draft, mode);
  const sync = (): void => fsync(handle, () => close(handle)); // A disk that fails here fails the store as well, which reports it.
  try {
    writeFileSync(handle, content);
    if (owner) fchownSync(handle, owner.uid, owner.gid);
    renameSync(draft, path);
  } finally {
    sync();
  }
}

/** A draft that an earlier process of the same number left would keep its own mode. */
function openNew(draft: string, mode: number): number {
  try {
    return openSync(draft, "wx", mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    unlinkSync(draft);
    return openSync(draft, "wx", mode);
  }
}
