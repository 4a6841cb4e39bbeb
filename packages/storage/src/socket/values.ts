import type { HistoryEntry, KeyRecord } from "../key-value-store.js";
import { DamagedValueError } from "../store-error.js";
import type { EntryHead, RecordHead } from "./protocol.js";

/** Field by field: an engine's records may compute them. */
export const headsOfRecords = (records: readonly KeyRecord[]): RecordHead[] =>
  records.map(({ key, revision, createRevision, version, lease, stale, damage, value }) => ({
    key,
    revision,
    createRevision,
    version,
    ...(lease !== undefined && { lease }),
    ...(stale !== undefined && { stale }),
    ...(damage !== undefined && { damage: damage.why }),
    length: value.length,
  }));
export const valuesOf = (records: readonly { readonly value: Uint8Array | undefined }[]): Uint8Array[] =>
  records.flatMap(({ value }) => (value === undefined ? [] : [value]));
export const headsOfEntries = (entries: readonly HistoryEntry[]): EntryHead[] =>
  entries.map(({ type, revision, note, damage, value }) => ({
    type,
    revision,
    ...(damage !== undefined && { damage: { key: damage.key, why: damage.why } }),
    ...(note !== undefined && { note }),
    ...(value !== undefined && { length: value.length }),
  }));

export function recordsFrom(heads: readonly RecordHead[], body: Uint8Array): KeyRecord[] {
  let at = 0;
  return heads.map(({ length, damage, ...head }) => ({
    ...head,
    ...(damage !== undefined && { damage: new DamagedValueError(head, damage) }),
    value: body.subarray(at, (at += length)),
  }));
}

export function entriesFrom(heads: readonly EntryHead[], body: Uint8Array): HistoryEntry[] {
  let at = 0;
  return heads.map(({ length, damage, ...head }) => ({
    ...head,
    ...(damage !== undefined && { damage: new DamagedValueError({ ...head, key: damage.key }, damage.why) }),
    value: length === undefined ? undefined : body.subarray(at, (at += length)),
  }));
}
