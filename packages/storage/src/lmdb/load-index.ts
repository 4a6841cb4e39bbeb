import type { LeaseId } from "../key-value-store.js";
import { compareKeys, SortedMap } from "../sorted-map/index.js";
import { StoreError } from "../store-error.js";
import type { Environment, StoreMeta } from "./environment.js";
import { decodeBlock } from "./index-block.js";
import { IndexCheckpoint } from "./index-checkpoint.js";
import type { LogEntry } from "./log-record.js";
import { RevisionLog } from "./revision-log.js";

export interface LoadedIndex {
  readonly index: SortedMap<LogEntry>;
  readonly revision: number;
  readonly meta: StoreMeta;
  readonly leases: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
  readonly checkpoint: IndexCheckpoint;
  /** How many changes were read from the log. */
  readonly behind: number;
}

/** The index as of the last change: the last checkpoint, and the log since. */
export function loadIndex(env: Environment): LoadedIndex {
  const meta = env.meta();
  const { blocks, leftovers } = env.blocks(meta.lastBlock);
  const decoded = blocks
    .map(({ block, bytes }) => ({ block, ...decodeBlock(bytes) }))
    .sort((a, b) => compareKeys(a.keys[0] ?? "", b.keys[0] ?? ""));
  const { map, leaves } = assemble(decoded);
  const checkpoint = new IndexCheckpoint(
    leaves.map((leaf, i) => ({ leaf, block: decoded[i]!.block })),
    leftovers,
  );
  const newest = env.newest()?.revision ?? 0;
  const editor = map.edit();
  let behind = 0;
  for (const { key, entry } of new RevisionLog(env, () => []).changes(meta.checkpoint, newest)) {
    behind += 1;
    if (entry === undefined) editor.delete(key);
    else editor.set(key, entry);
  }
  return {
    index: editor.done(),
    revision: Math.max(meta.revision, newest),
    meta,
    leases: env.leases(),
    checkpoint,
    behind,
  };
}

function assemble(
  decoded: readonly { keys: string[]; values: LogEntry[] }[],
): ReturnType<typeof SortedMap.fromLeaves<LogEntry>> {
  try {
    return SortedMap.fromLeaves(decoded);
  } catch (err) {
    throw new StoreError("unreadable", "the store's index is damaged; restore a backup", { cause: err });
  }
}
