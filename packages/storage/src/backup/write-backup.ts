import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { hasStoreReason, StoreError } from "../contract/store-error.js";
import { syncDirectory } from "../files/sync-file.js";
import { type BackupHeader, backupFormat, encodeRecord, endMark, recordHeadBytes } from "./backup-format.js";

export interface BackupOptions {
  /** Where to; written beside it first and renamed when it is complete and on disk. One that is there is replaced. */
  readonly file: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { readonly keys: number; readonly of: number; readonly bytes: number }) => void;
}

export interface BackupDone {
  readonly revision: number;
  readonly keys: number;
  readonly bytes: number;
}

/** How often another client's compaction may overtake it. */
const attempts = 3;

/**
 * Writes everything that the store shows at one revision to a file, while it goes on serving. Over an etcd that somebody else
 * compacts, the revision may be forgotten while it is read: then it begins anew with a later one.
 * @throws StoreError "expired" when that has happened time and again
 */
export async function writeBackup(store: Pick<KeyValueStore, "snapshot">, options: BackupOptions): Promise<BackupDone> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(store, options);
    } catch (err) {
      if (!hasStoreReason(err, "expired")) throw err;
      if (attempt === attempts)
        throw new StoreError(
          "expired",
          `the store was compacted ${attempts} times while it was being backed up, each time before all was read. Compact less often, or pause compaction for the backup`,
          { cause: err },
        );
    }
  }
}

async function writeOnce(
  store: Pick<KeyValueStore, "snapshot">,
  { file, signal, onProgress }: BackupOptions,
): Promise<BackupDone> {
  const snapshot = await store.snapshot(signal);
  const partial = `${file}.partial`;
  try {
    const { revision, keys, leases = [] } = snapshot;
    const output = await open(partial, "w", 0o600);
    let bytes = 0;
    try {
      const digest = createHash("sha256");
      const write = async (chunk: Buffer): Promise<void> => {
        digest.update(chunk);
        await output.write(chunk);
        bytes += chunk.length;
      };
      const header: BackupHeader = { backup: "coxswain", format: backupFormat, revision, keys, leases };
      await write(Buffer.from(`${JSON.stringify(header)}\n`));
      let done = 0;
      for await (const records of snapshot.batches(signal)) {
        await write(Buffer.concat(records.map(encodeRecord)));
        done += records.length;
        onProgress?.({ keys: done, of: keys, bytes });
      }
      const end = Buffer.alloc(recordHeadBytes);
      end.writeUInt32LE(endMark, 0);
      await write(end);
      await output.write(digest.digest());
      await output.sync();
    } finally {
      await output.close();
    }
    await rename(partial, file);
    await syncDirectory(dirname(file));
    return { revision, keys, bytes };
  } catch (err) {
    await rm(partial, { force: true });
    throw err;
  } finally {
    await snapshot.close();
  }
}
