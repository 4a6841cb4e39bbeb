import { chmodSync, closeSync, openSync } from "node:fs";
import { chmod, readdir, stat } from "node:fs/promises";

/** Sticky: a directory such as /tmp, which others use, too. */
const stickyBit = 0o1000;
const othersBits = 0o077;

/**
 * The files of the library, readable by their owner only, whatever the umask: they hold Secrets. What is missing is made first, so
 * that there is no moment at which another could open it.
 */
export function makePrivateFiles(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      // Never opened if it exists: closing any descriptor of a lock file gives up the process's locks on it (fcntl(2)).
      closeSync(openSync(path, "wx", 0o600));
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== "EEXIST") throw err;
    }
    try {
      chmodSync(path, 0o600);
    } catch (err) {
      if (!isRefused(err)) throw err;
    }
  }
}

/** Takes away the rights of others in a directory that was there before, if it is this store's own: empty, or with its data file in it. */
export async function makePrivateDirectory(directory: string, dataFile: string): Promise<void> {
  const { mode } = await stat(directory);
  if ((mode & othersBits) === 0 || (mode & stickyBit) !== 0) return;
  const names = await readdir(directory);
  if (names.length > 0 && !names.includes(dataFile)) return;
  await chmod(directory, mode & 0o700).catch((err: unknown) => {
    if (!isRefused(err)) throw err;
  });
}

/** Another user's, or a file system that has no such rights: the mode is the administrator's to set. */
function isRefused(err: unknown): boolean {
  const { code } = err as NodeJS.ErrnoException;
  return code === "EPERM" || code === "ENOTSUP" || code === "EROFS";
}
