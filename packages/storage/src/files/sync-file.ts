import { open } from "node:fs/promises";

/** Waits until a file's bytes are on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the names in a directory are on disk: a file that was renamed into it is found after a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  await syncFile(path).catch((err: NodeJS.ErrnoException) => {
    // Some systems cannot sync a directory, and some do not need it.
    if (err.code !== "EISDIR" && err.code !== "EPERM" && err.code !== "EINVAL") throw err;
  });
}
