import type { UserMap } from "@coxswain/apimachinery/own";
import { createSlab, noSlab, type SlabRef } from "./slab.js";

/**
 * One object in the watch cache: its bytes, and what selectors ask for. The bytes are canonical JSON that already contains
 * kind, apiVersion and resourceVersion, so that GET, LIST and WATCH only copy them.
 */
export interface CacheEntry extends SlabRef {
  readonly key: string;
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
  readonly labels: UserMap<string> | undefined;
  /** What selectors may name besides metadata.name and metadata.namespace. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** The store keeps it in a form that it would write otherwise today (an old key, an old encoding). */
  readonly stale: boolean;
  /** Belongs to parse-entry.ts. */
  parsed: ParsedForms | undefined;
}

export type EntryFacts = Pick<CacheEntry, "key" | "revision" | "namespace" | "labels" | "fields" | "stale">;

/**
 * What was parsed of an entry, kept at the entry itself: a WeakMap by entry costs a quarter to a half of the time of a full collection. Of
 * what the cache serves now it is kept as long as the entry: a changed object is a new entry. An entry that was replaced or deleted lives on
 * in the events of the last minute: there it is held weakly, for informers that have it anyway. Otherwise a window of events would hold about
 * ten times the bytes of its objects.
 */
export interface ParsedForms {
  shared: object | undefined;
  metadata: object | undefined;
  whole: object | undefined;
}

/** Every entry is made here, so that all have one hidden class. */
export const createEntry = (facts: EntryFacts): CacheEntry => new Entry(facts);

class Entry implements CacheEntry {
  readonly key: string;
  readonly revision: number;
  readonly namespace: string;
  readonly labels: UserMap<string> | undefined;
  readonly fields: Readonly<Record<string, string>> | undefined;
  readonly stale: boolean;
  slab = noSlab;
  offset = 0;
  length = 0;
  live = false;
  parsed: ParsedForms | undefined = undefined;

  constructor(facts: EntryFacts) {
    this.key = facts.key;
    this.revision = facts.revision;
    this.namespace = facts.namespace;
    this.labels = facts.labels;
    this.fields = facts.fields;
    this.stale = facts.stale;
  }

  /** Every key ends with it. There are as many entries as objects: what is there already is not held twice. */
  get name(): string {
    return this.key.slice(this.key.lastIndexOf("/") + 1);
  }
}

/** The same object in other bytes, which are its own and not the cache's. */
export function withBytes(facts: EntryFacts, bytes: Uint8Array): CacheEntry {
  const entry = createEntry(facts);
  entry.slab = createSlab(bytes);
  entry.length = bytes.length;
  return entry;
}

/** A view, not a copy. Keeping it keeps the whole slab alive. */
export const bytesOf = (entry: SlabRef): Uint8Array =>
  entry.slab.bytes.subarray(entry.offset, entry.offset + entry.length);
