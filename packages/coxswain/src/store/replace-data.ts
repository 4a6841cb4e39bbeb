import { link, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Puts another data file in the place of a store's, atomically. The caller holds the directory's lock, and the new file is in
 * the same file system. A write-ahead log beside it belongs to the old file, and the new one does not replay it.
 * @returns the path of the old one, if it is kept and there was one
 */
export async function replaceData(
  directory: string,
  next: string,
  { keepAs }: { keepAs?: string } = {},
): Promise<string | undefined> {
  const data = join(directory, "data.mdb");
  const kept = keepAs === undefined ? undefined : await keep(data, join(directory, keepAs));
  await sync(next);
  await rename(next, data);
  // It lists readers of the old file, all of them gone.
  await rm(`${data}-lock`, { force: true });
  await sync(directory);
  return kept;
}

/** A second name for the same file: there is no moment without a store. */
async function keep(data: string, as: string): Promise<string | undefined> {
  try {
    await link(data, as);
    return as;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw err;
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
