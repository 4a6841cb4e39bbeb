import type { Writer } from "../environment.js";
import { keysAdded } from "../log-record.js";
import { addSum, removeSum, type StoreMeta, sumOfLease } from "../store-meta.js";
import type { EncodedBatch } from "./batch-record.js";

/** Adds a batch to a commit of the file. Returns the facts as they are once it is durable. */
export function writeBatch(
  writer: Writer,
  meta: StoreMeta,
  { revision, changes, leases: leaseChanges, compacted = meta.compacted }: EncodedBatch,
): StoreMeta {
  let { lastLease, leases, keys } = meta;
  for (const change of changes) {
    writer.appendChange(change, change.bytes);
    keys += keysAdded(change.bytes);
  }
  for (const change of leaseChanges) {
    if (change.do === "end") {
      writer.removeLease(change.lease);
      leases = removeSum(leases, sumOfLease(change.lease));
    } else {
      writer.putLease(change.lease, change.ttlMs);
      leases = addSum(leases, sumOfLease(change.lease));
      lastLease = Math.max(lastLease, change.lease);
    }
  }
  return { ...meta, revision, compacted, lastLease, leases, keys, changes: meta.changes + changes.length };
}
