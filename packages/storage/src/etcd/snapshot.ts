import type { KeyRecord, StoreSnapshot } from "../contract/key-value-store.js";
import type { CompactionState } from "./compaction-state.js";
import type { EtcdClient } from "./etcd-client.js";
import { type KeyRange, rangeOfPrefix } from "./key-range.js";
import { recordOf } from "./record.js";
import { rpc } from "./rpc.js";

const portionRecords = 500;

/**
 * What stands at one revision, read portion by portion. This store lets etcd compact no further while it is open.
 * Caveat: another client of the same etcd may; reading then rejects with "expired", and a later snapshot is needed.
 */
export async function takeSnapshot(
  client: EtcdClient,
  compaction: CompactionState,
  signal?: AbortSignal,
): Promise<StoreSnapshot> {
  const range = rangeOfPrefix(client.prefix);
  const early = compaction.hold(compaction.known);
  try {
    const { header, count } = await client.call(rpc.range, { ...range, countOnly: true }, { kind: "read", signal });
    const revision = header!.revision;
    const release = compaction.hold(revision);
    return {
      revision,
      keys: count,
      batches: (until) => portions(client, { range, revision, signal: until }),
      close: release,
    };
  } finally {
    await early();
  }
}

async function* portions(
  client: EtcdClient,
  { range, revision, signal }: { range: KeyRange; revision: number; signal: AbortSignal | undefined },
): AsyncGenerator<readonly KeyRecord[]> {
  let key = range.key;
  for (let more = true; more; ) {
    signal?.throwIfAborted();
    const page = await client.call(
      rpc.range,
      { key, rangeEnd: range.rangeEnd, revision, limit: portionRecords },
      { kind: "read", signal },
    );
    if (page.keyValues.length > 0) {
      key = `${page.keyValues.at(-1)!.key}\u0000`;
      yield page.keyValues.map(recordOf);
    }
    more = page.more;
  }
}
