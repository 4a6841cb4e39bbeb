import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@coxswain/runtime/clock";
import { replaceData } from "./replace-data.js";

export interface RestoreDirectoryOptions {
  /** Of the embedded store; made if it is not there. */
  readonly directory: string;
  readonly file: string;
  /** For the name under which the old data is kept. */
  readonly clock: Clock;
  readonly onProgress?: (done: { readonly keys: number; readonly of: number }) => void;
}

/**
 * Puts a backup in the place of a store's data, in one step once it is complete and on disk: a crash leaves the old or the new.
 * The store may be one that no longer opens. It is locked meanwhile, so no server can start on it.
 * @returns where the old data is kept, if there was any
 */
export async function restoreDirectory({
  directory,
  file,
  clock,
  onProgress,
}: RestoreDirectoryOptions): Promise<{ revision: number; keys: number; kept: string | undefined }> {
  const { lockDirectory, restoreLmdbDirectory, settleLmdbDirectory } = await import("@coxswain/storage/lmdb");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(directory);
  const draft = join(directory, "restored");
  try {
    await rm(draft, { recursive: true, force: true });
    const { revision, keys } = await restoreLmdbDirectory({
      directory: draft,
      file,
      ...(onProgress && { onProgress }),
    });
    // One that no longer opens is kept as it is.
    if (existsSync(join(directory, "data.mdb"))) await settleLmdbDirectory(directory).catch(() => undefined);
    const stamp = new Date(clock.now()).toISOString().replace(/[:.]/g, "-");
    const kept = await replaceData(directory, join(draft, "data.mdb"), { keepAs: `before-restore-${stamp}.mdb` });
    return { revision, keys, kept };
  } finally {
    await rm(draft, { recursive: true, force: true });
    await lock.release();
  }
}
