import type { Conflict, KeyRecord, KeyValueStore, Write } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { createCodec, unreadableError } from "./codec.js";
import { EncryptedWatches } from "./encrypted-watches.js";
import type { Transformer } from "./transformer.js";

/**
 * A store whose values are kept as `transformerFor(key)` has it. It knows nothing of what the keys mean.
 * Records that would be written otherwise today are `stale`; those that no provider of today can read are `unreadable`.
 */
export function encryptStore(store: KeyValueStore, transformerFor: (key: string) => Transformer): KeyValueStore {
  const codec = createCodec(transformerFor);
  const watches = new EncryptedWatches(store, codec);
  const conflict = async <T extends Conflict>(result: T): Promise<T> =>
    result.current ? { ...result, current: await codec.open(result.current) } : result;
  const writes = new PendingWrites();
  const sealed = async (write: Write): Promise<Write> =>
    write.op === "put" ? { ...write, value: await codec.seal(write.key, write.value) } : write;
  return {
    async get(key, options) {
      const record = await store.get(key, options);
      return record && readable(await codec.open(record));
    },
    async range(query, signal) {
      const result = await store.range(query, signal);
      return query.keysOnly || query.countOnly ? result : { ...result, records: await codec.openAll(result.records) };
    },
    put: (write, signal) =>
      writes.run(async () => {
        const result = await store.put({ ...write, value: await codec.seal(write.key, write.value) }, signal);
        if (result.kind === "conflict") return conflict(result);
        await watches.delivered([write.key]);
        return result;
      }),
    async delete(write, signal) {
      const result = await store.delete(write, signal);
      if (result.kind === "conflict") return conflict(result);
      await watches.delivered([write.key]);
      return { ...result, previous: await codec.open(result.previous) };
    },
    transaction: (wanted, signal) =>
      writes.run(async () => {
        const result = await store.transaction(await Promise.all(wanted.map(sealed)), signal);
        if (result.kind === "conflict") return conflict(result);
        await watches.delivered(wanted.map(({ key }) => key));
        return result;
      }),
    watch: (query, onBatch, signal) => watches.watch(query, onBatch, signal),
    async history(key, options) {
      const entries = await store.history(key, options);
      return Promise.all(
        entries.map(async (entry) =>
          entry.value ? { ...entry, value: (await codec.openValue(key, entry.value)).value } : entry,
        ),
      );
    },
    async snapshot(signal) {
      const snapshot = await store.snapshot(signal);
      return {
        ...snapshot,
        async *batches(until) {
          for await (const records of snapshot.batches(until)) yield await codec.openAll(records);
        },
      };
    },
    async isStale(key) {
      if (codec.isPlain(key)) return false;
      const record = await store.get(key);
      return record !== undefined && isOutOfDate(await codec.open(record));
    },
    compact: (revision) => store.compact(revision),
    readRevision: (signal) => store.readRevision(signal),
    leases: leasesOf(store, () => watches.delivered()),
    status: () => store.status(),
    close: () => writes.close(() => store.close()),
  };
}

/** A write that is still being encrypted when the store closes is one that is pending. */
class PendingWrites {
  readonly #pending = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new StoreError("closed", "the store is closed");
    const working = work();
    this.#pending.add(working);
    try {
      return await working;
    } finally {
      this.#pending.delete(working);
    }
  }

  close(store: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#pending).then(store);
    return this.#closing;
  }
}

/** A revocation deletes objects: it is answered when those who watch have received that. */
const leasesOf = ({ leases }: KeyValueStore, delivered: () => Promise<void>): KeyValueStore["leases"] => ({
  grant: (ttlMs) => leases.grant(ttlMs),
  keepAlive: (lease) => leases.keepAlive(lease),
  async revoke(lease) {
    const revision = await leases.revoke(lease);
    await delivered();
    return revision;
  },
});

/** @throws StoreError "unreadable" */
function readable(record: KeyRecord): KeyRecord {
  if (record.unreadable) throw unreadableError(record.key, record.unreadable);
  return record;
}

const isOutOfDate = ({ stale = false, unreadable }: KeyRecord): boolean => stale || unreadable !== undefined;
