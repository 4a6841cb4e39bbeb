import type { KeyRecord, RangeQuery, RangeResult, ReadOptions } from "../contract/key-value-store.js";
import type { CompactionState } from "./compaction-state.js";
import type { EtcdClient } from "./etcd-client.js";
import { rangeFrom, rangeOfPrefix } from "./key-range.js";
import { recordOf } from "./record.js";
import { rpc } from "./rpc.js";

/** More records than this are read in several answers, all of one revision: one of hundreds of megabytes would stop both sides. */
const pageRecords = 10_000;

const noEnd = new Uint8Array(0);

export async function readKey(
  client: EtcdClient,
  compaction: CompactionState,
  key: string,
  { at = 0, signal }: ReadOptions,
): Promise<KeyRecord | undefined> {
  compaction.check(at);
  const { keyValues } = await client.call(rpc.range, { key, rangeEnd: noEnd, revision: at }, { kind: "read", signal });
  return keyValues[0] && recordOf(keyValues[0]);
}

export async function readRange(
  client: EtcdClient,
  compaction: CompactionState,
  query: RangeQuery,
  signal?: AbortSignal,
): Promise<RangeResult> {
  const { prefix, start, limit = 0, at = 0, keysOnly = false, countOnly = false } = query;
  compaction.check(at);
  const { key, rangeEnd } = rangeFrom(prefix, start);
  const most = countOnly ? 0 : limit > 0 ? limit : Number.POSITIVE_INFINITY;
  const page = (from: string, revision: number, had: number) =>
    client.call(
      rpc.range,
      { key: from, rangeEnd, limit: Math.min(most - had, pageRecords), revision, keysOnly, countOnly },
      { kind: "read", signal },
    );

  const first = await page(key, at, 0);
  const revision = at || first.header!.revision;
  const records = first.keyValues.map(recordOf);
  let { more } = first;
  while (more && records.length < most) {
    const next = await page(`${records.at(-1)!.key}\u0000`, revision, records.length);
    for (const found of next.keyValues) records.push(recordOf(found));
    more = next.more;
  }
  return { records, revision, more: countOnly ? false : more, count: first.count };
}

/** Linearizable, as every read that does not ask otherwise: etcd asks the other members before it answers. */
export async function readRevision(client: EtcdClient, signal?: AbortSignal): Promise<number> {
  const { header } = await client.call(
    rpc.range,
    { key: rangeOfPrefix(client.prefix).key, rangeEnd: noEnd, countOnly: true },
    { kind: "read", signal },
  );
  return header!.revision;
}
