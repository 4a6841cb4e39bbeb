import {
  type KeyEvent,
  type KeyRecord,
  type KeyValueStore,
  type RangeCheck,
  type RangeQuery,
  StoreError,
  type StoreSnapshot,
  type Write,
} from "@coxswain/storage";

/**
 * A part of a store, seen as if it were the whole: keys below `root` (`/team-a/`) are seen below `seenAs` (`/registry/`), and
 * no others. Revisions, leases and history are those of the store.
 */
export function rootedStore(
  store: KeyValueStore,
  { root, seenAs }: { readonly root: string; readonly seenAs: string },
): KeyValueStore {
  const inward = (key: string): string => {
    if (!key.startsWith(seenAs))
      throw new StoreError("invalid", `the key ${JSON.stringify(key)} is outside of ${seenAs}`);
    return root + key.slice(seenAs.length);
  };
  const writeInward = (write: Write): Write =>
    write.op === "check range" ? rangeInward(write, { root, seenAs }) : { ...write, key: inward(write.key) };
  const prefixInward = (prefix: string): string => (seenAs.startsWith(prefix) ? root : inward(prefix));
  const keyOutward = (key: string): string => seenAs + key.slice(root.length);
  const outward = (record: KeyRecord): KeyRecord => ({ ...fieldsOf(record), key: keyOutward(record.key) });
  const maybe = (record: KeyRecord | undefined): KeyRecord | undefined => record && outward(record);
  const conflictOutward = <T extends { readonly kind: string }>(result: T): T =>
    result.kind === "conflict" && "current" in result
      ? { ...result, current: maybe(result.current as KeyRecord | undefined) }
      : result;
  const eventOutward = ({ type, key, revision, record, previous, note }: KeyEvent): KeyEvent => ({
    type,
    key: keyOutward(key),
    revision,
    record: maybe(record),
    previous: maybe(previous),
    note,
  });
  const queryInward = ({ start, ...query }: RangeQuery): RangeQuery => ({
    ...query,
    prefix: prefixInward(query.prefix),
    ...(start?.startsWith(seenAs) && { start: inward(start) }),
  });

  return {
    get: async (key, options) => maybe(await store.get(inward(key), options)),
    async range(query, signal) {
      const result = await store.range(queryInward(query), signal);
      return { ...result, records: result.records.map(outward) };
    },
    put: async (write, signal) => conflictOutward(await store.put({ ...write, key: inward(write.key) }, signal)),
    async delete(write, signal) {
      const result = await store.delete({ ...write, key: inward(write.key) }, signal);
      return result.kind === "deleted" ? { ...result, previous: outward(result.previous) } : conflictOutward(result);
    },
    transaction: async (writes, signal) => conflictOutward(await store.transaction(writes.map(writeInward), signal)),
    watch: async (query, onBatch, signal) =>
      store.watch(
        { ...query, prefix: prefixInward(query.prefix) },
        (events, progress) => onBatch(events.map(eventOutward), progress),
        signal,
      ),
    compact: (revision) => store.compact(revision),
    readRevision: (signal) => store.readRevision(signal),
    history: async (key, options) => store.history(inward(key), options),
    snapshot: async (signal) => snapshotOutward(await store.snapshot(signal), outward),
    leases: store.leases,
    ...(store.isStale && { isStale: async (key: string) => store.isStale!(inward(key)) }),
    status: () => store.status(),
    close: () => store.close(),
  };
}

/** The part of a range that lies in this part of the store. */
function rangeInward(
  check: RangeCheck,
  { root, seenAs }: { readonly root: string; readonly seenAs: string },
): RangeCheck {
  const seen = Buffer.from(seenAs);
  const end = check.end && Buffer.from(check.end);
  const isWithin = end?.subarray(0, seen.length).equals(seen) === true;
  const behind = Buffer.from(root);
  behind[behind.length - 1]! += 1;
  return {
    ...check,
    key: check.key.startsWith(seenAs) ? root + check.key.slice(seenAs.length) : root,
    end: end && isWithin ? Buffer.concat([Buffer.from(root), end.subarray(seen.length)]) : behind,
  };
}

/** Caveat: the store below must show nothing else in a snapshot, as the etcd engine with that prefix does. */
function snapshotOutward(snapshot: StoreSnapshot, outward: (record: KeyRecord) => KeyRecord): StoreSnapshot {
  async function* batches(signal?: AbortSignal): AsyncGenerator<readonly KeyRecord[], void> {
    for await (const records of snapshot.batches(signal)) yield records.map(outward);
  }
  return {
    revision: snapshot.revision,
    keys: snapshot.keys,
    ...(snapshot.leases && { leases: snapshot.leases }),
    batches,
    close: () => snapshot.close(),
  };
}

/** Field by field: an engine's records may compute them. */
const fieldsOf = ({ value, revision, createRevision, version, lease, stale, unreadable }: KeyRecord) => ({
  value,
  revision,
  createRevision,
  version,
  ...(lease !== undefined && { lease }),
  ...(stale !== undefined && { stale }),
  ...(unreadable !== undefined && { unreadable }),
});
