import { deepFreeze } from "@coxswain/apimachinery/json";
import { locateMetadata, withoutManagedFields } from "@coxswain/apimachinery/object";
import { bytesOf, type CacheEntry, type ParsedForms } from "./cache-entry.js";
import { parseStored } from "./encoded-object.js";

/** Frozen, and without managedFields: half of the heap of most objects, which nobody in the process reads. */
export const parseEntry = (entry: CacheEntry): unknown =>
  remembered(entry, "shared", () => deepFreeze(parseStored(withoutManagedFields(bytesOf(entry)))));

/** The metadata as a PartialObjectMetadata, likewise frozen and without managedFields. Nothing else of the object is parsed. */
export const parseMetadata = (entry: CacheEntry): unknown =>
  remembered(entry, "metadata", () =>
    partial(knownMetadata(entry) ?? deepFreeze(parseStored(metadataBytes(bytesOf(entry))))),
  );

/** With managedFields, for those who want the object as it is. Held weakly: they have it. */
export const parseWhole = (entry: CacheEntry): unknown =>
  remembered(entry, "whole", () => deepFreeze(parseStored(bytesOf(entry))));

/** The metadata with managedFields. */
export const parseWholeMetadata = (entry: CacheEntry): unknown =>
  partial((parseWhole(entry) as { readonly metadata: unknown }).metadata);

/** Called when the entry is no longer the newest state of its object in a cache; another one may share it and still serve it. */
export function releaseParsed(entry: CacheEntry): void {
  const { parsed } = entry;
  if (entry.live || !parsed) return;
  parsed.shared = weakly(parsed.shared);
  parsed.metadata = weakly(parsed.metadata);
}

function remembered(entry: CacheEntry, form: keyof ParsedForms, make: () => object): object {
  const known = held(entry.parsed?.[form]);
  if (known !== undefined) return known;
  const made = make();
  entry.parsed ??= { shared: undefined, metadata: undefined, whole: undefined };
  entry.parsed[form] = entry.live && form !== "whole" ? made : new WeakRef(made);
  return made;
}

const held = (object: object | undefined): object | undefined =>
  object instanceof WeakRef ? (object.deref() as object | undefined) : object;

const weakly = (object: object | undefined): object | undefined =>
  object === undefined || object instanceof WeakRef ? object : new WeakRef(object);

const knownMetadata = ({ parsed }: CacheEntry): unknown =>
  (held(parsed?.shared) as { readonly metadata?: unknown } | undefined)?.metadata;

const partial = (metadata: unknown): object =>
  Object.freeze({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata });

function metadataBytes(bytes: Uint8Array): Uint8Array {
  const cut = withoutManagedFields(bytes);
  const places = locateMetadata(cut);
  if (!places) throw new Error("a cached object has no metadata");
  return cut.subarray(places.metadataStart, places.metadataEnd);
}
