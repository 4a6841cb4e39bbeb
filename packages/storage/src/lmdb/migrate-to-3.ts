import { join } from "node:path";
import { largest } from "@coxswain/apimachinery/append";
import { StoreError } from "../contract/store-error.js";
import { compareKeys, SortedMap } from "../sorted-map/index.js";
import type { Environment, SyncWriter, TablesBefore } from "./environment.js";
import { checksumOf, decodeBlock, encodeBlock } from "./index-block.js";
import { ChangeReader, headBytes, type LogEntry, sealChange, valueStart } from "./log-record.js";
import type { Position } from "./position.js";
import { addSum, firstMeta, noSums, type StoreMeta, sumOfLease } from "./store-meta.js";
import { decodeBatch, type EncodedBatch } from "./wal/batch-record.js";
import { readRecords, readWalFile } from "./wal/read-wal.js";

/** What the formats before 3 had no room for: two checksums in front of a change, one in front of a block. */
const changeSumBytes = 8;
const blockSumBytes = 4;
const lastFlagAt = 8;
const lastFlag = 8;

/** Of the facts that formats 1 and 2 have, those that are taken over. */
type OldMeta = Pick<
  StoreMeta,
  "revision" | "compacted" | "scrubbed" | "checkpoint" | "lastBlock" | "lastLease" | "wal"
>;

interface OldChange extends Position {
  readonly bytes: Uint8Array;
}

/**
 * Gives every change, every block and every lease its checksum, counts them, and takes in what only the write-ahead log has, whose
 * records have changes of the old layout. What was damaged before is as it was: there was nothing to know it by.
 */
export function migrateTo3(env: Environment, directory: string): void {
  const { checkpoint, ...old }: OldMeta = { ...firstMeta, ...(env.fact("state") as OldMeta | undefined) };
  const log = old.wal === undefined ? undefined : readWalFile(join(directory, "data.wal"));
  const batches = log === undefined ? [] : readRecords(log, old.wal!).records.map(({ record }) => decodeBatch(record));
  env.rewrite((before, writer) => {
    const index = indexOf(before, old.lastBlock).edit();
    let changes = 0;
    // Format 1 wrote its revision down from time to time only.
    let newest = old.revision;
    for (const { position, bytes } of sealed(changesOf(before, batches))) {
      writer.appendChange(position, bytes);
      changes += 1;
      newest = Math.max(newest, position.revision);
      if (position.revision <= checkpoint) continue;
      const change = new ChangeReader(bytes);
      const entry = change.entry(position);
      if (entry === undefined) index.delete(change.key);
      else index.set(change.key, entry);
    }
    const revision = largest(
      batches.map((batch) => batch.revision),
      newest,
    );
    const compacted = largest(
      batches.map((batch) => batch.compacted ?? 0),
      old.compacted,
    );
    env.writeMeta({
      ...firstMeta,
      revision,
      compacted,
      scrubbed: old.scrubbed,
      checkpoint: revision,
      changes,
      ...writeIndex(writer, index.done(), old.lastBlock),
      ...writeLeases(writer, before, batches, old.lastLease),
    });
  });
}

function indexOf({ blocks }: TablesBefore, lastBlock: number): SortedMap<LogEntry> {
  const decoded = blocks
    .filter(({ block }) => block <= lastBlock)
    .map(({ bytes }) => decodeBlock(Buffer.concat([Buffer.alloc(blockSumBytes), bytes])));
  return SortedMap.fromLeaves(decoded.sort((a, b) => compareKeys(a.keys[0] ?? "", b.keys[0] ?? ""))).map;
}

function* changesOf({ changes }: TablesBefore, batches: readonly EncodedBatch[]): Generator<OldChange, void> {
  for (const { position, bytes } of changes) yield { ...position, bytes };
  for (const batch of batches) yield* batch.changes;
}

/** Each with its checksums, and a mark on the last one of each revision. */
function* sealed(changes: Iterable<OldChange>): Generator<{ position: Position; bytes: Buffer }, void> {
  let held: { position: Position; bytes: Buffer } | undefined;
  const seal = (change: { position: Position; bytes: Buffer }, last: boolean): typeof change => {
    const { position, bytes } = change;
    if (last) bytes[lastFlagAt]! |= lastFlag;
    if (bytes.length < headBytes || valueStart(bytes) > bytes.length)
      throw new StoreError(
        "unreadable",
        `data.mdb is damaged: revision ${position.revision} in the log cannot be read`,
      );
    sealChange(bytes, position);
    return change;
  };
  for (const { revision, sub, bytes } of changes) {
    if (held !== undefined) yield seal(held, held.position.revision !== revision);
    held = { position: { revision, sub }, bytes: Buffer.concat([Buffer.alloc(changeSumBytes), bytes]) };
  }
  if (held !== undefined) yield seal(held, true);
}

function writeIndex(
  writer: SyncWriter,
  index: SortedMap<LogEntry>,
  lastBlock: number,
): Pick<StoreMeta, "keys" | "blocks" | "lastBlock"> {
  let block = lastBlock;
  let blocks = noSums;
  for (const { leaf } of index.leavesOf()) {
    const bytes = encodeBlock(leaf, ++block);
    writer.putBlock(block, bytes);
    blocks = addSum(blocks, checksumOf(bytes));
  }
  return { keys: index.size, blocks, lastBlock: block };
}

function writeLeases(
  writer: SyncWriter,
  before: TablesBefore,
  batches: readonly EncodedBatch[],
  lastLease: number,
): Pick<StoreMeta, "leases" | "lastLease"> {
  const granted = new Map(before.leases.map(({ lease, ttlMs }) => [lease, ttlMs]));
  let last = lastLease;
  for (const change of batches.flatMap(({ leases }) => leases)) {
    if (change.do === "end") granted.delete(change.lease);
    else granted.set(change.lease, change.ttlMs);
    last = Math.max(last, change.lease);
  }
  for (const [lease, ttlMs] of granted) writer.putLease(lease, ttlMs);
  return { leases: [...granted.keys()].map(sumOfLease).reduce(addSum, noSums), lastLease: last };
}
