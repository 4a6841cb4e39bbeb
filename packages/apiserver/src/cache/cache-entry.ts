import type { UserMap } from "@coxswain/apimachinery/own";
import { noSlab, type SlabRef } from "./slab.js";

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
}

export type EntryFacts = Pick<CacheEntry, "key" | "revision" | "namespace" | "name" | "labels" | "fields" | "stale">;

/** Every entry is made here, so that all have one hidden class. */
export function createEntry(facts: EntryFacts): CacheEntry {
  return {
    key: facts.key,
    revision: facts.revision,
    namespace: facts.namespace,
    name: facts.name,
    labels: facts.labels,
    fields: facts.fields,
    stale: facts.stale,
    slab: noSlab,
    offset: 0,
    length: 0,
    live: false,
  };
}

/** A view, not a copy. Whoever keeps it keeps the slab. */
export const bytesOf = (entry: SlabRef): Uint8Array => entry.slab.bytes.subarray(entry.offset, entry.offset + entry.length);
