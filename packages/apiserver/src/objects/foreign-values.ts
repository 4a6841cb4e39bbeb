import type { AnyKind } from "@coxswain/kinds";
import {
  type Conflict,
  type KeyEvent,
  type KeyRecord,
  type KeyValueStore,
  passOn,
  StoreError,
} from "@coxswain/storage";
import { findByPrefix } from "../cache/find-by-prefix.js";
import { createOwnForm, decodeForeign } from "./decode-foreign.js";

/**
 * The store as this server reads it: values of other servers are seen in its own form, and are stale. A value that nobody can
 * read rejects with "unreadable", and ends a watch that meets it. Previous values, histories and snapshots are as they are kept.
 */
export function readForeignValues(store: KeyValueStore, kinds: readonly AnyKind[]): KeyValueStore {
  const byPrefix = new Map(kinds.map((kind) => [kind.storagePrefix, { kind, isOwn: createOwnForm(kind) }]));
  const read = (record: KeyRecord): KeyRecord => {
    if (record.damage !== undefined) throw record.damage;
    const found = findByPrefix(byPrefix, record.key);
    if (!found || found.isOwn(record.value)) return record;
    try {
      const { key, revision, createRevision, version, lease } = record;
      return {
        key,
        value: decodeForeign(found.kind, record.value),
        revision,
        createRevision,
        version,
        ...(lease !== undefined && { lease }),
        stale: true,
      };
    } catch (error) {
      throw new StoreError(
        "unreadable",
        `the value of ${JSON.stringify(record.key)} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
  };
  const readEvent = (event: KeyEvent): KeyEvent => {
    const record = event.record && read(event.record);
    return record === event.record
      ? event
      : { type: event.type, key: event.key, revision: event.revision, record, previous: event.previous };
  };
  const conflict = <T extends Conflict>(result: T): T =>
    result.current ? { ...result, current: read(result.current) } : result;
  return {
    ...passOn(store),
    async get(key, options) {
      const record = await store.get(key, options);
      return record && read(record);
    },
    async range(query, signal) {
      const result = await store.range(query, signal);
      return query.keysOnly || query.countOnly ? result : { ...result, records: result.records.map(read) };
    },
    put: (write, signal) =>
      store.put(write, signal).then((result) => (result.kind === "conflict" ? conflict(result) : result)),
    delete: (write, signal) =>
      store.delete(write, signal).then((result) => (result.kind === "conflict" ? conflict(result) : result)),
    transaction: (writes, signal) =>
      store.transaction(writes, signal).then((result) => (result.kind === "conflict" ? conflict(result) : result)),
    watch: (query, onBatch, signal) => watchReading(store, readEvent, { query, onBatch, signal }),
  };
}

interface Watching {
  readonly query: Parameters<KeyValueStore["watch"]>[0];
  readonly onBatch: Parameters<KeyValueStore["watch"]>[1];
  readonly signal: AbortSignal;
}

/** `onBatch` of a store must not throw: what cannot be read ends the watch from outside. */
async function watchReading(
  store: KeyValueStore,
  readEvent: (event: KeyEvent) => KeyEvent,
  { query, onBatch, signal }: Watching,
): Promise<void> {
  const stopping = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const readBatch = (events: readonly KeyEvent[], progress: number): void => {
    if (failure) return;
    try {
      onBatch(events.map(readEvent), progress);
    } catch (error) {
      failure = { error };
      stopping.abort();
    }
  };
  await store.watch(query, readBatch, AbortSignal.any([signal, stopping.signal]));
  if (failure) throw failure.error;
}
