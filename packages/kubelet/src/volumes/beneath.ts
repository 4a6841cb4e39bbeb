import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, open } from "node:fs/promises";

/**
 * Paths below a directory that somebody else writes to, walked one name at a time. Each step opens a name *of an open directory*
 * (`/proc/self/fd/<n>/<name>`, which is openat(2)) and never follows a link, so a directory that is swapped for a link after it was
 * looked at leads nowhere: what is open stays what it was. A path that is checked and used by its text can be changed in between
 * (CVE-2017-1002101, CVE-2021-25741).
 */

/** O_PATH: a descriptor that only names a file. Not in `fs.constants`; the same on all of Linux' architectures that Node runs on. */
const pathOnly = 0o10000000;
/** Flags that open a name itself, never what a link leads to. */
export const namesOnly = pathOnly | constants.O_NOFOLLOW;

/** A name in an open directory, as a path. */
export const nameIn = (directory: FileHandle | number, name: string): string => `${pathOf(directory)}/${name}`;

/** An open file, as a path that no rename changes. */
export const pathOf = (file: FileHandle | number): string =>
  `/proc/self/fd/${typeof file === "number" ? file : file.fd}`;

/** A link, or a name that cannot be one of a path, where it must not be. */
export class BeneathError extends Error {
  override readonly name = "BeneathError";
}

/** Pure: the names of a relative path. @throws BeneathError for a path that may lead out of where it begins */
export function namesOf(path: string): string[] {
  if (path.startsWith("/")) throw new BeneathError(`${path} is not a relative path`);
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw new BeneathError(`${path} must not contain '..'`);
  return names;
}

/** Opens what the path names, below `base`; the caller closes it. @throws BeneathError where a link is in the way */
export async function openBeneath(base: string, path: string): Promise<FileHandle> {
  const names = namesOf(path);
  let current = await openDirectory(base);
  for (const name of names) current = await closing(current, () => openName(current, name));
  return current;
}

/** The same, making the directories that are missing, each with this mode whatever the umask. */
export async function makeBeneath(base: string, path: string, mode: number): Promise<FileHandle> {
  const names = namesOf(path);
  let current = await openDirectory(base);
  for (const name of names) {
    current = await closing(current, async () => {
      const isNew = await mkdir(nameIn(current, name), { mode }).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
          return false;
        },
      );
      const made = await openName(current, name);
      if (isNew) await chmod(pathOf(made), mode).catch((error: unknown) => closeAndThrow(made, error));
      return made;
    });
  }
  return current;
}

/** A directory that is no link itself. What is above it is trusted. */
const openDirectory = (path: string): Promise<FileHandle> => open(path, namesOnly | constants.O_DIRECTORY);

async function openName(directory: FileHandle, name: string): Promise<FileHandle> {
  const file = await open(nameIn(directory, name), namesOnly);
  const isLink = await file.stat().then(
    (stats) => stats.isSymbolicLink(),
    (error: unknown) => closeAndThrow(file, error),
  );
  return isLink ? closeAndThrow(file, new BeneathError(`unexpected symlink found ${name}`)) : file;
}

async function closing<T>(file: FileHandle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await file.close();
  }
}

async function closeAndThrow(file: FileHandle, error: unknown): Promise<never> {
  await file.close();
  throw error;
}
