import { rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { StoreError } from "../contract/store-error.js";
import { syncDirectory, syncFile } from "../files/sync-file.js";
import { checkDataFile } from "./data-file.js";
import { lockDirectory } from "./directory-lock.js";
import { Environment } from "./environment.js";

/**
 * Writes the data file anew without its free pages, which gives their room back to the disk. Only while no server runs: a
 * running store uses free pages again by itself, so this is worth it only after it was once much larger than it will ever be.
 */
export async function defragmentLmdbDirectory(directory: string): Promise<{ beforeBytes: number; afterBytes: number }> {
  const file = join(directory, "data.mdb");
  const beforeBytes = await stat(file).then(
    ({ size }) => size,
    () => Promise.reject(new StoreError("unreadable", `there is no store in ${directory}`)),
  );
  const lock = await lockDirectory(directory);
  const partial = `${file}.partial`;
  try {
    checkDataFile(file);
    await rm(partial, { force: true });
    const env = new Environment(file);
    try {
      await env.root.backup(partial, true);
    } finally {
      await env.close();
    }
    await syncFile(partial);
    await rename(partial, file);
    await syncDirectory(directory);
    return { beforeBytes, afterBytes: (await stat(file)).size };
  } finally {
    await rm(partial, { force: true });
    await lock.release();
  }
}
