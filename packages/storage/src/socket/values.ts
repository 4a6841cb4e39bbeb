import type { HistoryEntry, KeyRecord } from "../contract/key-value-store.js";
import type { EntryHead, RecordHead } from "./protocol.js";

/** Field by field: an engine's records may compute them. */
export const headsOfRecords = (records: readonly KeyRecord[]): RecordHead[] =>
  records.map(({ key, revision, createRevision, version, lease, stale, unreadable, value }) => ({
    key,
    revision,
    createRevision,
    version,
    ...(lease !== undefined && { lease }),
    ...(stale !== undefined && { stale }),
    ...(unreadable !== undefined && { unreadable }),
    length: value.length,
  }));
export const valuesOf = (records: readonly { readonly value: Uint8Array | undefined }[]): Uint8Array[] =>
  records.flatMap(({ value }) => (value === undefined ? [] : [value]));
export const headsOfEntries = (entries: readonly HistoryEntry[]): EntryHead[] =>
  entries.map(({ type, revision, note, unreadable, value }) => ({
    type,
    revision,
    ...(unreadable !== undefined && { unreadable }),
    ...(note !== undefined && { note }),
    ...(value !== undefined && { length: value.length }),
  }));

export function recordsFrom(heads: readonly RecordHead[], body: Uint8Array): KeyRecord[] {
  let at = 0;
  return heads.map(({ length, ...head }) => ({
    ...head,
    value: body.subarray(at, (at += length)),
  }));
}

export function entriesFrom(heads: readonly EntryHead[], body: Uint8Array): HistoryEntry[] {
  let at = 0;
  return heads.map(({ length, ...head }) => ({
    ...head,
    value: length === undefined ? undefined : body.subarray(at, (at += length)),
  }));
}
