import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { replaceData } from "./replace-data.js";

/** Writes the data file of a store that nobody has open anew, without its free pages. A crash leaves the old or the new. */
export async function defragmentDirectory(directory: string): Promise<{ before: number; after: number }> {
  const [{ lockDirectory }, { open }] = await Promise.all([import("@coxswain/storage/lmdb"), import("lmdb")]);
  const data = join(directory, "data.mdb");
  const draft = join(directory, "defragmented.mdb");
  const lock = await lockDirectory(directory);
  try {
    await rm(draft, { force: true });
    const file = open({ path: data, noSubdir: true, readOnly: true });
    try {
      await file.backup(draft, true);
    } finally {
      await file.close();
    }
    const [before, after] = await Promise.all([stat(data), stat(draft)]);
    await replaceData(directory, draft);
    return { before: before.size, after: after.size };
  } finally {
    await rm(draft, { force: true });
    await lock.release();
  }
}
