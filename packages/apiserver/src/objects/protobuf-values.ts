import type { AnyKind } from "@coxswain/kinds";
import {
  type Conflict,
  encryptedForm,
  type KeyEvent,
  type KeyRecord,
  type KeyValueStore,
  passOn,
  StoreError,
  type UnreadableValue,
  writerText,
} from "@coxswain/storage";
import { findByPrefix } from "../cache/find-by-prefix.js";
import { createOwnForm, decodeProtobufValue } from "./decode-protobuf-value.js";

/**
 * The store as this server reads it: values of other servers are seen in its own form, and are stale. A value that nobody
 * can decode is a record that is `unreadable`. Previous values, histories and snapshots are as they are kept.
 */
export function readProtobufValues(store: KeyValueStore, kinds: readonly AnyKind[]): KeyValueStore {
  const byPrefix = new Map(kinds.map((kind) => [kind.storagePrefix, { kind, isOwn: createOwnForm(kind) }]));
  const read = (record: KeyRecord): KeyRecord => {
    const found = findByPrefix(byPrefix, record.key);
    if (!found || record.unreadable || found.isOwn(record.value)) return record;
    const { key, revision, createRevision, version, lease } = record;
    const same = { key, revision, createRevision, version, ...(lease !== undefined && { lease }) };
    try {
      return { ...same, value: decodeProtobufValue(found.kind, record.value), stale: true };
    } catch (error) {
      return { ...same, value: record.value, unreadable: whyUnreadable(record.value, error) };
    }
  };
  const readEvent = (event: KeyEvent): KeyEvent => {
    const record = event.record && read(event.record);
    return record === event.record
      ? event
      : {
          type: event.type,
          key: event.key,
          revision: event.revision,
          record,
          previous: event.previous,
          note: event.note,
        };
  };
  const conflict = <T extends Conflict>(result: T): T =>
    result.current ? { ...result, current: read(result.current) } : result;
  return {
    ...passOn(store),
    async get(key, options) {
      const record = await store.get(key, options);
      const own = record && read(record);
      if (own?.unreadable)
        throw new StoreError(
          "unreadable",
          `unable to ${own.unreadable.step} key ${JSON.stringify(key)}: ${own.unreadable.message}`,
        );
      return own;
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
    watch: (query, onBatch, signal) =>
      store.watch(query, (events, progress) => onBatch(events.map(readEvent), progress), signal),
  };
}

/** Without a configuration nothing is decrypted, and what somebody encrypted is refused (`value/encrypt/identity/identity.go`). */
function whyUnreadable(value: Uint8Array, error: unknown): UnreadableValue {
  const form = encryptedForm(value);
  return form
    ? { step: "transform", message: `identity transformer tried to read encrypted data${writerText(form, "")}` }
    : { step: "decode", message: error instanceof Error ? error.message : String(error) };
}
