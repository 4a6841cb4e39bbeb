import { deepFreeze } from "@coxswain/apimachinery/json";
import { bytesOf, type CacheEntry } from "./cache-entry.js";
import { parseStored } from "./encoded-object.js";

/**
 * Parsed objects by entry. Of what the cache serves now they are kept as long as the entry: a changed object is a new entry. An entry
 * that was replaced or deleted lives on in the events of the last minute: there the object is held weakly, for informers that have it
 * anyway. Otherwise a window of events would hold about ten times the bytes of its objects.
 */
const parsed = new WeakMap<CacheEntry, object>();
const metadata = new WeakMap<CacheEntry, object>();

/** Shared and frozen. */
export const parseEntry = (entry: CacheEntry): unknown =>
  remembered(parsed, entry, () => deepFreeze(parseStored(bytesOf(entry))));

/** The same as a PartialObjectMetadata. */
export const parseMetadata = (entry: CacheEntry): unknown =>
  remembered(metadata, entry, () => {
    const object = parseEntry(entry) as { readonly metadata: unknown };
    return Object.freeze({
      kind: "PartialObjectMetadata",
      apiVersion: "meta.k8s.io/v1",
      metadata: object.metadata,
    });
  });

/** Called when the entry is no longer the newest state of its object in a cache; another one may share it and still serve it. */
export function releaseParsed(entry: CacheEntry): void {
  if (entry.live) return;
  for (const known of [parsed, metadata]) {
    const object = known.get(entry);
    if (object !== undefined && !(object instanceof WeakRef)) known.set(entry, new WeakRef(object));
  }
}

function remembered(known: WeakMap<CacheEntry, object>, entry: CacheEntry, make: () => object): object {
  const held = known.get(entry);
  const object = held instanceof WeakRef ? (held.deref() as object | undefined) : held;
  if (object !== undefined) return object;
  const made = make();
  known.set(entry, entry.live ? made : new WeakRef(made));
  return made;
}
