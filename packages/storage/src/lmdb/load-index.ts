import type { LeaseId } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { compareKeys, SortedMap } from "../sorted-map/index.js";
import type { Environment } from "./environment.js";
import { checksumOf, decodeBlock, isBlockWhole } from "./index-block.js";
import { IndexCheckpoint } from "./index-checkpoint.js";
import type { LogEntry } from "./log-record.js";
import { RevisionLog } from "./revision-log.js";
import { addSum, noSums, type SetOfSums, type StoreMeta, sumOfLease } from "./store-meta.js";

export interface LoadedIndex {
  readonly index: SortedMap<LogEntry>;
  readonly revision: number;
  readonly meta: StoreMeta;
  readonly leases: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
  readonly checkpoint: IndexCheckpoint;
  /** How many changes were read from the log. */
  readonly behind: number;
}

/**
 * The index as of the last change: the last checkpoint, and the log since. All of it is checked: every block and every change
 * against its checksum, and all of them against the record of how many there are.
 * @throws StoreError "unreadable" when anything is damaged, missing, or there although it should not be
 */
export function loadIndex(env: Environment): LoadedIndex {
  const meta = env.meta();
  const { blocks, leftovers } = env.blocks(meta.lastBlock);
  const decoded = blocks.map(decodeWhole).sort((a, b) => compareKeys(a.keys[0] ?? "", b.keys[0] ?? ""));
  if (
    !isSame(
      decoded.reduce((sums, { checksum }) => addSum(sums, checksum), noSums),
      meta.blocks,
    )
  )
    throw damaged(`the index has other blocks than the ${meta.blocks.count} that were written last`);
  const { map, leaves } = assemble(decoded);
  const checkpoint = new IndexCheckpoint(
    leaves.map((leaf, i) => ({ leaf, block: decoded[i]!.block, checksum: decoded[i]!.checksum })),
    leftovers,
    meta.lastBlock,
  );
  const newest = env.newest()?.revision ?? 0;
  if (newest > meta.revision)
    throw damaged(
      `the log goes on to revision ${newest}, and the record of what the store holds ends at ${meta.revision}`,
    );
  const editor = map.edit();
  let behind = 0;
  for (const { key, entry } of new RevisionLog(
    env,
    () => [],
    () => meta.compacted,
  ).changes(meta.checkpoint, meta.revision)) {
    behind += 1;
    if (entry === undefined) editor.delete(key);
    else editor.set(key, entry);
  }
  const index = editor.done();
  if (index.size !== meta.keys) throw damaged(`the index has ${index.size} keys instead of ${meta.keys}`);
  const leases = env.leases();
  if (
    !isSame(
      leases.reduce((sums, { lease }) => addSum(sums, sumOfLease(lease)), noSums),
      meta.leases,
    )
  )
    throw damaged(`there are other leases than the ${meta.leases.count} that were granted`);
  return { index, revision: meta.revision, meta, leases, checkpoint, behind };
}

type DecodedBlock = { block: number; checksum: number; keys: string[]; values: LogEntry[] };

function decodeWhole({ block, bytes }: { block: number; bytes: Buffer }): DecodedBlock {
  if (!isBlockWhole(bytes, block)) throw damaged(`block ${block} of the index is not as it was written`);
  return { block, checksum: checksumOf(bytes), ...decodeBlock(bytes) };
}

const isSame = (a: SetOfSums, b: SetOfSums): boolean => a.count === b.count && a.sum === b.sum;

const damaged = (why: string, cause?: unknown): StoreError =>
  new StoreError("unreadable", `data.mdb is damaged: ${why}`, { cause });

function assemble(decoded: readonly DecodedBlock[]): ReturnType<typeof SortedMap.fromLeaves<LogEntry>> {
  try {
    return SortedMap.fromLeaves(decoded);
  } catch (err) {
    throw damaged("blocks of its index overlap", err);
  }
}
