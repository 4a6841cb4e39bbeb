import { stringifyJson } from "@coxswain/apimachinery/json";
import { locateMetadata } from "@coxswain/apimachinery/object";
import { type AnyKind, dropAnnotation } from "@coxswain/kinds/definition";
import { bytesOf, type CacheEntry } from "../../cache/cache-entry.js";
import type { ByteSink } from "../../request/form.js";
import { managedFieldsIn, withoutManagedFields } from "./managed-fields-cut.js";
import { utf8 } from "./text.js";

/** The metadata of an encoded object, braces included; a view where it can be. Few kinds have an annotation that is not shown without the object. */
export function metadataBytes({ numberAnnotation }: AnyKind, bytes: Uint8Array): Uint8Array {
  const { start, end } = placesIn(bytes);
  const whole = bytes.subarray(start, end);
  if (!numberAnnotation) return whole;
  const metadata = JSON.parse(new TextDecoder().decode(whole)) as { annotations?: Record<string, string> };
  dropAnnotation(metadata, numberAnnotation.name);
  return utf8(stringifyJson(metadata));
}

interface Places {
  readonly start: number;
  readonly end: number;
}

/** Where the metadata of an entry stands in it; entries never change. */
const found = new WeakMap<CacheEntry, Places>();

/** @param drops without its managed fields */
export function appendMetadata(kind: AnyKind, entry: CacheEntry, into: ByteSink, drops = false): void {
  if (kind.numberAnnotation) {
    const whole = metadataBytes(kind, bytesOf(entry));
    return into.append(drops ? withoutManagedFields(whole) : whole);
  }
  let places = found.get(entry);
  if (!places)
    found.set(entry, (places = placesIn(entry.slab.bytes.subarray(entry.offset, entry.offset + entry.length))));
  const start = entry.offset + places.start;
  const end = entry.offset + places.end;
  const cut = drops ? managedFieldsIn(entry.slab.bytes, start, end) : undefined;
  into.append(entry.slab.bytes, start, cut?.start ?? end);
  if (cut) into.append(entry.slab.bytes, cut.end, end);
}

function placesIn(bytes: Uint8Array): Places {
  const places = locateMetadata(bytes);
  if (!places) throw new Error("a stored object has no metadata");
  return { start: places.metadataStart, end: places.metadataEnd };
}
