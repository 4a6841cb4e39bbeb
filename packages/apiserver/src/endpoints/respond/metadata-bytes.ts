import { locateMetadata } from "@coxswain/apimachinery/object";
import type { CacheEntry } from "../../cache/cache-entry.js";
import type { ByteSink } from "./form.js";

/** The metadata of an encoded object, braces included; a view. */
export function metadataBytes(bytes: Uint8Array): Uint8Array {
  const { start, end } = placesIn(bytes);
  return bytes.subarray(start, end);
}

interface Places {
  readonly start: number;
  readonly end: number;
}

/** Where the metadata of an entry stands in it; entries never change. */
const found = new WeakMap<CacheEntry, Places>();

export function appendMetadata(entry: CacheEntry, into: ByteSink): void {
  let places = found.get(entry);
  if (!places) found.set(entry, (places = placesIn(entry.slab.bytes.subarray(entry.offset, entry.offset + entry.length))));
  into.append(entry.slab.bytes, entry.offset + places.start, entry.offset + places.end);
}

function placesIn(bytes: Uint8Array): Places {
  const places = locateMetadata(bytes);
  if (!places) throw new Error("a stored object has no metadata");
  return { start: places.metadataStart, end: places.metadataEnd };
}
