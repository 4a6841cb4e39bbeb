import type { StoreMeta, Writer } from "../environment.js";
import type { EncodedBatch } from "./batch-record.js";

/** Adds a batch to a commit of the file. Returns the facts as they are once it is durable. */
export function writeBatch(
  writer: Writer,
  meta: StoreMeta,
  { revision, changes, leases, compacted = meta.compacted }: EncodedBatch,
): StoreMeta {
  let { lastLease } = meta;
  for (const change of changes) writer.appendChange(change, change.bytes);
  for (const change of leases) {
    if (change.do === "end") {
      writer.removeLease(change.lease);
    } else {
      writer.putLease(change.lease, change.ttlMs);
      lastLease = Math.max(lastLease, change.lease);
    }
  }
  return { ...meta, revision, compacted, lastLease };
}
