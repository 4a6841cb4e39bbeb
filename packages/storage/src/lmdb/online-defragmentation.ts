import type { DefragmentResult } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { CompactedCopy } from "./compacted-copy.js";
import type { DiskState } from "./disk-state.js";
import type { Environment } from "./environment.js";
import type { FileCommits } from "./file-commits.js";
import type { Maintenance } from "./maintenance.js";

/** So many changes may be left to copy when writes to the file are stopped for the rest. */
const fewChanges = 1000;

export interface OnlineDefragmentationOptions {
  readonly env: Environment;
  readonly file: string;
  readonly sizeBytes: () => number;
  readonly commits: FileCommits;
  readonly maintenance: Maintenance;
  readonly disk: DiskState;
  /** Does what maintenance is due: what compaction has made superfluous would only be copied. */
  readonly finishMaintenance: () => Promise<void>;
  /** The store has failed. */
  readonly onError: (err: unknown) => void;
}

/** Rewrites the data file without its free pages. Reads and writes go on; at the end only writes that the write-ahead log takes. */
export async function defragmentOnline(options: OnlineDefragmentationOptions): Promise<DefragmentResult> {
  const { env, file, sizeBytes, commits, maintenance, disk, finishMaintenance } = options;
  const beforeBytes = sizeBytes();
  let copy: CompactedCopy | undefined;
  try {
    await finishMaintenance();
    maintenance.isSuspended = true;
    // A step of maintenance may be under way.
    await commits.idle();
    copy = await CompactedCopy.of(env, file);
    while (!commits.isClosed && (await copy.catchUp()) > fewChanges);
    await commits.exclusively(async () => {
      await copy!.complete();
      await copy!.takePlace();
      const placed = copy!;
      copy = undefined;
      await placed.settle().catch((err: unknown) => failPlacement(options, err));
    });
  } catch (err) {
    await copy?.discard();
    const error = await disk.errorOf(err, "defragmenting");
    throw error.reason === "full"
      ? new StoreError(
          "full",
          "there is no room for a second copy of the store: nothing was changed. Free some space and try again",
          { cause: err },
        )
      : err;
  }
  return { beforeBytes, afterBytes: sizeBytes() };
}

/** The rename is not durable: after a power failure the old file may be back, without what is written from now on. */
async function failPlacement({ disk, onError }: OnlineDefragmentationOptions, err: unknown): Promise<never> {
  const message = err instanceof Error ? err.message : String(err);
  const error = new StoreError(
    "outcome-unknown",
    `the rename of the defragmented file could not be synced (${message}): the store writes no more. Check the disk, then restart`,
    { cause: err },
  );
  onError(await disk.noteError(error, "defragmenting"));
  throw error;
}
